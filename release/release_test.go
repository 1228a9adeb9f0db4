package main

import (
	"bytes"
	"crypto/sha256"
	"debug/buildinfo"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// small writes a release of small files: each binary is an empty program with the name of its platform at the end.
func small(t *testing.T, out string) {
	t.Helper()
	dir := t.TempDir()
	program := filepath.Join(dir, "program")
	require.NoError(t, os.WriteFile(filepath.Join(dir, "main.go"), []byte("package main\n\nfunc main() {}\n"), 0o666))
	_, err := output(exec.Command("go", "build", "-trimpath", "-buildvcs=false", "-o", program, filepath.Join(dir, "main.go")))
	require.NoError(t, err)
	binary, err := os.ReadFile(program)
	require.NoError(t, err)
	binaries := make(map[platform][]byte)
	for _, p := range allPlatforms {
		binaries[p] = append(bytes.Clone(binary), p.String()...)
	}
	r := &release{
		out:      out,
		version:  version{core: "1.2.3", kind: "rc", number: "1"},
		revision: "0123456789abcdef0123456789abcdef01234567",
		time:     time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC),
		modules:  []module{{path: "example.org/m", version: "v1.0.0", license: "Apache-2.0 AND MIT"}},
	}
	r.pages, err = readPages("..")
	require.NoError(t, err)
	for _, name := range []string{"man/absolink.1", "man/absolink-links.1"} {
		r.printed = append(r.printed, file{name: name, data: []byte(name + "\n")})
	}
	for _, c := range completions {
		r.printed = append(r.printed, file{name: c.name, data: []byte("the script for " + c.shell + "\n")})
	}
	r.try = []byte("<title>Try absolink</title>\n<script type=\"application/octet-stream\" id=\"program\"></script>\n")
	require.NoError(t, makeEmpty(out))
	require.NoError(t, r.writeAll(allPlatforms, binaries))
}

// TestRelease reads all files of the release in the folder RELEASE or, without that variable, of a small one.
func TestRelease(t *testing.T) {
	dir := os.Getenv("RELEASE")
	if dir == "" {
		dir = t.TempDir()
		small(t, dir)
	}
	for name, test := range map[string]func(*testing.T, string){
		"sums": testSums, "archives": testArchives, "deb": testDeb, "rpm": testRPM, "image": testImage, "wheel": testWheel, "sbom": testSBOM, "try": testTry,
	} {
		t.Run(name, func(t *testing.T) { test(t, dir) })
	}
}

// glob returns the files of a release that match a pattern, of which there must be one.
func glob(t *testing.T, dir, pattern string) []string {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(dir, pattern))
	require.NoError(t, err)
	require.NotEmpty(t, names, pattern)
	return names
}

// archived returns the files in the archive for a Linux platform, without the top folder of their names.
func archived(t *testing.T, dir, arch string) map[string]file {
	t.Helper()
	in, err := os.Open(glob(t, dir, "absolink-*-linux-"+arch+".tar.gz")[0])
	require.NoError(t, err)
	defer in.Close()
	files := make(map[string]file)
	for name, f := range readTarGz(t, in) {
		_, name, _ = strings.Cut(name, "/")
		files[name] = f
	}
	return files
}

// assertHas asserts that the files are there, and that only the binary is executable.
func assertHas(t *testing.T, files map[string]file, binary string, names ...string) {
	t.Helper()
	for _, name := range append(names, binary) {
		assert.NotEmpty(t, files[name].data, name)
	}
	for name, f := range files {
		assert.Equal(t, name == binary, f.exec, name)
	}
}

