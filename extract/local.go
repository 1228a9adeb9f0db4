package extract

// This file finds the file that a link leads to, for Document.Local and for the links inside a book.

import (
	"cmp"
	"errors"
	"iter"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/text/unicode/norm"

	"absolink/base"
	"absolink/extract/internal/ascii"
	"absolink/extract/internal/codec"
	"absolink/extract/internal/grammar"
	"absolink/extract/internal/mark"
	"absolink/extract/internal/pack"
	"absolink/extract/internal/window"
	"absolink/resolve"
)

// LocalFiles returns a Document.Local that finds the files in paths.
func LocalFiles(paths iter.Seq[string]) func(target string) (file string) {
	files := map[string]string{}
	for file := range paths {
		file = path.Clean(file)
		files[file] = file
		if alias := norm.NFC.String(unescaped(file)); files[alias] == "" { // macOS decomposes names
			files[alias] = file
		}
		dir, name := path.Split(file)
		if strings.Contains(name, "%3f") {
			files[dir+inLowerCase.Replace(name)] = file
		}
		if queryIn(name) > 0 {
			files[norm.NFC.String(unescaped(dir+name[:queryIn(name)]))+"?"] = file
		}
	}
	return func(target string) string {
		if file := files[target]; file != "" {
			return file
		}
		return files[norm.NFC.String(target)]
	}
}

// inLowerCase reads what some tools escape in the name of a file with a query.
var inLowerCase = strings.NewReplacer("%3f", "?", "%3d", "=", "%26", "&", "%3a", ":")

// unescaped returns a path without the escapes that wget makes in names: of controls, of bytes that are not ASCII, and
// of what Windows does not allow.
func unescaped(file string) string {
	parts := strings.Split(file, "%")
	for i, part := range parts[1:] {
		part = "%" + part
		c := ascii.PercentDecoded([]byte(part[:min(3, len(part))]))
		if len(c) == 1 && (c[0] < ' ' || c[0] > '~' || strings.IndexByte(`\|:?"*<>`, c[0]) >= 0) {
			part = string(c) + part[3:]
		}
		parts[i+1] = part
	}
	return strings.Join(parts, "")
}

// queryIn returns the index of the query in a file name that wget or another tool made, or -1.
func queryIn(name string) int {
	if escaped := strings.Index(name, "%3f"); escaped > 0 {
		return escaped
	}
	at := strings.IndexByte(name, '?')
	if wget := strings.IndexByte(name[min(1, len(name)):], '@') + 1; at < 0 && wget > 0 &&
		strings.Contains(name[wget:], "=") {
		return wget
	}
	return at
}

// local tells where an entity is among the files that its links may lead to.
//
// The files may have the layout of the site, up to some folder. With the URL http://h/a/b/p.html and the file
// x/b/p.html, the folder x has the URL http://h/a/; with the file x/h/a/b/p.html, as wget writes it, the folders in x
// are hosts.
type local struct {
	path   string                            // of the file that contains the entity
	find   func(target string) (file string) // see Document.Local
	root   string                            // of an archive: what is before the names of its files
	rooted bool                              // the file is in an archive, so "/" can be resolved
	book   bool                              // the archive is a book, where a link to the page itself is always local

	scope *base.Scope // of the last link; the rest depends on it
	fits  bool        // once BASE elements are removed, references are relative to the file
	url   string      // the retrieval URL, without its fragment
	above []string    // the names in url that lead to dir
	dir   []string    // the outermost folder below which url and path have the same names
	hosts bool        // the folders in dir are hosts, of any scheme
}

// localRecord returns the local of a record, or nil if its links do not become local. Those of a message never do,
// because the documents in it are not files.
func (w *walker) localRecord(d *Document, f *mark.Format) *local {
	if d.Local == nil || f.Embeds == mark.AnyDocuments {
		return nil
	}
	return &local{path: path.Clean(d.Name), find: d.Local}
}

// longestLocal is the length of the longest file name whose links become local. No file system has longer paths, and a
// long name with many links would take much time.
const longestLocal = 4096

