package header

import (
	"bytes"

	"absolink/extract/internal/ascii"
)

// HTTPContentType is like ContentType, for the combined value of all Content-Type fields in a header of HTTP: the values of the fields
// with ", " between them.
func HTTPContentType(combined []byte) (mediaType string, params map[string]string) {
	if values := splitValues(combined); len(values) > 1 {
		return extractMIMEType(values)
	}
	if mediaType, params = ContentType(combined); mediaType == "*/*" {
		return "", nil
	}
	return mediaType, params
}

// extractMIMEType returns the media type and the parameters of all values of Content-Type in a header of HTTP. It follows
// "extract a MIME type" of the Fetch Standard (2.2.3). The last valid value counts. If it has no charset, and the values
// before it have the same media type, then the charset of these values counts. extractMIMEType returns "" and nil if no value is
// valid.
func extractMIMEType(values [][]byte) (mediaType string, params map[string]string) {
	charset, declared := "", false
	for _, value := range values {
		essence, own := parseMIMEType(value)
		if essence == "" || essence == "*/*" {
			continue
		}
		label, ok := own["charset"]
		switch {
		case essence != mediaType:
			charset, declared = label, ok
		case !ok && declared:
			own["charset"] = charset
		}
		mediaType, params = essence, own
	}
	return mediaType, params
}

// splitValues splits the combined value of a field of HTTP at the commas outside of quoted strings ("get, decode, and split" of
// the Fetch Standard, 2.2.2).
func splitValues(combined []byte) (values [][]byte) {
	start := 0
	for i := 0; ; i++ {
		switch {
		case i >= len(combined) || combined[i] == ',':
			i = min(i, len(combined))
			values = append(values, bytes.Trim(combined[start:i], " \t"))
			if i == len(combined) {
				return values
			}
			start = i + 1
		case combined[i] == '"':
			i = ascii.QuotedEnd(combined, i+1)
		}
	}
}

// parseMIMEType returns the essence and the parameters of one value ("parse a MIME type" of the MIME Sniffing Standard, 4.4). It
// returns "" and nil if the value is not valid.
func parseMIMEType(value []byte) (essence string, params map[string]string) {
	value = trimHTTP(value)
	name, rest, slash := bytes.Cut(value, []byte("/"))
	subtype, rest, more := bytes.Cut(rest, []byte(";"))
	subtype = bytes.TrimRight(subtype, httpSpace)
	if !slash || !isHTTPToken(name) || !isHTTPToken(subtype) {
		return "", nil
	}
	params = map[string]string{}
	for more {
		rest = bytes.TrimLeft(rest, httpSpace)
		end := bytes.IndexAny(rest, ";=")
		if end < 0 {
			break
		}
		name, separator := rest[:end], rest[end]
		if rest = rest[end+1:]; separator == ';' {
			continue
		}
		quoted, text := len(rest) > 0 && rest[0] == '"', []byte(nil)
		if quoted {
			end = ascii.QuotedEnd(rest, 1)
			text = []byte(unquotedString(rest[1:end], true))
			_, rest, more = bytes.Cut(rest[end:], []byte(";"))
		} else {
			text, rest, more = bytes.Cut(rest, []byte(";"))
			text = bytes.TrimRight(text, httpSpace)
		}
		key := ascii.Lower(string(name))
		if _, known := params[key]; !known && isHTTPToken(name) && (quoted || len(text) > 0) && isQuotable(text) {
			params[key] = string(text)
		}
	}
	return ascii.Lower(string(name)) + "/" + ascii.Lower(string(subtype)), params
}

// httpSpace is the HTTP whitespace of the Fetch Standard.
const httpSpace = " \t\r\n"

func trimHTTP(b []byte) []byte { return bytes.Trim(b, httpSpace) }

// isHTTPToken reports whether b is not empty and has only HTTP token code points (MIME Sniffing Standard, 3).
func isHTTPToken(b []byte) bool {
	for _, c := range b {
		if !ascii.IsAlnum(c) && bytes.IndexByte([]byte("!#$%&'*+-.^_`|~"), c) < 0 {
			return false
		}
	}
	return len(b) > 0
}

// isQuotable reports whether b has only HTTP quoted-string token code points (MIME Sniffing Standard, 3), or bytes outside ASCII.
func isQuotable(b []byte) bool {
	for _, c := range b {
		if c < ' ' && c != '\t' || c == 0x7F {
			return false
		}
	}
	return true
}
