// Links to the files of a folder, an archive or a book.

package verify

import (
	"net/url"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/text/unicode/norm"
)

// local tells where an entity is among the files that its links may lead to.
type local struct {
	path string                            // of the file that the entity is in
	root string                            // what is before the names of the files of an archive
	list func(target string) (file string) // the file that a path or a URL names, or ""
	home string                            // the URL of the file, or ""
	book bool                              // what is not in the archive may stay relative
}

// localFiles returns what the files of an archive have in common as local, or nil if their links do not become local.
func (k *checker) localFiles(e *entity, all []member) *local {
	root, outermost := path.Clean(k.doc.Path)+"/", e.path == "" || e.path == "gzip" || e.path == "bzip2"
	switch {
	case k.doc.Local == nil && e.kind != bookType:
		return nil
	case outermost && strings.HasSuffix(e.kind, "tar"):
		return &local{root: root, list: k.doc.Local}
	}
	names := map[string]string{}
	for _, m := range all {
		if m.file == "" || strings.HasSuffix(m.name, "/") {
			continue // a folder
		}
		name := path.Clean(m.name)
		names[name] = name
		if m := queried().FindStringSubmatch(name); m != nil {
			names[m[1]+"?"] = name
		}
	}
	return &local{book: e.kind == bookType, list: func(target string) string {
		switch listed := outermost && k.doc.Local != nil; {
		case listed && strings.HasSuffix(target, "#"):
			return k.doc.Local(root + target)
		case listed && strings.Contains(target, "://"):
			target = strings.TrimPrefix(k.doc.Local(target), root)
		}
		return names[target]
	}}
}

// queried matches the path of a file that wget named after a URL with a query. The group is the path without the query.
var queried = pattern(`^(.*?[^/])(?:\?|@[^/]*=)[^/]*$`)

const bookType = "application/epub+zip"

// of returns the local of one of the files of an archive, or nil if its links do not become local. at may be nil.
func (at *local) of(name, kind string) *local {
	if at == nil || isContainer().MatchString(kind) {
		return nil
	}
	return &local{path: at.root + path.Clean(strings.TrimLeft(name, "/")), root: at.root, list: at.list, book: at.book}
}

// file returns the file that a reference leads to when a browser opens the page from disk, or "".
func (at *local) file(ref string) string {
	text, _, _ := cutRef(ref)
	file := at.path
	switch {
	case scheme().MatchString(ref), encodedSlash().MatchString(ref), strings.HasPrefix(text, "/"),
		strings.HasSuffix(text, "/"):
		return ""
	case text != "":
		file = path.Join(path.Dir(at.path), text)
	}
	if !strings.HasPrefix(file, at.root) || at.list(file) != file {
		return ""
	}
	return file
}

var encodedSlash = pattern(`^[^?#]*%2[Ff]`)

// cutRef returns the path, the query and the fragment of a URL or a reference, decoded. An encoded slash stays encoded.
func cutRef(ref string) (text, query, fragment string) {
	ref, fragment, _ = strings.Cut(ref, "#")
	ref, query, _ = strings.Cut(ref, "?")
	return unescape(ref), unescape(query), unescape(fragment)
}

func unescape(s string) string {
	text, err := url.PathUnescape(slashes.Replace(s))
	if err != nil {
		return s
	}
	return text
}

var slashes = strings.NewReplacer("%2F", "%252F", "%2f", "%252f")

