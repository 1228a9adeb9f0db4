package resolve

import (
	"errors"
	"sync/atomic"

	"golang.org/x/text/encoding"
)

// rules is the document that a Standard implements.
type rules uint8

const (
	rulesRFC1808 rules = iota
	rulesRFC3986
	rulesWHATWG
)

// A Standard is a set of rules to resolve references. It is a small immutable
// value, and comparable with ==. The zero Standard is RFC1808.
type Standard struct {
	rules rules
	// query is the encoding of queries under WHATWG, or nil for UTF-8.
	query encoding.Encoding
}

// The three standards.
var (
	RFC1808 = Standard{rules: rulesRFC1808} // RFC 1808, sections 2.4 and 4
	RFC3986 = Standard{rules: rulesRFC3986} // RFC 3986, section 5.2, the strict form
	WHATWG  = Standard{rules: rulesWHATWG}  // the URL Standard of the WHATWG
)

// Lookup returns the standard with the given name: "rfc1808", "rfc3986" or
// "whatwg", in lower case. ok is false if the name is unknown.
func Lookup(name string) (s Standard, ok bool) {
	for _, s = range [...]Standard{RFC1808, RFC3986, WHATWG} {
		if s.String() == name {
			return s, true
		}
	}
	return Standard{}, false
}

// String returns the name of the standard, as Lookup accepts it. The name does
// not include the query encoding.
func (s Standard) String() string {
	switch s.rules {
	case rulesRFC3986:
		return "rfc3986"
	case rulesWHATWG:
		return "whatwg"
	}
	return "rfc1808"
}

// WithQueryEncoding returns a copy of s that encodes queries with e. Browsers
// encode the query of a link with the encoding of the page. This is the
// "encoding override" of the URL Standard. It applies to the queries of special
// URLs, except for ws and wss. RFC1808 and RFC3986 do not encode, so they are
// returned unchanged.
//
// If e is nil, the encoding is UTF-8. It is also UTF-8 if e encodes ASCII
// characters as other bytes, as UTF-16 does (Encoding Standard, 4.3 "get an
// output encoding").
//
// e must be comparable with ==, because a Standard is. The encodings of
// golang.org/x/text are comparable, but some of their encoders differ from the
// Encoding Standard in a few characters. The encoder of e must return an error
// for a character that the encoding does not have. The query then has a
// percent-encoded character reference for this character.
func (s Standard) WithQueryEncoding(e encoding.Encoding) Standard {
	if s.rules != rulesWHATWG {
		return s
	}
	s.query = outputEncoding(e)
	return s
}

// A Base is a base URL that is parsed once, to resolve many references.
// Standard.Base returns a Base. It never changes, so goroutines may share it.
type Base struct {
	standard Standard
	url      string // unchanged, or under WHATWG serialized; "" is no base

	// Offsets in url. A range starts with the delimiter of its component:
	// url[queryAt:fragmentAt] is "?q", or "" if there is no query.
	//
	//	https://user:pass@example.com:8042/over/there/x;p?name=ferret#nose
	//	      |                           |            | |           |    |
	//	      schemeEnd                   pathAt       | queryAt     |    len(url)
	//	                                               paramsAt      fragmentAt
	schemeEnd  int // after the colon
	pathAt     int // end of the net_loc; under WHATWG also after a "/."
	paramsAt   int // RFC 1808 only
	queryAt    int
	fragmentAt int

	hasNetLoc bool // there is a "//"; under WHATWG the host is not null

	// A relative path is appended to dir: this is url before the last segment
	// of its path, without dot segments. dirFloor is the offset in dir where
	// ".." stops.
	//
	//	https://user:pass@example.com:8042/over/there/
	//	                                   |
	//	                                   dirFloor
	dir      string
	dirFloor int

	// above[n] is the length of dir after n leading "../". It is set for n up
	// to levels.
	above  [9]int
	levels int

	web webBase // WHATWG only

	// For InBrowser, under the RFCs only.
	ordinary bool
	browser  atomic.Pointer[Base]

	slashes atomic.Pointer[[]int] // the offsets of the slashes of a long directory, for AppendRelative
}

// Base parses url, and returns it as a base for references. url may be "": this
// is the default base of RFC 1808, 3.4, which resolves only absolute references.
//
// The error is ErrRelative if url is not "" and has no scheme. Under WHATWG it
// is ErrMalformed if the URL parser returns failure. A URL such as mailto:a@b is
// not an error; Unsuitable reports that it cannot be the base of a document.
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
	if s.rules != rulesWHATWG {
		b.prepareOrdinary()
	}
	return b, nil
}

// none contains the bases with the URL "". They are shared, because they are needed often.
var none = [...]Base{{standard: RFC1808}, {standard: RFC3986}, {standard: WHATWG}}

// String returns the base URL. Under the RFCs it is unchanged, and under WHATWG
// it is serialized.
func (b *Base) String() string { return b.url }

// AppendResolve resolves ref against b, appends the absolute URL to dst, and
// returns the extended slice. ref is text: the caller has decoded character
// references and other escapes. AppendResolve does not change ref. dst must not
// overlap ref. If err is not nil, the returned slice is dst.
//
// The error is ErrNoBase for a relative reference without a base. Under WHATWG
// it is ErrMalformed if the URL parser returns failure. Under RFC1808 and
// RFC3986 there are no other errors. AppendResolve does not check Unsuitable:
// under RFC1808, "g" with the base mailto:a@b is "mailto:g".
//
// AppendResolve does not allocate if dst has room for the URL. Under WHATWG it
// may allocate for these references: a host that is not ASCII or has
// percent-encoded bytes, a query in a legacy encoding, invalid UTF-8, and tabs
// or newlines.
func (b *Base) AppendResolve(dst, ref []byte) ([]byte, error) {
	url, _, err := b.AppendCompared(dst, ref)
	return url, err
}