// localMember returns the local of a file in the archive that is visited, or nil if its links do not become local.
func (v *visit) localMember(name string, f *mark.Format) *local {
	d := &v.w.out.rec.of.d
	book := v.e.format == pack.EPUB
	name = path.Clean(strings.TrimLeft(name, "/"))
	if d.Local == nil && !book || f.Embeds == mark.AnyDocuments || !filepath.IsLocal(name) || len(name) > longestLocal {
		return nil
	}
	// a tar archive is read file by file, so only the caller has the list
	if v.e.format.Name == pack.Tar.Name && v.e.parent == nil {
		root := path.Clean(d.Name) + "/"
		return &local{path: root + name, find: d.Local, root: root, rooted: true}
	}
	if v.e.files == nil && v.m.Notes.Files != nil {
		v.e.files = LocalFiles(v.m.Notes.Files)
	}
	files, listed := v.e.files, d.Local != nil && v.e.parent == nil
	if files == nil {
		return nil
	}
	find := func(target string) string {
		switch {
		case listed && strings.HasSuffix(target, "#"):
			return d.Local(path.Clean(d.Name) + "/" + target)
		case listed && strings.Contains(target, "://"):
			target = strings.TrimPrefix(d.Local(target), path.Clean(d.Name)+"/")
		}
		return files(target)
	}
	return &local{path: name, find: find, rooted: true, book: book}
}

// filesIn returns LocalFiles of an archive that is cut into records, one for each file.
func filesIn(e *Entity) func(target string) (file string) {
	return LocalFiles(func(yield func(string) bool) {
		for rec := range e.format.Split(window.On(e.Bytes), len(e.Bytes)) {
			if rec.File != "" && !strings.HasSuffix(rec.File, "/") && !yield(rec.File) {
				return
			}
		}
	})
}

// localize makes a link local if it leads to a file. If it does so from disk already, it stays; else d.local is its new
// reference.
func (w *walker) localize(r *reference, l *Link, d *decision) {
	if d.stays {
		return
	}
	at := r.e.local
	at.enter(r.e, r.scope)
	target, file := string(l.URL), ""
	switch {
	case !at.fits, r.at.Base != nil, l.NeedsAbsolute():
	case d.file != "":
		file = at.find(strings.TrimPrefix(d.file, path.Clean(w.out.rec.of.d.Name)+"/"))
	case d.err == nil:
		file = at.ofURL(target)
	case errors.Is(d.err, resolve.ErrNoBase), r.relative:
		target = string(l.Ref)
		file = at.ofPath(target)
	}
	if file != "" && file != at.path && !at.book && w.x.OnLocal != nil {
		w.x.OnLocal(r.e, file, r.place.Served)
	}
	switch {
	case at.book && file == "" && !r.place.Hyperlink && r.relative &&
		(d.err == nil || errors.Is(d.err, resolve.ErrNoBase)):
		w.reportStaying(r.e, r.text, &Problem{Offset: r.at.Start, Code: CodeRewriteRefused, Severity: SeverityNote,
			Detail: mark.Quote(l.Ref) + " is not in the book, and only a and area outside of a nav may lead out of it"})
		d.stays = true
	case file == "" || file == at.path && !at.book && !w.x.KeepFragments:
		d.stays = !r.relative && w.x.Map == nil
	case r.relative && at.leads(string(l.Ref), file):
		d.stays, d.signed = true, false
	default:
		d.local = at.relative(file, target)
		d.stays = d.err != nil
	}
}

// fitsIn reports whether references in a scope of e are relative to the file once its BASE elements are removed.
func (at *local) fitsIn(e *Entity, scope *base.Scope) bool {
	for _, c := range scope.Candidates() {
		switch {
		case c.Verdict != base.VerdictUsed:
		case c.Layer == base.LayerEmbedded:
			return c.By == mark.BaseElement
		case c.Layer == base.LayerEncapsulating:
			return e.parent != nil && e.parent.local == at && at.fitsIn(e.parent, e.outerScope)
		}
	}
	return true
}

// enter sets the fields that depend on the scope of a link.
func (at *local) enter(e *Entity, scope *base.Scope) {
	if scope == at.scope {
		return
	}
	at.scope, at.fits = scope, at.fitsIn(e, scope)
	at.url, _, _ = strings.Cut(scope.RetrievalURL(), "#")
	at.above, at.dir, at.hosts = nil, strings.Split(at.path, "/"), false
	at.dir = at.dir[:len(at.dir)-1]
	names, _ := namesOf(at.url)
	if len(names) == 0 {
		return
	}
	up := func(name string) bool {
		n := len(at.dir) - 1
		if name = norm.NFC.String(name); n < 0 ||
			norm.NFC.String(at.dir[n]) != name && norm.NFC.String(unescaped(at.dir[n])) != name {
			return false
		}
		at.dir = at.dir[:n]
		return true
	}
	for names = names[:len(names)-1]; len(names) > 1 && up(names[len(names)-1]); {
		names = names[:len(names)-1]
	}
	if at.above = names; len(names) == 1 {
		at.hosts = up(hostOf(names[0]))
	}
}

