package main

import (
	"runtime/debug"
	"strings"
	"time"
)

// build is what is known of how this binary was made.
type build struct {
	version string // of the module
	detail  string // revision and compiler
	time    time.Time
}

func thisBuild() build {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return build{version: "(unknown)"}
	}
	return buildOf(info)
}

func buildOf(info *debug.BuildInfo) build {
	b := build{version: info.Main.Version}
	if b.version == "" {
		b.version = "(devel)"
	}
	var details []string
	for _, setting := range info.Settings {
		switch setting.Key {
		case "vcs.revision":
			details = append(details, "revision "+setting.Value)
		case "vcs.time":
			b.time, _ = time.Parse(time.RFC3339, setting.Value)
		case "vcs.modified":
			if setting.Value == "true" {
				details = append(details, "modified")
			}
		}
	}
	b.detail = strings.Join(append(details, info.GoVersion), ", ")
	return b
}

// String is what --version prints.
func (b build) String() string { return b.version + " (" + b.detail + ")" }
