package extract_test

import (
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestLayers: each file of the package uses only files that come before it in the list of docs/architecture.md.
func TestLayers(t *testing.T) {
	text, err := os.ReadFile("../docs/architecture.md")
	require.NoError(t, err)
	_, list, ok := strings.Cut(string(text), "```layers\n")
	require.True(t, ok)
	list, _, _ = strings.Cut(list, "```")
	var layers []string
	for line := range strings.Lines(list) {
		layers = append(layers, strings.Fields(line)[0]+".go")
	}

	fset, files, uses := checked(t)
	fileOf := func(pos token.Pos) string { return filepath.Base(fset.Position(pos).Filename) }
	var names []string
	for _, f := range files {
		names = append(names, fileOf(f.Package))
	}
	assert.ElementsMatch(t, layers, names, "the list has all files")
	var up []string
	for id, of := range uses {
		if slices.Index(layers, fileOf(id.Pos())) < slices.Index(layers, fileOf(of)) {
			up = append(up, fileOf(id.Pos())+" uses "+id.Name)
		}
	}
	assert.Equal(t, []string{"visit.go uses walkRegion"}, up, "a document can contain documents")
}

// TestNoFlags: the library has no flag of the command in its texts. A Problem has a Setting, and the command knows the flag.
func TestNoFlags(t *testing.T) {
	flag := regexp.MustCompile(`--[a-z]`)
	literals := 0
	require.NoError(t, filepath.WalkDir(".", func(path string, _ fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") || strings.HasSuffix(filepath.Dir(path), "test") {
			return err // no test, and no package that only tests import
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

// checked returns the files of the package without its tests. For each name in the files that means a declaration of
// the package, uses has the position of the declaration.
func checked(t *testing.T) (fset *token.FileSet, files []*ast.File, uses map[*ast.Ident]token.Pos) {
	out, err := exec.Command("go", "list", "-export", "-deps", "-f", "{{.ImportPath}} {{.Export}}", ".").Output()
	require.NoError(t, err)
	exports := map[string]string{}
	for line := range strings.Lines(string(out)) {
		path, export, _ := strings.Cut(strings.TrimSpace(line), " ")
		exports[path] = export
	}
	names, err := filepath.Glob("*.go")
	require.NoError(t, err)
	fset = token.NewFileSet()
	for _, name := range names {
		if !strings.HasSuffix(name, "_test.go") {
			f, err := parser.ParseFile(fset, name, nil, 0)
			require.NoError(t, err)
			files = append(files, f)
		}
	}
	open := func(path string) (io.ReadCloser, error) { return os.Open(exports[path]) }
	info := types.Info{Uses: map[*ast.Ident]types.Object{}}
	pkg, err := (&types.Config{Importer: importer.ForCompiler(fset, "gc", open)}).Check("absolink/extract", fset, files, &info)
	require.NoError(t, err)
	uses = map[*ast.Ident]token.Pos{}
	for id, object := range info.Uses {
		if object.Pkg() == pkg {
			uses[id] = object.Pos()
		}
	}
	return fset, files, uses
}
