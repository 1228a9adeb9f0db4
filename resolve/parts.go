package resolve

import "bytes"

// Parts are the six components of a URL by RFC 1808, 2.1:
//
//	<scheme>://<net_loc>/<path>;<params>?<query>#<fragment>
//
// An absent component is nil. A component that is present and empty, such as
// the query of "g?", is an empty slice. Path is never present and empty, and
// Scheme is never empty.
//
// The delimiters are not part of the components, except for the slash before
// a path (2.4.6). The slices share memory with the URL that was split.
type Parts struct {
	Scheme, NetLoc, Path, Params, Query, Fragment []byte
}

// Split returns the components of url, which may be relative. It finds them in
// the order of RFC 1808, 2.4: fragment, scheme, net_loc, query, params, path.
// Every url has components, and Split(url).Append(nil) is equal to url.
func Split(url []byte) Parts {
	var p Parts
	rest := url[:len(url):len(url)]
	if i := bytes.IndexByte(rest, '#'); i >= 0 { // 2.4.1
		p.Fragment, rest = rest[i+1:], rest[:i]
	}
	if n := schemeLen1808(rest); n > 0 { // 2.4.2
		p.Scheme, rest = rest[:n], rest[n+1:]
	}
	if len(rest) >= 2 && rest[0] == '/' && rest[1] == '/' { // 2.4.3
		rest = rest[2:]
		// Only a slash ends the net_loc: it may contain "?" and ";" (2.2).
		if i := bytes.IndexByte(rest, '/'); i >= 0 {
			p.NetLoc, rest = rest[:i], rest[i:]
		} else {
			p.NetLoc, rest = rest, nil
		}
	}
	if i := bytes.IndexByte(rest, '?'); i >= 0 { // 2.4.4
		p.Query, rest = rest[i+1:], rest[:i]
	}
	if i := bytes.IndexByte(rest, ';'); i >= 0 { // 2.4.5
		p.Params, rest = rest[i+1:], rest[:i]
	}
	if len(rest) > 0 { // 2.4.6
		p.Path = rest
	}
	return p
}

// Append appends the URL with these components to dst, and returns the
// extended slice (RFC 1808, 4, step 7). Present and empty components keep their
// delimiters.
func (p Parts) Append(dst []byte) []byte {
	if p.Scheme != nil {
		dst = append(append(dst, p.Scheme...), ':')
	}
	if p.NetLoc != nil {
		dst = append(append(dst, "//"...), p.NetLoc...)
	}
	dst = append(dst, p.Path...)
	if p.Params != nil {
		dst = append(append(dst, ';'), p.Params...)
	}
	if p.Query != nil {
		dst = append(append(dst, '?'), p.Query...)
	}
	if p.Fragment != nil {
		dst = append(append(dst, '#'), p.Fragment...)
	}
	return dst
}

// empty reports whether every component is empty or absent. Such references are "", "#", "?" and "//". This is
// the "entirely empty" of RFC 1808, 4, step 2 a.
func (p *Parts) empty() bool {
	return len(p.Scheme)+len(p.NetLoc)+len(p.Path)+len(p.Params)+len(p.Query)+len(p.Fragment) == 0
}

// schemeLen1808 returns the length of ref's scheme by RFC 1808, 2.4.2, or 0. The colon must come "after the
// first character and before any characters not allowed as part of a scheme name". The first character may be
// a digit.
func schemeLen1808(ref []byte) int {
	for i, c := range ref {
		if class[c]&inScheme != 0 {
			continue
		}
		if c == ':' {
			return i
		}
		break
	}
	return 0
}
