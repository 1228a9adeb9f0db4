package codec

// This file finds byte order marks.

import "bytes"

// BOMLen returns the length of the byte order mark of UTF-8 at the start of src, or 0 if there is none.
func BOMLen(src []byte) int {
	const mark = "\xEF\xBB\xBF"
	if bytes.HasPrefix(src, []byte(mark)) {
		return len(mark)
	}
	return 0
}

// BOMCharset returns a label of the encoding of the byte order mark at the start of raw (Encoding Standard 6, "BOM
// sniff"). It returns "" if there is no mark.
//
//	EF BB BF     utf-8
//	FE FF        utf-16be
//	FF FE        utf-16le
func BOMCharset(raw []byte) string {
	switch {
	case BOMLen(raw) > 0:
		return "utf-8"
	case bytes.HasPrefix(raw, []byte("\xFE\xFF")):
		return "utf-16be"
	case bytes.HasPrefix(raw, []byte("\xFF\xFE")):
		return "utf-16le"
	}
	return ""
}
