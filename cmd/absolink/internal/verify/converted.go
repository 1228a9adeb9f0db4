// References that a program has made lead to files, and the URLs of these files.

package verify

import (
	"path"
	"strings"
)

// toFiles matches the comment, early or at the end of a page, of a program that makes references lead to files. The
// group is for HTTrack.
var toFiles = pattern(`<!--\s*(?:Page saved with SingleFile\s|(Mirrored from)\s)`)

// converted returns the URL of the file that a reference leads to, or "" if nothing shows that a program has made it
// so.
func (c *comparison) converted(ref string, b base) string {
	at, doc := c.e.disk, c.doc
	end := strings.IndexAny(ref+"#", "?#")
	if at == "" || b.declared || end == 0 || ref[0] == '/' || c.isAbsolute(ref) {
		return ""
	}
	text, _, _ := cutRef(ref)
	file, name, rest := path.Join(path.Dir(at), text), path.Base("/"+text), ref[end:]
	if c.e.toFiles && doc.RecordedURL != nil {
		if url := doc.RecordedURL(file); url != "" {
			if page := scheme().FindString(c.outer.old.url); c.e.hashes && page != "" {
				url = page + scheme().ReplaceAllString(url, "")
			}
			return withRest(url, rest)
		}
	}
	if doc.FileURL == nil || c.e.hashes && rest != "" && rest[0] == '?' {
		return ""
	}
	if strings.HasSuffix(text, "/") || name == "." || name == ".." {
		file += "/"
	}
	url, host, exists := doc.FileURL(file)
	_, home, _ := doc.FileURL(at)
	next := outside().FindString(path.Join(strings.TrimPrefix(path.Dir(at)+"/", home+"/"), text))
	switch {
	case host == "":
	case c.outer.old.url == "", home != "" && next != "" && host == path.Join(home, next),
		exists && (madeQuery().MatchString(name) || madeEscape().MatchString(text)),
		exists && twoExtensions().MatchString(name) && !strings.HasSuffix(url, ".html"):
		return withRest(url, rest)
	}
	return ""
}

var (
	madeQuery     = pattern(`\?.*(?:=|\.css$)`)
	outside       = pattern(`^(?:\.\./)+[^/]+`) // the first folder after a path has left that of the host
	twoExtensions = pattern(`^[^?]*\.[^?]*\.html$`)
)

// withRest returns a URL with the query and the fragment of a reference. Its own query replaces the other one.
func withRest(url, rest string) string {
	if url, _, _ = strings.Cut(url, "#"); strings.Contains(url, "?") {
		rest = ownQuery().ReplaceAllString(rest, "")
	}
	return url + rest
}

var ownQuery = pattern(`^\?[^#]*`)
