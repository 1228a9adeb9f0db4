package inputs

import (
	"fmt"
	"path"
	"strings"

	doublestar "github.com/bmatcuk/doublestar/v4"
)

// Globs are the patterns of --glob. A file must match one of with, if there is any, and neither the file nor a folder
// around it may match one of without, the patterns after "!". A pattern after "!" that ends with a slash is in folders,
// and matches only folders, as in a .gitignore.
type Globs struct{ with, without, folders []string }

func (g Globs) Empty() bool { return len(g.with)+len(g.without)+len(g.folders) == 0 }

func NewGlobs(patterns []string) (Globs, error) {
	var g Globs
	for _, given := range patterns {
		pattern, without := strings.CutPrefix(given, "!")
		pattern, folder := strings.CutSuffix(pattern, "/")
		if pattern == "" {
			return g, fmt.Errorf("--glob %q: the pattern is empty; leave it out", given)
		}
		if !doublestar.ValidatePattern(pattern) {
			return g, fmt.Errorf("--glob %q: a bracket or brace is not closed; close it, or write \\ before it to "+
				"match the character", given)
		}
		switch {
		case folder && !without:
			return g, fmt.Errorf("--glob %q: no file name ends with a slash; use %s/** for the files in a folder",
				given, pattern)
		case folder:
			g.folders = append(g.folders, pattern)
		case without:
			g.without = append(g.without, pattern)
		default:
			g.with = append(g.with, pattern)
		}
	}
	return g, nil
}

// match reports whether a file is selected. rel is its path in the PATH.
func (g Globs) match(rel string) bool {
	return (len(g.with) == 0 || matchAny(g.with, rel)) && !g.leaveOut(rel, false)
}

// selects is match, and reports false for a file in a folder that is excluded.
func (g Globs) selects(rel string) bool {
	for dir := path.Dir(rel); dir != "."; dir = path.Dir(dir) {
		if g.leaveOut(dir, true) {
			return false
		}
	}
	return g.match(rel)
}

// leaveOut reports whether a file, or a folder with all its files, is excluded.
func (g Globs) leaveOut(rel string, folder bool) bool {
	return matchAny(g.without, rel) || folder && matchAny(g.folders, rel)
}

// matchAny reports whether any pattern matches. A pattern with a slash is compared with the path, any other with the
// name.
func matchAny(patterns []string, rel string) bool {
	_, name := path.Split(rel)
	for _, pattern := range patterns {
		subject := name
		if strings.IndexByte(pattern, '/') >= 0 {
			pattern, subject = strings.TrimPrefix(pattern, "/"), rel
		}
		if doublestar.MatchUnvalidated(pattern, subject) {
			return true
		}
	}
	return false
}
