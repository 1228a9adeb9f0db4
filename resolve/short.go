package resolve

import "bytes"

// The short paths resolve most references of real documents. They scan a reference once, and append a part of it to a
// part of the base. A reference that needs the full algorithm is left to it, so the URLs are the same; FuzzLiteral and
// FuzzShortPathWHATWG compare them.
//
// Without the short paths, the command resolve takes 20 % longer under RFC 3986, 29 % under RFC 1808, and 2.7 times as
// long under WHATWG. The links of pages take 23 % longer under RFC 3986, and 41 % under WHATWG.

// scanPath finds the end of the path at the start of ref, for the RFCs: the first "?" or "#", and with params the first
// ";". up is the number of leading "../", and dots says that there may be other dot segments. If same is true, browsers
// have the same URL; if not, they may have another one.
//
// ok is false if ref has no path, or may have a scheme or a net_loc. A colon after a slash does not end a scheme.
func scanPath(ref []byte, params bool) (up, end int, dots, same, ok bool) {
	if len(ref) >= 2 && ref[0] == '/' && ref[1] == '/' {
		return 0, 0, false, false, false
	}
	seen := uint32(0) // the classes of the bytes
	up = leadingUps(ref)
	start := up * len("../")
	slash := up > 0
	for i := start; i < len(ref); i++ {
		c := ref[i]
		if class[c]&plainPath != 0 {
			seen |= class[c]
			continue
		}
		switch {
		case c == '.':
			dots = dots || i == start || ref[i-1] == '/'
		case c == ':':
			if slash = slash || bytes.IndexByte(ref[:i], '/') >= 0; !slash {
				return 0, 0, false, false, false
			}
		case c != ';' || params:
			return up, i, dots, !dots && seen&unlike == 0 && sameTail(ref[i:]), i > 0
		}
	}
	return up, len(ref), dots, !dots && seen&unlike == 0, len(ref) > 0
}

// sameTail reports whether browsers have the same query and fragment. tail is what follows the path.
func sameTail(tail []byte) bool { return tail[0] != ';' && tail[len(tail)-1] > ' ' }

func leadingUps(ref []byte) (n int) {
	for len(ref) >= 3 && ref[0] == '.' && ref[1] == '.' && ref[2] == '/' {
		n, ref = n+1, ref[3:]
	}
	return n
}

// prepareAbove sets above and levels, for a directory whose segments before floor "../" does not remove. Without above,
// the links of pages take 6 % longer.
func (b *Base) prepareAbove(floor int) {
	top := len(b.dir)
	b.above[0] = top
	for b.levels = 0; top > floor && b.levels+1 < len(b.above); {
		below := top
		for top--; top > floor && b.dir[top-1] != '/'; top-- {
		}
		if b.dir[top:below] == "../" {
			return // RFC 1808 does not remove it
		}
		b.levels++
		b.above[b.levels] = top
	}
}

// short1808 is append1808 for a reference that starts with a path (RFC 1808, 4, steps 4 and 6). For others ok is false.
func (b *Base) short1808(dst, ref []byte) (out []byte, same, ok bool) {
	up, end, dots, same, ok := scanPath(ref, true)
	if !ok {
		return dst, false, false
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
	return append(dst, ref[end:]...), same && b.ordinary, true // Step 7
}

// short3986 is append3986 for a reference that starts with a path. For others ok is false.
func (b *Base) short3986(dst, ref []byte) (out []byte, same, ok bool) {
	up, end, dots, same, ok := scanPath(ref, false)
	if !ok {
		return dst, false, false
	}
	return b.appendScanned(dst, ref, up, end, dots), same && b.ordinary, true
}

// appendScanned appends the URL for ref, which starts with a path, by RFC 3986, 5.2.3 and 5.2.4. The references of its
// short path have the same URL under the URL Standard. up, end and dots are the results of the scan.
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

// prepareShort sets b.web.short. Relative references may take the short path of WHATWG if the base has a special scheme
// and no drive letter, which ".." does not remove and "/x" keeps.
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

// appendShort appends the URL for ref under WHATWG. It returns dst and false if ref needs the full parser, because it
// may be malformed or have bytes to encode.
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

// shortScheme returns the offset of the host if ref starts with "http://" or "https://", else 0.
func shortScheme(ref []byte) int {
	if len(ref) > 7 && string(ref[:7]) == "http://" {
		return 7
	}
	if len(ref) > 8 && string(ref[:8]) == "https://" {
		return 8
	}
	return 0
}

// appendShortAbsolute is appendShort for a reference with a host at the offset host. The bytes before it need no
// change.
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
	// A last label that starts with a digit may be a number, and if it is empty
	// the label before it may be one (3.5, "ends in a number checker").
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

// scanShort scans ref from i, where its path starts. end is the end of the path, and dots says that the path may have
// dot segments. ok is false if ref needs the full parser, such as for a colon before the first slash, which could end a
// scheme. Without colons, any colon in the path could belong to a drive letter.
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
			if slash = slash || bytes.IndexByte(ref[:i], '/') >= 0; !slash || !colons {
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

// skipPart returns the offset after the query or fragment at i, or i if ref[i] is not its delimiter. It stops at a byte
// that the short path does not copy.
func skipPart(ref []byte, i int, delimiter byte) int {
	if i < len(ref) && ref[i] == delimiter {
		for i++; i < len(ref) && class[ref[i]]&shortTail != 0; i++ {
		}
	}
	return i
}
