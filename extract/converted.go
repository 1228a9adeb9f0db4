package extract

// This file finds the URL of the file that a reference leads to. Programs that download a site may convert its links so
// that they lead to files, and then the path of a reference is not that of a URL.

import (
	"path"
	"path/filepath"
	"strings"

	"absolink/base"
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

// mayLeadToFile reports whether fileURL may find a file.
func (w *walker) mayLeadToFile(r *reference) bool {
	return r.e.disk != nil && (r.e.saved != nil || w.out.rec.of.d.FileURL != nil) &&
		r.scope.Layer() >= base.LayerRetrieval
}

// fileURL returns the URL of the file that a relative reference leads to, with its query and its fragment, and the
// file. It returns "" unless something shows that a program has converted the reference:
//
//	page                         reference                 file
//	of HTTrack or SingleFile     any                       records a URL
//	in the folder of a host      leads out of the folder   in that of a host, which the reference names next
//	in a mirror                  has %3F                   has "?" and then "=", or ".css" at the end, and exists
//	in a mirror                  has %25                   has an escape that wget makes, and exists
//	in a mirror                  ends in .html             has another URL, such as that of x.php, and exists
//	in a mirror, without a URL   any                       in the folder of a host
func (w *walker) fileURL(r *reference, ref []byte) (url, file string) {
	at, doc, by := r.e.disk, &w.out.rec.of.d, r.e.saved
	records, hashes := by != nil && by.ToFiles && doc.RecordedURL != nil, by != nil && by.Depth >= 0
	if doc.FileURL == nil && !records || len(ref) == 0 || ref[0] == '/' {
		return "", ""
	}
	text, rest := string(ref), ""
	if i := strings.IndexAny(text, "?#"); i >= 0 {
		text, rest = text[:i], text[i:]
	}
	if records && text != "" {
		file = path.Join(path.Dir(at.path), strings.Join(decodedNames(text), "/"))
		url = doc.RecordedURL(file)
		if scheme, _, ok := strings.Cut(r.scope.RetrievalURL(), ":"); ok && hashes && url != "" {
			url = scheme + url[strings.IndexByte(url, ':'):] // HTTrack does not record it
		}
	}
	hashed := hashes && strings.HasPrefix(rest, "?") // HTTrack puts a hash of the query into the name
	if url == "" && doc.FileURL != nil && !hashed {
		url, file = at.named(doc.FileURL, text, r.scope.Layer() == base.LayerDefault)
	}
	if url == "" {
		return "", ""
	}
	if url, _, _ = strings.Cut(url, "#"); strings.Contains(url, "?") {
		rest = rest[strings.IndexByte(rest+"#", '#'):]
	}
	return url + rest, file
}

// named is fileURL for a mirror. With alone, the page has no URL.
func (at *disk) named(find func(string) (url, host string, exists bool), text string, alone bool) (url, file string) {
	leaves := at.host != "" && saved.Climbs(text, at.depth)
	extended := strings.HasSuffix(text, ".html") && strings.Count(path.Base(text), ".") > 1
	if !alone && !leaves && !extended && !strings.Contains(text, "%") || text == "" {
		return "", ""
	}
	text = strings.Join(decodedNames(text), "/")
	name := path.Base("/" + text)
	made := unescaped(text) != text
	if _, query, asks := strings.Cut(name, "?"); asks {
		extended, made = false, made || strings.Contains(query, "=") || strings.HasSuffix(query, ".css")
	}
	if !alone && !leaves && !extended && !made {
		return "", ""
	}
	file = path.Join(path.Dir(at.path), text)
	if strings.HasSuffix(text, "/") || name == "." || name == ".." {
		file += "/"
	}
	url, host, exists := find(file)
	if host != "" && (alone || leaves && host == at.next(text) ||
		exists && (made || extended && !strings.HasSuffix(url, ".html"))) {
		return url, path.Clean(file)
	}
	return "", ""
}

// next returns the folder that a decoded path names first after it has left that of the host.
func (at *disk) next(text string) (folder string) {
	below := path.Join(strings.TrimPrefix(path.Dir(at.path)+"/", at.host+"/"), text)
	up := strings.LastIndex(below, "../") + len("../")
	first, _, _ := strings.Cut(below[up:], "/")
	return path.Join(at.host, below[:up], first)
}