// hostOf returns the host of an http or https URL without a path. For any other URL it returns "/", which no folder is
// called.
func hostOf(url string) string {
	if scheme, host, _ := strings.Cut(url, "://"); scheme == "http" || scheme == "https" {
		return host
	}
	return "/"
}

// namesOf returns the scheme with the authority of a URL, followed by the names in its path, of which the last is ""
// for a folder, and what follows the "?". names is nil if no file can have the URL.
func namesOf(url string) (names []string, query string) {
	url, _, _ = strings.Cut(url, "#")
	url, query, _ = strings.Cut(url, "?")
	scheme, rest := ascii.CutScheme(url)
	rest, ok := strings.CutPrefix(rest, "//")
	if scheme == "" || !ok {
		return nil, ""
	}
	authority, below, _ := strings.Cut(rest, "/")
	authority = strings.TrimSuffix(authority, defaultPorts[ascii.Lower(scheme)])
	names = append([]string{ascii.Lower(scheme + "://" + authority)}, decodedNames(below)...)
	return names, query
}

var defaultPorts = map[string]string{"http": ":80", "https": ":443"}

// decodedNames returns the percent-decoded names in a path. A name with an encoded slash stays encoded, as wget writes
// it.
func decodedNames(text string) []string {
	names := strings.Split(text, "/")
	for i, name := range names {
		if !strings.Contains(name, "%") {
			continue
		}
		if decoded := string(ascii.PercentDecoded([]byte(name))); !strings.ContainsAny(decoded, "/\x00") {
			names[i] = decoded
		}
	}
	return names
}

func (at *local) ofURL(url string) string {
	bare, _, _ := strings.Cut(url, "#")
	if bare == at.url {
		return at.path
	}
	if file := at.find(bare); file != "" {
		return path.Clean(file)
	}
	names, query := namesOf(bare)
	switch {
	case len(names) == 0 || at.above == nil:
		return ""
	case at.hosts:
		names[0] = hostOf(names[0])
	case len(names) <= len(at.above) || !slices.Equal(names[:len(at.above)], at.above):
		return ""
	default:
		names = names[len(at.above):]
	}
	last := len(names) - 1
	for i, name := range names {
		if name == "." || name == ".." || name == "" && i < last {
			return ""
		}
	}
	if names[last] == "" && (last == 0 || last == 1 && at.hosts) {
		names[last] = "./" // h.html is not http://h/
	}
	file := at.pick(strings.Join(append(slices.Clip(at.dir), names...), "/"), query)
	bare, _, _ = strings.Cut(bare, "?")
	bare, folder := strings.CutSuffix(bare, "/")
	if file != "" && at.find(file+"#") != "" && !slices.ContainsFunc(served[folder], func(end string) bool {
		return path.Clean(at.find(bare+end)) == file
	}) {
		return ""
	}
	return file
}

// ofPath returns the file that a reference leads to from the path of its document, or "".
func (at *local) ofPath(ref string) string {
	ref, _, _ = strings.Cut(ref, "#")
	ref, query, _ := strings.Cut(ref, "?")
	dir := path.Dir(at.path)
	switch scheme, _ := ascii.CutScheme(ref); {
	case scheme != "", strings.HasPrefix(ref, "//"), strings.HasPrefix(ref, "/") && !at.rooted:
		return ""
	case ref == "":
		return at.path
	case ref[0] == '/':
		dir = at.root
	}
	names := decodedNames(strings.TrimPrefix(ref, "/"))
	file := cmp.Or(path.Join(dir, strings.Join(names, "/")), ".")
	if last := names[len(names)-1]; last == "" || last == "." || last == ".." {
		file += "/"
	}
	return at.pick(file, query)
}

// served has the endings that a static server tries in order, by whether the path had a slash at its end.
var served = map[bool][]string{
	false: {"", ".html", "/index.html", "/index.htm"},
	true:  {"/index.html", "/index.htm", ".html"},
}

