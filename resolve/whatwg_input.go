package resolve

import "unicode/utf8"

// webInput prepares ref for the state machine (URL Standard, 4.4, steps 1 to
// 3): it is decoded as UTF-8, C0 controls and spaces at the ends are
// stripped, tabs and newlines removed. It returns a window on ref where
// nothing inside has to change, which is nearly always, else a new slice.
func webInput(ref []byte) []byte {
	for len(ref) > 0 && ref[0] <= ' ' {
		ref = ref[1:]
	}
	for len(ref) > 0 && ref[len(ref)-1] <= ' ' {
		ref = ref[:len(ref)-1]
	}
	ascii, clean := true, true
	for _, c := range ref {
		if c >= utf8.RuneSelf {
			ascii = false
		} else if isTabOrNewline(c) {
			clean = false
		}
	}
	if !ascii && !utf8.Valid(ref) {
		ref = appendDecoded(make([]byte, 0, len(ref)+16), ref)
	}
	if clean {
		return ref
	}
	kept := make([]byte, 0, len(ref))
	for _, c := range ref {
		if !isTabOrNewline(c) {
			kept = append(kept, c)
		}
	}
	return kept
}

// isTabOrNewline reports whether c is an ASCII tab or newline (Infra, 4.6).
func isTabOrNewline(c byte) bool { return c == '\t' || c == '\n' || c == '\r' }

// appendDecoded appends src to dst with U+FFFD for each maximal run of bytes
// that starts as UTF-8 does and does not go on so (Encoding, 8.1.1). Go's own
// decoding has one U+FFFD for every byte of such a run.
func appendDecoded(dst, src []byte) []byte {
	for len(src) > 0 {
		r, n := utf8.DecodeRune(src)
		if r != utf8.RuneError || n != 1 {
			dst, src = append(dst, src[:n]...), src[n:]
			continue
		}
		lead, low, high, more := src[0], byte(0x80), byte(0xBF), 0
		switch {
		case 0xC2 <= lead && lead <= 0xDF:
			more = 1
		case 0xE0 <= lead && lead <= 0xEF:
			more = 2
			if lead == 0xE0 {
				low = 0xA0
			} else if lead == 0xED {
				high = 0x9F
			}
		case 0xF0 <= lead && lead <= 0xF4:
			more = 3
			if lead == 0xF0 {
				low = 0x90
			} else if lead == 0xF4 {
				high = 0x8F
			}
		}
		src = src[1:]
		for ; more > 0 && len(src) > 0 && low <= src[0] && src[0] <= high; more-- {
			low, high, src = 0x80, 0xBF, src[1:]
		}
		dst = append(dst, "\uFFFD"...)
	}
	return dst
}
