// What a run did not look into.

package console

import (
	"cmp"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"absolink/extract"
)

// unread counts what a run did not look into: files of unknown type in folders, and the parts of documents that the
// library names in Problem.Unread.
type unread struct {
	files      int
	extensions map[string]int // the numbers of files
	things     []unreadThing  // in the order of the first problem
}

// unreadThing is a Problem.Unread with the sum of Problem.N.
type unreadThing struct {
	name string
	n    int
}

// shownExtensions is how many extensions the line names, the most frequent ones. knownExtensions limits how many are
// counted.
const (
	shownExtensions = 5
	knownExtensions = 1000
)

// isSkipped reports whether a problem is about a file in a folder whose type is unknown.
func isSkipped(p *extract.Problem) bool {
	return p.Code == extract.CodeTypeUnknown && p.Severity == extract.SeverityNote
}

// IsMedia reports whether the name of a file is that of a picture, a sound, a film or a font, which have no links.
func IsMedia(name string) bool {
	switch extension(name) {
	case ".png", ".jpg", ".jpeg", ".gif", ".webp", ".avif", ".ico", ".bmp", ".tif", ".tiff",
		".mp3", ".ogg", ".oga", ".wav", ".m4a", ".flac", ".mp4", ".m4v", ".ogv", ".webm", ".mov", ".avi",
		".woff", ".woff2", ".ttf", ".otf", ".eot":
		return true
	}
	return false
}

// extension returns the extension of a name in lower case, or "". The end of postgresql-doc.postgresql-15 is not an
// extension.
func extension(name string) string {
	const longest = len(".jsonld") + 2
	ext := strings.ToLower(filepath.Ext(name))
	if len(ext) > longest || strings.Trim(ext, ".abcdefghijklmnopqrstuvwxyz0123456789") != "" {
		return ""
	}
	return ext
}

func (u *unread) add(p *extract.Problem) {
	if isSkipped(p) {
		if u.extensions == nil {
			u.extensions = map[string]int{}
		}
		u.files++
		if ext := extension(p.Document); u.extensions[ext] > 0 || len(u.extensions) < knownExtensions {
			u.extensions[ext]++
		}
	}
	if p.Unread == "" {
		return
	}
	i := slices.IndexFunc(u.things, func(t unreadThing) bool { return t.name == p.Unread })
	if i < 0 {
		i, u.things = len(u.things), append(u.things, unreadThing{name: p.Unread})
	}
	u.things[i].n += p.N
}

func (u *unread) String() string {
	var list []string
	if u.files > 0 {
		list = append(list, string(AppendCount(nil, int64(u.files), "files"))+u.frequent())
	}
	for _, thing := range u.things {
		list = append(list, string(AppendCount(nil, int64(thing.n), thing.name)))
	}
	return strings.Join(list, ", ")
}

// frequent returns the most frequent extensions of the files in parentheses, or "" if there are none.
func (u *unread) frequent() string {
	delete(u.extensions, "")
	all := slices.SortedFunc(maps.Keys(u.extensions), func(a, b string) int {
		return cmp.Or(cmp.Compare(u.extensions[b], u.extensions[a]), cmp.Compare(a, b))
	})
	if len(all) > shownExtensions {
		all = append(all[:shownExtensions], "...")
	}
	if len(all) == 0 {
		return ""
	}
	return " (" + strings.Join(all, ", ") + ")"
}
