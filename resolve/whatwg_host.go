package resolve

import (
	"bytes"
	"strconv"
	"unicode/utf8"
)

// host is the host parser (URL Standard, 3.5) and the host serializer (3.6). in must not be empty if the URL is
// special.
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

// opaqueHost is the opaque-host parser (URL Standard, 3.5).
func (p *webParser) opaqueHost(in []byte) error {
	for _, c := range in {
		if class[c]&forbiddenHost != 0 {
			return errHostInvalid
		}
	}
	p.dst = appendEncoded(p.dst, in, encodeC0)
	return nil
}

// domain percent-decodes in, and runs the domain parser (URL Standard, 3.3) with beStrict false. An ASCII domain is
// only converted to lower case: its "xn--" labels are not checked (whatwg/url a8d5ca37, 2026-06-25).
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

// endsInNumber is the ends in a number checker (URL Standard, 3.5). host must be in lower case.
func endsInNumber(host []byte) bool {
	if n := len(host); n > 0 && host[n-1] == '.' {
		host = host[:n-1]
	}
	last := host[bytes.LastIndexByte(host, '.')+1:]
	if len(last) == 0 || class[last[0]]&isDigit == 0 {
		return false
	}
	digits := true
	for _, c := range last {
		digits = digits && class[c]&isDigit != 0
	}
	if digits {
		return true
	}
	_, ok := parseIPv4Number(last)
	return ok
}

// parseIPv4 is the IPv4 parser (URL Standard, 3.5).
func parseIPv4(host []byte) (uint32, error) {
	if n := len(host); n > 1 && host[n-1] == '.' {
		host = host[:n-1]
	}
	var ipv4 uint64
	for i := 0; ; i++ {
		if i == 4 {
			return 0, errIPv4TooMany
		}
		part, rest, more := bytes.Cut(host, dot)
		n, ok := parseIPv4Number(part)
		if !ok {
			return 0, errIPv4NonNumeric
		}
		if !more {
			if n >= 1<<(8*(4-i)) {
				return 0, errIPv4Range
			}
			return uint32(ipv4 + n), nil
		}
		if n > 255 {
			// The standard first checks that all parts are numbers. It fails in both cases.
			return 0, errIPv4Range
		}
		ipv4 += n << (8 * (3 - i))
		host = rest
	}
}

var dot = []byte(".")

// parseIPv4Number is the IPv4 number parser (URL Standard, 3.5). Every number of more than 32 bits is 1<<32, which is
// too large for any part of an address.
func parseIPv4Number(s []byte) (uint64, bool) {
	if len(s) == 0 {
		return 0, false
	}
	radix := uint64(10)
	if len(s) >= 2 && s[0] == '0' {
		radix, s = 8, s[1:]
		if lower(s[0]) == 'x' {
			radix, s = 16, s[1:]
		}
	}
	n := uint64(0)
	for _, c := range s {
		if class[c]&isHex == 0 || uint64(hexValue(c)) >= radix {
			return 0, false
		}
		n = min(n*radix+uint64(hexValue(c)), 1<<32)
	}
	return n, true
}

// appendIPv4 is the IPv4 serializer (URL Standard, 3.6).
func appendIPv4(dst []byte, n uint32) []byte {
	for shift := 24; shift >= 0; shift -= 8 {
		dst = strconv.AppendUint(dst, uint64(n>>shift&255), 10)
		if shift > 0 {
			dst = append(dst, '.')
		}
	}
	return dst
}

