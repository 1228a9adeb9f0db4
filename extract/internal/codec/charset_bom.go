package codec

import "bytes"

// MarkLen is the length of the byte order mark of UTF-8 that src starts with, or 0.
func MarkLen(src []byte) int {
	const mark = "\xEF\xBB\xBF"
	if bytes.HasPrefix(src, []byte(mark)) {
		return len(mark)
	}
	return 0
}

// MarkedCharset is a label of the encoding that a byte order mark tells (Encoding Standard 6, "BOM sniff");
// "" without one.
func MarkedCharset(raw []byte) string {
	switch {
	case MarkLen(raw) > 0:
		return "utf-8"
	case bytes.HasPrefix(raw, []byte("\xFE\xFF")):
		return "utf-16be"
	case bytes.HasPrefix(raw, []byte("\xFF\xFE")):
		return "utf-16le"
	}
	return ""
}
