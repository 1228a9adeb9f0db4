package extract

// This file finds the URL of the file that a reference leads to. Programs that download a site may convert its links so
// that they lead to files, and then the path of a reference is not that of a URL.

import (
	"path"
	"path/filepath"
	"strings"

	"absolink/base"
	"absolink/extract/internal/ascii"
	"absolink/extract/internal/mark"
	"absolink/extract/internal/saved"
)

// disk tells where an entity is among the files that its links may lead to.
type disk struct {
	path string // of the file that contains the entity, like Document.Name
	host string // in a mirror: the folder of the host, or ""

	depth int // the number of folders between both
}

// diskOf returns the disk of a document, or of a member of it, or nil.
func diskOf(d *Document, member string, f *mark.Format) *disk {
	known := d.FileURL != nil || d.RecordedURL != nil
	if !known || f.Embeds == mark.AnyDocuments || member != "" && !filepath.IsLocal(member) {
		return nil
	}
	at := &disk{path: path.Join(filepath.ToSlash(d.Name), member)}
	if d.FileURL != nil {
		_, host, _ := d.FileURL(at.path)
		if below, ok := strings.CutPrefix(at.path, host+"/"); ok {
			at.host, at.depth = host, strings.Count(below, "/")
		}
	}
	return at
}

// fileURL returns the URL of the file that a relative reference leads to, with its query and its fragment, and the
// file. It returns "" unless something shows that a program has converted the reference:
//
//	page                         reference                 file
//	of HTTrack or SingleFile     any                       records a URL
//	in the folder of a host      leads out of the folder   in that of a host, which the reference names next
//	in a mirror                  has %3F                   has "?" and then "=", or ".css" at the end, and exists
//	in a mirror                  ends in .html             has another URL, such as that of x.php, and exists
//	in a mirror, without a URL   any                       in the folder of a host
func (w *walker) fileURL(r *reference, raw []byte) (url, file string) {
	at, doc, by := r.e.disk, &w.out.rec.of.d, r.e.saved
	records := by != nil && by.ToFiles && doc.RecordedURL != nil
	if doc.FileURL == nil && !records {
		return "", ""
	}
	ref, rest := string(raw), ""
	text := ref
	if i := strings.IndexAny(ref, "?#"); i >= 0 {
		text, rest = ref[:i], ref[i:]
	}
	alone, leaves := r.scope.Rung() == base.RungDefault, at.host != "" && saved.Climbs(text, at.depth)
	escaped := strings.Contains(ascii.Lower(text), "%3f")
	extended := strings.HasSuffix(text, ".html") && strings.Count(path.Base(text), ".") > 1
	asked := doc.FileURL != nil && (alone || leaves || escaped || extended)
	if !records && !asked || text == "" || text[0] == '/' {
		return "", ""
	}
	text = strings.Join(decodedNames(text), "/")
	file = path.Join(path.Dir(at.path), text)
	if records {
		if url := doc.RecordedURL(file); url != "" {
			return withRest(likePage(url, r.scope.RetrievalURL()), rest), file
		}
	}
	hashed := by != nil && by.Depth >= 0 && strings.HasPrefix(rest, "?") // HTTrack puts a hash of the query into names
	if !asked || hashed {
		return "", ""
	}
	name := path.Base("/" + text)
	if strings.HasSuffix(text, "/") || name == "." || name == ".." {
		file += "/"
	}
	url, host, exists := doc.FileURL(file)
	_, query, hasQuery := strings.Cut(name, "?")
	switch {
	case host == "":
	case alone, leaves && host == at.next(text),
		exists && escaped && (strings.Contains(query, "=") || strings.HasSuffix(query, ".css")),
		exists && extended && !hasQuery && !strings.HasSuffix(url, ".html"):
		return withRest(url, rest), path.Clean(file)
	}
	return "", ""
}

// likePage returns a recorded URL with the scheme of the page, if both have one host: HTTrack does not record the scheme.
func likePage(url, page string) string {
	scheme, own, _ := strings.Cut(page, "://")
	own, _, _ = strings.Cut(own, "/")
	if _, other, _ := strings.Cut(url, "://"); strings.HasPrefix(other+"/", own+"/") {
		return scheme + "://" + other
	}
	return url
}

// next returns the folder that a decoded path names first after it has left that of the host.
func (at *disk) next(text string) (folder string) {
	below := path.Join(strings.TrimPrefix(path.Dir(at.path)+"/", at.host+"/"), text)
	up := strings.LastIndex(below, "../") + len("../")
	first, _, _ := strings.Cut(below[up:], "/")
	return path.Join(at.host, below[:up], first)
}

// withRest adds the query and the fragment of a reference to the URL of a file, unless it has a query.
func withRest(url, rest string) string {
	url, _, _ = strings.Cut(url, "#")
	if fragment := strings.IndexByte(rest, '#'); strings.Contains(url, "?") {
		if rest = rest[max(fragment, 0):]; fragment < 0 {
			return url
		}
	}
	return url + rest
}
