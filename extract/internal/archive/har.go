package archive

import (
	"bytes"
	"slices"
	"strconv"

	"absolink/extract/internal/ascii"
	"absolink/extract/internal/codec"
	"absolink/extract/internal/codec/spell"
	"absolink/extract/internal/header"
	"absolink/extract/internal/http"
	"absolink/extract/internal/json"
	"absolink/extract/internal/mark"
)

// HAR is the format of HTTP archives (version 1.2): the documents that a browser has loaded, as JSON. The URL of a
// request is the retrieval URL of the response's content. The archive's own links are the values of redirectURL, and
// those in the headers of responses.
var HAR = &mark.Format{
	Name:     "application/har+json",
	Types:    []string{"application/x-har"},
	Exts:     []string{".har"},
	Extract:  extractHAR,
	Places:   func() []string { return []string{redirectURLPlace.Name} },
	Holds:    mark.Captures,
	Fragment: true,
}

// SniffHAR reports whether a file begins like the JSON of a HAR.
func SniffHAR(head []byte) bool { return json.Begins(head, "log") }

var (
	requestURLPlace  = &mark.Place{Name: "request.url"}
	redirectURLPlace = &mark.Place{Name: "response.redirectURL"}
	entryPlace       = &mark.Place{Name: "entry"}
)

func extractHAR(src []byte, m *mark.Marks) {
	h := &harReader{src: src, marks: m, json: json.Reader{Src: src}}
	end := h.json.Members(h.json.SkipSpace(0), func(key codec.Span, p int) int {
		if !h.json.Is(key, "log") {
			return h.json.Skip(p)
		}
		return h.json.Members(p, func(key codec.Span, p int) int {
			if !h.json.Is(key, "entries") {
				return h.json.Skip(p)
			}
			h.logged = true
			return h.json.Elements(p, h.entry)
		})
	})
	if len(h.sizes) > 0 {
		m.Mends(h.mend)
	}
	if h.json.Broken {
		m.Fault(end, mark.RecordTruncated, "the JSON is truncated or not valid here; the rest of the file is not read")
	} else if !h.logged {
		m.Fault(0, mark.RecordTruncated, "the file is not a HAR: it has no list log.entries")
	}
}

type harReader struct {
	src   []byte
	marks *mark.Marks
	json  json.Reader
	n     int // the number of entries so far
	sizes []harSize

	logged bool // the archive has a list of entries
}

// harContent has the values of an entry that describe the content of its response. Missing ones are empty.
type harContent struct {
	text, mimeType, encoding, size codec.Span
	file                           codec.Span // the name of the file in which Playwright keeps the content
	method, status, bodySize       codec.Span
}

// harSize is a content.size, the number of bytes of a text.
type harSize struct {
	value, text codec.Span
	spelled     codec.Codec
}

// entry marks the response of the entry at p, and returns the index after the entry. Of repeated keys, the last one
// wins.
func (h *harReader) entry(p int) (end int) {
	h.n++
	var url, redirect codec.Span
	var c harContent
	var links []mark.Mark // in the headers of the response
	content := func(key codec.Span, p int) (end int) {
		switch {
		case h.json.Is(key, "text"):
			c.text, end = h.json.Text(p)
		case h.json.Is(key, "mimeType"):
			c.mimeType, end = h.json.Text(p)
		case h.json.Is(key, "_file"), h.json.Is(key, "_sha1"):
			c.file, end = h.json.Text(p)
		case h.json.Is(key, "encoding"):
			c.encoding, end = h.json.Text(p)
		case h.json.Is(key, "size"):
			c.size, end = h.value(p)
		default:
			end = h.json.Skip(p)
		}
		return end
	}
	response := func(key codec.Span, p int) (end int) {
		switch {
		case h.json.Is(key, "redirectURL"):
			redirect, end = h.json.Text(p)
		case h.json.Is(key, "headers"):
			links = links[:0]
			end = h.json.Elements(p, func(p int) int { return h.field(p, &links) })
		case h.json.Is(key, "content"):
			end = h.json.Members(p, content)
		case h.json.Is(key, "status"):
			c.status, end = h.value(p)
		case h.json.Is(key, "bodySize"):
			c.bodySize, end = h.value(p)
		default:
			end = h.json.Skip(p)
		}
		return end
	}
	request := func(key codec.Span, p int) (end int) {
		switch {
		case h.json.Is(key, "url"):
			url, end = h.json.Text(p)
		case h.json.Is(key, "method"):
			c.method, end = h.json.Text(p)
		default:
			end = h.json.Skip(p)
		}
		return end
	}
	end = h.json.Members(p, func(key codec.Span, p int) int {
		switch {
		case h.json.Is(key, "request"):
			return h.json.Members(p, request)
		case h.json.Is(key, "response"):
			return h.json.Members(p, response)
		}
		return h.json.Skip(p)
	})
	if redirect.Len() > 0 {
		links = append(links, mark.Mark{Start: redirect.Start, End: redirect.End, Codec: spell.JSONString,
			Place: redirectURLPlace})
	}
	switch {
	case c.text.Len() > 0 || h.json.Broken:
	case c.file.Len() > 0 && h.isDocument(&c):
		h.marks.Note(c.file.Start, mark.NotRead,
			"the content is in the file "+mark.Quote(h.text(c.file))+" beside the HAR; rewrite that file on its "+
				"own, with the URL of the entry, "+mark.Quote(h.text(url)))
	case h.omits(&c):
		h.marks.Unread(mark.Omitted, mark.Numbered("entry", h.n), 0)
	}
	if len(links) == 0 && c.text.Len() == 0 {
		return end
	}
	scope := h.marks.Retrieved(requestURLPlace, url, spell.JSONString)
	slices.SortFunc(links, func(a, b mark.Mark) int { return a.Start - b.Start })
	before := 0 // the links before the content
	for before < len(links) && links[before].Start <= c.text.Start {
		before++
	}
	h.links(scope, links[:before])
	h.content(scope, &c)
	h.links(scope, links[before:])
	return end
}

