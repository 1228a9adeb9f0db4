package resolve

import "unicode/utf8"

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
