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

// A Standard is a set of rules to resolve references. Compare standards with ==. The zero Standard is RFC1808.
type Standard struct {
	rules rules
	// query is the encoding of queries under WHATWG, or nil for UTF-8.
	query encoding.Encoding
}

var (
	RFC1808 = Standard{rules: rulesRFC1808} // RFC 1808, sections 2.4 and 4
	RFC3986 = Standard{rules: rulesRFC3986} // RFC 3986, section 5.2, the strict form
	WHATWG  = Standard{rules: rulesWHATWG}  // the URL Standard of August 2026
)

// Lookup returns the standard named "rfc1808", "rfc3986" or "whatwg".
func Lookup(name string) (s Standard, ok bool) {
	for _, s = range [...]Standard{RFC1808, RFC3986, WHATWG} {
		if s.String() == name {
			return s, true
		}
	}
	return Standard{}, false
}

// String returns the name of the standard, for Lookup.
func (s Standard) String() string {
	switch s.rules {
	case rulesRFC3986:
		return "rfc3986"
	case rulesWHATWG:
		return "whatwg"
	}
	return "rfc1808"
}

// WithQueryEncoding returns a copy of WHATWG that encodes queries with e, the encoding of the page, as browsers do
// (the "encoding override" of the URL Standard). nil means UTF-8, and so does UTF-16. The other standards, which do not
// encode, are returned unchanged.
//
// e must be comparable with ==, as the encodings of golang.org/x/text are, and its encoder must return an error for a
// character that it lacks. The query then has a character reference instead, such as "%26%238364%3B".
func (s Standard) WithQueryEncoding(e encoding.Encoding) Standard {
	if s.rules != rulesWHATWG {
		return s
	}
	s.query = outputEncoding(e)
	return s
}

// A Base is a base URL that is parsed once, to resolve many references. It never changes, so goroutines can share it.
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

	// dir is url up to the last segment of its path, without dot segments. A
	// relative path is appended to it. dirFloor is the offset in dir where
	// ".." stops.
	//
	//	https://user:pass@example.com:8042/over/there/
	//	                                   |
	//	                                   dirFloor
	dir      string
	dirFloor int

	// above[n] is the length of dir after n leading "../", for n up to levels.
	above  [9]int
	levels int

	web webBase // WHATWG only

	// For InBrowser, under the RFCs only.
	ordinary bool
	browser  atomic.Pointer[Base]

	slashes atomic.Pointer[[]int] // the offsets of the slashes of a long directory, for AppendRelative
}

// Base parses an absolute URL as a base for references. With "", the default base of RFC 1808 3.4, only absolute
// references have a URL.
//
// The error is ErrRelative if url has no scheme, or under WHATWG ErrMalformed. A URL such as mailto:a@b is not an
// error: see Base.Unsuitable.
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

// none has the bases with the URL "", which are shared because they are needed often.
var none = [...]Base{{standard: RFC1808}, {standard: RFC3986}, {standard: WHATWG}}

// String returns the base URL: as it was passed, or under WHATWG as it is serialized.
func (b *Base) String() string { return b.url }

// AppendResolve appends the absolute URL of ref to dst, and returns the extended slice, or dst if there is an error.
// ref is text, without the escapes of its document. dst must not overlap ref, which is not changed.
//
// The error is ErrNoBase for a relative reference without a base, or under WHATWG ErrMalformed. AppendResolve accepts
// an Unsuitable base: under RFC1808, "g" with the base mailto:a@b is "mailto:g".
//
// AppendResolve does not allocate if dst has room. Under WHATWG it may, for unusual references such as one with a
// host that is not ASCII.
func (b *Base) AppendResolve(dst, ref []byte) ([]byte, error) {
	url, _, err := b.AppendCompared(dst, ref)
	return url, err
}

// AppendCompared is AppendResolve, and reports whether a browser certainly has the same URL. If same is false and err
// is nil, ask InBrowser, with the URL alone: out[len(dst):].
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

// Resolve returns the absolute URL of ref: see AppendResolve.
func (b *Base) Resolve(ref string) (string, error) {
	dst, err := b.AppendResolve(make([]byte, 0, len(b.url)+len(ref)+16), []byte(ref))
	if err != nil {
		return "", err
	}
	return string(dst), nil
}

// IsAbsolute reports whether the URL of ref does not depend on b: under the RFCs, whether ref has a scheme. Under
// WHATWG, "http:g" depends on a base such as http://a/.
func (b *Base) IsAbsolute(ref []byte) bool {
	switch b.standard.rules {
	case rulesRFC3986:
		return schemeLen3986(ref) > 0
	case rulesWHATWG:
		return b.isAbsoluteWeb(ref)
	}
	return schemeLen1808(ref) > 0
}

// Unsuitable returns why b cannot be the base URL of a document, or "" if it can. Under the RFCs, a scheme without
// hierarchy, such as mailto, cannot be one (RFC 1808 2), nor a URL without a slash after the scheme. Under WHATWG,
// data: and javascript: cannot (HTML 4.2.3).
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

// The errors of Base and its methods, for errors.Is.
var (
	// ErrNoBase says that a relative reference has the base "" (RFC 1808 3.4), or under WHATWG a base such as data:,x.
	ErrNoBase = errors.New("relative reference without a base")

	// ErrRelative says that a base URL has no scheme.
	ErrRelative = errors.New("base URL is not absolute")

	// ErrMalformed says that the parser of the URL Standard refuses a URL. The text of the error has the reason, such
	// as "port-out-of-range".
	ErrMalformed = errors.New("malformed URL")
)

// A malformed is an ErrMalformed with the name of the validation error (URL Standard, 1.1). All values are allocated
// below, so a malformed reference costs no memory.
type malformed struct{ name string }

func (m *malformed) Error() string { return ErrMalformed.Error() + ": " + m.name }

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