func (h *harReader) links(scope int32, links []mark.Mark) {
	for _, link := range links {
		link.Scope = scope
		h.marks.Add(link)
	}
}

// field adds the links in the header field at p, and returns the index after the field.
func (h *harReader) field(p int, links *[]mark.Mark) (end int) {
	var name, value codec.Span
	end = h.json.Members(p, func(key codec.Span, p int) (end int) {
		switch {
		case h.json.Is(key, "name"):
			name, end = h.json.Text(p)
		case h.json.Is(key, "value"):
			value, end = h.json.Text(p)
		default:
			end = h.json.Skip(p)
		}
		return end
	})
	if place, format := header.TextField(h.text(name)); format != nil && value.Len() > 0 {
		*links = append(*links, mark.Mark{Start: value.Start, End: value.End, Codec: spell.JSONString, Place: place,
			Format: format, Kind: mark.IsInline})
	}
	return end
}

// content marks the content of a response. Content in base64 has the retrieved bytes, in their charset. Other content
// is already decoded to Unicode, so its charset is ignored.
func (h *harReader) content(scope int32, c *harContent) {
	text, encoding := c.text, h.text(c.encoding)
	if text.Len() == 0 {
		return
	}
	p, spelled := mark.Part{Charset: "utf-8"}, spell.JSONString
	mediaType, params := header.HTTPContentType(h.text(c.mimeType))
	format, wanted := http.FormatOf(h.marks.FormatOf, mediaType)
	if !wanted {
		return
	}
	switch {
	case len(encoding) == 0:
	case ascii.FoldEqual(encoding, "base64"):
		p.Charset, spelled = params["charset"], spell.Base64Line
		if bytes.IndexByte(h.src[text.Start:text.End], '\\') >= 0 {
			spelled = codec.Nested(spell.JSONString, spell.Base64Line)
		}
	default:
		if format == nil || format.Is == nil {
			h.marks.Fault(text.Start, mark.Undecodable,
				"the encoding "+mark.Quote(encoding)+" is unknown; the content is not read")
		}
		return
	}
	if c.size.Len() > 0 {
		h.sizes = append(h.sizes, harSize{c.size, text, spelled})
	}
	h.marks.NumberedPart(scope, entryPlace, h.n, text.Start, text.End, spelled, format, p)
}

// omits reports whether an entry without content belongs to a document that had content: by its status and method the
// response has a body that is not known to be empty. The body of a redirect is not a document.
func (h *harReader) omits(c *harContent) bool {
	if !h.isDocument(c) {
		return false
	}
	status := h.number(c.status)
	if c.status.Len() > 0 && status <= 0 || status/100 == 1 || status/100 == 3 || status == 204 || status == 205 ||
		ascii.FoldEqual(h.text(c.method), "head") {
		return false
	}
	size, bodySize := h.number(c.size), h.number(c.bodySize)
	return size > 0 || bodySize > 0 || size < 0 && bodySize < 0
}

// isDocument reports whether the media type of a content is that of a document.
func (h *harReader) isDocument(c *harContent) bool {
	mediaType, _ := header.HTTPContentType(h.text(c.mimeType))
	format := h.marks.FormatOf(mediaType)
	return format != nil && format.Is == nil
}

// value returns the value at p, and the index after it.
func (h *harReader) value(p int) (value codec.Span, end int) {
	end = h.json.Skip(p)
	return codec.Span{Start: p, End: end}, end
}

// number returns a value as a number, or -1, which is how HAR writes an unknown number, if it is not one.
func (h *harReader) number(value codec.Span) int {
	n, err := strconv.Atoi(string(h.src[value.Start:value.End]))
	if err != nil {
		return -1
	}
	return n
}

func (h *harReader) text(s codec.Span) []byte {
	text, _ := spell.JSONString.Decode(h.src[s.Start:s.End])
	return text
}

// mend is a mark.Mender. It updates the sizes of the contents that change, except for those that were wrong before.
func (h *harReader) mend(src []byte, edits []codec.Edit) []codec.Edit {
	var out []codec.Edit
	for _, s := range h.sizes {
		if len(mark.Within(edits, s.text)) == 0 {
			continue
		}
		text, _ := s.spelled.Decode(src[s.text.Start:s.text.End])
		was, err := strconv.Atoi(string(src[s.value.Start:s.value.End]))
		if err != nil || was != len(text) {
			continue
		}
		text, _ = s.spelled.Decode(mark.Edited(src, s.text, edits))
		out = append(out, codec.Edit{Span: s.value, New: strconv.AppendInt(nil, int64(len(text)), 10)})
	}
	return out
}
