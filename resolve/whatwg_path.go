package resolve

import "bytes"

// pathState reads path segments from i on. dst[pathAt:] is the path so far, with a slash before each segment: "" is the
// empty list, and "/" is a list of one empty string. Segments are compared before they are encoded, because encoding
// changes no character of a dot segment or a drive letter.
func (p *webParser) pathState(i int) error {
	for {
		end := i
		for end < len(p.in) {
			c := p.in[end]
			if c == '?' || c == '#' || p.isSlash(c) {
				break
			}
			end++
		}
		segment := p.in[i:end]
		slash := end < len(p.in) && p.isSlash(p.in[end])
		switch dots(segment) {
		case 2:
			p.shorten()
			if !slash {
				p.dst = append(p.dst, '/')
			}
		case 1:
			if !slash {
				p.dst = append(p.dst, '/')
			}
		default:
			p.dst = append(p.dst, '/')
			if p.scheme == schemeFile && len(p.dst) == p.pathAt+1 && isDriveLetter(segment) {
				p.dst = append(p.dst, segment[0], ':')
			} else {
				p.dst = appendEncoded(p.dst, segment, encodePath)
			}
		}
		if !slash {
			return p.afterPath(end)
		}
		i = end + 1
	}
}

// opaquePathState reads the opaque path that starts at i. It encodes the last space before a query or a fragment, so
// that no space is lost when they are removed and the URL is parsed again.
func (p *webParser) opaquePathState(i int) error {
	end := i
	for end < len(p.in) && p.in[end] != '?' && p.in[end] != '#' {
		end++
	}
	path := p.in[i:end]
	if end < len(p.in) && len(path) > 0 && path[len(path)-1] == ' ' {
		p.dst = appendEncoded(p.dst, path[:len(path)-1], encodeC0)
		p.dst = append(p.dst, "%20"...)
	} else {
		p.dst = appendEncoded(p.dst, path, encodeC0)
	}
	return p.afterPath(end)
}

// afterPath is the common end of the path states. i is the offset of a "?" or a "#", or the end of the input.
func (p *webParser) afterPath(i int) error {
	p.endPath()
	switch {
	case i == len(p.in):
		p.fragmentAt = len(p.dst)
		return nil
	case p.in[i] == '?':
		return p.queryState(i + 1)
	}
	return p.fragmentState(i + 1)
}

// endPath completes the path. It inserts "/." before a path that would be read as a host (4.5, step 3).
func (p *webParser) endPath() {
	if !p.hasHost && !p.opaque && bytes.HasPrefix(p.dst[p.pathAt:], slashSlash) {
		p.dst = append(p.dst, "/."...)
		copy(p.dst[p.pathAt+2:], p.dst[p.pathAt:])
		copy(p.dst[p.pathAt:], "/.")
		p.pathAt += 2
	}
	p.queryAt = len(p.dst)
}

var slashSlash = []byte("//")

// shorten is "shorten a url's path" (4.1).
func (p *webParser) shorten() {
	path := p.dst[p.pathAt:]
	if p.scheme == schemeFile && len(path) == 3 && isNormalizedDrive(path[1:]) {
		return
	}
	if i := bytes.LastIndexByte(path, '/'); i >= 0 {
		p.dst = p.dst[:p.pathAt+i]
	}
}

// dots returns 1 for a single-dot URL path segment, 2 for a double-dot URL path segment, else 0 (4.3). A dot may also
// be written as "%2e".
func dots(segment []byte) int {
	n := 0
	for len(segment) > 0 && n <= 2 {
		switch {
		case segment[0] == '.':
			segment = segment[1:]
		case len(segment) >= 3 && segment[0] == '%' && segment[1] == '2' && lower(segment[2]) == 'e':
			segment = segment[3:]
		default:
			return 0
		}
		n++
	}
	if n > 2 {
		return 0
	}
	return n
}

// isDriveLetter reports whether s is a Windows drive letter, "C:" or "C|".
func isDriveLetter(s []byte) bool {
	return len(s) == 2 && class[s[0]]&isAlpha != 0 && (s[1] == ':' || s[1] == '|')
}

// isNormalizedDrive reports whether s is a normalized Windows drive letter, "C:".
func isNormalizedDrive(s []byte) bool { return isDriveLetter(s) && s[1] == ':' }

// startsWithDriveLetter is "starts with a Windows drive letter".
func startsWithDriveLetter(s []byte) bool {
	if len(s) < 2 || !isDriveLetter(s[:2]) {
		return false
	}
	return len(s) == 2 || s[2] == '/' || s[2] == '\\' || s[2] == '?' || s[2] == '#'
}

// drive returns the slash and the drive letter at the start of the path of a file base, or "".
func (b *Base) drive() string {
	path := b.url[b.pathAt:b.queryAt]
	if len(path) >= 3 && class[path[1]]&isAlpha != 0 && path[2] == ':' && (len(path) == 3 || path[3] == '/') {
		return path[:3]
	}
	return ""
}
