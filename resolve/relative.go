package resolve

import (
	"bytes"
	"slices"
	"strings"
)

// AppendRelative appends the shortest relative reference for url to dst, and returns the extended slice. It is the
// inverse of AppendResolve: with the base b, the reference resolves to exactly the bytes of url. dst must not overlap
// url. The forms are:
//
//	""  "#s"     url differs from b only in the fragment
//	"?y"         url differs from b from the query on
//	";x"         url differs from b from the params on (RFC 1808 only)
//	"g"  "../g"  a path that starts at the directory of b
//	"/g"         the whole path
//
// A reference that a program could take for another one is longer: "./this:that" (RFC 3986 4.2), "./{x}", and "c;x"
// where browsers read ";x" as the name of a file. Some attributes of HTML must not be empty, such as the src of an IMG,
// so check for "".
//
// If no form resolves to url, here and in browsers, ok is false, and dst is returned: the scheme or the authority
// differs from that of b, if only in its spelling, or b is "" or Unsuitable, or url cannot be a result of
// AppendResolve.
func (b *Base) AppendRelative(dst, url []byte) (out []byte, ok bool) {
	if b.url == "" || b.Unsuitable() != "" {
		return dst, false
	}
	u := b.cut(url)
	if string(url[:u.authority]) != b.url[:b.authorityEnd()] {
		return dst, false
	}
	var room [5]candidate
	for _, c := range b.appendCandidates(room[:0], url, u) {
		out := c.append(dst)
		ref := out[len(dst):len(out):len(out)]
		resolved, err := b.AppendResolve(out, ref)
		if err == nil && bytes.Equal(resolved[len(out):], url) && !b.misleads(ref, url) {
			return resolved[:len(out)], true
		}
		dst = resolved[:len(dst)] // resolved may have more capacity
	}
	return dst, false
}

// misleads reports whether browsers resolve ref to another URL than url, as they may for ";x" and for a drive letter.
func (b *Base) misleads(ref, url []byte) bool {
	if len(ref) == 0 {
		return false
	}
	_, differs := b.InBrowser(ref, url)
	return differs
}

// A urlCut has the offsets of a URL, as a Base has its own. authority is the end of the authority, which under WHATWG
// may come before a "/." and the path.
type urlCut struct{ authority, path, params, query, fragment int }

// cut returns the offsets of url, which must be serialized under WHATWG.
func (b *Base) cut(url []byte) (u urlCut) {
	if b.standard.rules == rulesRFC1808 {
		p := split(url)
		_, u.path, u.params, u.query, u.fragment = p.offsets()
		u.authority = u.path
		return u
	}
	scheme, path, query, fragment := split3986(url)
	u = urlCut{path, path, query, query, fragment}
	if b.standard.rules == rulesWHATWG && scheme == path && bytes.HasPrefix(url[path:], guardedSlashes) {
		u.path += len("/.") // URL Standard, 4.5, step 3
	}
	return u
}

var guardedSlashes = []byte("/.//")

// authorityEnd returns the offset of the path, or of the "/." before it.
func (b *Base) authorityEnd() int {
	if b.standard.rules == rulesWHATWG {
		return b.web.authorityEnd
	}
	return b.pathAt
}

// pathEnd returns the offset after the path. Only RFC 1808 has params.
func (b *Base) pathEnd() int {
	if b.standard.rules == rulesRFC1808 {
		return b.paramsAt
	}
	return b.queryAt
}

// directory returns the path that a relative path is appended to. It starts and ends with a slash, if b is not
// Unsuitable and its path is not opaque.
func (b *Base) directory() string {
	if b.dir != "" {
		return b.dir[b.pathAt:]
	}
	path := b.url[b.pathAt:min(b.web.shortAt+1, b.queryAt)] // without the last segment, which may be long
	if path == "" {
		return "/"
	}
	return path[:strings.LastIndexByte(path, '/')+1]
}

// A candidate is a reference: ups times "../", a prefix, and the end of a URL.
type candidate struct {
	ups    int
	prefix string
	tail   []byte
}

func (c candidate) len() int { return c.ups*len("../") + len(c.prefix) + len(c.tail) }

func (c candidate) append(dst []byte) []byte {
	for range c.ups {
		dst = append(dst, "../"...)
	}
	return append(append(dst, c.prefix...), c.tail...)
}

// appendCandidates appends the references that may resolve to url, the shortest first.
func (b *Base) appendCandidates(dst []candidate, url []byte, u urlCut) []candidate {
	if string(url[:u.params]) == b.url[:b.pathEnd()] {
		dst = append(dst, candidate{tail: url[u.fragment:]}, candidate{tail: url[u.query:]},
			candidate{tail: url[u.params:]})
	}
	if b.web.opaque || u.path == u.params || url[u.path] != '/' {
		return dst // no path resolves to an opaque path or an empty path
	}
	path := candidate{tail: url[u.path:]}
	if len(path.tail) > 1 && isSlashOrBlank(path.tail[1]) {
		path.prefix = "/."
	}
	relative := b.relativePath(url, u)
	if relative.len() <= path.len() {
		return append(dst, relative, path)
	}
	return append(dst, path, relative)
}

// relativePath returns the path from the directory of b to url, with the params, query and fragment of url.
func (b *Base) relativePath(url []byte, u urlCut) (c candidate) {
	dir, path := b.directory(), url[u.path:u.params]
	n := 0
	for n < len(dir) && n < len(path) && dir[n] == path[n] {
		n++
	}
	n = bytes.LastIndexByte(path[:n], '/') + 1
	c.ups = b.slashesAfter(dir, n)
	c.tail = url[u.path+n:]
	switch {
	case n < len(path):
		if c.ups == 0 && misread(path[n:]) {
			c.prefix = "./"
		}
	case c.ups == 0:
		c.prefix = "."
	default:
		c.ups--
		c.prefix = ".."
	}
	if n == len(path) && bytes.HasPrefix(c.tail, semicolon) {
		c.prefix += "/" // ".;x" is the name of a file
	}
	return c
}

var semicolon = []byte(";")

// slashesAfter returns the number of slashes in dir[n:]. The slashes of a long dir, the directory of b, are searched
// once, because many short URLs may be compared with it.
func (b *Base) slashesAfter(dir string, n int) int {
	const long = 1 << 10
	if len(dir) < long {
		return strings.Count(dir[n:], "/")
	}
	at := b.slashes.Load()
	if at == nil {
		at = new([]int)
		for i := range len(dir) {
			if dir[i] == '/' {
				*at = append(*at, i)
			}
		}
		b.slashes.Store(at)
	}
	before, _ := slices.BinarySearch(*at, n)
	return len(*at) - before
}

// misread reports whether path could be taken for a reference with a scheme or an authority, for a placeholder of a
// template such as "{x}" and "__X__/y", or for the "url=" of a refresh, or lose its first bytes.
func misread(path []byte) bool {
	if isSlashOrBlank(path[0]) || strings.IndexByte("{[$<*", path[0]) >= 0 || bytes.HasPrefix(path, []byte("__")) ||
		path[0] == '%' && path[len(path)-1] == '%' || len(path) > 3 && path[3] == '=' && isLower(path[:3], "url") {
		return true
	}
	segment, _, _ := bytes.Cut(path, slash)
	return bytes.IndexByte(segment, ':') >= 0
}

var slash = []byte("/")

// isSlashOrBlank reports whether a browser may read c as a slash, or remove it.
func isSlashOrBlank(c byte) bool { return c == '/' || c == '\\' || c <= ' ' }