// pick returns the file at a path, or "". In a book, which no server reads, only the first two endings are tried.
func (at *local) pick(file, query string) string {
	name, folder := strings.CutSuffix(file, "/")
	ends := served[folder]
	if at.book {
		ends = ends[:2]
	}
	for _, end := range ends {
		file := path.Clean(name + end)
		if query != "" && end != ".html" {
			if found := at.queried(file, query); found != "" || at.find(file+"?") != "" {
				return found
			}
		}
		if found := at.known(file); found != "" {
			return found
		}
	}
	return ""
}

// queried returns the file that wget names after a query, perhaps with the extension that -E adds, or "".
func (at *local) queried(file, query string) string {
	decoded := string(ascii.PercentDecoded([]byte(query)))
	for _, q := range []string{"?" + decoded, "@" + decoded, "?" + query, "@" + query} {
		for _, end := range []string{"", ".html", ".css"} {
			if found := at.known(file + strings.ReplaceAll(q, "/", "%2F") + end); found != "" {
				return found
			}
		}
	}
	return ""
}

func (at *local) known(file string) string {
	if file = at.find(file); file == "" || !strings.HasPrefix(path.Clean(file), at.root) {
		return ""
	}
	return path.Clean(file)
}

// leads reports whether a reference leads to a file when a browser opens the page from disk, where a query means
// nothing.
func (at *local) leads(ref, file string) bool {
	ref, _, _ = strings.Cut(ref, "#")
	ref, _, _ = strings.Cut(ref, "?")
	scheme, _ := ascii.CutScheme(ref)
	switch {
	case ref == "":
		return file == at.path
	case scheme != "", ref[0] == '/', strings.HasSuffix(ref, "/"), strings.Contains(ascii.Lower(ref), "%2f"):
		return false
	}
	return path.Join(path.Dir(at.path), strings.Join(decodedNames(ref), "/")) == file
}

// relative returns the reference from the entity to a file, with the query and the fragment of target, unless the name
// of the file has the query already.
func (at *local) relative(file, target string) (ref []byte) {
	from, to := strings.Split(at.path, "/"), strings.Split(file, "/")
	for len(from) > 1 && len(to) > 1 && from[0] == to[0] {
		from, to = from[1:], to[1:]
	}
	ref = []byte(strings.Repeat("../", len(from)-1))
	if len(ref) == 0 && (strings.Contains(to[0], ":") || grammar.HasPlaceholder([]byte(to[0]), false)) {
		ref = append(ref, "./"...)
	}
	for i, name := range to {
		if i > 0 {
			ref = append(ref, '/')
		}
		ref = appendName(ref, name)
	}
	target, fragment, hasFragment := strings.Cut(target, "#")
	target, query, hasQuery := strings.Cut(target, "?")
	names, name := decodedNames(target), path.Base(file)
	last := names[len(names)-1]
	named := queryIn(name) >= 0 && queryIn(last) < 0
	if rest, ok := strings.CutPrefix(name, last); ok {
		named = queryIn("x"+rest) >= 0
	}
	if hasQuery && !named {
		ref = append(append(ref, '?'), query...)
	}
	if hasFragment {
		ref = append(append(ref, '#'), fragment...)
	}
	return ref
}

// appendName appends the name of a file as a segment of a path. It escapes all but the pchar of RFC 1808 2.2 and "~".
func appendName(dst []byte, name string) []byte {
	const hex = "0123456789ABCDEF"
	for i := range len(name) {
		if c := name[i]; ascii.IsLetter(c) || ascii.IsDigit(c) || strings.IndexByte("$-_.+!*'(),:@&=~", c) >= 0 {
			dst = append(dst, c)
		} else {
			dst = append(dst, '%', hex[c>>4], hex[c&0xF])
		}
	}
	return dst
}

// withoutLocal walks an entity once more, without local links. It reports nothing, because the first walk has.
func (w *walker) withoutLocal(e *Entity) (edits []codec.Edit, tied bool) {
	told := *w.x
	w.x.OnProblem, w.x.OnLink, w.x.OnIntegrity, w.x.OnCanonical, w.x.Old, e.local = nil, nil, nil, nil, nil, nil
	edits, tied = w.walkText(e)
	w.x.OnProblem, w.x.OnLink, w.x.OnIntegrity = told.OnProblem, told.OnLink, told.OnIntegrity
	w.x.OnCanonical, w.x.Old = told.OnCanonical, told.Old
	return edits, tied
}
