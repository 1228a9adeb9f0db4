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

// ENEX is the format of exports of Evernote (evernote-export4.dtd). Each note is a record. The content of a note is ENML, an
// embedded XML document. ENML is HTML with a few more elements and no namespace, so it is read as HTML. A note that was
// clipped from a page has the URL of the page.
var ENEX = &mark.Format{
	Name:  enexType,
	Types: []string{"application/enex"},
	Exts:  []string{".enex"},
	Split: splitENEX,
	Holds: mark.Captures,
}

// SniffENEX reports whether a file has the root element of ENEX in its first bytes.
func SniffENEX(head []byte) bool { return bytes.Contains(head, []byte("<en-export")) }

const enexType = "application/enex+xml"

var sourceURLPlace = &mark.Place{Name: "source-url"}

// enexSkipped is the format of the text after the last note.
var enexSkipped = &mark.Format{Name: enexType, Fragment: true, Extract: func([]byte, *mark.Marks) {}}

// splitENEX yields the notes, each with the text before it. A note longer than limit is divided into pieces.
func splitENEX(in window.Window, limit int) iter.Seq2[mark.Chunk, error] {
	return func(yield func(mark.Chunk, error) bool) {
		s := enexSplitter{Window: in, limit: limit}
		for n := 1; ; {
			end, whole := s.next()
			if s.Err != nil {
				yield(mark.Chunk{}, s.Err)
				return
			}
			if len(s.Buf) == 0 {
				return
			}
			if !yield(s.chunk(n, end, whole), nil) || !whole && s.EOF {
				return
			}
			s.Drop(end)
			s.scan.at -= end
			if s.long = !whole; whole {
				n++
				s.note = false
			}
		}
	}
}

// enexSplitter finds the end of the note at the start of the window.
type enexSplitter struct {
	window.Window
	limit int
	scan  enexScan
	note  bool // the note has begun
	long  bool // a piece of the note was yielded
}

// chunk returns the n-th note, a piece of it, or the text after the last note. end and whole are the results of next.
func (s *enexSplitter) chunk(n, end int, whole bool) mark.Chunk {
	rec := mark.Chunk{Offset: s.Offset, Bytes: s.Buf[:end:end], Format: enexSkipped}
	switch {
	case !whole && !s.EOF || s.long || end > s.limit:
		rec.Format, rec.Entity = nil, mark.Numbered("note", n)
	case s.note:
		rec.Format = enexNote(n)
	}
	if !whole && s.EOF && rec.Format != nil && s.note {
		rec.Fault = &mark.Fault{Offset: end, Code: mark.RecordTruncated, Detail: mark.Numbered("note", n) + " has no end tag"}
	}
	return rec
}

// next returns the end of the note. whole is false in two cases. A note that is too long is divided, and end is the end
// of a piece. After the last note, end is the end of the file.
func (s *enexSplitter) next() (end int, whole bool) {
	for {
		tag, more := s.scan.next(s.Buf, s.EOF)
		switch {
		case more && s.EOF:
			return len(s.Buf), false
		case more && s.scan.at > s.limit: // len(s.Buf) would depend on the size of the reads
			return s.scan.at, false
		case more:
			s.More()
		case tag.is("note"):
			s.note = true
		case tag.is("/note"):
			return tag.end, true
		}
	}
}

// enexNote returns the format of the n-th note.
func enexNote(n int) *mark.Format {
	return &mark.Format{Name: enexType, Fragment: true, Extract: func(src []byte, m *mark.Marks) {
		var scan enexScan
		var content, url codec.Span
		open := -1        // the start of the content of the last element
		resource := false // inside of an attachment, which has its own source-url
		for {
			tag, more := scan.next(src, true)
			if more {
				break
			}
			switch {
			case tag.is("content"), tag.is("source-url"):
				open = tag.end
			case tag.is("/content") && open >= 0 && !resource:
				content = codec.Span{Start: open, End: tag.start}
			case tag.is("/source-url") && open >= 0 && !resource:
				url.Start, url.End = ascii.TrimSpace(src, open, tag.start)
			case tag.is("resource"):
				resource = true
			case tag.is("/resource"):
				resource = false
			}
		}
		scope := m.Retrieved(sourceURLPlace, url, spell.XMLURLContent)
		if inner, spelled := enexContent(src, content); spelled == nil && content.Len() > 0 {
			m.Fault(content.Start, mark.Undecodable, "the content of the note mixes a CDATA section or a comment with text or elements; it is not read")
		} else if inner.Len() > 0 {
			m.Part(scope, &mark.Place{Name: mark.Numbered("note", n)}, inner.Start, inner.End, spelled, m.FormatOf("text/html"), mark.Part{Charset: "utf-8", Given: true})
		}
	}}
}

