package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/google/licensecheck"
)

// A module is software that is linked into the binary.
type module struct {
	path, version string
	license       string // an SPDX expression
	texts         []file // licenses, notices and patent grants, each text once
}

// accepted are the licenses that a module may have: they allow a binary under the MIT license that comes with their
// texts.
var accepted = []string{"0BSD", "Apache-2.0", "BSD-2-Clause", "BSD-2-Clause-Views", "BSD-3-Clause", "ISC", "MIT",
	"Zlib"}

var (
	licenseName = regexp.MustCompile(`(?i)^(un)?licen[cs]e([-._].*)?$|^copying([-._].*)?$`)
	noticeName  = regexp.MustCompile(`(?i)^(notice|patents|copyright)(\.(md|txt))?$`)
)

// listed is a package in the output of go list.
type listed struct {
	Dir    string
	Module *struct {
		Path, Version, Dir string
		Main               bool
		Replace            *struct{ Path, Version string }
	}
}

// linkedModules returns Go itself and then the modules that the command links on any of the platforms.
func linkedModules(ctx context.Context, source string, platforms []platform) ([]module, error) {
	root, err := goroot(ctx, source)
	if err != nil {
		return nil, err
	}
	std := module{path: "Go standard library and runtime"}
	if err := std.add(root, root); err != nil {
		return nil, err
	}
	found := make(map[string]*module)
	for _, p := range platforms {
		packages, err := listPackages(ctx, source, p)
		if err != nil {
			return nil, err
		}
		for _, pkg := range packages {
			if pkg.Module == nil || pkg.Module.Main {
				continue
			}
			m := found[pkg.Module.Path]
			if m == nil {
				m = &module{path: pkg.Module.Path, version: pkg.Module.Version}
				if pkg.Module.Replace != nil {
					m.path, m.version = pkg.Module.Replace.Path, pkg.Module.Replace.Version
				}
				found[pkg.Module.Path] = m
			}
			if err := m.add(pkg.Dir, pkg.Module.Dir); err != nil {
				return nil, err
			}
		}
	}
	modules := []module{std}
	for _, m := range found {
		modules = append(modules, *m)
	}
	slices.SortFunc(modules[1:], func(a, b module) int { return strings.Compare(a.path, b.path) })
	for i := range modules {
		if err := modules[i].identify(); err != nil {
			return nil, err
		}
	}
	return modules, nil
}

// goroot returns the folder of the Go that builds the source, where the license of Go is.
func goroot(ctx context.Context, source string) (string, error) {
	out, err := output(exec.CommandContext(ctx, "go", "env", "-C", source, "GOROOT"))
	if err != nil {
		return "", err
	}
	root := strings.TrimSpace(string(out))
	if _, err := os.Stat(filepath.Join(root, "LICENSE")); err != nil {
		return "", fmt.Errorf("the license of Go: %w; use Go from go.dev/dl", err)
	}
	return root, nil
}

// listPackages returns the packages that the command needs on a platform.
func listPackages(ctx context.Context, source string, p platform) ([]listed, error) {
	cmd := exec.CommandContext(ctx, "go", "list", "-C", source, "-deps", "-json=Dir,Module", "./cmd/absolink")
	cmd.Env = platformEnv(p)
	out, err := output(cmd)
	if err != nil {
		return nil, err
	}
	var packages []listed
	for decoder := json.NewDecoder(bytes.NewReader(out)); ; {
		var pkg listed
		if err := decoder.Decode(&pkg); errors.Is(err, io.EOF) {
			return packages, nil
		} else if err != nil {
			return nil, fmt.Errorf("go list: %w", err)
		}
		packages = append(packages, pkg)
	}
}

// add adds the texts that apply to one package: those in its folder and in each folder above, up to the root of the
// module.
func (m *module) add(folder, root string) error {
	for {
		entries, err := os.ReadDir(folder)
		if err != nil {
			return err
		}
		for _, entry := range entries {
			name := entry.Name()
			if entry.IsDir() || strings.HasSuffix(name, ".go") ||
				!licenseName.MatchString(name) && !noticeName.MatchString(name) {
				continue
			}
			data, err := os.ReadFile(filepath.Join(folder, name))
			if err != nil {
				return err
			}
			relative, err := filepath.Rel(root, filepath.Join(folder, name))
			if err != nil {
				return err
			}
			m.addText(file{name: filepath.ToSlash(relative), data: data})
		}
		if folder == root {
			return nil
		}
		folder = filepath.Dir(folder)
	}
}

