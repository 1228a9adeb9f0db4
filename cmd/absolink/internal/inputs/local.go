// The files that links may lead to, for --local.

package inputs

import (
	"archive/tar"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"absolink/cmd/absolink/internal/files"
	"absolink/extract"
	"absolink/resolve"
)

// Local knows the files that a link may become local to. These are all files of the PATHs, even those that this run
// skips. Each folder PATH has its own set, and the PATHs that are files share one.
type Local struct {
	trees     map[string]func(target string) (file string) // by the result of treeOf
	types     sync.Map                                     // by name, of files that browsers do not know by name
	retrieval *Retrieval
	reads     extract.Extractor

	Copied Globs // with -o: the files that are copied
	Only   Types // and their media types; empty for all
}

// NewLocal returns the files of the PATHs of a run. x reads the URLs that pages record.
func NewLocal(c Config, r *Retrieval, x extract.Extractor) *Local {
	all := map[string][]string{}
	files := Config{Paths: c.Paths, Stdin: c.Stdin, Hidden: c.Hidden, Follow: c.Follow, Needed: c.Needed}
	for src, err := range Select(files).All(false) {
		if err == nil {
			all[treeOf(src)] = append(all[treeOf(src)], filepath.ToSlash(src.Name))
		}
	}
	l := &Local{retrieval: r, reads: x, trees: map[string]func(string) string{}}
	for tree, names := range all {
		l.trees[tree] = l.in(names, r.site+r.mirror == "" && !x.NoEvidence)
	}
	return l
}

// treeOf returns the folder that a document was found in, or "" for a PATH that is a file, and for a file beside one.
func treeOf(src Source) string {
	if !src.Found || src.needed {
		return ""
	}
	return strings.TrimSuffix(filepath.ToSlash(src.Name), src.Rel)
}

// in returns a function for extract.Document.Local. names are the files of one folder or archive, or the PATHs that are
// files. With recorded, a page is also found by the URL that it records.
func (l *Local) in(names []string, recorded bool) func(target string) (file string) {
	urls, find := map[string]string{}, extract.LocalFiles(slices.Values(names))
	known := map[string]bool{} // the files in urls, as extract.Document.Local asks for them
	for _, name := range names {
		var url string
		if listed := l.retrieval.listed[pathKey(name)]; listed != nil {
			url = listed.url
		} else if recorded {
			url = l.recorded(name)
		}
		if url, _, _ = strings.Cut(url, "#"); url != "" {
			urls[inBrowser(url)], known[path.Clean(name)+"#"] = name, true
		}
	}
	return func(target string) string {
		if len(urls) > 0 && strings.Contains(target, "://") {
			return urls[inBrowser(target)]
		}
		if known[target] {
			return target
		}
		return find(target)
	}
}

// inBrowser returns a URL as browsers spell it. Pages record it so, and links may have other spellings.
func inBrowser(url string) string {
	if b, err := resolve.WHATWG.Base(url); err == nil {
		return b.String()
	}
	return url
}

// recorded returns the URL that a page records in its first 64 KiB, or "".
func (l *Local) recorded(name string) (url string) {
	if !isPage(name) {
		return ""
	}
	in, err := files.OpenRegular(name)
	if err != nil {
		return ""
	}
	defer in.Close()
	page := extract.Document{Name: name, Reader: io.LimitReader(in, 64<<10), Evidence: fileEvidence(name, true)}
	return recorded(l.reads, page)
}

// recorded returns the URL that a page records, or "".
func recorded(x extract.Extractor, page extract.Document) (url string) {
	for e, err := range x.Bases(context.Background(), page) {
		if err == nil {
			url = e.Scope.RetrievalURL()
		}
		break
	}
	return url
}

// byName are the extensions by which browsers know pages, style sheets and SVG on disk.
var byName = strings.Fields(".html .htm .shtml .shtm .xhtml .xht .xml .css .svg")

// LeftOut stands for the media type of a file that is not copied.
const LeftOut = "left-out"

// Unnamed returns the media type of a file of the tree of a document if browsers do not open it from disk, because its
// name does not tell that it is a page, a style sheet or SVG, or LeftOut, or else "".
func (l *Local) Unnamed(src Source, file string) string {
	if rel, ok := strings.CutPrefix(file, treeOf(src)); ok && src.Found && (!l.Copied.selects(rel) || !l.isRead(rel)) {
		return LeftOut
	}
	find := l.trees[treeOf(src)]
	if slices.Contains(byName, strings.ToLower(path.Ext(file))) || find == nil || find(file) != file {
		return ""
	}
	known, ok := l.types.Load(file)
	if !ok {
		known = ""
		if in, err := files.OpenRegular(file); err == nil {
			head, _ := io.ReadAll(io.LimitReader(in, HeadLen))
			in.Close()
			if f := extract.Detect("", file, head); f != nil {
				known = f.Name
			}
		}
		l.types.Store(file, known)
	}
	return known.(string)
}

// isRead reports whether a file is one of those of --only, by its extension.
func (l *Local) isRead(name string) bool {
	f := extract.Detect("", name, nil)
	return len(l.Only) == 0 || path.Ext(name) == "" || f != nil && (l.Only.Has(f.Name) || f.Embeds(l.Only.Has))
}

// isPage reports whether a file is a page by its name.
func isPage(name string) bool {
	f := extract.Detect("", name, nil)
	return f != nil && (f.Name == "text/html" || f.Name == "application/xhtml+xml")
}

// of returns the function for a document. f is its format, or nil.
func (l *Local) of(src Source, f *extract.Format, kind string) (func(target string) (file string), error) {
	switch {
	case f == nil || !f.Archive:
		return l.trees[treeOf(src)], nil
	case f.Name != "application/x-tar":
		return l.in(l.retrieval.below(src.Name), false), nil // its format has a list of its files
	case src.Waits():
		return nil, errors.New("--local needs the list of the files in a tar archive before it writes the first " +
			"one, and a pipe is read only once; save the archive to a file")
	}
	in := &Reader{name: src.Name, flag: os.O_RDONLY, meter: &Meter{}}
	defer in.Close()
	out, to := io.Pipe()
	defer out.Close()
	go func() {
		// The archive may be compressed, and would be copied as it is if no type were wanted, so one rare type is.
		unpacks := extract.Extractor{Decompress: true,
			Only: func(mediaType string) bool { return mediaType == "application/x-webarchive" }}
		_, err := unpacks.Rewrite(context.Background(), to, extract.Document{Name: src.Name, Type: kind, Reader: in})
		to.CloseWithError(err)
	}()
	var names []string
	for archive := tar.NewReader(out); ; {
		header, err := archive.Next()
		if err == io.EOF {
			return l.in(names, false), nil
		}
		if err != nil {
			return nil, fmt.Errorf("--local needs the list of the files in the archive, which cannot be read: %w", err)
		}
		if header.Typeflag != tar.TypeDir {
			names = append(names, path.Join(src.Name, header.Name))
		}
	}
}
