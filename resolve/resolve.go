package resolve

import "golang.org/x/text/encoding"

// rules says which text a Standard follows.
type rules uint8

const (
	rulesRFC1808 rules = iota
	rulesRFC3986
	rulesWHATWG
)

// A Standard is one complete set of rules for turning a base and a reference
// into an absolute URL. It is a small value, compared with ==; the zero
// Standard is RFC1808. Nothing in it changes once it is made.
type Standard struct {
	rules rules
	// query is the encoding of queries under WHATWG; nil is UTF-8.
	query encoding.Encoding
}

// The three standards.
var (
	RFC1808 = Standard{rules: rulesRFC1808}
	RFC3986 = Standard{rules: rulesRFC3986}
	WHATWG  = Standard{rules: rulesWHATWG}
)

// Lookup returns the standard of that name: "rfc1808", "rfc3986" or "whatwg".
func Lookup(name string) (Standard, bool) {
	for _, s := range [...]Standard{RFC1808, RFC3986, WHATWG} {
		if s.String() == name {
			return s, true
		}
	}
	return Standard{}, false
}

// String returns the name that Lookup knows.
func (s Standard) String() string {
	switch s.rules {
	case rulesRFC3986:
		return "rfc3986"
	case rulesWHATWG:
		return "whatwg"
	}
	return "rfc1808"
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

// A Base is a base URL made ready: parsed once, resolved against often. It is
// not changed by use and may be shared by goroutines.
type Base struct {
	standard Standard
	url      string // as given, under WHATWG as serialized; "" is no base

	// Offsets into url. An absent component has no length, its delimiter is
	// at the start of the range: url[queryAt:fragmentAt] is "?q" or "".
	schemeEnd  int // after the colon
	pathAt     int // end of the net_loc; under WHATWG also after a "/."
	paramsAt   int // RFC 1808 only
	queryAt    int
	fragmentAt int

	hasNetLoc bool // "//" is there, a host that is not null

	// dir is what a relative path is appended to: url up to the last slash
	// of its path, dot segments already taken out. dirFloor is the offset
	// in dir above which ".." may not climb.
	dir      string
	dirFloor int

	// above is how long dir is after so many leading "../"; of more than
	// levels of them it is not known.
	above  [9]int
	levels int

	web webBase // WHATWG only
}

// Base makes url ready to be a base. The empty string gives the base that is
// none (RFC 1808, 3.4). The error is ErrRelative where url has no scheme and,
// under WHATWG only, ErrMalformed where the URL parser returns failure.
// Whether the URL is of a kind that can carry relative URLs is another
// question; see Unsuitable.
func (s Standard) Base(url string) (*Base, error) {
	if url == "" && s.query == nil {
		return &none[s.rules], nil
	}
	b := &Base{standard: s, url: url}
	if url == "" {
		return b, nil
	}
	var err error
	switch s.rules {
	case rulesRFC1808:
		err = b.prepare1808()
	case rulesRFC3986:
		err = b.prepare3986()
	case rulesWHATWG:
		err = b.prepareWeb()
	}
	if err != nil {
		return nil, err
	}
	return b, nil
}

// none are the bases that are none, which are asked for often.
var none = [...]Base{{standard: RFC1808}, {standard: RFC3986}, {standard: WHATWG}}

// String returns the base URL: as it was given under the RFCs, serialized
// under WHATWG.
func (b *Base) String() string { return b.url }

// AppendResolve appends to dst the absolute URL that ref stands for and
// returns the longer slice. ref is the reference as text (no character
// references or the like left in it); it is read only, and dst must not
// overlap it. On error dst comes back as it was.
//
// The error is ErrNoBase for a relative reference without a base, and under
// WHATWG ErrMalformed where the URL parser returns failure. The RFC standards
// do not fail otherwise. No error is allocated, and nothing else is when dst
// has room, except under WHATWG for references that need IDNA, a legacy query
// encoding or repair of their UTF-8, or have tabs or newlines in them or
// percent-encoded bytes in their host.
func (b *Base) AppendResolve(dst, ref []byte) ([]byte, error) {
	switch b.standard.rules {
	case rulesRFC3986:
		return b.append3986(dst, ref)
	case rulesWHATWG:
		return b.appendWeb(dst, ref)
	}
	return b.append1808(dst, ref)
}

// Resolve is AppendResolve for strings.
func (b *Base) Resolve(ref string) (string, error) {
	dst, err := b.AppendResolve(make([]byte, 0, len(b.url)+len(ref)+16), []byte(ref))
	if err != nil {
		return "", err
	}
	return string(dst), nil
}

// IsAbsolute reports whether ref takes nothing from the base. Under the RFCs
// that is a reference with a scheme. Under WHATWG it is one with a scheme
// that the parser does not continue from any base: "http:g" is not, since it
// is http://g/ only to a base of another scheme.
func (b *Base) IsAbsolute(ref []byte) bool {
	switch b.standard.rules {
	case rulesRFC3986:
		return schemeLen3986(ref) > 0
	case rulesWHATWG:
		return b.isAbsoluteWeb(ref)
	}
	return schemeLen1808(ref) > 0
}

// Unsuitable returns "" or the reason why this URL cannot be the base of a
// document (RFC 1808, 2: "relative URLs cannot be used within documents
// that have unsuitable base URLs").
//
// Under the RFCs these are the schemes without a hierarchy and every URL
// whose text after the scheme does not start with a slash. Under WHATWG they
// are what HTML, 4.2.3 "set the frozen base URL" refuses: data and
// javascript. The base "" is not unsuitable, it is none.
func (b *Base) Unsuitable() string {
	if b.url == "" {
		return ""
	}
	scheme := b.url[:b.schemeEnd-1]
	if b.standard.rules == rulesWHATWG {
		if scheme == "data" || scheme == "javascript" {
			return "HTML does not take a " + scheme + ": URL as a base"
		}
		return ""
	}
	for _, flat := range [...]string{"mailto", "news", "telnet", "data", "javascript",
		"about", "blob", "cid", "mid", "tel", "urn"} {
		if isLower(scheme, flat) {
			return flat + ": URLs are never used with relative URLs"
		}
	}
	if b.schemeEnd == len(b.url) || b.url[b.schemeEnd] != '/' {
		return `nothing relative can be told from a URL that has no "/" after "` + scheme + `:"`
	}
	return ""
}
