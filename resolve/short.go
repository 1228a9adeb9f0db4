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

// The short path gives what the full parser gives for the references that
// documents are made of: it takes those whose every byte stands for itself,
// so that all there is to do is to join two strings and take out dot
// segments. It never fails; what it is not sure of it leaves to the full
// parser. FuzzShortPathWHATWG holds the two against each other.

// prepareShort decides whether relative references to this base may take the
// short path: its path must be a plain list of segments under a host. A drive
// letter stands above dot segments and in the way of "/x".
func (b *Base) prepareShort() {
	if b.web.scheme == notSpecial || b.web.scheme == schemeFile && b.drive() != "" {
		return
	}
	b.web.short = true
	end := b.queryAt
	for b.url[end-1] != '/' {
		end--
	}
	b.dir, b.dirFloor = b.url[:end], b.pathAt
	b.prepareAbove(b.slashFloor())
}

// appendShort appends the URL that ref stands for, or reports that the full
// parser has to be asked and returns dst as it was.
func (b *Base) appendShort(dst, ref []byte) ([]byte, bool) {
	if len(ref) > 0 && ref[0] == 'h' {
		if host := shortScheme(ref); host > 0 {
			return appendShortAbsolute(dst, ref, host)
		}
	}
	if !b.web.short {
		return dst, false
	}
	if len(ref) >= 2 && ref[0] == '/' && ref[1] == '/' {
		if b.web.scheme == schemeFile {
			return dst, false
		}
		out, ok := appendShortAbsolute(append(dst, b.url[:b.schemeEnd]...), ref, 2)
		if !ok {
			return dst, false
		}
		return out, true
	}
	up := leadingUps(ref)
	end, dots, ok := scanShort(ref, up*len("../"), b.web.scheme != schemeFile)
	if !ok {
		return dst, false
	}
	switch {
	case len(ref) == 0 || ref[0] == '#':
		dst = append(dst, b.url[:b.fragmentAt]...)
		return append(dst, ref...), true
	case end == 0: // "?"
		dst = append(dst, b.url[:b.queryAt]...)
		return append(dst, ref...), true
	}
	return b.appendScanned(dst, ref, up, end, dots), true
}

// shortScheme returns where the host begins in a reference that starts with
// "http://" or "https://", else 0.
func shortScheme(ref []byte) int {
	if len(ref) > 7 && string(ref[:7]) == "http://" {
		return 7
	}
	if len(ref) > 8 && string(ref[:8]) == "https://" {
		return 8
	}
	return 0
}

// appendShortAbsolute is appendShort for a reference with a host, which begins
// at host. What comes before it is right as it is.
func appendShortAbsolute(dst, ref []byte, host int) ([]byte, bool) {
	path, label := host, host
	for ; path < len(ref); path++ {
		c := ref[path]
		if class[c]&shortHost == 0 {
			break
		}
		if c == '.' {
			label = path + 1
		}
	}
	// A last label that starts with a digit may be a number (3.5, "ends in
	// a number checker"), an empty one stands for the one before.
	if label == path || class[ref[label]]&isDigit != 0 {
		return dst, false
	}
	if path == len(ref) {
		return append(append(dst, ref...), '/'), true
	}
	if c := ref[path]; c != '/' && c != '?' && c != '#' {
		return dst, false
	}
	end, dots, ok := scanShort(ref, path, true)
	if !ok {
		return dst, false
	}
	switch {
	case end == path:
		dst = append(append(dst, ref[:path]...), '/')
	case !dots:
		return append(dst, ref...), true
	default:
		dst = append(dst, ref[:path]...)
		dst = appendPath3986(dst, len(dst), ref[path:end])
	}
	return append(dst, ref[end:]...), true
}

// scanShort looks at ref from i, where its path begins, to the end. It
// returns where the path ends and whether there may be dot segments in it; ok
// is false for what is not for the short path. A colon may only stand behind
// a slash, else it could end a scheme, and not at all where it could belong
// to a drive letter.
func scanShort(ref []byte, i int, colons bool) (end int, dots, ok bool) {
	start, slash := i, i > 0
scan:
	for ; i < len(ref); i++ {
		c := ref[i]
		if class[c]&shortPath != 0 {
			continue
		}
		switch c {
		case '.':
			dots = dots || i == start || ref[i-1] == '/'
		case '%':
			if i+2 < len(ref) && ref[i+1] == '2' && lower(ref[i+2]) == 'e' {
				return 0, false, false
			}
		case ':':
			if slash = slash || hasSlash(ref[:i]); !slash || !colons {
				return 0, false, false
			}
		case '?', '#':
			break scan
		default:
			return 0, false, false
		}
	}
	end = i
	i = skipPart(ref, i, '?')
	i = skipPart(ref, i, '#')
	return end, dots, i == len(ref)
}

// skipPart returns the offset after the query or fragment at i, if its delimiter is there, else i. It stops
// before a byte that is not for the short path.
func skipPart(ref []byte, i int, delimiter byte) int {
	if i < len(ref) && ref[i] == delimiter {
		for i++; i < len(ref) && class[ref[i]]&shortTail != 0; i++ {
		}
	}
	return i
}

// hasSlash reports whether there is a slash in s, which is short.
func hasSlash(s []byte) bool {
	for _, c := range s {
		if c == '/' {
			return true
		}
	}
	return false
}
