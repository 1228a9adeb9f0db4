package main

import (
	"cmp"
	"fmt"
	"regexp"
	"strings"
	"time"
)

// A version is a semantic version in parts. The pre-release part of a snapshot is its time and its revision.
type version struct {
	core     string // "1.2.3"
	kind     string // "alpha", "beta", "rc", "snapshot", or ""
	number   string // of a pre-release
	revision string // of a snapshot
}

var versionSyntax = regexp.MustCompile(`^v((?:0|[1-9]\d*)\.(?:0|[1-9]\d*)\.(?:0|[1-9]\d*))` +
	`(?:-(alpha|beta|rc)\.(0|[1-9]\d*))?$`)

// parseVersion parses an argument. It accepts only versions that all kinds of packages can spell.
func parseVersion(text string) (version, error) {
	m := versionSyntax.FindStringSubmatch(text)
	if m == nil {
		return version{}, fmt.Errorf("%q is not a version; write v1.2.3, or v1.2.3-rc.1 with alpha, beta or rc", text)
	}
	return version{core: m[1], kind: m[2], number: m[3]}, nil
}

// snapshotOf returns the version of a commit that is not a release, which is a Go pseudo-version.
func snapshotOf(revision string, date time.Time) version {
	return version{core: "0.0.0", kind: "snapshot", number: date.UTC().Format("20060102150405"),
		revision: revision[:min(12, len(revision))]}
}

// pre returns the pre-release part of the version, with separator between its two parts.
func (v version) pre(separator string) string {
	switch v.kind {
	case "":
		return ""
	case "snapshot":
		return v.number + separator + v.revision
	}
	return v.kind + "." + v.number
}

// plain returns the version without the letter v, as in file names.
func (v version) plain() string {
	return strings.TrimSuffix(v.core+"-"+v.pre("-"), "-")
}

// String returns the version of the Go module.
func (v version) String() string { return "v" + v.plain() }

// python returns the version by PEP 440.
func (v version) python() string {
	kinds := map[string]string{"alpha": "a", "beta": "b", "rc": "rc", "snapshot": ".dev"}
	return v.core + kinds[v.kind] + v.number
}

// A platform is an operating system and an architecture, as Go names them.
type platform struct{ os, arch string }

var allPlatforms = []platform{
	{"linux", "amd64"}, {"linux", "arm64"},
	{"darwin", "amd64"}, {"darwin", "arm64"},
	{"windows", "amd64"}, {"windows", "arm64"},
}

func (p platform) String() string { return p.os + "/" + p.arch }

// file returns the name of the platform in file names.
func (p platform) file() string {
	names := map[string]string{"darwin": "macos"}
	return cmp.Or(names[p.os], p.os) + "-" + p.arch
}

func (p platform) program() string {
	if p.os == "windows" {
		return "absolink.exe"
	}
	return "absolink"
}

func platformNames() []string {
	var names []string
	for _, p := range allPlatforms {
		names = append(names, p.String())
	}
	return names
}

// parsePlatforms parses a list of platforms, and returns them in the order of allPlatforms.
func parsePlatforms(list string) ([]platform, error) {
	wanted := make(map[string]bool)
	for name := range strings.SplitSeq(list, ",") {
		wanted[name] = true
	}
	var platforms []platform
	for _, p := range allPlatforms {
		if wanted[p.String()] {
			platforms = append(platforms, p)
			delete(wanted, p.String())
		}
	}
	for name := range wanted {
		return nil, fmt.Errorf("-platforms: %q is not a platform; choose from %s", name,
			strings.Join(platformNames(), ", "))
	}
	return platforms, nil
}
