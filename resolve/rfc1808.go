package resolve

import "bytes"

// parts has the six components of a URL (RFC 1808, 2.1):
//
//	<scheme>://<net_loc>/<path>;<params>?<query>#<fragment>
//
// An absent component is nil, and one that is present and empty, such as the query of "g?", is an empty slice. A scheme
// or a path is never empty.
//
// Delimiters are not part of the components, except that a path keeps the slash before it (2.4.6).
type parts struct {
	scheme, netLoc, path, params, query, fragment []byte
}

// split returns the components of an absolute or relative URL, which may have any bytes (RFC 1808, 2.4). They share
// memory with url, and split(url).append(nil) is equal to it.
func split(url []byte) parts {
	var p parts
	rest := url[:len(url):len(url)]
	if i := bytes.IndexByte(rest, '#'); i >= 0 { // 2.4.1
		p.fragment, rest = rest[i+1:], rest[:i]
	}
	if n := schemeLen1808(rest); n > 0 { // 2.4.2
		p.scheme, rest = rest[:n], rest[n+1:]
	}
	if len(rest) >= 2 && rest[0] == '/' && rest[1] == '/' { // 2.4.3
		rest = rest[2:]
		// Only a slash ends the net_loc: it may contain "?" and ";" (2.2).
		if i := bytes.IndexByte(rest, '/'); i >= 0 {
			p.netLoc, rest = rest[:i], rest[i:]
		} else {
			p.netLoc, rest = rest, nil
		}
	}
	if i := bytes.IndexByte(rest, '?'); i >= 0 { // 2.4.4
		p.query, rest = rest[i+1:], rest[:i]
	}
	if i := bytes.IndexByte(rest, ';'); i >= 0 { // 2.4.5
		p.params, rest = rest[i+1:], rest[:i]
	}
	if len(rest) > 0 { // 2.4.6
		p.path = rest
	}
	return p
}

// append appends the URL with these components to dst (RFC 1808, 4, step 7). A component that is present and empty gets
// its delimiter.
func (p parts) append(dst []byte) []byte {
	if p.scheme != nil {
		dst = append(append(dst, p.scheme...), ':')
	}
	if p.netLoc != nil {
		dst = append(append(dst, "//"...), p.netLoc...)
	}
	dst = append(dst, p.path...)
	dst = appendPart(dst, ';', p.params, "")
	dst = appendPart(dst, '?', p.query, "")
	return appendPart(dst, '#', p.fragment, "")
}

// schemeLen1808 returns the length of ref's scheme, or 0. The colon must come "after the first character and before any
// characters not allowed as part of a scheme name" (RFC 1808, 2.4.2), so a scheme may start with a digit.
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

// offsets returns the offsets in the URL that a Base has. schemeEnd is 0 if there is no scheme.
func (p *parts) offsets() (schemeEnd, path, params, query, fragment int) {
	if p.scheme != nil {
		schemeEnd = len(p.scheme) + 1
	}
	path = schemeEnd
	if p.netLoc != nil {
		path += 2 + len(p.netLoc)
	}
	params = path + len(p.path)
	query = params
	if p.params != nil {
		query += 1 + len(p.params)
	}
	fragment = query
	if p.query != nil {
		fragment += 1 + len(p.query)
	}
	return schemeEnd, path, params, query, fragment
}

// prepare1808 parses the base (RFC 1808, 2.4), and does what is the same for every reference in section 4, step 6.
func (b *Base) prepare1808() error {
	p := split([]byte(b.url))
	if p.scheme == nil {
		return ErrRelative
	}
	b.schemeEnd, b.pathAt, b.paramsAt, b.queryAt, b.fragmentAt = p.offsets()
	b.hasNetLoc = p.netLoc != nil

	// The slash before a path is not part of the path (2.4.6), so ".." cannot
	// remove an empty segment before it.
	b.dirFloor = b.pathAt
	path := p.path
	if len(path) > 0 && path[0] == '/' {
		b.dirFloor++
		path = path[1:]
	}
	// Step 6 removes the last segment of the base's path.
	path = path[:bytes.LastIndexByte(path, '/')+1]
	switch {
	case len(p.path) == 0 && b.hasNetLoc:
		// "http://a" and "g" are "http://a/g", not "http://ag", because the form
		// of 2.1 has a slash between the net_loc and a path.
		b.dirFloor++
		b.dir = b.url[:b.pathAt] + "/"
	case hasDots(path):
		b.dir = string(appendPath1808([]byte(b.url[:b.dirFloor]), b.dirFloor, path))
	default:
		b.dir = b.url[:b.dirFloor+len(path)]
	}
	b.prepareAbove(b.dirFloor)
	return nil
}

