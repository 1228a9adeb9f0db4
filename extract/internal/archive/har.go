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
	Mark:     extractHAR,
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
	h.read = h.entryFields()
	end := h.json.Fields(h.json.SkipSpace(0), fields{"log": h.fields(fields{"entries": func(p int) int {
		h.logged = true
		return h.json.Elements(p, h.entry)
	}})})
	if h.json.Broken {
		m.Fault(end, mark.RecordTruncated, "the JSON is truncated or not valid here; the rest of the file is not read")
	} else if !h.logged {
		m.Fault(0, mark.RecordTruncated, "the file is not a HAR: it has no list log.entries")
	}
}

type fields = map[string]func(value int) (end int)

type harReader struct {
	src   []byte
	marks *mark.Marks
	json  json.Reader
	n     int // the number of entries so far

	logged bool // the archive has a list of entries

	harEntry        // the current one
	read     fields // set it
}

// harEntry has the values of an entry. Missing ones are empty.
type harEntry struct {
	url, method, redirect, status, bodySize codec.Span
	body, mimeType, encoding, size          codec.Span
	file                                    codec.Span  // in which Playwright keeps the content
	links                                   []mark.Mark // in the headers of the response
}

// entry marks the response of the entry at p, and returns the index after the entry. Of repeated keys, the last one
// wins.
func (h *harReader) entry(p int) (end int) {
	h.n++
	h.harEntry = harEntry{links: h.links[:0]}
	end = h.json.Fields(p, h.read)
	if h.redirect.Len() > 0 {
		h.links = append(h.links, mark.Mark{Start: h.redirect.Start, End: h.redirect.End, Codec: spell.JSONString,
			Place: redirectURLPlace})
	}
	switch {
	case h.body.Len() > 0 || h.json.Broken:
	case h.file.Len() > 0 && h.isDocument():
		h.marks.Note(h.file.Start, mark.NotRead,
			"the content is in the file "+mark.Quote(h.text(h.file))+" beside the HAR; rewrite that file on its "+
				"own, with the URL of the entry, "+mark.Quote(h.text(h.url)))
	case h.omits():
		h.marks.Unread(mark.Omitted, mark.Numbered("entry", h.n), 0)
	}
	if len(h.links) == 0 && h.body.Len() == 0 {
		return end
	}
	scope := h.marks.Retrieved(requestURLPlace, h.url, spell.JSONString)
	slices.SortFunc(h.links, func(a, b mark.Mark) int { return a.Start - b.Start })
	before := 0 // the links before the content
	for before < len(h.links) && h.links[before].Start <= h.body.Start {
		before++
	}
	h.add(scope, h.links[:before])
	h.content(scope)
	h.add(scope, h.links[before:])
	return end
}

// entryFields returns the functions that set the values of the current entry.
func (h *harReader) entryFields() fields {
	content := fields{"text": h.reads(&h.body), "mimeType": h.reads(&h.mimeType), "encoding": h.reads(&h.encoding),
		"_file": h.reads(&h.file), "_sha1": h.reads(&h.file), "size": h.spans(&h.size)}
	response := fields{"redirectURL": h.reads(&h.redirect), "status": h.spans(&h.status),
		"bodySize": h.spans(&h.bodySize), "content": h.fields(content),
		"headers": func(p int) int {
			h.links = h.links[:0]
			return h.json.Elements(p, h.field)
		},
	}
	request := fields{"url": h.reads(&h.url), "method": h.reads(&h.method)}
	return fields{"request": h.fields(request), "response": h.fields(response)}
}

func (h *harReader) fields(read fields) func(p int) int {
	return func(p int) int { return h.json.Fields(p, read) }
}

func (h *harReader) add(scope int32, links []mark.Mark) {
	for _, link := range links {
		link.ScopeNumber = scope
		h.marks.Add(link)
	}
}

// field adds the links in the header field at p, and returns the index after the field.
func (h *harReader) field(p int) (end int) {
	var name, value, other codec.Span
	end = h.json.Members(p, func(key codec.Span, p int) (end int) {
		at := &other
		if h.json.Is(key, "name") {
			at = &name
		} else if h.json.Is(key, "value") {
			at = &value
		}
		*at, end = h.json.Text(p)
		return end
	})
	if place, format := header.TextField(h.text(name)); format != nil && value.Len() > 0 {
		h.links = append(h.links, mark.Mark{Start: value.Start, End: value.End, Codec: spell.JSONString, Place: place,
			Format: format, Kind: mark.IsInline})
	}
	return end
}

// content marks the content of a response. Content in base64 has the retrieved bytes, in their charset. Other content
// is already decoded to Unicode, so its charset is ignored.
func (h *harReader) content(scope int32) {
	text, encoding := h.body, h.text(h.encoding)
	if text.Len() == 0 {
		return
	}
	p, spelled := mark.Part{Charset: "utf-8"}, spell.JSONString
	mediaType, params := header.HTTPContentType(h.text(h.mimeType))
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
	if h.size.Len() > 0 {
		h.marks.Mends(mendSize(h.size, text, spelled))
	}
	h.marks.NumberedPart(scope, entryPlace, h.n, text.Start, text.End, spelled, format, p)
}

// omits reports whether an entry without content belongs to a document that had content: by its status and method the
// response has a body that is not known to be empty. The body of a redirect is not a document.
func (h *harReader) omits() bool {
	if !h.isDocument() {
		return false
	}
	status := h.number(h.status)
	if h.status.Len() > 0 && status <= 0 || status/100 == 1 || status/100 == 3 || status == 204 || status == 205 ||
		ascii.FoldEqual(h.text(h.method), "head") {
		return false
	}
	size, bodySize := h.number(h.size), h.number(h.bodySize)
	return size > 0 || bodySize > 0 || size < 0 && bodySize < 0
}

// isDocument reports whether the media type of a content is that of a document.
func (h *harReader) isDocument() bool {
	mediaType, _ := header.HTTPContentType(h.text(h.mimeType))
	format := h.marks.FormatOf(mediaType)
	return format != nil && format.Is == nil
}

// reads returns a function that sets at to the text of a string.
func (h *harReader) reads(at *codec.Span) func(p int) int {
	return func(p int) (end int) {
		*at, end = h.json.Text(p)
		return end
	}
}

// spans returns a function that sets at to a value.
func (h *harReader) spans(at *codec.Span) func(p int) int {
	return func(p int) int {
		*at = codec.Span{Start: p, End: h.json.Skip(p)}
		return at.End
	}
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

// mendSize returns the Mender of a content.size, the number of bytes of a text. A size that was wrong before stays.
func mendSize(size, of codec.Span, spelled codec.Codec) mark.Mender {
	return func(src []byte, edits []codec.Edit) []codec.Edit {
		if len(mark.Within(edits, of)) == 0 {
			return nil
		}
		text, _ := spelled.Decode(src[of.Start:of.End])
		if was, err := strconv.Atoi(string(src[size.Start:size.End])); err != nil || was != len(text) {
			return nil
		}
		text, _ = spelled.Decode(mark.Edited(src, of, edits))
		return []codec.Edit{{Span: size, New: strconv.AppendInt(nil, int64(len(text)), 10)}}
	}
}
