package resolve

import (
	"strings"
	"sync"
	"unicode/utf8"

	"golang.org/x/net/idna"
	"golang.org/x/text/unicode/norm"
)

// profile is "domain parser ToASCII" (URL Standard, 3.3) with beStrict false. It has one known deviation: after a zero
// width non-joiner, package idna takes a letter that does not join for one that does (RFC 5892, A.1).
var profile = sync.OnceValue(func() *idna.Profile {
	return idna.New(
		idna.MapForLookup(),
		idna.Transitional(false),
		idna.StrictDomainName(false),
		idna.CheckHyphens(false),
		idna.CheckJoiners(true),
		idna.BidiRule(),
		idna.VerifyDNSLength(false),
	)
})

// maxLabel is the greatest length in bytes of a label, in a domain that is not ASCII. A longer one is malformed,
// because the time of Punycode grows with the square of the length. The standard has no limit here, and DNS has a limit
// of 63.
const maxLabel = 1024

// appendIDNA appends the ASCII form of a domain that is not ASCII, and that may be invalid UTF-8 after
// percent-decoding.
func appendIDNA(dst, domain []byte) ([]byte, error) {
	if !utf8.Valid(domain) {
		// It would be decoded to U+FFFD, which UTS #46 disallows.
		return dst, errDomainToASCII
	}
	mapped := make([]byte, 0, len(domain))
	var ideographs []rune // replaced by standIn, in their order
	late := false
	label := 0 // the start of the current label in mapped
	for len(domain) > 0 {
		r, n := utf8.DecodeRune(domain)
		if isLateIdeograph(r) || r == standIn {
			late = late || r != standIn
			ideographs = append(ideographs, r)
			mapped = utf8.AppendRune(mapped, standIn)
		} else if to := mapUnicode16(r); to != r {
			if to >= 0 {
				mapped = utf8.AppendRune(mapped, to)
			}
		} else {
			mapped = append(mapped, domain[:n]...)
		}
		domain = domain[n:]
		if isLabelSeparator(r) {
			label = len(mapped)
		}
		if len(mapped)-label > maxLabel {
			return dst, errLabelTooLong
		}
	}
	var ascii string
	var err error
	if late {
		ascii, err = lateToASCII(string(mapped), ideographs)
	} else {
		ascii, err = profile().ToASCII(string(mapped))
	}
	if err != nil || hasBadALabel(string(mapped)) {
		return dst, errDomainToASCII
	}
	return append(dst, ascii...), nil
}

// hasBadALabel reports whether domain has an invalid label that x/net/idna accepts. After mapping, this is one of:
//
//   - "xn--" alone (UTS #46, 4, step 4.1; RFC 3492, 6.2);
//   - "xn--" before text that is not ASCII (the same clauses);
//   - "xn--" before the Punycode of a label that starts with "xn--" (UTS #46, 4.1, criterion 4).
//
// With a digit before it, x/net/idna maps a label but does not decode it.
func hasBadALabel(domain string) bool {
	guarded := make([]byte, 0, len(domain)+16)
	guarded = append(guarded, '0')
	for _, r := range domain {
		guarded = utf8.AppendRune(guarded, r)
		if isLabelSeparator(r) {
			guarded = append(guarded, '0')
		}
	}
	// An error comes from the digits, or is one that appendIDNA returns.
	mapped, _ := profile().ToUnicode(string(guarded))
	for label := range strings.SplitSeq(mapped, ".") {
		rest, found := strings.CutPrefix(label, "0xn--")
		if !found {
			continue
		}
		if rest == "" {
			return true
		}
		if strings.HasPrefix(rest, "xn--") {
			if decoded, _ := idna.Punycode.ToUnicode("xn--" + rest); strings.HasPrefix(decoded, "xn--") {
				return true
			}
		}
		for i := range len(rest) {
			if rest[i] >= utf8.RuneSelf {
				return true
			}
		}
	}
	return false
}

// standIn is an ideograph of Unicode 15, which x/net/idna knows with every Go version.
const standIn = '\U00031350'

// isLateIdeograph reports whether r is an ideograph that came after Unicode 15, of CJK extension I or J or added to
// extension C or E. standIn can replace it, because IDNA treats all ideographs alike: they are valid, map to
// themselves, run from left to right, and do not join or combine.
func isLateIdeograph(r rune) bool {
	return '\U0002EBF0' <= r && r <= '\U0002EE5D' || '\U000323B0' <= r && r <= '\U00033479' ||
		'\U0002B73A' <= r && r <= '\U0002B73F' || '\U0002CEA2' <= r && r <= '\U0002CEAD'
}

// lateToASCII is profile.ToASCII for a domain in which standIn replaces the ideographs.
func lateToASCII(domain string, ideographs []rune) (string, error) {
	domain, err := profile().ToUnicode(domain)
	if err != nil {
		return "", err
	}
	var restored strings.Builder
	for _, r := range domain {
		if r == standIn {
			if len(ideographs) == 0 {
				return "", errDomainToASCII // this standIn comes from an "xn--" label
			}
			r, ideographs = ideographs[0], ideographs[1:]
		}
		restored.WriteRune(r)
	}
	return idna.Punycode.ToASCII(restored.String())
}

// isLabelSeparator reports whether r is a full stop, or is mapped to a full stop.
func isLabelSeparator(r rune) bool {
	return r == '.' || r == '\u3002' || r == '\uFF0E' || r == '\uFF61'
}

// mapUnicode16 returns the mapping of r in UTS #46 for Unicode 16, if it differs from the mapping for Unicode 15. It
// returns -1 if r is ignored, and r itself for all other code points.
//
// Before Go 1.27, x/net/idna has the tables of Unicode 15. This list is how they differ from its newer tables, except
// for what no mapping can mend: U+1806, and code points assigned since Unicode 15. For ideographs, see isLateIdeograph.
func mapUnicode16(r rune) rune {
	switch {
	case r < 0x04C0:
		return r
	case r == 0x04C0:
		return 0x04CF
	case 0x10A0 <= r && r <= 0x10C5: // Georgian capitals
		return r - 0x10A0 + 0x2D00
	case r == 0x115F, r == 0x1160, r == 0x17B4, r == 0x17B5, r == 0x180E,
		0x2061 <= r && r <= 0x2063, 0x206A <= r && r <= 0x206F,
		r == 0x3164, r == 0xFFA0, 0x1D173 <= r && r <= 0x1D17A:
		return -1
	case r == 0x1E9E: // capital sharp s: before, it was mapped to "ss"
		return 0x00DF
	case 0x2135 <= r && r <= 0x2138:
		// Both versions map these symbols to Hebrew letters, but x/net/idna
		// looks at the symbols to find out whether the domain is a Bidi domain.
		return r - 0x2135 + 0x05D0
	case r == 0x2132:
		return 0x214E
	case r == 0x2183:
		return 0x2184
	case r == 0x2F868, r == 0x2F874, r == 0x2F91F, r == 0x2F95F, r == 0x2F9BF:
		// The mapping of these compatibility ideographs is their NFC.
		var buf [utf8.UTFMax]byte
		to, _ := utf8.DecodeRune(norm.NFC.Bytes(utf8.AppendRune(buf[:0], r)))
		return to
	}
	return r
}