// enexContent returns the span and the codec of the text of an element. The text is spelled in one of three ways:
//
//	<![CDATA[<p>]]>     one CDATA section, or several without text between them
//	&lt;p&gt;           text with references
//	<p>                 elements (Evernote for iOS)
//
// For a mixture of these, the codec is nil.
func enexContent(src []byte, content codec.Span) (codec.Span, codec.Codec) {
	text := src[content.Start:content.End]
	start, end := ascii.TrimSpace(src, content.Start, content.End)
	switch {
	case bytes.IndexByte(text, '<') < 0:
		return content, spell.CharData
	case !bytes.Contains(text, []byte("<!")):
		return content, codec.Identity
	case bytes.HasPrefix(src[start:end], xmlCDATA) && bytes.HasSuffix(src[start:end], xmlCDATAEnd):
		inner := codec.Span{Start: start + len(xmlCDATA), End: end - len(xmlCDATAEnd)}
		ends, joins := bytes.Count(src[inner.Start:inner.End], xmlCDATAEnd), bytes.Count(src[inner.Start:inner.End], []byte("]]><![CDATA["))
		if ends == joins {
			return inner, spell.CDATA
		}
	}
	return codec.Span{}, nil
}

// enexScan finds the tags of XML. It skips comments and CDATA sections.
type enexScan struct {
	at     int
	closer []byte // the end of the comment or of the section that at is in; nil outside of both
}

// enexTag is a tag, with its "<" and its ">". The name of an end tag begins with "/".
type enexTag struct {
	name       []byte
	start, end int
}

func (t enexTag) is(name string) bool { return string(t.name) == name }

var (
	xmlCDATA    = []byte("<![CDATA[")
	xmlCDATAEnd = []byte("]]>")
	xmlComment  = []byte("<!--")
	xmlDashes   = []byte("-->")
)

// next returns the next tag. more reports whether src ends before the end of the tag. eof reports whether src ends at the
// end of the file.
func (s *enexScan) next(src []byte, eof bool) (tag enexTag, more bool) {
	for {
		if s.closer != nil {
			i := bytes.Index(src[s.at:], s.closer)
			if i < 0 {
				s.at = max(s.at, len(src)-len(s.closer)+1)
				return enexTag{}, true
			}
			s.at, s.closer = s.at+i+len(s.closer), nil
		}
		i := bytes.IndexByte(src[s.at:], '<')
		if i < 0 {
			s.at = len(src)
			return enexTag{}, true
		}
		s.at += i
		rest := src[s.at:]
		switch {
		case bytes.HasPrefix(rest, xmlCDATA):
			s.at, s.closer = s.at+len(xmlCDATA), xmlCDATAEnd
			continue
		case bytes.HasPrefix(rest, xmlComment):
			s.at, s.closer = s.at+len(xmlComment), xmlDashes
			continue
		case len(rest) < len(xmlCDATA) && !eof:
			return enexTag{}, true
		}
		// The tags that count have no attribute with a ">".
		end := bytes.IndexByte(rest[:min(len(rest), longestENEXTag)], '>')
		switch {
		case end < 0 && len(rest) < longestENEXTag && !eof:
			return enexTag{}, true
		case end < 0:
			s.at++
			continue
		}
		name := rest[1:end]
		for i, c := range name {
			if ascii.IsSpace(c) {
				name = name[:i]
				break
			}
		}
		tag = enexTag{name, s.at, s.at + end + 1}
		s.at = tag.end
		return tag, false
	}
}

// longestENEXTag is the longest tag that is read, in bytes.
const longestENEXTag = 1024
