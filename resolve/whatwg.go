package resolve

import "unicode/utf8"

// A webBase is what only WHATWG needs of a Base.
type webBase struct {
	scheme       schemeKind
	authorityEnd int  // before the path, or before the "/." that comes before a path with two slashes
	opaque       bool // of the path
	short        bool // relative references may take the short path
	shortAt      int  // the end of the path without its last segment
}

// A schemeKind is a special scheme (URL Standard, 4.2), or notSpecial.
type schemeKind uint8

const (
	notSpecial schemeKind = iota
	schemeFile
	schemeHTTP
	schemeHTTPS
	schemeWS
	schemeWSS
	schemeFTP
)

// kindOf returns the kind of a scheme in lower case.
func kindOf(scheme []byte) schemeKind {
	switch string(scheme) {
	case "file":
		return schemeFile
	case "http":
		return schemeHTTP
	case "https":
		return schemeHTTPS
	case "ws":
		return schemeWS
	case "wss":
		return schemeWSS
	case "ftp":
		return schemeFTP
	}
	return notSpecial
}

// defaultPort returns the default port of the scheme, or -1.
func (k schemeKind) defaultPort() int {
	switch k {
	case schemeHTTP, schemeWS:
		return 80
	case schemeHTTPS, schemeWSS:
		return 443
	case schemeFTP:
		return 21
	}
	return -1
}

// prepareWeb parses the base by the URL Standard.
func (b *Base) prepareWeb() error {
	p := webParser{dst: make([]byte, 0, len(b.url)+8), in: webInput([]byte(b.url)), query: b.standard.query}
	if err := p.schemeStartState(); err != nil {
		if err == ErrNoBase {
			return ErrRelative
		}
		return err
	}
	b.url = string(p.dst)
	b.schemeEnd = p.schemeEnd
	b.pathAt = p.pathAt
	b.queryAt, b.fragmentAt = p.queryAt, p.fragmentAt
	b.hasNetLoc = p.hasHost
	b.web = webBase{scheme: p.scheme, authorityEnd: p.authorityEnd, opaque: p.opaque}
	p.dst = p.dst[:p.queryAt]
	p.shorten()
	b.web.shortAt = len(p.dst)
	b.prepareShort()
	return nil
}

// appendWeb is the basic URL parser with this base, and the URL serializer.
func (b *Base) appendWeb(dst, ref []byte) ([]byte, error) {
	if out, ok := b.appendShort(dst, ref); ok {
		return out, nil
	}
	return b.appendFull(dst, ref)
}

// appendFull is appendWeb without the short path.
func (b *Base) appendFull(dst, ref []byte) ([]byte, error) {
	p := webParser{dst: dst, start: len(dst), in: webInput(ref), query: b.standard.query}
	if b.url != "" {
		p.base = b
	}
	if err := p.schemeStartState(); err != nil {
		return dst, err
	}
	return p.dst, nil
}

// isAbsoluteWeb reports whether the parser ignores the base. Tabs and newlines may be anywhere, even in the scheme
// (4.4, step 3).
func (b *Base) isAbsoluteWeb(ref []byte) bool {
	kind, rest, ok := cutScheme(ref)
	if !ok {
		return false
	}
	if kind == notSpecial || b.url == "" {
		return true
	}
	// Special relative or authority state, relative state, file state: the parser ignores the base after two
	// slashes or backslashes.
	slashes := 0
	for _, c := range rest {
		if c == '/' || c == '\\' {
			if slashes++; slashes == 2 {
				return true
			}
		} else if !isTabOrNewline(c) {
			break
		}
	}
	return false
}

// cutScheme returns the kind of ref's scheme and the text after its colon (URL Standard, 4.4, scheme start state and
// scheme state), or false if ref has no scheme.
func cutScheme(ref []byte) (kind schemeKind, rest []byte, ok bool) {
	for len(ref) > 0 && ref[0] <= ' ' {
		ref = ref[1:]
	}
	var scheme [6]byte // one byte more than the longest special scheme
	n := 0
	for i, c := range ref {
		switch {
		case isTabOrNewline(c):
		case class[c]&isAlpha != 0 || n > 0 && class[c]&inScheme != 0:
			if n < len(scheme) {
				scheme[n] = lower(c)
				n++
			}
		case n > 0 && c == ':':
			return kindOf(scheme[:n]), ref[i+1:], true
		default:
			return notSpecial, nil, false
		}
	}
	return notSpecial, nil, false
}

// webInput prepares ref for the states (URL Standard, 4.4, steps 1 to 3): it decodes ref as UTF-8, and removes C0
// controls and spaces at both ends, and all tabs and newlines. The result is a part of ref, or a new slice if bytes
// inside change.
func webInput(ref []byte) []byte {
	for len(ref) > 0 && ref[0] <= ' ' {
		ref = ref[1:]
	}
	for len(ref) > 0 && ref[len(ref)-1] <= ' ' {
		ref = ref[:len(ref)-1]
	}
	ascii, clean := true, true
	for _, c := range ref {
		if c >= utf8.RuneSelf {
			ascii = false
		} else if isTabOrNewline(c) {
			clean = false
		}
	}
	if !ascii && !utf8.Valid(ref) {
		ref = appendDecoded(make([]byte, 0, len(ref)+16), ref)
	}
	if clean {
		return ref
	}
	kept := make([]byte, 0, len(ref))
	for _, c := range ref {
		if !isTabOrNewline(c) {
			kept = append(kept, c)
		}
	}
	return kept
}

// isTabOrNewline reports whether c is an ASCII tab or newline (Infra, 4.6).
func isTabOrNewline(c byte) bool { return c == '\t' || c == '\n' || c == '\r' }

// appendDecoded appends src to dst, decoded as UTF-8 (Encoding Standard, 8.1.1). A truncated sequence becomes one
// U+FFFD, where Go's decoder returns one for each byte.
func appendDecoded(dst, src []byte) []byte {
	for len(src) > 0 {
		r, n := utf8.DecodeRune(src)
		if r != utf8.RuneError || n != 1 {
			dst, src = append(dst, src[:n]...), src[n:]
			continue
		}
		lead, low, high, more := src[0], byte(0x80), byte(0xBF), 0
		switch {
		case 0xC2 <= lead && lead <= 0xDF:
			more = 1
		case 0xE0 <= lead && lead <= 0xEF:
			more = 2
			if lead == 0xE0 {
				low = 0xA0
			} else if lead == 0xED {
				high = 0x9F
			}
		case 0xF0 <= lead && lead <= 0xF4:
			more = 3
			if lead == 0xF0 {
				low = 0x90
			} else if lead == 0xF4 {
				high = 0x8F
			}
		}
		src = src[1:]
		for ; more > 0 && len(src) > 0 && low <= src[0] && src[0] <= high; more-- {
			low, high, src = 0x80, 0xBF, src[1:]
		}
		dst = append(dst, "\uFFFD"...)
	}
	return dst
}