func (m *module) addText(text file) {
	text.data = append(bytes.TrimSpace(bytes.ReplaceAll(text.data, []byte("\r\n"), []byte("\n"))), '\n')
	if !slices.ContainsFunc(m.texts, func(f file) bool { return bytes.Equal(f.data, text.data) }) {
		m.texts = append(m.texts, text)
	}
}

// identify sets the license of a module from its texts. A license that is unknown or not accepted is an error.
func (m *module) identify() error {
	slices.SortFunc(m.texts, func(a, b file) int { return strings.Compare(a.name, b.name) })
	var ids []string
	for _, text := range m.texts {
		if !licenseName.MatchString(text.name[strings.LastIndexByte(text.name, '/')+1:]) {
			continue
		}
		coverage := licensecheck.Scan(text.data)
		if len(coverage.Match) == 0 || coverage.Percent < 60 {
			return fmt.Errorf("%s %s: %s has an unknown license; read it before you use the module", m.path, m.version,
				text.name)
		}
		for _, match := range coverage.Match {
			if match.IsURL {
				continue
			}
			if !slices.Contains(accepted, match.ID) {
				return fmt.Errorf("%s %s: %s has the license %s, which is not accepted; see accepted in "+
					"release/license.go", m.path, m.version, text.name, match.ID)
			}
			ids = append(ids, match.ID)
		}
	}
	if len(ids) == 0 {
		return fmt.Errorf("%s %s: no license; do not use the module", m.path, m.version)
	}
	m.license = join(ids)
	return nil
}

// join returns the SPDX expression that requires all licenses.
func join(ids []string) string {
	slices.Sort(ids)
	return strings.Join(slices.Compact(ids), " AND ")
}

// expression returns the licenses of the binary, which are that of absolink and those of the modules.
func expression(modules []module) string {
	ids := []string{"MIT"}
	for _, m := range modules {
		ids = append(ids, strings.Split(m.license, " AND ")...)
	}
	return join(ids)
}

const thirdPartyHead = `# Third-party software

The license of absolink is in the file LICENSE. The binary of absolink contains the software below. Its
licenses follow the table. The command "release/build -third-party" writes this file.

| Module | Version | License |
|---|---|---|
`

func thirdParty(modules []module) []byte {
	b := bytes.NewBufferString(thirdPartyHead)
	for _, m := range modules {
		version := m.version
		if version == "" {
			version = "as `absolink version` prints"
		}
		fmt.Fprintf(b, "| %s | %s | %s |\n", m.path, version, m.license)
	}
	for _, m := range modules {
		fmt.Fprintf(b, "\n## %s\n", m.path)
		for _, text := range m.texts {
			fmt.Fprintf(b, "\n%s:\n\n````text\n%s````\n", text.name, text.data)
		}
	}
	return b.Bytes()
}

func writeThirdParty(source string, modules []module) error {
	return os.WriteFile(filepath.Join(source, "THIRD_PARTY.md"), thirdParty(modules), 0o666)
}

// checkThirdParty returns an error if THIRD_PARTY.md is outdated, with the first line that differs.
func checkThirdParty(source string, modules []module) error {
	got, err := os.ReadFile(filepath.Join(source, "THIRD_PARTY.md"))
	if err != nil {
		return fmt.Errorf("%w; write it with release/build -third-party", err)
	}
	want := thirdParty(modules)
	if bytes.Equal(got, want) {
		return nil
	}
	lines, wanted := strings.Split(string(got), "\n"), strings.Split(string(want), "\n")
	i := 0
	for i < min(len(lines), len(wanted))-1 && lines[i] == wanted[i] {
		i++
	}
	return fmt.Errorf("THIRD_PARTY.md:%d: not up to date; the line must be %q; update the file with release/build "+
		"-third-party", i+1, wanted[i])
}