// append1808 resolves one reference by RFC 1808, 4, whose steps the comments name.
//
// In steps 3 and 5 an empty component inherits as an absent one does. If there is nothing to inherit, step 7 writes its
// delimiter: "g?" is "http://a/b/c/g?".
func (b *Base) append1808(dst, ref []byte) (out []byte, same bool, err error) {
	if b.url == "" { // Step 1
		if schemeLen1808(ref) == 0 {
			return dst, false, ErrNoBase
		}
		return append(dst, ref...), false, nil
	}
	if out, same, ok := b.short1808(dst, ref); ok {
		return out, same, nil
	}
	return b.full1808(dst, ref), false, nil
}

// full1808 is append1808 from step 2 on, without the short path.
func (b *Base) full1808(dst, ref []byte) []byte {
	switch {
	case len(ref) == 0:
		return append(dst, b.url...) // 2 a
	case schemeLen1808(ref) > 0:
		return append(dst, ref...) // 2 b: exactly as written
	}
	p := split(ref)
	var params, query string // inherited, with their delimiters
	switch {
	case len(p.netLoc) > 0: // Step 3
		dst = append(dst, b.url[:b.schemeEnd]...)
		dst = append(dst, "//"...)
		dst = append(dst, p.netLoc...)
		dst = append(dst, p.path...)

	case len(p.path) > 0 && p.path[0] == '/': // Step 4
		dst = append(dst, b.url[:b.pathAt]...)
		dst = append(dst, p.path...)

	case len(p.path) == 0: // Step 5
		dst = append(dst, b.url[:b.paramsAt]...)
		if len(p.params) == 0 { // a
			params = b.url[b.paramsAt:b.queryAt]
			if len(p.query) == 0 { // b
				query = b.url[b.queryAt:b.fragmentAt]
			}
		}

	default: // Step 6
		at := len(dst) + b.dirFloor
		dst = append(dst, b.dir...)
		dst = appendPath1808(dst, at, p.path)
	}

	// Step 7
	dst = appendPart(dst, ';', p.params, params)
	dst = appendPart(dst, '?', p.query, query)
	return appendPart(dst, '#', p.fragment, "")
}

// appendPart appends the inherited component unless it is empty, and then that of the reference, if there is one.
func appendPart(dst []byte, delimiter byte, part []byte, inherited string) []byte {
	switch {
	case len(inherited) > 1:
		return append(dst, inherited...)
	case part != nil:
		return append(append(dst, delimiter), part...)
	}
	return dst
}

// appendPath1808 appends path, which does not start with a slash, to the directory dst[at:], and removes dot segments
// (RFC 1808, 4, step 6 a to d).
//
// The RFC removes the leftmost "<segment>/../" until there is none. No segment before a removed one can match any more,
// so one pass with dst as a stack of segments has the same result.
func appendPath1808(dst []byte, at int, path []byte) []byte {
	return appendSegments(dst, at, path, func(dst []byte, at int, segment []byte) []byte { // c, d
		if top := removable1808(dst, at); top < len(dst) {
			return dst[:top]
		}
		return append(dst, segment...)
	})
}

// removable1808 returns where the last segment of the directory dst[at:] starts, or len(dst) if ".." cannot remove it,
// because there is none or it is "../" itself. A segment may be empty (2.2: *pchar), so "b//../g" is "b/g".
func removable1808(dst []byte, at int) int {
	if len(dst) <= at {
		return len(dst)
	}
	top := len(dst) - 1
	for top > at && dst[top-1] != '/' {
		top--
	}
	if string(dst[top:]) == "../" {
		return len(dst)
	}
	return top
}

// appendSegments appends path to the directory dst[at:] without its dot segments, for both RFCs. The directory has no
// dot segments, and ends with a slash or is empty. For a segment "..", up removes the last segment of the directory.
func appendSegments(dst []byte, at int, path []byte, up func(dst []byte, at int, segment []byte) []byte) []byte {
	for {
		if len(path) == 0 || path[0] != '.' {
			i := bytes.Index(path, slashDot)
			if i < 0 {
				return append(dst, path...)
			}
			dst, path = append(dst, path[:i+1]...), path[i+1:]
		}
		segment, last := path, true
		if i := bytes.IndexByte(path, '/'); i >= 0 {
			segment, path, last = path[:i+1], path[i+1:], false
		}
		name := segment
		if !last {
			name = segment[:len(segment)-1]
		}
		switch string(name) {
		case ".":
		case "..":
			dst = up(dst, at, segment)
		default:
			dst = append(dst, segment...)
		}
		if last {
			return dst
		}
	}
}

// slashDot starts every dot segment except one at the start of a path.
var slashDot = []byte("/.")

// hasDots reports whether path may have dot segments.
func hasDots(path []byte) bool {
	return len(path) > 0 && path[0] == '.' || bytes.Contains(path, slashDot)
}
