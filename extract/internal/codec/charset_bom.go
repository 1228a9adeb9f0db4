package codec

import "bytes"

// BOMLen returns the length of the byte order mark of UTF-8 at the start of src, 0 if there is none.
func BOMLen(src []byte) int {
	const mark = "\xEF\xBB\xBF"
	if bytes.HasPrefix(src, []byte(mark)) {
		return len(mark)
	}
	return 0
}

// BOMCharset returns a label of the encoding that the byte order mark of raw stands for (Encoding Standard 6, "BOM
// sniff"), or "" if there is no mark.
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
