// The URLs of the files below a PATH, for links that a program has made lead to files.

package inputs

import (
	"archive/zip"
	"cmp"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"sync"

	"absolink/extract"
)

// Converted knows the URLs of the files below the PATHs of a run. x reads those that pages record.
type Converted struct {
	retrieval *Retrieval
	x         extract.Extractor
	named     func() map[string]bool // the PATHs
	trees     sync.Map               // the folders, by root
}

// tree is a folder or a zip archive, or the folder of a PATH that is a file.
type tree struct {
	*Converted
	from string       // the folder or the archive; "" for PATHs that are files
	root string       // what the paths of its files begin with
	name string       // the folder, whose name may be that of a host
	fsys func() fs.FS // its files

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

// set sets the functions of a document that tell the URLs of files.
func (c *Converted) set(d *extract.Document, src Source, in *Reader) {
	archive := strings.EqualFold(path.Ext(src.Name), ".zip") && !src.Waits()
	if src.Stdin || src.needed {
		return
	}
	name := path.Clean(filepath.ToSlash(src.Name))
	folder := path.Clean(strings.TrimSuffix(name, cmp.Or(src.Rel, path.Base(name))))
	t := &tree{Converted: c, name: c.retrieval.tree(src), fsys: func() fs.FS { return os.DirFS(folder) }}
	if archive {
		folder, t.name = name, ""
		t.fsys = sync.OnceValue(func() fs.FS {
			files, err := zip.OpenReader(src.Name)
			if err != nil {
				return &zip.Reader{}
			}
			in.also = files
			return files
		})
	}
	if t.root = strings.TrimPrefix(folder+"/", "./"); src.Found || archive {
		t.from = folder
	}
	if !archive {
		known, _ := c.trees.LoadOrStore([2]string{t.from, t.root}, t)
		t = known.(*tree)
	}
	if c.retrieval.mirror != "" && (t.from != "" || src.Rel != "") {
		d.FileURL = t.url
	}
	if !c.x.NoEvidence {
		d.RecordedURL = t.recordedURL
	}
}

// url is extract.Document.FileURL. Unlike Retrieval.at it counts nothing.
func (t *tree) url(file string) (url, host string, exists bool) {
	rel, inside := strings.CutPrefix(file, t.root)
	name, rest := hostOf(t.name, rel)
	host = strings.TrimSuffix(strings.TrimSuffix(rel, rest), "/")
	if !inside || name == "" || !t.isFolder(cmp.Or(host, ".")) {
		return "", "", false
	}
	return t.retrieval.mirrored(urlOf(name, rest), t.from), path.Clean(t.root + host), t.isFile(rel)
}

// recordedURL is extract.Document.RecordedURL. A PATH that is a file has no pages below it, and those beside it may be
// private, so only other PATHs are asked.
func (t *tree) recordedURL(file string) string {
	if listed := t.retrieval.listed[pathKey(file)]; listed != nil {
		return listed.url
	}
	rel, inside := strings.CutPrefix(file, t.root)
	if !inside || !isPage(rel) || t.from == "" && !t.named()[file] || !t.isFile(rel) {
		return ""
	}
	return t.recorded.of(rel, func() string {
		in, err := t.fsys().Open(rel)
		if err != nil {
			return ""
		}
		defer in.Close()
		return recorded(t.x, extract.Document{Name: file, Reader: io.LimitReader(in, 64<<10)})
	})
}

// isFile reports whether a path is that of a regular file, and those above it are folders: no symbolic link leads out
// of the tree.
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
	if !ok {
		v = find()
		m.mu.Lock()
		defer m.mu.Unlock()
		if len(m.known)%mostKnown == 0 {
			m.known = map[string]V{}
		}
		m.known[file] = v
	}
	return v
}
