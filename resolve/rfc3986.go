package resolve

import "bytes"

// schemeLen3986 returns the length of ref's scheme, or 0. A scheme starts with a letter (RFC 3986, 3.1).
func schemeLen3986(ref []byte) int {
	if len(ref) == 0 || class[ref[0]]&isAlpha == 0 {
		return 0
	}
	return schemeLen1808(ref)
}

// split3986 returns the offsets where the components of url start (RFC 3986, 3 and appendix B):
//
//	url[:authority]       the scheme and ":"
//	url[authority:path]   "//" and the authority
//	url[path:query]       the path
//	url[query:fragment]   "?" and the query
//	url[fragment:]        "#" and the fragment
//
// The range of an absent component is empty.
func split3986(url []byte) (authority, path, query, fragment int) {
	if n := schemeLen3986(url); n > 0 {
		authority = n + 1
	}
	fragment = len(url)
	if i := bytes.IndexByte(url, '#'); i >= 0 {
		fragment = i
	}
	query = fragment
	if i := bytes.IndexByte(url[:fragment], '?'); i >= 0 {
		query = i
	}
	path = authority
	if rest := url[authority:query]; len(rest) >= 2 && rest[0] == '/' && rest[1] == '/' {
		path = query
		if i := bytes.IndexByte(rest[2:], '/'); i >= 0 {
			path = authority + 2 + i
		}
	}
	return authority, path, query, fragment
}

// prepare3986 parses the base (RFC 3986, 5.2.1), and does what is the same for every reference in 5.2.3 and 5.2.4.
func (b *Base) prepare3986() error {
	url := []byte(b.url)
	b.schemeEnd, b.pathAt, b.queryAt, b.fragmentAt = split3986(url)
	if b.schemeEnd == 0 {
		return ErrRelative
	}
	b.hasNetLoc = b.pathAt > b.schemeEnd

	b.dirFloor = b.pathAt
	path := url[b.pathAt:b.queryAt]
	path = path[:bytes.LastIndexByte(path, '/')+1]
	switch {
	case len(path) == 0 && b.hasNetLoc:
		b.dir = b.url[:b.pathAt] + "/" // 5.2.3: an authority and an empty path
	case hasDots(path):
		b.dir = string(appendPath3986([]byte(b.url[:b.pathAt]), b.dirFloor, path))
	default:
		b.dir = b.url[:b.pathAt+len(path)]
	}
	b.prepareAbove(b.slashFloor())
	return nil
}

// slashFloor returns the offset in dir of the first segment that "../" may remove, after the slash at the start of the
// path. Without that slash it returns len(dir), so that the full algorithm decides.
func (b *Base) slashFloor() int {
	if b.dirFloor < len(b.dir) && b.dir[b.dirFloor] == '/' {
		return b.dirFloor + 1
	}
	return len(b.dir)
}

// append3986 resolves one reference by RFC 3986, 5.2.2 (strict) and 5.3. Unlike under RFC 1808, an empty component does
// not inherit.
func (b *Base) append3986(dst, ref []byte) (out []byte, same bool, err error) {
	if b.url != "" {
		if out, same, ok := b.short3986(dst, ref); ok {
			return out, same, nil
		}
	}
	authority, path, query, fragment := split3986(ref)
	switch {
	case authority > 0: // R.scheme is defined
		dst = append(dst, ref[:path]...)
		dst = appendPath3986(dst, len(dst), ref[path:query])

	case b.url == "":
		return dst, false, ErrNoBase

	case path > 0: // R.authority is defined
		dst = append(dst, b.url[:b.schemeEnd]...)
		dst = append(dst, ref[:path]...)
		dst = appendPath3986(dst, len(dst), ref[path:query])

	case query == 0: // R.path is empty
		end := b.queryAt
		if query == fragment { // R.query is not defined
			end = b.fragmentAt
		}
		dst = append(dst, b.url[:end]...)

	default: // 5.2.3; short3986 resolves references that start with "/"
		at := len(dst) + b.dirFloor
		dst = append(dst, b.dir...)
		dst = appendPath3986(dst, at, ref[:query])
	}
	return append(dst, ref[query:]...), false, nil
}

// appendPath3986 appends path to the path dst[at:], and removes dot segments (RFC 3986, 5.2.4). dst[at:] has no dot
// segments, and is empty or ends with a slash. path starts with a slash only if dst[at:] is empty.
//
// The RFC moves each segment to the output buffer with the slash before it. Here the slash after it is moved, so that
// ".." can find the start of the last segment.
func appendPath3986(dst []byte, at int, path []byte) []byte {
	if len(path) > 0 && path[0] == '/' {
		dst, path = append(dst, '/'), path[1:]
	}
	return appendSegments(dst, at, path, func(dst []byte, at int, _ []byte) []byte { return dst[:shorten(dst, at)] })
}

// shorten returns the length of dst without the last segment of the directory dst[at:], whose first slash stays. A
// directory without a first slash gets one when its only segment is removed, by the letter of 5.2.4, 2 C: "x:a/../b" is
// "x:/b".
func shorten(dst []byte, at int) int {
	if len(dst) <= at+1 {
		return len(dst)
	}
	if i := bytes.LastIndexByte(dst[at:len(dst)-1], '/'); i >= 0 {
		return at + i + 1
	}
	dst[at] = '/'
	return at + 1
}
