// The URLs of the files below a PATH, for links that a program has made lead to files.

package inputs

import (
	"cmp"
	"context"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"sync"

	"absolink/base"
	"absolink/extract"
)

// Converted knows the URLs of the files below the PATHs of a run. X reads those that pages record.
type Converted struct {
	Retrieval *Retrieval
	X         extract.Extractor

	trees sync.Map // the folders, by root
}

// tree is a folder or a zip archive.
type tree struct {
	*Converted
	from string       // the folder or the archive, or "" for PATHs that are files
	root string       // what the paths of its files begin with
	name string       // the folder, whose name may be that of a host
	fsys func() fs.FS // its files

	files, hosts memory[bool] // whether a file, or the folder of a host, exists
	recorded     memory[string]
}

// set sets the functions of a document that tell the URLs of files. For a PATH that is a file there is only that of
// --mirror, because the pages beside it may be private.
func (c *Converted) set(d *extract.Document, src Source, from *Reader) {
	root, name := treeOf(src), ""
	archive := strings.EqualFold(path.Ext(src.Name), ".zip") && !src.Waits()
	switch {
	case archive:
		root = src.Name
	case src.Stdin || src.beside || root == "" && (src.Rel == "" || c.Retrieval.mirror == ""):
		return
	case c.Retrieval.mirror != "":
		name = c.Retrieval.tree(src)
	}
	t := &tree{Converted: c, from: root, name: name}
	t.root = strings.TrimPrefix(path.Clean(filepath.ToSlash(root))+"/", "./")
	if archive {
		t.fsys = sync.OnceValue(func() fs.FS { return from.unzip() })
	} else {
		t.fsys = func() fs.FS { return os.DirFS(cmp.Or(root, ".")) }
		known, _ := c.trees.LoadOrStore(root, t)
		t = known.(*tree)
	}
	if c.Retrieval.mirror != "" {
		d.FileURL = t.url
	}
	if root != "" && !c.X.NoEvidence {
		d.RecordedURL = t.recordedURL
	}
}

// url is extract.Document.FileURL. Unlike Retrieval.at it counts nothing.
func (t *tree) url(file string) (url, host string, exists bool) {
	rel, below := strings.CutPrefix(file, t.root)
	name, rest := hostOf(t.name, rel)
	host = strings.TrimSuffix(strings.TrimSuffix(rel, rest), "/")
	isFolder := func() bool { return isKind(t.fsys(), host, fs.ModeDir) }
	if !below || name == "" || host != "" && !t.hosts.of(host, isFolder) {
		return "", "", false
	}
	exists = t.files.of(rel, func() bool { return isFile(t.fsys(), rel) })
	url = t.Retrieval.mirrored(urlOf(name, rest), cmp.Or(t.from, path.Dir(file)))
	return url, strings.TrimSuffix(t.root+host, "/"), exists
}

// recordedURL is extract.Document.RecordedURL.
func (t *tree) recordedURL(file string) string {
	if listed := t.Retrieval.listed[pathKey(file)]; listed != nil {
		return listed.url
	}
	rel, below := strings.CutPrefix(file, t.root)
	if !below || !isPage(rel) {
		return ""
	}
	return t.recorded.of(rel, func() string {
		if !isFile(t.fsys(), rel) {
			return ""
		}
		in, err := t.fsys().Open(rel)
		if err != nil {
			return ""
		}
		defer in.Close()
		url, by := recorded(t.X, extract.Document{Name: file, Reader: io.LimitReader(in, 64<<10)})
		if mirror := t.Retrieval.mirror; by == "HTTrack" && mirror != "" { // which does not record the scheme
			url = mirror + strings.TrimPrefix(url, "http")
		}
		return url
	})
}

// recorded returns the URL that a page records, and the program that recorded it, or "".
func recorded(x extract.Extractor, page extract.Document) (url, by string) {
	for e, err := range x.Bases(context.Background(), page) {
		if err != nil {
			break
		}
		for _, c := range e.Scope.Candidates() {
			if c.Rung == base.RungRetrieval && c.Verdict != base.VerdictRejected {
				return c.URL, c.By
			}
		}
		break
	}
	return "", ""
}

// isFile reports whether a path is that of a regular file, and none of its folders is a symbolic link out of the tree.
func isFile(fsys fs.FS, file string) bool {
	kind := fs.FileMode(0)
	for ; file != "."; file, kind = path.Dir(file), fs.ModeDir {
		if !isKind(fsys, file, kind) {
			return false
		}
	}
	return true
}

func isKind(fsys fs.FS, file string, kind fs.FileMode) bool {
	info, err := fs.Lstat(fsys, file)
	return err == nil && info.Mode().Type() == kind
}

// memory keeps what was found out about files, but not about very many.
type memory[V any] struct {
	mu    sync.Mutex
	known map[string]V
}

const mostKnown = 1 << 15

// of returns the value of a file, which find finds.
func (m *memory[V]) of(file string, find func() V) V {
	m.mu.Lock()
	v, ok := m.known[file]
	m.mu.Unlock()
	if ok {
		return v
	}
	v = find()
	m.mu.Lock()
	defer m.mu.Unlock()
	if len(m.known)%mostKnown == 0 {
		m.known = map[string]V{}
	}
	m.known[file] = v
	return v
}
