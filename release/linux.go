package main

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/goreleaser/nfpm/v2"
	"github.com/goreleaser/nfpm/v2/deb"
	"github.com/goreleaser/nfpm/v2/files"
	"github.com/goreleaser/nfpm/v2/rpm"
)

type packager interface {
	ConventionalFileName(*nfpm.Info) string
	Package(*nfpm.Info, io.Writer) error
}

// An installed is a file of a package, with its type for nfpm: "", or one that only rpm has.
type installed struct {
	file
	kind string
}

func (r *release) writeDeb(p platform, binary []byte) error {
	contents, err := r.installed(binary)
	if err != nil {
		return err
	}
	for _, c := range completions {
		if c.deb != "" {
			contents = append(contents, installed{file: file{name: c.deb, data: r.doc(c.name)}})
		}
	}
	copyright := string(r.doc("LICENSE")) + "\nThe binary contains other software. " +
		"/usr/share/doc/absolink/THIRD_PARTY.md has its licenses.\n"
	contents = append(contents, installed{file: file{name: "usr/share/doc/absolink/copyright",
		data: []byte(copyright)}})
	contents = append(contents, r.documentation("")...)
	info := r.packageInfo(p)
	info.Section, info.Priority = "web", "optional"
	return r.writePackage(deb.Default, info, contents)
}

func (r *release) writeRPM(p platform, binary []byte) error {
	contents, err := r.installed(binary)
	if err != nil {
		return err
	}
	for _, c := range completions {
		if c.rpm != "" {
			contents = append(contents, installed{file: file{name: c.rpm, data: r.doc(c.name)}})
		}
	}
	for _, name := range []string{"LICENSE", "THIRD_PARTY.md"} {
		contents = append(contents, installed{file{name: "usr/share/licenses/absolink/" + name, data: r.doc(name)},
			files.TypeRPMLicense})
	}
	contents = append(contents, r.documentation(files.TypeRPMDoc)...)
	info := r.packageInfo(p)
	info.Release = "1"
	info.RPM.Summary, info.RPM.BuildHost = summary, "localhost"
	return r.writePackage(rpm.DefaultRPM, info, contents)
}

// installed returns the files that both kinds of packages have in the same place: the binary and the manual.
func (r *release) installed(binary []byte) ([]installed, error) {
	contents := []installed{{file: file{name: "usr/bin/absolink", data: binary, exec: true}}}
	for _, doc := range r.printed {
		page, ok := strings.CutPrefix(doc.name, "man/")
		if !ok {
			continue
		}
		data, err := gzipOf(doc.data)
		if err != nil {
			return nil, err
		}
		contents = append(contents, installed{file: file{name: "usr/share/man/man1/" + page + ".gz", data: data}})
	}
	return contents, nil
}

// documentation returns the pages as files of a package.
func (r *release) documentation(kind string) (contents []installed) {
	for _, page := range r.pages {
		contents = append(contents, installed{file{name: "usr/share/doc/absolink/" + page.name, data: page.data}, kind})
	}
	return contents
}

// packageInfo returns what both kinds of packages say about themselves. A tilde makes a pre-release older than its
// release.
func (r *release) packageInfo(p platform) *nfpm.Info {
	return nfpm.WithDefaults(&nfpm.Info{
		Name:            "absolink",
		Arch:            p.arch,
		Platform:        p.os,
		Version:         r.version.core,
		VersionSchema:   "none",
		Prerelease:      r.version.pre("."),
		Maintainer:      maintainer,
		Description:     summary + "\n" + description,
		License:         expression(r.modules),
		DisableGlobbing: true,
		MTime:           r.time,
	})
}

// writePackage writes a package under its conventional file name. nfpm reads the contents from files.
func (r *release) writePackage(pkg packager, info *nfpm.Info, contents []installed) error {
	tmp, err := os.MkdirTemp("", "absolink-package-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(tmp)
	for _, c := range contents {
		source := filepath.Join(tmp, strings.ReplaceAll(c.name, "/", "_"))
		if err := os.WriteFile(source, c.data, 0o666); err != nil {
			return err
		}
		info.Contents = append(info.Contents, &files.Content{
			Source:      source,
			Destination: "/" + c.name,
			Type:        c.kind,
			FileInfo:    &files.ContentFileInfo{Owner: "root", Group: "root", Mode: c.mode(), MTime: r.time},
		})
	}
	name := pkg.ConventionalFileName(info)
	var b bytes.Buffer
	if err := pkg.Package(info, &b); err != nil {
		return err
	}
	return r.write(name, b.Bytes())
}