// assertLinks asserts that each relative link of the pages in a folder leads to a file, and that all pages and pictures of docs
// are there.
func assertLinks(t *testing.T, files map[string]file, folder string) {
	t.Helper()
	docs, err := filepath.Glob("../docs/*")
	require.NoError(t, err)
	require.NotEmpty(t, docs)
	for _, name := range docs {
		if filepath.Ext(name) == ".go" {
			continue
		}
		assert.NotEmpty(t, files[folder+"docs/"+filepath.Base(name)].data, name)
	}
	links := 0
	for name, f := range files {
		name, ok := strings.CutPrefix(name, folder)
		if !ok || !strings.HasSuffix(name, ".md") {
			continue
		}
		for _, link := range linksOf(file{name: name, data: f.data}) {
			links++
			assert.NotEmpty(t, files[folder+link].data, "%s: %s", name, link)
		}
	}
	assert.Greater(t, links, len(docs))
}

func TestLinksOf(t *testing.T) {
	page := file{name: "docs/a.md", data: []byte("[b](b.md) ![p](../p.png)\n[h](c/d.md#h), [own](#h) [w](https://h/x) [m](mailto:a@b)\n```\n[no](no.md)\n```\n")}
	assert.Equal(t, []string{"docs/b.md", "p.png", "docs/c/d.md"}, linksOf(page))
}

// Two builds of the same source have the same bytes, even in another time zone and another folder.
func TestReproducible(t *testing.T) {
	first, second := t.TempDir(), t.TempDir()
	small(t, first)
	local := time.Local
	time.Local = time.FixedZone("elsewhere", 9*60*60)
	defer func() { time.Local = local }()
	small(t, second)

	entries, err := os.ReadDir(first)
	require.NoError(t, err)
	var names []string
	for _, entry := range entries {
		names = append(names, entry.Name())
		a, err := os.ReadFile(filepath.Join(first, entry.Name()))
		require.NoError(t, err)
		b, err := os.ReadFile(filepath.Join(second, entry.Name()))
		require.NoError(t, err)
		assert.True(t, bytes.Equal(a, b), entry.Name())
	}
	assert.Equal(t, strings.Fields(`
		SHA256SUMS
		absolink-1.2.3-rc.1-linux-amd64.cdx.json absolink-1.2.3-rc.1-linux-amd64.tar.gz
		absolink-1.2.3-rc.1-linux-arm64.cdx.json absolink-1.2.3-rc.1-linux-arm64.tar.gz
		absolink-1.2.3-rc.1-macos-amd64.cdx.json absolink-1.2.3-rc.1-macos-amd64.tar.gz
		absolink-1.2.3-rc.1-macos-arm64.cdx.json absolink-1.2.3-rc.1-macos-arm64.tar.gz
		absolink-1.2.3-rc.1-oci.tar
		absolink-1.2.3-rc.1-windows-amd64.cdx.json absolink-1.2.3-rc.1-windows-amd64.zip
		absolink-1.2.3-rc.1-windows-arm64.cdx.json absolink-1.2.3-rc.1-windows-arm64.zip
		absolink-1.2.3rc1-py3-none-macosx_12_0_arm64.whl
		absolink-1.2.3rc1-py3-none-macosx_12_0_x86_64.whl
		absolink-1.2.3rc1-py3-none-manylinux2014_aarch64.manylinux_2_17_aarch64.musllinux_1_1_aarch64.whl
		absolink-1.2.3rc1-py3-none-manylinux2014_x86_64.manylinux_2_17_x86_64.musllinux_1_1_x86_64.whl
		absolink-1.2.3rc1-py3-none-win_amd64.whl
		absolink-1.2.3rc1-py3-none-win_arm64.whl
		absolink-1.2.3~rc.1-1.aarch64.rpm absolink-1.2.3~rc.1-1.x86_64.rpm
		absolink_1.2.3~rc.1_amd64.deb absolink_1.2.3~rc.1_arm64.deb
		try.html`), names)
}

// SHA256SUMS has the sum of every other file.
func testSums(t *testing.T, dir string) {
	var want []string
	for _, name := range append(glob(t, dir, "absolink*"), filepath.Join(dir, "try.html")) {
		data, err := os.ReadFile(name)
		require.NoError(t, err)
		want = append(want, fmt.Sprintf("%x  %s\n", sha256.Sum256(data), filepath.Base(name)))
	}
	got, err := os.ReadFile(filepath.Join(dir, "SHA256SUMS"))
	require.NoError(t, err)
	assert.Equal(t, strings.Join(want, ""), string(got))
}

