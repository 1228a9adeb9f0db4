package archive

import (
	"bytes"
	"iter"

	"absolink/extract/internal/ascii"
	"absolink/extract/internal/codec"
	"absolink/extract/internal/codec/spell"
	"absolink/extract/internal/mark"
	"absolink/extract/internal/window"
)

// ENEX is the format of exports of Evernote (evernote-export4.dtd). Each note is a record:
//
//	<note><title>t</title><note-attributes><source-url>http://h/p/</source-url></note-attributes>
//	<content><![CDATA[<en-note>...</en-note>]]></content><resource>...</resource></note>
//
// The content of a note is ENML, an embedded XML document. It is read as HTML, because ENML is HTML with a few more
// elements and no namespace. A note that was clipped from a page has the page's URL. Tags are found as Evernote writes
// them, without attributes and never in a comment; ENML has no elements with these names.
var ENEX = &mark.Format{
	Name:  enexType,
	Types: []string{"application/enex"},
	Exts:  []string{".enex"},
	Split: splitENEX,
	Holds: mark.Captures,
}

const enexType = "application/enex+xml"

// SniffENEX reports whether a file has the root element of ENEX in its first bytes.
func SniffENEX(head []byte) bool { return bytes.Contains(head, []byte("<en-export")) }

var (
	sourceURLPlace = &mark.Place{Name: "source-url"}

	enexStart, enexEnd = []byte("<note>"), []byte("</note>")
)

// splitENEX yields the notes, each with the text before it, and then the text after the last note. A note longer than
// limit comes in pieces.
func splitENEX(in window.Window, limit int) iter.Seq2[mark.Chunk, error] {
	return func(yield func(mark.Chunk, error) bool) {
		w, pieces := in, false
		for n := 1; ; {
			end, whole := nextENEX(&w, limit)
			if w.Err != nil {
				yield(mark.Chunk{}, w.Err)
				return
			}
			if len(w.Buf) == 0 {
				return
			}
			rec := mark.Chunk{Offset: w.Offset, Bytes: w.Buf[:end:end], Format: enexNote(n)}
			switch last := end == len(w.Buf) && w.EOF; {
			case pieces || !whole && !last:
				rec.Format, rec.Entity = nil, mark.Numbered("note", n)
			case !whole && bytes.Contains(rec.Bytes, enexStart):
				rec.Fault = &mark.Fault{Offset: end, Code: mark.RecordTruncated,
					Detail: mark.Numbered("note", n) + " has no end tag"}
			}
			if !yield(rec, nil) {
				return
			}
			w.Drop(end)
			if pieces = !whole; whole {
				n++
			}
		}
	}
}

// nextENEX returns the end of the note at the start of the window. If whole is false, it is the end of the file, or of
// a piece of a longer note. Where a piece ends does not depend on the size of the reads, and is never inside an end
// tag.
func nextENEX(w *window.Window, limit int) (end int, whole bool) {
	for from := 0; ; w.More() {
		within := w.Buf[:min(len(w.Buf), limit)]
		if i := bytes.Index(within[from:], enexEnd); i >= 0 {
			return from + i + len(enexEnd), true
		}
		from = max(0, len(within)-len(enexEnd)+1)
		switch {
		case len(w.Buf) > limit:
			return max(1, from), false
		case w.EOF:
			return len(w.Buf), false
		}
	}
}

func enexNote(n int) *mark.Format {
	return &mark.Format{Name: enexType, Fragment: true, Mark: func(src []byte, m *mark.Marks) {
		content, ok := enexElement(src, codec.Span{End: len(src)}, "content")
		if !ok {
			if bytes.HasSuffix(src, enexEnd) && content.Start > 0 {
				m.Fault(content.Start, mark.RecordTruncated, "the content of the note has no end tag; it is not read")
			}
			return
		}
		attributes, ok := enexElement(src, codec.Span{End: content.Start}, "note-attributes")
		if !ok {
			attributes, _ = enexElement(src, codec.Span{Start: content.End, End: len(src)}, "note-attributes")
		}
		url, _ := enexElement(src, attributes, "source-url") // a resource has a source-url of its own
		url.Start, url.End = ascii.TrimSpace(src, url.Start, url.End)
		scope := m.Retrieved(sourceURLPlace, url, spell.XMLURLContent)
		if inner, spelled := enexContent(src, content); spelled == nil && content.Len() > 0 {
			m.Fault(content.Start, mark.Undecodable,
				"the content of the note mixes a CDATA section or a comment with text or elements; it is not read")
		} else if inner.Len() > 0 {
			m.Part(scope, &mark.Place{Name: mark.Numbered("note", n)}, inner.Start, inner.End, spelled,
				m.FormatOf("text/html"), mark.Part{Charset: "utf-8", Given: true})
		}
	}}
}

// enexElement returns the content of the element with this name in a part of src. ok is false if it has no start tag or
// no end tag; at.Start is 0 without a start tag. The name occurs once in the part, so the last end tag is the right
// one, even if the element has the text of another.
func enexElement(src []byte, part codec.Span, name string) (at codec.Span, ok bool) {
	start := bytes.Index(src[part.Start:part.End], []byte("<"+name+">"))
	if start < 0 {
		return codec.Span{}, false
	}
	at.Start = part.Start + start + len(name) + len("<>")
	n := bytes.LastIndex(src[at.Start:part.End], []byte("</"+name+">"))
	at.End = at.Start + max(0, n)
	return at, n >= 0
}

// enexContent returns the span and the codec of the text of an element, which can be spelled in three ways:
//
//	<![CDATA[<p>]]>     one CDATA section, or several without text between them
//	&lt;p&gt;           text with references
//	<p>                 elements (Evernote for iOS)
//
// The codec is nil for a mixture of these.
func enexContent(src []byte, content codec.Span) (codec.Span, codec.Codec) {
	const cdata, cdataEnd = "<![CDATA[", "]]>"
	text := src[content.Start:content.End]
	start, end := ascii.TrimSpace(src, content.Start, content.End)
	switch {
	case bytes.IndexByte(text, '<') < 0:
		return content, spell.CharData
	case !bytes.Contains(text, []byte("<!")):
		return content, codec.Identity
	case bytes.HasPrefix(src[start:end], []byte(cdata)) && bytes.HasSuffix(src[start:end], []byte(cdataEnd)):
		inner := codec.Span{Start: start + len(cdata), End: end - len(cdataEnd)}
		ends, joins := bytes.Count(src[inner.Start:inner.End],
			[]byte(cdataEnd)), bytes.Count(src[inner.Start:inner.End], []byte(cdataEnd+cdata))
		if ends == joins {
			return inner, spell.CDATA
		}
	}
	return codec.Span{}, nil
}