// isLocal reports whether a new reference leads to the file that the old one means: the one with its URL, or if it has
// no URL, the one that its path leads to.
func (c *comparison) isLocal(old, new string, b base) bool {
	at := c.e.local
	if at == nil {
		return false
	}
	want, known := c.address(old, false, b)
	if !known {
		want = old
	}
	text, query, fragment := cutRef(want)
	_, q, f := cutRef(new)
	file := at.file(new)
	if was, _, _ := cutRef(old); c.converted(old, b) != "" {
		return f == fragment && file == path.Join(path.Dir(at.path), was)
	}
	if file == "" || f != fragment || q != "" && q != query {
		return false
	}
	if !known {
		dir, last := path.Dir(at.path), path.Base("x/"+text)
		switch {
		case text == "":
			dir, text = "", at.path
		case text[0] == '/':
			dir, text = at.root, "."+text
		case last == ".", last == "..":
			text += "/"
		}
		rests := at.rests(file, query, q == query, strings.HasSuffix(text, "/"))
		return names(file, path.Join(dir, text), rests)
	}
	bare, _, _ := strings.Cut(want, "#")
	home, _, _ := strings.Cut(at.home, "#")
	if c.Unarchive {
		home = original(home)
	}
	if file == at.path && bare == home || at.list(bare) == file {
		return true
	}
	if at.list(file+"#") != "" { // its URL is known, and only the index of a folder or a query may differ
		bare, _, _ = strings.Cut(bare, "?")
		return slices.ContainsFunc([]string{"", ".html", "/index.html", "/index.htm"}, func(end string) bool {
			return at.list(strings.TrimSuffix(bare, "/")+end) == file
		})
	}
	start, _, _ := cutRef(home)
	protocol, here, _ := strings.Cut(folded(start), "://")
	wanted, text, _ := strings.Cut(folded(text), "://")
	if !strings.Contains(text, "/") {
		text += "/"
	}
	rests := at.rests(file, query, q == query, strings.HasSuffix(text, "/"))
	if text = path.Clean(text); !strings.Contains(text, "/") {
		rests = slices.DeleteFunc(rests, func(rest string) bool { return rest == ".html" }) // h.html is not http://h/
	}
	from, err := filepath.Rel(path.Dir(at.path), file)
	if err == nil && protocol == wanted &&
		names(path.Join(here[:strings.LastIndexByte(here, '/')+1], filepath.ToSlash(from)), text, rests) {
		return true
	}
	for rest := file; rest != ""; _, rest, _ = strings.Cut(rest, "/") { // the name of a folder may be the host
		if names(rest, text, rests) {
			return true
		}
	}
	return false
}

// rests returns what the name of a file may have after the path of a page or a folder, in the order of a static server:
// the query, what wget -E adds, and the index of a folder. If the query is kept in the reference, it is not in the
// name, and there must be no file with a query after that path. A name is right only if there is no file with an
// earlier one.
func (at *local) rests(file, query string, kept, folder bool) (all []string) {
	ends := []string{"", ".html", "/index.html", "/index.htm"}
	if folder {
		ends = []string{"/index.html", "/index.htm", ".html"}
	}
	if at.book {
		ends = ends[:2]
	}
	for i, end := range ends {
		name, ok := strings.CutSuffix("/"+file, end)
		exists := func(end string) bool { return at.list(strings.TrimPrefix(name+end, "/")) != "" }
		if kept && ok && !slices.ContainsFunc(ends[:i], exists) &&
			(query == "" || !exists(ends[0]+"?") && !exists(end+"?")) {
			all = append(all, end)
		}
		if kept || end == ".html" {
			continue
		}
		for _, name := range []string{"?" + query, "@" + query} {
			name = end + norm.NFC.String(strings.ReplaceAll(name, "/", "%2F"))
			all = append(all, name, name+".html", name+".css")
		}
	}
	return all
}

// inLowerCase reads what some tools escape in the name of a file with a query.
var inLowerCase = strings.NewReplacer("%3f", "?", "%3d", "=", "%26", "&", "%3a", ":")

// names reports whether a file has the path of a URL, with one of rests.
func names(file, text string, rests []string) bool {
	if strings.Contains(path.Base(file), "%3f") {
		file = inLowerCase.Replace(file)
	}
	if text = strings.TrimSuffix("/"+norm.NFC.String(text), "/"); text == "/." { // the folder above all
		text = ""
	}
	for _, file := range []string{file, madeEscape().ReplaceAllStringFunc(file, unescape)} {
		if rest, ok := strings.CutPrefix("/"+norm.NFC.String(file), text); ok && slices.Contains(rests, rest) {
			return true
		}
	}
	return false
}

// madeEscape matches what wget escapes in a name.
var madeEscape = pattern(`%(?:[01][0-9A-Fa-f]|[89A-Fa-f][0-9A-Fa-f]|7[Ff]|22|2[Aa]|3[AaCcEeFf]|[57][Cc])`)