func testArchives(t *testing.T, dir string) {
	docs := []string{"README.md", "LICENSE", "THIRD_PARTY.md", "CHANGELOG.md", "man/absolink.1", "man/absolink-links.1"}
	for _, c := range completions {
		docs = append(docs, c.name)
	}
	assertHas(t, archived(t, dir, "amd64"), "absolink", docs...)
	assertLinks(t, archived(t, dir, "amd64"), "")
	if os.Getenv("RELEASE") != "" {
		return // may be for Linux only
	}
	for _, name := range glob(t, dir, "*.zip") {
		files := make(map[string]file)
		for name, f := range readZip(t, name) {
			_, name, _ = strings.Cut(name, "/")
			files[name] = f
		}
		assertHas(t, files, "absolink.exe", docs...)
		assertLinks(t, files, "")
	}
}

func testDeb(t *testing.T, dir string) {
	for _, name := range glob(t, dir, "*.deb") {
		arch := strings.TrimSuffix(name[strings.LastIndexByte(name, '_')+1:], ".deb")
		control, files := readDeb(t, name)
		assert.Contains(t, control, "Package: absolink\nVersion: "+strings.Split(filepath.Base(name), "_")[1]+"\n")
		assert.Contains(t, control, "\nArchitecture: "+arch+"\n")
		assert.NotContains(t, control, "Depends:")
		assertHas(t, files, "usr/bin/absolink",
			"usr/share/man/man1/absolink.1.gz", "usr/share/man/man1/absolink-links.1.gz",
			"usr/share/bash-completion/completions/absolink", "usr/share/zsh/vendor-completions/_absolink",
			"usr/share/fish/vendor_completions.d/absolink.fish",
			"usr/share/doc/absolink/copyright", "usr/share/doc/absolink/THIRD_PARTY.md")
		assertLinks(t, files, "usr/share/doc/absolink/")
		assert.True(t, bytes.Equal(archived(t, dir, arch)["absolink"].data, files["usr/bin/absolink"].data), "the binary of the archive")
	}
}

func testRPM(t *testing.T, dir string) {
	arches := map[string]string{"x86_64": "amd64", "aarch64": "arm64"}
	for _, name := range glob(t, dir, "*.rpm") {
		id, files := readRPM(t, name)
		assert.Equal(t, filepath.Base(name), id)
		assertHas(t, files, "usr/bin/absolink",
			"usr/share/man/man1/absolink.1.gz", "usr/share/man/man1/absolink-links.1.gz",
			"usr/share/bash-completion/completions/absolink", "usr/share/zsh/site-functions/_absolink",
			"usr/share/fish/vendor_completions.d/absolink.fish",
			"usr/share/licenses/absolink/LICENSE", "usr/share/licenses/absolink/THIRD_PARTY.md", "usr/share/doc/absolink/README.md")
		assertLinks(t, files, "usr/share/doc/absolink/")
		arch := arches[strings.Split(strings.TrimSuffix(name, ".rpm"), ".")[strings.Count(name, ".")-1]]
		assert.True(t, bytes.Equal(archived(t, dir, arch)["absolink"].data, files["usr/bin/absolink"].data), "the binary of the archive")
	}
}

func testImage(t *testing.T, dir string) {
	configs, files := readImage(t, glob(t, dir, "*-oci.tar")[0])
	assert.Contains(t, configs, "linux/amd64")
	for name, config := range configs {
		arch := strings.TrimPrefix(name, "linux/")
		assert.Equal(t, []string{"/usr/bin/absolink"}, config.Config.Entrypoint)
		assertHas(t, files[name], "usr/bin/absolink", "usr/share/doc/absolink/LICENSE", "usr/share/doc/absolink/THIRD_PARTY.md")
		assert.True(t, bytes.Equal(archived(t, dir, arch)["absolink"].data, files[name]["usr/bin/absolink"].data), "the binary of the archive")
	}
}

