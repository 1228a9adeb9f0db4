package resolve

// scanPath looks for the end of a path that ref starts with. It returns where
// that is, before the first "?", "#" or, if params is set, ";", and whether
// there may be dot segments in the path. ok is false for a reference that has
// no path or may have a scheme or a net_loc, and so needs to be parsed. What
// it says is what the parsing would say: a colon behind a slash ends no
// scheme, because a slash is not allowed in one.
func scanPath(ref []byte, params bool) (end int, dots, ok bool) {
	if len(ref) >= 2 && ref[0] == '/' && ref[1] == '/' {
		return 0, false, false
	}
	for i, c := range ref {
		if class[c]&plainPath != 0 {
			continue
		}
		switch {
		case c == '.':
			dots = dots || i == 0 || ref[i-1] == '/'
		case c == ':':
			if !hasSlash(ref[:i]) {
				return 0, false, false
			}
		case c != ';' || params:
			return i, dots, i > 0
		}
	}
	return len(ref), dots, len(ref) > 0
}

// short1808 is append1808 for a reference that starts with a path: steps 4
// and 6 of RFC 1808, 4. ok is false for others.
func (b *Base) short1808(dst, ref []byte) (out []byte, ok bool) {
	end, dots, ok := scanPath(ref, true)
	if !ok {
		return dst, false
	}
	switch {
	case ref[0] == '/':
		dst = append(dst, b.url[:b.pathAt]...)
		dst = append(dst, ref[:end]...)
	case dots:
		at := len(dst) + b.dirFloor
		dst = append(dst, b.dir...)
		dst = appendPath1808(dst, at, ref[:end])
	default:
		dst = append(dst, b.dir...)
		dst = append(dst, ref[:end]...)
	}
	if end < len(ref) {
		p := Split(ref[end:])
		dst = p.appendTail(dst)
	}
	return dst, true
}

// short3986 is append3986 for a reference that starts with a path.
func (b *Base) short3986(dst, ref []byte) (out []byte, ok bool) {
	end, dots, ok := scanPath(ref, false)
	if !ok {
		return dst, false
	}
	var at int
	if ref[0] == '/' {
		dst = append(dst, b.url[:b.pathAt]...)
		at = len(dst)
	} else {
		at = len(dst) + b.dirFloor
		dst = append(dst, b.dir...)
	}
	if !dots {
		return append(dst, ref...), true
	}
	dst = appendPath3986(dst, at, ref[:end])
	return append(dst, ref[end:]...), true
}
