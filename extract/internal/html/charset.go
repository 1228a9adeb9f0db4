package html

import (
	"bytes"
	"unicode/utf8"

	"absolink/extract/internal/ascii"
	"absolink/extract/internal/codec"
)

// charset is HTML 13.2.3.2: the byte order mark, the transport layer, what the first 1024
// bytes declare; then UTF-8 if the letters in these are in it (step 8), or, where these are ASCII,
// those in the rest, for the whole file is there; and windows-1252 if nothing tells. All but the
// first two are tentative, and a meta element that the parser comes to, however late, changes
// them (13.2.3.5). It returns a label of the encoding.
func charset(raw []byte, transport string) string {
	head := raw[:min(len(raw), 1024)]
	if name := codec.BOMCharset(head); name != "" {
		return name
	}
	if _, name, ok := codec.Charset(transport); ok {
		return name
	}
	if name := parsedCharset(raw); name != "" {
		return name
	}
	if name := prescan(head); name != "" {
		return name
	}
	if ascii.IsASCII(head) {
		head = raw
	}
	if !ascii.IsASCII(head) && looksUTF8(head) {
		return "UTF-8"
	}
	return "windows-1252"
}

// looksUTF8 reports whether head, the beginning of something, is UTF-8 as far as it goes.
func looksUTF8(head []byte) bool {
	for i := len(head) - 1; i >= 0 && i > len(head)-utf8.UTFMax; i-- {
		if utf8.RuneStart(head[i]) {
			if !utf8.FullRune(head[i:]) {
				head = head[:i]
			}
			break
		}
	}
	return utf8.Valid(head)
}

// prescan is HTML 13.2.3.2, "prescan a byte stream to determine its encoding": what a meta element
// or an XML declaration in head says; "" if none does. It knows neither raw text nor what a
// later byte may turn out to be, for that is how the standard has it.
func prescan(head []byte) string {
	switch {
	case bytes.HasPrefix(head, []byte("<\x00?\x00x\x00")):
		return "UTF-16LE"
	case bytes.HasPrefix(head, []byte("\x00<\x00?\x00x")):
		return "UTF-16BE"
	}
	for p := ascii.Next(head, 0, '<'); p+1 < len(head); p = ascii.Next(head, p+1, '<') {
		rest := head[p:]
		switch c := rest[1]; {
		case bytes.HasPrefix(rest, []byte("<!--")):
			end := bytes.Index(rest[2:], []byte("-->"))
			if end < 0 {
				return xmlDeclared(head)
			}
			p += 2 + end + 2
		case len(rest) > 5 && ascii.FoldEqual(rest[:5], "<meta") && (ascii.IsSpace(rest[5]) || rest[5] == '/'):
			var name string
			if name, p = metaCharset(head, p+5); name != "" {
				return name
			}
		case class[c]&letter != 0, c == '/' && len(rest) > 2 && class[rest[2]]&letter != 0:
			for p < len(head) && class[head[p]]&endsUnquoted == 0 { // a "/" does not end the name here
				p++
			}
			for some := true; some; {
				_, _, p, some = prescanAttribute(head, p)
			}
		case c == '!' || c == '/' || c == '?':
			p = ascii.Next(head, p+1, '>')
		}
	}
	return xmlDeclared(head)
}

// parsedCharset is what the first meta element that declares an encoding says to the parser (HTML
// 13.2.6.4.4, in the body too): "" if there is none. Tags are read only as far as some "<meta" is.
func parsedCharset(src []byte) string {
	t := tagReader{src: src}
	for p := ascii.Next(src, 0, '<'); p+len("<meta") < len(src); p = ascii.Next(src, p+1, '<') {
		if !ascii.FoldEqual(src[p:p+len("<meta")], "<meta") {
			continue
		}
		for t.p <= p && t.next() {
			if !t.end && ascii.FoldEqual(t.name, "meta") {
				if name := elementCharset(t.tag); name != "" {
					return name
				}
			}
		}
	}
	return ""
}

// elementCharset is what the parser takes from the tag of a meta element (13.2.6.4.4). Unlike the
// prescan it reads character references, and asks the content where the charset is none.
func elementCharset(tag []byte) string {
	var seen [3]bool
	var values [3][]byte
	for p := len("<meta"); ; {
		key, value, at, ok := prescanAttribute(tag, p)
		if p = at; !ok {
			break
		}
		for i, name := range [...]string{"charset", "http-equiv", "content"} {
			if ascii.FoldEqual(key, name) && !seen[i] {
				seen[i] = true
				values[i], _ = codec.AttrDouble.Decode(value)
			}
		}
	}
	_, name, ok := codec.Charset(string(values[0]))
	if !ok && ascii.FoldEqual(values[1], "content-type") {
		_, name, _ = codec.Charset(string(contentCharset(values[2])))
	}
	return ofMeta(name)
}