// RECORD lists each file of the wheel with its hash and length, and WHEEL has the tags of the file name.
func testWheel(t *testing.T, dir string) {
	for _, name := range glob(t, dir, "*.whl") {
		files := readZip(t, name)
		base, tags, _ := strings.Cut(strings.TrimSuffix(filepath.Base(name), ".whl"), "-py3-none-")
		info := base + ".dist-info/"
		var want []string
		for _, f := range files {
			sum := sha256.Sum256(f.data)
			line := fmt.Sprintf("%s,sha256=%s,%d", f.name, base64.RawURLEncoding.EncodeToString(sum[:]), len(f.data))
			if f.name == info+"RECORD" {
				line = f.name + ",,"
			}
			want = append(want, line)
		}
		assert.ElementsMatch(t, want, strings.Split(strings.TrimSuffix(string(files[info+"RECORD"].data), "\n"), "\n"), name)

		wheel := "Root-Is-Purelib: false\n"
		for tag := range strings.SplitSeq(tags, ".") {
			wheel += "Tag: py3-none-" + tag + "\n"
		}
		assert.Contains(t, string(files[info+"WHEEL"].data), wheel)
		assert.Contains(t, string(files[info+"METADATA"].data), "\nName: absolink\nVersion: "+strings.TrimPrefix(base, "absolink-")+"\n")
		assert.Empty(t, linksOf(file{data: files[info+"METADATA"].data}), "the README of a wheel has only absolute links")
		binary := "absolink/bin/absolink"
		if strings.HasPrefix(tags, "win") {
			binary += ".exe"
		}
		assert.Contains(t, string(files["absolink/__init__.py"].data), "\n__version__ = \""+strings.TrimPrefix(base, "absolink-")+"\"")
		assertHas(t, files, binary, "absolink/__init__.py", "absolink/__main__.py", "absolink/_arguments.py", "absolink/_program.py", "absolink/_results.py",
			"absolink/_service.py", "absolink/_session.py", info+"entry_points.txt",
			info+"licenses/LICENSE", info+"licenses/THIRD_PARTY.md")
	}
}

// try.html contains its program and has at most 10 MB. .ci/browser tests what it does.
func testTry(t *testing.T, dir string) {
	page, err := os.ReadFile(filepath.Join(dir, "try.html"))
	require.NoError(t, err)
	assert.Contains(t, string(page[:min(len(page), 1<<20)]), "<title>Try absolink</title>")
	assert.Less(t, len(page), 10_000_000)
	assert.True(t, bytes.Contains(page, []byte(`id="program">`)))
}

// The SBOM lists Go itself and each module in the binary.
func testSBOM(t *testing.T, dir string) {
	binary := archived(t, dir, "amd64")["absolink"].data
	info, err := buildinfo.Read(bytes.NewReader(binary))
	require.NoError(t, err)
	want := []string{"pkg:golang/std@" + strings.TrimPrefix(info.GoVersion, "go")}
	for _, dep := range info.Deps {
		want = append(want, "pkg:golang/"+dep.Path+"@"+dep.Version)
	}
	slices.Sort(want)

	data, err := os.ReadFile(glob(t, dir, "*-linux-amd64.cdx.json")[0])
	require.NoError(t, err)
	var bom struct {
		Metadata struct {
			Component struct{ Hashes []struct{ Content string } }
		}
		Components []struct {
			Purl     string
			Licenses []any
		}
	}
	require.NoError(t, json.Unmarshal(data, &bom))
	var got []string
	for _, c := range bom.Components {
		got = append(got, c.Purl)
		assert.NotEmpty(t, c.Licenses, c.Purl)
	}
	assert.Equal(t, want, got)
	assert.Equal(t, fmt.Sprintf("%x", sha256.Sum256(binary)), bom.Metadata.Component.Hashes[0].Content)
}
