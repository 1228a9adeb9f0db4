package resolve

import (
	"strings"
	"unicode/utf8"

	"golang.org/x/net/idna"
	"golang.org/x/text/unicode/norm"
)

// profile is "domain parser ToASCII" (URL Standard, 3.3) with beStrict false.
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
	mapped := make([]byte, 0, len(domain))
	var ideographs []rune // that stand-ins stand for, in order
	late := false
	label := 0 // where the label began in mapped
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
		ascii, err = profile.ToASCII(string(mapped))
	}
	if err != nil || hasBadALabel(string(mapped)) {
		return dst, errDomainToASCII
	}
	return append(dst, ascii...), nil
}

// hasBadALabel reports whether a label of domain, once it is mapped, is "xn--"
// and nothing more, or has that before something that is not ASCII or that
// stands for one more "xn--". The first two are no Punycode (UTS #46, 4, step
// 4.1; RFC 3492, 6.2), the third is no label (UTS #46, 4.1, criterion 4), though
// x/net/idna takes them all. To see the labels mapped but not decoded a digit
// is put before each.
func hasBadALabel(domain string) bool {
	guarded := make([]byte, 0, len(domain)+16)
	guarded = append(guarded, '0')
	for _, r := range domain {
		guarded = utf8.AppendRune(guarded, r)
		if isLabelSeparator(r) {
			guarded = append(guarded, '0')
		}
	}
	// The errors are those that the digits cause, or come up without them.
	mapped, _ := profile.ToUnicode(string(guarded))
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

// standIn is an ideograph that every version of x/net/idna's tables knows.
const standIn = '\U00031350'

// isLateIdeograph reports whether r is of CJK extension I or J, or of what was
// added to C and E: these came after Unicode 15. To IDNA all ideographs are
// alike: valid, mapped to themselves, left to right, joining and combining with
// nothing.
func isLateIdeograph(r rune) bool {
	return '\U0002EBF0' <= r && r <= '\U0002EE5D' || '\U000323B0' <= r && r <= '\U00033479' ||
		'\U0002B73A' <= r && r <= '\U0002B73F' || '\U0002CEA2' <= r && r <= '\U0002CEAD'
}

// lateToASCII is profile.ToASCII for a domain in which standIn stands for the
// ideographs.
func lateToASCII(domain string, ideographs []rune) (string, error) {
	domain, err := profile.ToUnicode(domain)
	if err != nil {
		return "", err
	}
	var restored strings.Builder
	for _, r := range domain {
		if r == standIn {
			if len(ideographs) == 0 {
				return "", errDomainToASCII // from an "xn--" label
			}
			r, ideographs = ideographs[0], ideographs[1:]
		}
		restored.WriteRune(r)
	}
	return idna.Punycode.ToASCII(restored.String())
}

// isLabelSeparator reports whether r is a full stop, or mapped to one.
func isLabelSeparator(r rune) bool {
	return r == '.' || r == '\u3002' || r == '\uFF0E' || r == '\uFF61'
}

// mapUnicode16 maps the code points that UTS #46 maps or ignores since its
// revision for Unicode 16, where x/net/idna with Unicode 15, which is what it
// has before Go 1.27, takes them to be disallowed, or to be something else.
// It returns r itself for all others and -1 for those that are ignored. The
// list is the difference of that module's own two tables. Left out is what no
// mapping can mend: U+1806, and code points assigned since Unicode 15 but for
// ideographs.
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
	case r == 0x1E9E: // capital sharp s, no longer "ss"
		return 0x00DF
	case 0x2135 <= r && r <= 0x2138:
		// Mapped all along, to Hebrew letters. x/net/idna asks the
		// symbols and not the letters whether the domain is a Bidi one.
		return r - 0x2135 + 0x05D0
	case r == 0x2132:
		return 0x214E
	case r == 0x2183:
		return 0x2184
	case r == 0x2F868, r == 0x2F874, r == 0x2F91F, r == 0x2F95F, r == 0x2F9BF:
		// Compatibility ideographs whose mapping is their NFC.
		var buf [utf8.UTFMax]byte
		to, _ := utf8.DecodeRune(norm.NFC.Bytes(utf8.AppendRune(buf[:0], r)))
		return to
	}
	return r
}
