package resolve

import "golang.org/x/text/encoding"

// webBase is what a Base knows under WHATWG only.
type webBase struct {
	scheme       schemeKind
	authorityEnd int  // before the path, and before the "/." that may guard it
	opaque       bool // the path is opaque
	short        bool // references may take the short path
}

// schemeKind is a special scheme (URL Standard, 4.2), or none.
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

// kindOf returns the special scheme that scheme, in lower case, is.
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

// defaultPort returns the port that is left out with the scheme, or -1.
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

// WithQueryEncoding returns the standard with e as the encoding of queries,
// the "encoding override" of the URL Standard: the encoding of the document
// that the references stand in. nil is UTF-8. It holds for the queries of
// special URLs other than ws and wss. Encodings that are no supersets of
// ASCII (UTF-16, replacement) count as UTF-8, as Encoding, 4.3 "get an output
// encoding" says. The RFC standards return themselves.
//
// e must be comparable. x/text's encodings are; those of
// extract/internal/codec.QueryEncoding write every letter as the Encoding Standard does.
func (s Standard) WithQueryEncoding(e encoding.Encoding) Standard {
	if s.rules != rulesWHATWG {
		return s
	}
	s.query = outputEncoding(e)
	return s
}

// prepareWeb parses the base by the URL Standard; without a base of its own
// there is no reference that could be relative.
func (b *Base) prepareWeb() error {
	p := webParser{in: webInput([]byte(b.url)), query: b.standard.query}
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
	b.prepareShort()
	return nil
}

// appendWeb is the basic URL parser with this base and the URL serializer.
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

// isAbsoluteWeb follows ref through the states up to the first that would
// look at a base. Tabs and newlines may stand anywhere (4.4, step 3), in
// the scheme too.
func (b *Base) isAbsoluteWeb(ref []byte) bool {
	var scheme [6]byte // the longest special scheme and one more
	i, n := 0, 0
	for i < len(ref) && ref[i] <= ' ' {
		i++
	}
	for ; ; i++ {
		if i == len(ref) {
			return false
		}
		c := ref[i]
		if isTabOrNewline(c) {
			continue
		}
		if n == 0 && class[c]&isAlpha == 0 || class[c]&inScheme == 0 && c != ':' {
			return false
		}
		if c == ':' {
			break
		}
		if n < len(scheme) {
			scheme[n] = lower(c)
		}
		n++
	}
	if b.url == "" || n > len(scheme) {
		return true
	}
	if kindOf(scheme[:n]) == notSpecial {
		return true
	}
	// Special relative or authority state, relative state, file state: two
	// slashes of any kind, or the reference goes on from a base of its scheme.
	slashes := 0
	for _, c := range ref[i+1:] {
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
