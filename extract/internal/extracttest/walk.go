package extracttest

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"absolink/extract"
)

// Page returns a document that was retrieved from http://h/p/.
func Page(src string) extract.Document {
	return extract.Document{Name: "page.html", URL: "http://h/p/", Bytes: []byte(src)}
}

// Rewrite returns the rewritten document.
func Rewrite(t *testing.T, w *Walker, d extract.Document) string {
	t.Helper()
	var out bytes.Buffer
	require.NoError(t, w.Rewrite(&out, d))
	return out.String()
}

func lines(t *testing.T, w *Walker, d extract.Document, line func(*extract.Link) string) (found []string) {
	t.Helper()
	require.NoError(t, w.Links(d, func(l *extract.Link) error { found = append(found, line(l)); return nil }))
	return found
}

// Links returns a line "place url" for each link of a document, or "place problem" for a link without a URL.
func Links(t *testing.T, w *Walker, d extract.Document) []string {
	t.Helper()
	return lines(t, w, d, func(l *extract.Link) string {
		if l.Status == extract.StatusUnresolved {
			assert.Empty(t, l.URL)
			return l.Place() + " " + string(l.Problem)
		}
		return l.Place() + " " + string(l.URL)
	})
}

// LinkLines returns a line "path url base" for each link of a document.
func LinkLines(t *testing.T, w *Walker, d extract.Document) []string {
	return lines(t, w, d, func(l *extract.Link) string {
		return l.Entity.Path + " " + string(l.URL) + " " + l.Scope.By()
	})
}

// URLs returns the Target of each link.
func URLs(t *testing.T, w *Walker, d extract.Document) []string { return lines(t, w, d, Target) }

// Target returns the URL of a link, or its problem if it has no URL.
func Target(l *extract.Link) string {
	if l.Status == extract.StatusUnresolved {
		return "(" + string(l.Problem) + ")"
	}
	return string(l.URL)
}

// LinkLine returns what must be equal for a link in two walks.
func LinkLine(l *extract.Link) string {
	return fmt.Sprintf("%s %s %s", l.Entity.Path, l.Place(), l.URL)
}

// BagPage is a document with a link, for the tests of containers: archives, messages, responses. Its length is a prime
// number, so copies of it never fill blocks.
const BagPage = "<!DOCTYPE html><title>t</title><a href=x>x</a>\n"

// BagPageAfter is BagPage after rewriting with the base http://h/p/.
var BagPageAfter = strings.Replace(BagPage, "=x", "=http://h/p/x", 1)

// BagLinks returns a line "path place base target" for each link of a document.
func BagLinks(t *testing.T, d extract.Document) []string {
	return lines(t, new(Walker), d, func(l *extract.Link) string {
		return fmt.Sprintf("%s %s %s %s", l.Entity.Path, l.Place(), l.Scope.By(), Target(l))
	})
}

// BagProblems rewrites a document, and returns a line for each problem, and the output.
func BagProblems(t *testing.T, w Walker, d extract.Document) (problems []string, out string) {
	w.OnProblem = func(p extract.Problem) {
		problems = append(problems, strings.TrimSpace(fmt.Sprintf("%s %d %s", p.Entity, p.Offset, p.Code)))
	}
	return problems, Rewrite(t, &w, d)
}

// Corpus reads every file below the folder ABSOLINK_CORPUS, or below testdata, whose name is that of a format.
func Corpus(t *testing.T, testdata string, read func(path string, src []byte)) {
	root := os.Getenv("ABSOLINK_CORPUS")
	if root == "" {
		root = testdata
	}
	require.NoError(t, filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() || extract.Detect("", path, nil) == nil {
			return err
		}
		src, err := os.ReadFile(path)
		if err == nil {
			read(path, src)
		}
		return err
	}))
}
