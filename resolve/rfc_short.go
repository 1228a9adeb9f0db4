package resolve

// scanPath looks for the end of a path that ref starts with. It returns where
// that is, before the first "?", "#" or, if params is set, ";", how many "../"
// it begins with, and whether there may be other dot segments in it. ok is
// false for a reference that has no path or may have a scheme or a net_loc,
// and so needs to be parsed. What it says is what the parsing would say: a
// colon behind a slash ends no scheme, because a slash is not allowed in one.
func scanPath(ref []byte, params bool) (up, end int, dots, ok bool) {
	if len(ref) >= 2 && ref[0] == '/' && ref[1] == '/' {
		return 0, 0, false, false
	}
	up = leadingUps(ref)
	start := up * len("../")
	slash := up > 0
	for i := start; i < len(ref); i++ {
		c := ref[i]
		if class[c]&plainPath != 0 {
			continue
		}
		switch {
		case c == '.':
			dots = dots || i == start || ref[i-1] == '/'
		case c == ':':
			if slash = slash || hasSlash(ref[:i]); !slash {
				return 0, 0, false, false
			}
		case c != ';' || params:
			return up, i, dots, i > 0
		}
	}
	return up, len(ref), dots, len(ref) > 0
}

// leadingUps counts the "../" that ref begins with.
func leadingUps(ref []byte) (n int) {
	for len(ref) >= 3 && ref[0] == '.' && ref[1] == '.' && ref[2] == '/' {
		n, ref = n+1, ref[3:]
	}
	return n
}

// prepareAbove measures what is left of dir after one "../" and after several,
// as far as there are segments above floor that they take away.
func (b *Base) prepareAbove(floor int) {
	top := len(b.dir)
	b.above[0] = top
	for b.levels = 0; top > floor && b.levels+1 < len(b.above); {
		below := top
		for top--; top > floor && b.dir[top-1] != '/'; top-- {
		}
		if b.dir[top:below] == "../" {
			return // RFC 1808 does not take it away
		}
		b.levels++
		b.above[b.levels] = top
	}
}

// short1808 is append1808 for a reference that starts with a path: steps 4
// and 6 of RFC 1808, 4. ok is false for others.
func (b *Base) short1808(dst, ref []byte) (out []byte, ok bool) {
	up, end, dots, ok := scanPath(ref, true)
	if !ok {
		return dst, false
	}
	switch {
	case ref[0] == '/':
		dst = append(dst, b.url[:b.pathAt]...)
		dst = append(dst, ref[:end]...)
	case dots || up > b.levels:
		at := len(dst) + b.dirFloor
		dst = append(dst, b.dir...)
		dst = appendPath1808(dst, at, ref[:end])
	default:
		dst = append(dst, b.dir[:b.above[up]]...)
		dst = append(dst, ref[up*len("../"):end]...)
	}
	if end < len(ref) {
		p := Split(ref[end:])
		dst = p.appendTail(dst)
	}
	return dst, true
}

// short3986 is append3986 for a reference that starts with a path.
func (b *Base) short3986(dst, ref []byte) (out []byte, ok bool) {
	up, end, dots, ok := scanPath(ref, false)
	if !ok {
		return dst, false
	}
	return b.appendScanned(dst, ref, up, end, dots), true
}

// appendScanned appends what ref stands for, which starts with a path that
// was scanned: 5.2.3 and 5.2.4 of RFC 3986, and the URL Standard in such cases.
func (b *Base) appendScanned(dst, ref []byte, up, end int, dots bool) []byte {
	switch {
	case ref[0] == '/' && !dots:
		dst = append(dst, b.url[:b.pathAt]...)
		return append(dst, ref...)
	case ref[0] == '/':
		dst = append(dst, b.url[:b.pathAt]...)
		dst = appendPath3986(dst, len(dst), ref[:end])
	case dots || up > b.levels:
		at := len(dst) + b.dirFloor
		dst = append(dst, b.dir...)
		dst = appendPath3986(dst, at, ref[:end])
	default:
		dst = append(dst, b.dir[:b.above[up]]...)
		return append(dst, ref[up*len("../"):]...)
	}
	return append(dst, ref[end:]...)
}
