package main

import (
	"bytes"
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"fmt"
	"io/fs"
	"path"
	"strings"
)

var (
	//go:embed python/absolink/*.py
	pythonModules embed.FS
	//go:embed python/README.md
	pythonReadme []byte
)

// wheelTags are the platform tags of the wheels. The Linux binaries need no C library, so they run with any. Go 1.26
// needs macOS 12.
var wheelTags = map[platform][]string{
	{"linux", "amd64"}:   {"manylinux2014_x86_64", "manylinux_2_17_x86_64", "musllinux_1_1_x86_64"},
	{"linux", "arm64"}:   {"manylinux2014_aarch64", "manylinux_2_17_aarch64", "musllinux_1_1_aarch64"},
	{"darwin", "amd64"}:  {"macosx_12_0_x86_64"},
	{"darwin", "arm64"}:  {"macosx_12_0_arm64"},
	{"windows", "amd64"}: {"win_amd64"},
	{"windows", "arm64"}: {"win_arm64"},
}

// writeWheel writes the wheel for one platform: a Python package with the binary.
func (r *release) writeWheel(p platform, binary []byte) error {
	tags := wheelTags[p]
	info := "absolink-" + r.version.python() + ".dist-info/"
	files, err := r.wheelModules()
	if err != nil {
		return err
	}
	files = append(files,
		file{name: "absolink/py.typed"},
		file{name: "absolink/bin/" + p.program(), data: binary, exec: true},
		file{name: info + "METADATA", data: r.wheelMetadata()},
		file{name: info + "WHEEL", data: wheelFile(tags)},
		file{name: info + "entry_points.txt", data: []byte("[console_scripts]\nabsolink = absolink:main\n")},
		file{name: info + "licenses/LICENSE", data: r.doc("LICENSE")},
		file{name: info + "licenses/THIRD_PARTY.md", data: r.doc("THIRD_PARTY.md")},
	)
	files = append(files, file{name: info + "RECORD", data: wheelRecord(files, info+"RECORD")})
	data, err := zipOf(files, r.time)
	if err != nil {
		return err
	}
	return r.write("absolink-"+r.version.python()+"-py3-none-"+strings.Join(tags, ".")+".whl", data)
}

// wheelModules returns the modules of Python, with the version of the wheel.
func (r *release) wheelModules() (files []file, err error) {
	names, err := fs.Glob(pythonModules, "python/absolink/*.py")
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		data, err := pythonModules.ReadFile(name)
		if err != nil {
			return nil, err
		}
		data = bytes.Replace(data, []byte(`__version__ = "0+source"`), []byte(`__version__ = "`+r.version.python()+`"`),
			1)
		files = append(files, file{name: "absolink/" + path.Base(name), data: data})
	}
	return files, nil
}

// wheelMetadata returns the file METADATA by the core metadata specification 2.4.
func (r *release) wheelMetadata() []byte {
	var b strings.Builder
	for _, field := range [][2]string{
		{"Metadata-Version", "2.4"},
		{"Name", "absolink"},
		{"Version", r.version.python()},
		{"Summary", summary},
		{"Author", "the absolink authors"},
		{"License-Expression", expression(r.modules)},
		{"License-File", "LICENSE"},
		{"License-File", "THIRD_PARTY.md"},
		{"Keywords", "base url,links,rfc1808,warc,mhtml,html"},
		{"Classifier", "Development Status :: 4 - Beta"},
		{"Classifier", "Environment :: Console"},
		{"Classifier", "Programming Language :: Python :: 3"},
		{"Classifier", "Topic :: Internet :: WWW/HTTP"},
		{"Classifier", "Topic :: Text Processing :: Markup :: HTML"},
		{"Classifier", "Typing :: Typed"},
		{"Requires-Python", ">=3.9"},
		{"Description-Content-Type", "text/markdown"},
	} {
		fmt.Fprintf(&b, "%s: %s\n", field[0], field[1])
	}
	b.WriteByte('\n')
	b.Write(pythonReadme)
	return []byte(b.String())
}

// wheelFile returns the file WHEEL, which has one line for each of the tags that the file name joins.
func wheelFile(tags []string) []byte {
	text := "Wheel-Version: 1.0\nGenerator: absolink-release\nRoot-Is-Purelib: false\n"
	for _, tag := range tags {
		text += "Tag: py3-none-" + tag + "\n"
	}
	return []byte(text)
}

// wheelRecord returns the file RECORD, with the name, hash and length of each file. For RECORD itself it has only the
// name.
func wheelRecord(files []file, name string) []byte {
	var b strings.Builder
	for _, f := range files {
		sum := sha256.Sum256(f.data)
		fmt.Fprintf(&b, "%s,sha256=%s,%d\n", f.name, base64.RawURLEncoding.EncodeToString(sum[:]), len(f.data))
	}
	b.WriteString(name + ",,\n")
	return []byte(b.String())
}