// ofMeta is the encoding of a page in which a meta element names one (13.2.3.2 and 13.2.3.5): it was
// read, so it is not in UTF-16.
func ofMeta(name string) string {
	switch name {
	case "UTF-16LE", "UTF-16BE":
		return "UTF-8"
	case "x-user-defined":
		return "windows-1252"
	}
	return name
}

// metaCharset is what the prescan takes from the attributes of a meta element, from p on. It returns the
// encoding that they declare, "" if they do not, and where they end.
func metaCharset(head []byte, p int) (name string, end int) {
	var seen struct{ pragma, content, charset bool }
	gotPragma, needPragma := false, false
	for {
		key, value, at, ok := prescanAttribute(head, p)
		if p = at; !ok {
			break
		}
		switch {
		case ascii.FoldEqual(key, "http-equiv") && !seen.pragma:
			seen.pragma = true
			gotPragma = ascii.FoldEqual(value, "content-type")
		case ascii.FoldEqual(key, "content") && !seen.content:
			seen.content = true
			if _, found, ok := codec.Charset(string(contentCharset(value))); ok && !seen.charset {
				name, needPragma = found, true
			}
		case ascii.FoldEqual(key, "charset") && !seen.charset:
			seen.charset = true
			_, name, _ = codec.Charset(string(value))
			needPragma = false
		}
	}
	if p >= len(head) || needPragma && !gotPragma {
		return "", p
	}
	return ofMeta(name), p
}

// prescanAttribute is "get an attribute" (HTML 13.2.3.2): the name and value of the one at p, and
// where it ends; ok is false if there is none, which is at a ">" or at the end of head.
func prescanAttribute(head []byte, p int) (key, value []byte, end int, ok bool) {
	for p < len(head) && (ascii.IsSpace(head[p]) || head[p] == '/') {
		p++
	}
	if p >= len(head) || head[p] == '>' {
		return nil, nil, p, false
	}
	start := p
	for p++; p < len(head) && class[head[p]]&endsAttr == 0; { // a "=" may begin a name
		p++
	}
	key = head[start:p]
	p = ascii.SkipSpace(head, p)
	if p >= len(head) || head[p] != '=' {
		return key, nil, p, p < len(head)
	}
	p = ascii.SkipSpace(head, p+1)
	switch start = p; {
	case p >= len(head):
	case head[p] == '"' || head[p] == '\'':
		p = ascii.Next(head, p+1, head[p])
		value = head[start+1 : p]
		p++
	default:
		for p < len(head) && class[head[p]]&endsUnquoted == 0 {
			p++
		}
		value = head[start:p]
	}
	return key, value, min(p, len(head)), p < len(head)
}

// contentCharset is HTML 2.5.3, "extracting a character encoding from a meta element": the label
// in a content attribute; nil if there is none.
func contentCharset(value []byte) []byte {
	const charset = "charset"
	for i := 0; i+len(charset) <= len(value); i++ {
		if !ascii.FoldEqual(value[i:i+len(charset)], charset) {
			continue
		}
		p := ascii.SkipSpace(value, i+len(charset))
		if p == len(value) || value[p] != '=' {
			i = p - 1
			continue
		}
		label := value[ascii.SkipSpace(value, p+1):]
		switch {
		case len(label) == 0:
			return nil
		case label[0] == '"' || label[0] == '\'':
			end := bytes.IndexByte(label[1:], label[0])
			if end < 0 {
				return nil
			}
			return label[1 : 1+end]
		}
		end := 0
		for end < len(label) && !ascii.IsSpace(label[end]) && label[end] != ';' {
			end++
		}
		return label[:end]
	}
	return nil
}

// xmlDeclared is HTML 13.2.3.2, "get an XML encoding": what an XML declaration says.
func xmlDeclared(head []byte) string {
	if !bytes.HasPrefix(head, []byte("<?xml")) || bytes.IndexByte(head, '>') < 0 {
		return ""
	}
	const encoding = "encoding"
	p := bytes.Index(head, []byte(encoding))
	if p < 0 {
		return ""
	}
	blanks := func() {
		for p < len(head) && head[p] <= ' ' {
			p++
		}
	}
	p += len(encoding)
	blanks()
	if p >= len(head) || head[p] != '=' {
		return ""
	}
	p++
	blanks()
	if p >= len(head) || head[p] != '"' && head[p] != '\'' {
		return ""
	}
	label, _, ok := bytes.Cut(head[p+1:], head[p:p+1])
	if !ok || bytes.ContainsFunc(label, func(r rune) bool { return r <= ' ' }) {
		return ""
	}
	_, name, _ := codec.Charset(string(label))
	if name == "UTF-16LE" || name == "UTF-16BE" {
		return "UTF-8"
	}
	return name
}
