package extract_test

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"absolink/base"
	"absolink/extract"
	. "absolink/extract/internal/extracttest"
	"absolink/resolve"
)

var update = flag.Bool("update", false, "write what comes out into the cases of testdata")

// TestCases runs testdata/<format>/*.txtar, whose form is in testdata/README.md.
func TestCases(t *testing.T) {
	files, err := filepath.Glob("../testdata/*/*.txtar")
	require.NoError(t, err)
	for _, file := range files {
		if filepath.Base(filepath.Dir(file)) == "script" {
			continue // transcripts of the command
		}
		t.Run(strings.TrimPrefix(file, "../testdata/"), func(t *testing.T) {
			c, err := txtar.ParseFile(file)
			require.NoError(t, err)
			w, d := document(t, c)
			if d.Bytes == nil {
				d.Bytes = archiveOf(t, d.Name, below("files/", c))
				checkMembers(t, w, d, c)
			}
			changed := false
			for i, f := range c.Files {
				if isInput(f) {
					continue
				}
				got := outcome(t, w, d, f.Name)
				if *update && got != string(f.Data) {
					c.Files[i].Data, changed = []byte(got), true
					continue
				}
				assert.Equal(t, string(f.Data), got, f.Name)
			}
			if changed {
				require.NoError(t, os.WriteFile(file, txtar.Format(c), 0o644))
				t.Errorf("%s is changed: read it, and run the test again", file) // go test shows nothing of a test that passes
			}
		})
	}
}

// A pattern that no link can fit is an error that has the names of all places.
func TestCheckPlace(t *testing.T) {
	for _, pattern := range []string{"img", "IMG", "use", "enclosure", "media:thumbnail", "x@href", "my:x@my:href", "imgg@*", "*", "*@srcset", "text", "<URL:>",
		"url()", "@import", "Location", "link-*", "response.redirectURL", "base@href", "Base", "img@data-src", "script[importmap]"} {
		assert.NoError(t, extract.CheckPlace(pattern))
	}
	for _, pattern := range []string{"", "imgg", "foo", "img@scr", "img@src set", "*@scr", "a@href[x]", "Locaton", "script[importmpa]", "WARC-Target-URI"} {
		err := extract.CheckPlace(pattern)
		if e, ok := errors.AsType[*extract.PlaceError](err); assert.True(t, ok, pattern) {
			assert.Equal(t, pattern, e.Pattern)
			assert.Contains(t, e.Names, "img@src")
		}
	}
	assert.EqualError(t, extract.CheckPlace("foo"), `"foo" is not the name of a place`)
	assert.NoError(t, extract.CheckPlace("x-card@thumb", "a@b", "X-*@thumb"))
}

// An added place is an attribute of an element, or an XML element with a prefix.
func TestCheckAddedPlace(t *testing.T) {
	for _, pattern := range []string{"x-card@thumb", "*@thumb", "a:b", "a:b@c:d", "a:*"} {
		assert.NoError(t, extract.CheckAddedPlace(pattern))
	}
	for _, pattern := range []string{"", "a", "*", "a@", "@a", ":a", "a:", "a@srcset[1]", "a @b"} {
		err := extract.CheckAddedPlace(pattern)
		assert.EqualError(t, err, fmt.Sprintf("%q is not the name of a place", pattern))
		for _, err = range (&extract.Extractor{AddPlaces: []string{pattern}}).Links(t.Context(), extract.Document{Type: "text/html"}) {
			assert.Error(t, err)
		}
	}
}

// isInput reports whether a file of a case is the document, or a member of the archive that is the document.
func isInput(f txtar.File) bool {
	return strings.HasPrefix(f.Name, "input.") || strings.HasPrefix(f.Name, "files/")
}

// document returns the document of a case, and the walker for its options. An archive has no Bytes yet.
func document(t testing.TB, c *txtar.Archive) (w Walker, d extract.Document) {
	for _, line := range strings.Split(string(c.Comment), "\n") {
		switch name, value, _ := strings.Cut(line, ": "); name {
		case "add":
			w.AddPlaces = strings.Split(value, ",")
		case "archive":
			d.Name = "input." + value
		case "site":
			d.MemberURL = func(name string) (url, by string) { return value + name, "--site" }
		case "url":
			d.URL = value
		case "type":
			d.Type = value
		case "standard":
			w.Standard, _ = resolve.Lookup(value)
		case "extended":
			w.Extended = value == "yes"
		}
	}
	for _, f := range c.Files {
		if strings.HasPrefix(f.Name, "input.") {
			d.Name, d.Bytes = f.Name, f.Data
		}
	}
	require.NotEmpty(t, d.Name, "a case has a file input.<extension>, or a line archive: <extension>")
	return w, d
}

// outcome returns what the library makes of a case for one of its sections.
func outcome(t *testing.T, w Walker, d extract.Document, what string) string {
	var out bytes.Buffer
	var err error
	switch what {
	case "links":
		err = w.Links(d, func(l *extract.Link) error {
			assert.NoError(t, extract.CheckPlace(l.Place(), w.AddPlaces...))
			_, err := fmt.Fprintf(&out, "%s %s %s %s\n", strings.Trim(l.Entity.Path+" "+l.Place(), " "), l.Scope.Layer(), l.Status, Target(l))
			return err
		})
	case "bases":
		err = w.Bases(d, func(e *extract.Entity) error {
			candidates := e.Scope.Candidates()
			last := candidates[len(candidates)-1]
			assert.Equal(t, []string{"default", "", ""}, []string{last.Layer.String(), last.By, last.URL})
			if last.Verdict == base.VerdictShadowed {
				candidates = candidates[:len(candidates)-1]
			}
			for _, c := range candidates {
				fmt.Fprintln(&out, strings.Trim(fmt.Sprintf("%s %s %s %s: %s", e.Path, c.Layer, c.By, c.URL, c.String()), " "))
			}
			return nil
		})
	case "rewrite":
		require.NoError(t, w.Rewrite(&out, d))
		return changedLines(string(d.Bytes), out.String())
	case "problems", "refused":
		w.OnProblem = func(p extract.Problem) {
			if what == "problems" || p.Code == extract.CodeRewriteRefused {
				setting := ""
				if p.Setting != "" {
					setting = " (" + p.Setting + ")"
				}
				fmt.Fprintln(&out, strings.Trim(fmt.Sprintf("%s %d %s %s: %s%s", p.Entity, p.Offset, p.Severity, p.Code, p.Detail, setting), " "))
			}
		}
		if what == "refused" {
			err = w.Rewrite(io.Discard, d)
		} else {
			err = w.Links(d, func(*extract.Link) error { return nil })
		}
	default:
		if name, ok := strings.CutPrefix(what, "rewrite/"); ok {
			before := filesOf(t, d.Name, d.Bytes)
			for i, f := range rewrittenMembers(t, w, d) {
				if f.Name == name {
					return changedLines(string(before[i].Data), string(f.Data))
				}
			}
		}
		t.Fatalf("nothing is known of %q", what)
	}
	require.NoError(t, err)
	return out.String()
}

// changedLines returns each line that a rewriting has changed, with its number, or all lines if there are more or less.
func changedLines(before, after string) string {
	was, is := strings.SplitAfter(before, "\n"), strings.SplitAfter(after, "\n")
	if len(was) != len(is) {
		return after
	}
	var changed strings.Builder
	for i, line := range is {
		if line != was[i] {
			fmt.Fprintf(&changed, "%d: %s", i+1, line)
		}
	}
	return changed.String()
}