// parseIPv6 is the IPv6 parser (URL Standard, 3.5). in is the text between the brackets.
func parseIPv6(in []byte) (address [8]uint16, err error) {
	piece, compress := 0, -1 // compress is the piece after "::", or -1
	if len(in) > 0 && in[0] == ':' {
		if len(in) < 2 || in[1] != ':' {
			return address, errIPv6Compression
		}
		in, piece, compress = in[2:], 1, 1
	}
	for len(in) > 0 {
		if piece == 8 {
			return address, errIPv6TooMany
		}
		if in[0] == ':' {
			if compress >= 0 {
				return address, errIPv6Multiple
			}
			in, piece = in[1:], piece+1
			compress = piece
			continue
		}
		value, length := parsePiece(in)
		if length < len(in) && in[length] == '.' {
			if err := parseIPv4InIPv6(in, length, &address, piece); err != nil {
				return address, err
			}
			piece += 2
			break
		}
		if in, err = afterPiece(in[length:]); err != nil {
			return address, err
		}
		address[piece] = value
		piece++
	}
	if compress >= 0 {
		decompress(&address, piece, compress)
	} else if piece != 8 {
		return address, errIPv6TooFew
	}
	return address, nil
}

// parsePiece returns the value of the hex digits at the start of in, at most four, and their number.
func parsePiece(in []byte) (value uint16, length int) {
	for length < 4 && length < len(in) && class[in[length]]&isHex != 0 {
		value = value<<4 | uint16(hexValue(in[length]))
		length++
	}
	return value, length
}

// afterPiece returns the rest of an address after a piece and its colon. Only the last piece has no colon,
// and a single colon does not end an address.
func afterPiece(in []byte) ([]byte, error) {
	switch {
	case len(in) == 0:
		return in, nil
	case len(in) == 1 || in[0] != ':':
		return nil, errIPv6Invalid
	}
	return in[1:], nil
}

// decompress moves the pieces after "::" to the end of the address. compress is the index of the first of them, and n
// the number of all pieces.
func decompress(address *[8]uint16, n, compress int) {
	for to := 7; n > compress; to-- {
		n--
		address[to], address[n] = address[n], address[to]
	}
}

// parseIPv4InIPv6 parses in, the IPv4 address at the end of an IPv6 address, into the pieces piece and piece+1. digits
// is the number of hex digits before the first dot of in.
func parseIPv4InIPv6(in []byte, digits int, address *[8]uint16, piece int) error {
	if digits == 0 {
		return errIPv4In6Invalid
	}
	if piece > 6 {
		return errIPv4In6TooMany
	}
	pieces := address[piece : piece+2]
	seen, i := 0, 0
	for i < len(in) {
		if seen > 0 {
			if in[i] != '.' || seen == 4 {
				return errIPv4In6Invalid
			}
			i++
		}
		if i == len(in) || class[in[i]]&isDigit == 0 {
			return errIPv4In6Invalid
		}
		value := -1
		for ; i < len(in) && class[in[i]]&isDigit != 0; i++ {
			n := int(in[i] - '0')
			switch {
			case value < 0:
				value = n
			case value == 0:
				return errIPv4In6Invalid
			default:
				value = value*10 + n
			}
			if value > 255 {
				return errIPv4In6Range
			}
		}
		pieces[seen/2] = pieces[seen/2]<<8 | uint16(value)
		seen++
	}
	if seen != 4 {
		return errIPv4In6TooFew
	}
	return nil
}

// appendIPv6 is the IPv6 serializer (URL Standard, 3.6). The longest run of two or more zero pieces, or the first of
// the longest, becomes "::".
func appendIPv6(dst []byte, address *[8]uint16) []byte {
	compress, size := -1, 1
	for i := 0; i < 8; i++ {
		j := i
		for j < 8 && address[j] == 0 {
			j++
		}
		if j-i > size {
			compress, size = i, j-i
		}
		i = j
	}
	for i := 0; i < 8; i++ {
		if i == compress {
			if i == 0 {
				dst = append(dst, ':')
			}
			dst = append(dst, ':')
			i += size - 1
			continue
		}
		n := address[i]
		for shift := 12; shift >= 0; shift -= 4 {
			if n>>shift != 0 || shift == 0 {
				dst = append(dst, "0123456789abcdef"[n>>shift&15])
			}
		}
		if i < 7 {
			dst = append(dst, ':')
		}
	}
	return dst
}
