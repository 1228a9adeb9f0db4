package extract_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"absolink/internal/commandtest"
)

// TestImports compares imports with testdata/imports.txt, where each package imports only packages above it.
func TestImports(t *testing.T) {
	const path = "../testdata/imports.txt"
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	list := string(text)

	imports := moduleImports(t)
	var want strings.Builder
	var order []string
	for line := range strings.Lines(list) {
		pkg := strings.Fields(line)[0]
		order = append(order, pkg)
		want.WriteString(row(pkg, imports[pkg]))
	}
	if *update {
		order, want = sorted(imports), strings.Builder{}
		for _, pkg := range order {
			want.WriteString(row(pkg, imports[pkg]))
		}
		require.NoError(t, os.WriteFile(path, []byte(want.String()), 0o644))
		return
	}
	assert.Equal(t, want.String(), list, "run the test with -update, and read what has changed")
	assert.Len(t, order, len(imports), "packages that are missing in the list, or that no longer exist")
	for i, pkg := range order {
		for _, imported := range imports[pkg] {
			at := slices.Index(order, imported)
			assert.True(t, 0 <= at && at < i, "%s imports %s, which does not stand before it", pkg, imported)
		}
	}
}

// TestNoFlags: no text of the library names a flag. A Problem has a Setting, for which the command knows the flag.
func TestNoFlags(t *testing.T) {
	flag := regexp.MustCompile(`--[a-z]`)
	literals := 0
	require.NoError(t, filepath.WalkDir(".", func(path string, _ fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") || strings.HasSuffix(filepath.Dir(path), "test") {
			return err // a test, or a package that only tests import
		}
		fset := token.NewFileSet()
		f, err := parser.ParseFile(fset, path, nil, parser.SkipObjectResolution)
		ast.Inspect(f, func(n ast.Node) bool {
			if text, ok := n.(*ast.BasicLit); ok && text.Kind == token.STRING {
				literals++
				assert.NotRegexp(t, flag, text.Value, fset.Position(text.Pos()))
			}
			return true
		})
		return err
	}))
	assert.NotZero(t, literals)
}

// moduleImports returns the packages of the module that each package imports, without packages for tests.
func moduleImports(t *testing.T) map[string][]string {
	imports := map[string][]string{}
	for line := range strings.Lines(commandtest.Go(t, "list", "-buildvcs=false", "-f", `{{.Module.Path}} {{.ImportPath}} {{join .Imports " "}}`, "../...")) {
		words := strings.Fields(line)
		module := words[0] + "/"
		pkg := strings.TrimPrefix(words[1], module)
		if strings.HasSuffix(pkg, "test") {
			continue
		}
		imports[pkg] = nil
		for _, imported := range words[2:] {
			assert.False(t, strings.Contains(imported, "spf13") && pkg != "cmd/absolink" && pkg != "cmd/absolink/internal/usage", "%s imports %s: only the verbs and usage know flags", pkg, imported)
			if name, ours := strings.CutPrefix(imported, module); ours {
				imports[pkg] = append(imports[pkg], name)
			}
		}
	}
	return imports
}

// sorted returns each package after its imports, and otherwise by depth and name.
func sorted(imports map[string][]string) (order []string) {
	for len(order) < len(imports) {
		next := ""
		for pkg, needs := range imports {
			ready := !slices.Contains(order, pkg) && !slices.ContainsFunc(needs, func(n string) bool { return !slices.Contains(order, n) })
			if ready && (next == "" || depth(imports, pkg) < depth(imports, next) || depth(imports, pkg) == depth(imports, next) && pkg < next) {
				next = pkg
			}
		}
		if next == "" {
			break // an import cycle, which Go does not allow
		}
		order = append(order, next)
	}
	return order
}

// depth returns the length of the longest chain of imports below a package.
func depth(imports map[string][]string, pkg string) (n int) {
	for _, needed := range imports[pkg] {
		n = max(n, 1+depth(imports, needed))
	}
	return n
}

// row returns the line of a package: its name, and the last words of its imports.
func row(pkg string, imports []string) string {
	names := make([]string, len(imports))
	for i, name := range imports {
		names[i] = name[strings.LastIndexByte(name, '/')+1:]
	}
	slices.Sort(names)
	return strings.TrimRight(pkg+strings.Repeat(" ", max(1, 36-len(pkg)))+strings.Join(names, " "), " ") + "\n"
}
