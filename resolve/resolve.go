package resolve

import (
	"errors"
	"sync/atomic"

	"golang.org/x/text/encoding"
)

// rules is the text that a Standard implements.
type rules uint8

const (
	rulesRFC1808 rules = iota
	rulesRFC3986
	rulesWHATWG
)

// A Standard is one set of rules to resolve references. It is a small immutable
// value, and comparable with ==. The zero Standard is RFC1808.
type Standard struct {
	rules rules
	// query is the encoding of queries under WHATWG, or nil for UTF-8.
	query encoding.Encoding
}

// The three standards. Each is a value, and never changes.
var (
	RFC1808 = Standard{rules: rulesRFC1808}
	RFC3986 = Standard{rules: rulesRFC3986}
	WHATWG  = Standard{rules: rulesWHATWG}
)

// Lookup returns the standard with a name: "rfc1808", "rfc3986" or "whatwg". It
// reports whether there is one. Letters must be in lower case.
func Lookup(name string) (Standard, bool) {
	for _, s := range [...]Standard{RFC1808, RFC3986, WHATWG} {
		if s.String() == name {
			return s, true
		}
	}
	return Standard{}, false
}

// String returns the name of the standard for Lookup. It does not include the
// query encoding.
func (s Standard) String() string {
	switch s.rules {
	case rulesRFC3986:
		return "rfc3986"
	case rulesWHATWG:
		return "whatwg"
	}
	return "rfc1808"
}

// WithQueryEncoding returns the standard with another encoding for queries. This
// is the "encoding override" of the URL Standard: the encoding of the document
// that contains the references. It applies to the queries of special URLs,
// except for ws and wss.
//
// nil is UTF-8. Encodings that do not contain ASCII, such as UTF-16, count as
// UTF-8 (Encoding Standard, 4.3 "get an output encoding"). RFC1808 and RFC3986
// return themselves.
//
// e must be comparable, because a Standard is. The encodings of
// golang.org/x/text are, but some of their encoders differ from the Encoding
// Standard in a few characters. The encoder of e must return an error for a character that
// the encoding does not have; this character becomes a percent-encoded
// character reference.
func (s Standard) WithQueryEncoding(e encoding.Encoding) Standard {
	if s.rules != rulesWHATWG {
		return s
	}
	s.query = outputEncoding(e)
	return s
}

// A Base is a prepared base URL: it is parsed once, and resolves many references.
// It never changes, so goroutines may share it. Standard.Base returns one.
type Base struct {
	standard Standard
	url      string // unchanged, or under WHATWG serialized; "" is no base

	// Offsets in url. A range starts with the delimiter of its component:
	// url[queryAt:fragmentAt] is "?q", or "" if there is no query.
	schemeEnd  int // after the colon
	pathAt     int // end of the net_loc; under WHATWG also after a "/."
	paramsAt   int // RFC 1808 only
	queryAt    int
	fragmentAt int

	hasNetLoc bool // there is a "//"; under WHATWG the host is not null

	// A relative path is appended to dir: this is url before the last segment
	// of its path, without dot segments. dirFloor is the offset in dir where
	// ".." stops.
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
}

// Base returns url as a prepared base. The base "" is valid: it is the default
// of RFC 1808, 3.4, and resolves absolute references only.
//
// The error is ErrRelative if url has no scheme. Under WHATWG it is ErrMalformed
// if the URL parser returns failure. A URL such as mailto:a@b is no error, but
// see Unsuitable.
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

// none are the bases with the URL "". They are shared, because they are needed often.
var none = [...]Base{{standard: RFC1808}, {standard: RFC3986}, {standard: WHATWG}}

// String returns the base URL. Under the RFCs it is unchanged, and under WHATWG
// it is serialized.
func (b *Base) String() string { return b.url }

// AppendResolve resolves ref, appends the absolute URL to dst, and returns the
// extended slice. ref is text: the caller has decoded character references and
// other escapes. AppendResolve does not change ref, and dst must not overlap it.
// After an error the returned slice is dst.
//
// The error is ErrNoBase for a relative reference without a base. Under WHATWG
// it is ErrMalformed if the URL parser returns failure. RFC1808 and RFC3986 have
// no other errors.
//
// AppendResolve allocates nothing if dst has room. Under WHATWG there are
// exceptions: a host that is not ASCII or has percent-encoded bytes, a query in
// a legacy encoding, invalid UTF-8, and tabs or newlines.
func (b *Base) AppendResolve(dst, ref []byte) ([]byte, error) {
	url, _, err := b.AppendCompared(dst, ref)
	return url, err
}

// AppendCompared is AppendResolve. It also reports whether browsers surely have the
// same URL for ref. If same is false, InBrowser compares the URLs.
func (b *Base) AppendCompared(dst, ref []byte) (url []byte, same bool, err error) {
	switch b.standard.rules {
	case rulesRFC3986:
		return b.append3986(dst, ref)
	case rulesWHATWG:
		url, err = b.appendWeb(dst, ref)
		return url, true, err
	}
	return b.append1808(dst, ref)
}

// Resolve returns the absolute URL for ref. It is AppendResolve for strings, and
// has the same errors.
func (b *Base) Resolve(ref string) (string, error) {
	dst, err := b.AppendResolve(make([]byte, 0, len(b.url)+len(ref)+16), []byte(ref))
	if err != nil {
		return "", err
	}
	return string(dst), nil
}

// IsAbsolute reports whether the result for ref does not depend on the base.
// Under the RFCs these are the references with a scheme. Under WHATWG some
// references with a scheme do depend on it: "http:g" is "http://a/g" with the
// base http://a/ and "http://g/" with a base of another scheme.
func (b *Base) IsAbsolute(ref []byte) bool {
	switch b.standard.rules {
	case rulesRFC3986:
		return schemeLen3986(ref) > 0
	case rulesWHATWG:
		return b.isAbsoluteWeb(ref)
	}
	return schemeLen1808(ref) > 0
}

// Unsuitable returns the reason why this URL cannot be the base of a document, or
// "". RFC 1808, 2: "relative URLs cannot be used within documents that have
// unsuitable base URLs".
//
// Under the RFCs two kinds of URL are unsuitable: those of a scheme without a
// hierarchy, such as mailto, and those without a slash after the scheme. Under
// WHATWG these are data and javascript URLs (HTML, 4.2.3 "set the frozen base
// URL"). The base "" is not unsuitable.
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

// The errors of Standard.Base, Base.AppendResolve and Base.Resolve. Compare
// them with errors.Is: the text of a malformed URL's error also has the name of
// the validation error in the URL Standard.
var (
	// ErrNoBase is the error of a relative reference without a base: the base
	// is "" (RFC 1808, 3.4). Under WHATWG it is also the error of a relative
	// reference to a base with an opaque path (missing-scheme-non-relative-URL).
	ErrNoBase = errors.New("relative reference without a base")

	// ErrRelative is the error of a base URL that has no scheme.
	ErrRelative = errors.New("base URL is not absolute")

	// ErrMalformed is the error of a URL for which the parser of the URL
	// Standard returns failure.
	ErrMalformed = errors.New("malformed URL")
)

// A malformed is an ErrMalformed with the name of the validation error in the URL Standard, 1.1. The values
// are made once, so that a failing reference allocates nothing.
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
