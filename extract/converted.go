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
)

// disk tells where an entity is among the files that its links may lead to.
type disk struct {
	path string // of the file that contains the entity, like Document.Name
	host string // in a mirror: the folder of the host, or ""
}

// diskOf returns the disk of a document, or of a member of it, or nil.
func diskOf(d *Document, member string, f *mark.Format) *disk {
	known := d.FileURL != nil || d.RecordedURL != nil
	if !known || f.Embeds == mark.AnyDocuments || member != "" && !filepath.IsLocal(member) {
		return nil
	}
	at := &disk{path: path.Join(filepath.ToSlash(d.Name), member)}
	if d.FileURL != nil {
		_, at.host, _ = d.FileURL(at.path)
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
	alone, leaves := r.scope.Rung() == base.RungDefault, strings.Contains(text, "..")
	escaped := strings.Contains(ascii.Lower(text), "%3f")
	extended := strings.HasSuffix(text, ".html") && strings.Count(path.Base(text), ".") > 1
	asked := doc.FileURL != nil && (alone || leaves || escaped || extended)
	if !records && !asked || text == "" || text[0] == '/' {
		return "", ""
	}
	text = strings.Join(decodedNames(text), "/")
	file = path.Join(path.Dir(at.path), text)
	if records {
		scheme, own, _ := strings.Cut(r.scope.RetrievalURL(), "://")
		own, _, _ = strings.Cut(own, "/")
		if url := doc.RecordedURL(file); url != "" {
			if _, other, _ := strings.Cut(url, "://"); strings.HasPrefix(other+"/", own+"/") {
				url = scheme + "://" + other // HTTrack does not record the scheme
			}
			return withRest(url, rest), file
		}
	}
	hashed := by != nil && by.Depth >= 0 && strings.HasPrefix(rest, "?") // HTTrack puts a hash of the query into the name
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
	case alone, at.leadsOut(text, host),
		exists && escaped && (strings.Contains(query, "=") || strings.HasSuffix(query, ".css")),
		exists && extended && !hasQuery && !strings.HasSuffix(url, ".html"):
		return withRest(url, rest), path.Clean(file)
	}
	return "", ""
}

// leadsOut reports whether a decoded path leads out of the folder of the host of at, and then into the folder host.
func (at *disk) leadsOut(text, host string) bool {
	below := path.Join(strings.TrimPrefix(path.Dir(at.path)+"/", at.host+"/"), text)
	if at.host == "" || !strings.HasPrefix(below, "../") {
		return false
	}
	up := strings.LastIndex(below, "../") + len("../")
	first, _, _ := strings.Cut(below[up:], "/")
	return host == path.Join(at.host, below[:up], first)
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
