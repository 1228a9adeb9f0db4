package resolve

const upperHex = "0123456789ABCDEF"

// appendEncoded appends src, which is UTF-8, with the bytes of set
// percent-encoded (URL Standard, 1.3 "UTF-8 percent-encode").
func appendEncoded(dst, src []byte, set uint16) []byte {
	from := 0
	for i, c := range src {
		if class[c]&set != 0 {
			dst = append(dst, src[from:i]...)
			dst = append(dst, '%', upperHex[c>>4], upperHex[c&15])
			from = i + 1
		}
	}
	return append(dst, src[from:]...)
}

// percentDecode returns src with each percent-encoded byte decoded: src
// itself if there is none, else a new slice.
func percentDecode(src []byte) []byte {
	var out []byte
	from := 0
	for i := 0; i+2 < len(src); i++ {
		if src[i] == '%' && class[src[i+1]]&class[src[i+2]]&isHex != 0 {
			out = append(out, src[from:i]...)
			out = append(out, hexValue(src[i+1])<<4|hexValue(src[i+2]))
			from = i + 3
			i += 2
		}
	}
	if from == 0 {
		return src
	}
	return append(out, src[from:]...)
}

// appendDecimal appends n in radix 10.
func appendDecimal(dst []byte, n uint32) []byte {
	var digits [10]byte
	i := len(digits)
	for {
		i--
		digits[i] = byte('0' + n%10)
		if n /= 10; n == 0 {
			return append(dst, digits[i:]...)
		}
	}
}
