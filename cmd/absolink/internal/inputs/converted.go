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

// Converted knows the URLs of the files below the PATHs of a run. x reads those that pages record.
type Converted struct {
	retrieval *Retrieval
	x         extract.Extractor
	named     func() map[string]bool // the PATHs
	trees     sync.Map               // the folders, by root
}

// tree is a folder or a zip archive.
type tree struct {
	*Converted
	folder string       // or the archive
	root   string       // what the paths of its files begin with
	name   string       // the folder, whose name may be that of a host
	fsys   func() fs.FS // its files
	once   sync.Once    // for root, name and fsys

	files, folders memory[bool] // whether they exist
	recorded       memory[string]
}

// NewConverted returns the Converted of a run.
func NewConverted(c Config, r *Retrieval, x extract.Extractor) *Converted {
	return &Converted{retrieval: r, x: x, named: sync.OnceValue(func() map[string]bool {
		named := map[string]bool{}
		for _, name := range c.Paths {
			named[path.Clean(filepath.ToSlash(name))] = true
		}
		return named
	})}
}

// set sets the functions of a document that tell the URLs of files. A PATH that is a file has no pages below it, and those
// beside it may be private, so only other PATHs are asked for the URLs that they record.
func (c *Converted) set(d *extract.Document, src Source, in *Reader) {
	mirror, archive := c.retrieval.mirror != "", strings.EqualFold(path.Ext(src.Name), ".zip") && !src.Waits()
	below := src.Found || archive
	if src.Stdin || src.beside {
		return
	}
	t := &tree{Converted: c, folder: strings.TrimSuffix(path.Clean(filepath.ToSlash(src.Name)), src.Rel)}
	if src.Rel == "" {
		t.folder = path.Dir(t.folder)
	}
	if archive {
		t.folder, t.fsys = src.Name, sync.OnceValue(func() fs.FS { return in.unzip() })
	} else {
		known, _ := c.trees.LoadOrStore(t.folder, t)
		t = known.(*tree)
	}
	t.once.Do(func() {
		t.root = strings.TrimPrefix(path.Clean(t.folder)+"/", "./")
		if !archive {
			t.name, t.fsys = c.retrieval.tree(src), func() fs.FS { return os.DirFS(path.Clean(t.folder)) }
		}
	})
	if mirror && (below || src.Rel != "") {
		d.FileURL = func(file string) (url, host string, exists bool) { return t.url(file, below) }
	}
	if !c.x.NoEvidence {
		d.RecordedURL = func(file string) string {
			if below || c.named()[file] {
				return t.recordedURL(file)
			}
			return ""
		}
	}
}

// url is extract.Document.FileURL for a document below the folder, or for a PATH that is a file. Unlike Retrieval.at it
// counts nothing.
func (t *tree) url(file string, below bool) (url, host string, exists bool) {
	rel, inside := strings.CutPrefix(file, t.root)
	name, rest := hostOf(t.name, rel)
	host = strings.TrimSuffix(strings.TrimSuffix(rel, rest), "/")
	if !inside || name == "" || !t.isFolder(cmp.Or(host, ".")) {
		return "", "", false
	}
	exists = t.isFile(rel)
	mirrored := t.folder
	if !below {
		mirrored = path.Dir(file)
	}
	url = t.retrieval.mirrored(urlOf(name, rest), mirrored)
	return url, path.Clean(t.root + host), exists
}

// recordedURL is extract.Document.RecordedURL.
func (t *tree) recordedURL(file string) string {
	if listed := t.retrieval.listed[pathKey(file)]; listed != nil {
		return listed.url
	}
	rel, below := strings.CutPrefix(file, t.root)
	if !below || !isPage(rel) {
		return ""
	}
	if !t.isFile(rel) {
		return ""
	}
	return t.recorded.of(rel, func() string {
		in, err := t.fsys().Open(rel)
		if err != nil {
			return ""
		}
		defer in.Close()
		url, by := recorded(t.x, extract.Document{Name: file, Reader: io.LimitReader(in, 64<<10)})
		if mirror := t.retrieval.mirror; by == "HTTrack" && mirror != "" { // which does not record the scheme
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

// isFile reports whether a path is that of a regular file, and those above it are folders: no symbolic link leads out of
// the tree.
func (t *tree) isFile(file string) bool {
	return t.isFolder(path.Dir(file)) && t.files.of(file, func() bool { return isKind(t.fsys(), file, 0) })
}

func (t *tree) isFolder(folder string) bool {
	return folder == "." || t.folders.of(folder, func() bool {
		return fs.ValidPath(folder) && t.isFolder(path.Dir(folder)) && isKind(t.fsys(), folder, fs.ModeDir)
	})
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