// AppendCompared is AppendResolve, and also compares the URL with browsers. out
// and err are the results of AppendResolve. dst must not overlap ref.
//
// If err is nil and same is true, browsers have the same URL for ref. If err is
// nil and same is false, they may have the same URL or another URL. Then call
// InBrowser with the URL alone: out[len(dst):]. If err is not nil, same has no
// meaning.
func (b *Base) AppendCompared(dst, ref []byte) (out []byte, same bool, err error) {
	switch b.standard.rules {
	case rulesRFC3986:
		return b.append3986(dst, ref)
	case rulesWHATWG:
		out, err = b.appendWeb(dst, ref)
		return out, true, err
	}
	return b.append1808(dst, ref)
}

// Resolve returns the absolute URL for ref. It has the rules and the errors of
// AppendResolve.
func (b *Base) Resolve(ref string) (string, error) {
	dst, err := b.AppendResolve(make([]byte, 0, len(b.url)+len(ref)+16), []byte(ref))
	if err != nil {
		return "", err
	}
	return string(dst), nil
}

// IsAbsolute reports whether ref is absolute: its URL does not depend on b.
// Under the RFCs, every reference with a scheme is absolute. Under WHATWG, some
// references with a scheme are relative: "http:g" is "http://a/g" with the base
// http://a/, and "http://g/" with a base of another scheme.
func (b *Base) IsAbsolute(ref []byte) bool {
	switch b.standard.rules {
	case rulesRFC3986:
		return schemeLen3986(ref) > 0
	case rulesWHATWG:
		return b.isAbsoluteWeb(ref)
	}
	return schemeLen1808(ref) > 0
}

// Unsuitable returns the reason why b cannot be the base URL of a document, or
// "" if it can. RFC 1808, 2: "relative URLs cannot be used within documents that
// have unsuitable base URLs".
//
// Under the RFCs, a URL is unsuitable if its scheme has no hierarchy, such as
// mailto, or if no slash follows the scheme. Under WHATWG, data and javascript
// URLs are unsuitable (HTML, 4.2.3 "set the frozen base URL"). For the base "",
// Unsuitable returns "".
func (b *Base) Unsuitable() string {
	if b.url == "" {
		return ""
	}
	scheme := b.url[:b.schemeEnd-1]
	if b.standard.rules == rulesWHATWG {
		if scheme == "data" || scheme == "javascript" {
			return "HTML does not allow a " + scheme + ": URL as a base"
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
		return `a URL without "/" after "` + scheme + `:" cannot be a base`
	}
	return ""
}

// The errors of Standard.Base, Base.AppendResolve and Base.Resolve. Use errors.Is
// to compare them. The text of an ErrMalformed also has the name of the
// validation error in the URL Standard, such as "port-out-of-range".
var (
	// ErrNoBase is returned for a relative reference if the base is "" (RFC
	// 1808, 3.4). Under WHATWG it is also returned for a relative reference if
	// the base has an opaque path (missing-scheme-non-relative-URL).
	ErrNoBase = errors.New("relative reference without a base")

	// ErrRelative is returned for a base URL that has no scheme.
	ErrRelative = errors.New("base URL is not absolute")

	// ErrMalformed is returned under WHATWG if the parser of the URL Standard
	// returns failure.
	ErrMalformed = errors.New("malformed URL")
)

// A malformed is an ErrMalformed with the name of the validation error in the
// URL Standard, 1.1. Each value is allocated once, so a failing reference
// allocates nothing.
type malformed struct{ name string }

func (m *malformed) Error() string { return ErrMalformed.Error() + ": " + m.name }

// Unwrap makes errors.Is(err, ErrMalformed) true.
func (m *malformed) Unwrap() error { return ErrMalformed }

var (
	errDomainToASCII   = &malformed{"domain-to-ASCII"}
	errHostInvalid     = &malformed{"host-invalid-code-point"}
	errHostMissing     = &malformed{"host-missing"}
	errPortRange       = &malformed{"port-out-of-range"}
	errPortInvalid     = &malformed{"port-invalid"}
	errIPv4TooMany     = &malformed{"IPv4-too-many-parts"}
	errIPv4NonNumeric  = &malformed{"IPv4-non-numeric-part"}
	errIPv4Range       = &malformed{"IPv4-out-of-range-part"}
	errIPv6Unclosed    = &malformed{"IPv6-unclosed"}
	errIPv6Compression = &malformed{"IPv6-invalid-compression"}
	errIPv6TooMany     = &malformed{"IPv6-too-many-pieces"}
	errIPv6Multiple    = &malformed{"IPv6-multiple-compression"}
	errIPv6Invalid     = &malformed{"IPv6-invalid-code-point"}
	errIPv6TooFew      = &malformed{"IPv6-too-few-pieces"}
	errIPv4In6TooMany  = &malformed{"IPv4-in-IPv6-too-many-pieces"}
	errIPv4In6Invalid  = &malformed{"IPv4-in-IPv6-invalid-code-point"}
	errIPv4In6Range    = &malformed{"IPv4-in-IPv6-out-of-range-part"}
	errIPv4In6TooFew   = &malformed{"IPv4-in-IPv6-too-few-parts"}

	// errLabelTooLong is not in the standard; see maxLabel.
	errLabelTooLong = &malformed{"label too long for IDNA"}
)
