package resolve

import (
	"bytes"
	"strings"
)

// AppendRelative appends the shortest relative reference for url to dst, and returns the extended slice. It is the
// inverse of AppendResolve: the reference resolves to url under b, byte for byte. AppendRelative resolves it to check
// that. dst must not overlap url.
//
// ok is false if there is no such reference, and then nothing is appended. These are the cases:
//
//   - url has another scheme or authority. A reference inherits both from b as they are spelled there (RFC 1808, 4,
//     step 3; RFC 3986, 5.2.2). So the RFCs have no reference for "http://A:80/x" under "http://a/". Under WHATWG b has no
//     capital letters in a domain and no default port, and no result of AppendResolve has them.
//   - b is "" or Unsuitable. Under WHATWG b may have an opaque path (URL Standard, 4.1). Then only the fragment can differ.
//   - AppendResolve never returns url. For example, WHATWG leaves no "/../" in a path.
//   - Each reference for url is a network-path reference, such as "//a", or could be misread.
//
// The reference is spelled with the bytes of url: escapes do not change. These are the references, the shortest first.
// Of the last two the first one is preferred if their lengths are equal.
//
//	""  "#s"     url is b up to the fragment
//	"?y"         url is b up to the query
//	";x"         url is b up to the params (RFC 1808 only)
//	"g"  "../g"  a path that starts at the directory of b; "." and ".." are directories
//	"/g"         the whole path
//
// So the URL of b itself is "" if it has no fragment, else "#f". A browser drops the fragment for "", and RFC 1808, 4,
// step 2 a keeps it. A link to "" is valid (RFC 3986, 4.4), but some attributes of HTML must not be empty, such as the
// src of an IMG.
//
// A reference that a reader could misread has a "./" more, or a "/." before the whole path:
//
//   - Its first segment has a colon: "./this:that" (RFC 1808, 5.3; RFC 3986, 4.2).
//   - It starts with two slashes: ".//g" (RFC 3986, 4.2). Browsers take a backslash for a slash, and ignore tabs and
//     newlines.
//   - It starts with a space or a control character. Browsers remove them.
//
// No reference relies on the drive letter of a file URL (URL Standard, 4.4, "file slash state"), because only some systems
// have drive letters.
//
// AppendRelative takes linear time. It allocates nothing if dst has room for the reference and url, and AppendResolve
// allocates nothing.
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
		if err == nil && bytes.Equal(resolved[len(out):], url) {
			return resolved[:len(out)], true
		}
		dst = resolved[:len(dst)] // perhaps with more room
	}
	return dst, false
}

// A urlCut has the offsets in a URL that a Base has. authority is the end of the authority. Under WHATWG a "/." may
// come before the path.
type urlCut struct{ authority, path, params, query, fragment int }

// cut finds where the components of url end. Under WHATWG url must be serialized.
func (b *Base) cut(url []byte) (u urlCut) {
	if b.standard.rules == rulesRFC1808 {
		p := Split(url)
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

// directory returns the path that a relative path is appended to. It starts and ends with a slash: b is not Unsuitable,
// and its path is not opaque.
func (b *Base) directory() string {
	if b.dir != "" {
		return b.dir[b.pathAt:]
	}
	path := b.url[b.pathAt:b.queryAt]
	if path == "" {
		return "/"
	}
	return path[:strings.LastIndexByte(path, '/')+1]
}

// A candidate is a reference: so many "../", a prefix, and the end of a URL.
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
		dst = append(dst, candidate{tail: url[u.fragment:]}, candidate{tail: url[u.query:]}, candidate{tail: url[u.params:]})
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

// relativePath returns the path from the directory of b to the path of url, with the rest of url.
func (b *Base) relativePath(url []byte, u urlCut) (c candidate) {
	dir, path := b.directory(), url[u.path:u.params]
	n := 0
	for n < len(dir) && n < len(path) && dir[n] == path[n] {
		n++
	}
	n = bytes.LastIndexByte(path[:n], '/') + 1
	c.ups = strings.Count(dir[n:], "/")
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
	return c
}

// misread reports whether path may be read as another reference if nothing comes before it: as one with a scheme, with
// an authority, or without its first bytes.
func misread(path []byte) bool {
	if isSlashOrBlank(path[0]) {
		return true
	}
	segment, _, _ := bytes.Cut(path, slash)
	return bytes.IndexByte(segment, ':') >= 0
}

var slash = []byte("/")

// isSlashOrBlank reports whether a browser may read c as a slash, or remove it.
func isSlashOrBlank(c byte) bool { return c == '/' || c == '\\' || c <= ' ' }
