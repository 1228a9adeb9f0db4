package resolve

import (
	"bytes"
	"unicode/utf8"

	"golang.org/x/net/idna"
)

// host is the host parser (URL Standard, 3.5) and the host serializer (3.6)
// for a host that is not empty, or opaque.
func (p *webParser) host(in []byte) error {
	if len(in) > 0 && in[0] == '[' {
		if in[len(in)-1] != ']' {
			return errIPv6Unclosed
		}
		address, err := parseIPv6(in[1 : len(in)-1])
		if err != nil {
			return err
		}
		p.dst = append(p.dst, '[')
		p.dst = appendIPv6(p.dst, &address)
		p.dst = append(p.dst, ']')
		return nil
	}
	if !p.special() {
		return p.opaqueHost(in)
	}
	at := len(p.dst)
	if err := p.domain(in); err != nil {
		return err
	}
	if !endsInNumber(p.dst[at:]) {
		return nil
	}
	ipv4, err := parseIPv4(p.dst[at:])
	if err != nil {
		return err
	}
	p.dst = appendIPv4(p.dst[:at], ipv4)
	return nil
}

// opaqueHost is the opaque-host parser.
func (p *webParser) opaqueHost(in []byte) error {
	for _, c := range in {
		if class[c]&forbiddenHost != 0 {
			return errHostInvalid
		}
	}
	p.dst = appendEncoded(p.dst, in, encodeC0)
	return nil
}

// domain percent-decodes in and runs the domain parser (3.3) with beStrict
// false. A domain in ASCII is only lower-cased: "xn--" labels are not looked
// into (whatwg/url a8d5ca37, 2026-06-25).
func (p *webParser) domain(in []byte) error {
	domain := percentDecode(in)
	at := len(p.dst)
	ascii := true
	for _, c := range domain {
		if c >= utf8.RuneSelf {
			ascii = false
			break
		}
		p.dst = append(p.dst, lower(c))
	}
	if !ascii {
		var err error
		if p.dst, err = appendIDNA(p.dst[:at], domain); err != nil {
			return err
		}
	}
	if len(p.dst) == at {
		return errDomainToASCII
	}
	for _, c := range p.dst[at:] {
		if class[c]&forbiddenDomain != 0 {
			return errDomainToASCII
		}
	}
	return nil
}

// profile is "domain parser ToASCII" with beStrict false.
var profile = idna.New(
	idna.MapForLookup(),
	idna.Transitional(false),
	idna.StrictDomainName(false),
	idna.CheckHyphens(false),
	idna.CheckJoiners(true),
	idna.BidiRule(),
	idna.VerifyDNSLength(false),
)

// maxLabel is the length in bytes of the longest label that IDNA is asked
// about. The standard knows no such limit, DNS one of 63; Punycode takes time
// in the square of a label's length.
const maxLabel = 1024

// appendIDNA appends the ASCII form of domain, which is not ASCII and, coming
// from percent-decoding, may not be UTF-8.
func appendIDNA(dst, domain []byte) ([]byte, error) {
	if !utf8.Valid(domain) {
		// A U+FFFD would come of it, which is disallowed.
		return dst, errDomainToASCII
	}
	for rest := domain; len(rest) > 0; {
		label := rest
		if i := bytes.IndexByte(rest, '.'); i >= 0 {
			label, rest = rest[:i], rest[i+1:]
		} else {
			rest = nil
		}
		if len(label) > maxLabel {
			return dst, errLabelTooLong
		}
	}
	ascii, err := profile.ToASCII(string(domain))
	if err != nil {
		return dst, errDomainToASCII
	}
	return append(dst, ascii...), nil
}
