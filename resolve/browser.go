package resolve

import (
	"bytes"
	"slices"
)

// InBrowser reports whether ref has another URL in a browser, by the URL Standard, and returns that URL. url is the URL
// that AppendResolve appended for ref. It is compared as a browser reads it:
//
//	ref and url                         differs   other
//	the same URL, or both malformed     false     ""
//	two URLs, or only url malformed     true      the URL of ref
//	only ref malformed                  true      ""
func (b *Base) InBrowser(ref, url []byte) (other string, differs bool) {
	if b.standard.rules == rulesWHATWG || b.agrees(ref) {
		return "", false
	}
	var want []byte
	base, err := b.inBrowser()
	if err == nil {
		want, err = base.AppendResolve(nil, ref)
	}
	got, gotErr := none[rulesWHATWG].AppendResolve(nil, url)
	if (err != nil) == (gotErr != nil) && bytes.Equal(want, got) {
		return "", false
	}
	return string(want), true
}

// inBrowser returns the base under WHATWG.
func (b *Base) inBrowser() (*Base, error) {
	if base := b.browser.Load(); base != nil {
		return base, nil
	}
	base, err := WHATWG.Base(b.url)
	if err == nil {
		b.browser.Store(base)
	}
	return base, err
}

// prepareOrdinary sets b.ordinary. An ordinary base has the scheme http or https, a host, and a path in which the RFCs
// and the URL Standard read the same segments. It has no empty params or query, whose delimiters a reference does not
// inherit under RFC 1808.
func (b *Base) prepareOrdinary() {
	scheme, netLoc := b.url[:b.schemeEnd-1], b.schemeEnd+len("//")
	if !isLower(scheme, "http") && !isLower(scheme, "https") || !b.hasNetLoc || b.pathAt == netLoc ||
		b.queryAt == b.paramsAt+1 || b.fragmentAt == b.queryAt+1 {
		return
	}
	for i := netLoc; i < b.queryAt; i++ {
		switch c := b.url[i]; {
		case c <= ' ', c == '\\', c == 0x7F:
			return
		case c == '?': // under RFC 1808 in the net_loc
			return
		case i < b.pathAt:
		case c == '/' && i+1 < b.queryAt && b.url[i+1] == '.':
			return
		case c == '/' && i > b.paramsAt && b.paramsAt > 0: // under RFC 1808 this slash is in the params
			return
		case c == '%' && i+2 < b.queryAt && b.url[i+1] == '2' && lower(b.url[i+2]) == 'e':
			return
		}
	}
	b.ordinary = true
}

// agrees reports whether the bytes of ref prove that the RFCs and the URL Standard have the same URL for it. It gives
// up at the first byte that may make a difference. If only the scan of AppendCompared decides, the links of pages take
// 13 % longer.
func (b *Base) agrees(ref []byte) bool {
	if !b.ordinary || len(ref) == 0 {
		return b.ordinary && b.fragmentAt == len(b.url)
	}
	start := leadingUps(ref) * len("../")
	slash := start > 0
	for i := start; i < len(ref); i++ {
		c := ref[i]
		switch c {
		case '/':
			if slash = true; i+1 < len(ref) && ref[i+1] == '/' {
				return false
			}
		case '.':
			if i == start || ref[i-1] == '/' { // perhaps a dot segment
				return false
			}
		case ':':
			if !slash {
				return b.agreesAbsolute(ref, i)
			}
		case '?', '#':
			inherits := c == '?' && i == 0 && (len(ref) == 1 || ref[1] == '#') // under RFC 1808 the query of the base
			return !inherits && ref[len(ref)-1] > ' '
		case ';':
			return false
		default:
			if class[c]&unlike != 0 {
				return false
			}
		}
	}
	return true
}

// agreesAbsolute reports whether ref, whose first colon is at colon, has a scheme that makes it absolute for the RFCs
// and the URL Standard.
func (b *Base) agreesAbsolute(ref []byte, colon int) bool {
	if colon == 0 || class[ref[0]]&isAlpha == 0 {
		return false
	}
	for _, c := range ref[:colon] {
		if class[c]&inScheme == 0 {
			return false
		}
	}
	rest := ref[colon+1:]
	if b.standard.rules == rulesRFC3986 && (len(rest) > 0 && rest[0] == '.' || bytes.Contains(rest, []byte("/."))) {
		return false // RFC 3986 removes the dot segments of an absolute reference
	}
	sameLetter := func(x, y byte) bool { return lower(x) == lower(y) }
	return len(rest) > 1 && rest[0] == '/' && rest[1] == '/' ||
		!slices.EqualFunc([]byte(b.url[:b.schemeEnd-1]), ref[:colon], sameLetter)
}
