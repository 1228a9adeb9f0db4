package archive

import (
	"bytes"
	"iter"

	"absolink/extract/internal/ascii"
	"absolink/extract/internal/codec"
	"absolink/extract/internal/html"
	"absolink/extract/internal/mark"
	"absolink/extract/internal/window"
)

// ENEX is an export of Evernote (evernote-export4.dtd): notes, each a record. The content of
// a note is ENML, a document of XML inside the other: HTML with a few elements more, and
// without a namespace, so it is read as HTML. A note that was clipped from a page has the
// URL of it.
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

// enexPassed is what stands behind the last note.
var enexPassed = &mark.Format{Name: enexType, Fragment: true, Extract: func([]byte, *mark.Marks) {}}

// splitENEX gives the notes, each with what stands before it. A note beyond the limit comes
// in pieces.
func splitENEX(in window.Window, limit int) iter.Seq2[mark.Chunk, error] {
	return func(yield func(mark.Chunk, error) bool) {
		s := enexSplitter{Window: in, limit: limit}
		long := false // a part of the note has been given
		for n := 1; ; {
			end, whole := s.next()
			if s.Err != nil {
				yield(mark.Chunk{}, s.Err)
				return
			}
			if len(s.Buf) == 0 {
				return
			}
			rec := mark.Chunk{Offset: s.Offset, Bytes: s.Buf[:end:end], Format: enexPassed}
			switch {
			case !whole && !s.EOF || long || end > limit:
				rec.Format, rec.Entity = nil, mark.Numbered("note", n)
			case s.note:
				rec.Format = enexNote(n)
			}
			if !whole && s.EOF && rec.Format != nil && s.note {
				rec.Fault = &mark.Fault{Offset: end, Code: mark.RecordTruncated, Detail: mark.Numbered("note", n) + " has no end"}
			}
			if !yield(rec, nil) || !whole && s.EOF {
				return
			}
			s.Drop(end)
			s.scan.at -= end
			if long = !whole; whole {
				n++
				s.note = false
			}
		}
	}
}

// enexSplitter looks for the end of the note that the window begins with.
type enexSplitter struct {
	window.Window
	limit int
	scan  enexScan
	note  bool // it has begun
}

// next gives the end of the note, or with whole false that of a piece of one that is too
// long, or of what follows the last.
func (s *enexSplitter) next() (end int, whole bool) {
	for {
		tag, more := s.scan.next(s.Buf, s.EOF)
		switch {
		case more && s.EOF:
			return len(s.Buf), false
		case more && s.scan.at > s.limit: // not len(s.buf): that depends on how much is read at once
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

// enexNote is the format of the n-th note.
func enexNote(n int) *mark.Format {
	return &mark.Format{Name: enexType, Fragment: true, Extract: func(src []byte, f *mark.Marks) {
		var scan enexScan
		var content, url codec.Span
		open, resource := -1, false // where the element at hand begins; an attachment has a source of its own
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
		scope := f.Retrieved(sourceURLPlace, url, codec.XMLURLContent)
		if inner, spelled := enexContent(src, content); spelled == nil && content.Len() > 0 {
			f.Fault(content.Start, mark.Undecodable, "the content of a note is neither text nor elements nor one CDATA section; it is left as it is")
		} else if inner.Len() > 0 {
			f.Part(scope, &mark.Place{Name: mark.Numbered("note", n)}, inner.Start, inner.End, spelled, html.Format, mark.Part{Charset: "utf-8"})
		}
	}}
}

// enexContent gives what spells the text of an element: CDATA sections side by side, text with
// references, or as Evernote for iOS has it the elements of the note themselves. It is nothing for
// a mixture.
func enexContent(src []byte, content codec.Span) (codec.Span, codec.Codec) {
	text := src[content.Start:content.End]
	start, end := ascii.TrimSpace(src, content.Start, content.End)
	switch {
	case bytes.IndexByte(text, '<') < 0:
		return content, codec.CharData
	case !bytes.Contains(text, []byte("<!")):
		return content, codec.Identity
	case bytes.HasPrefix(src[start:end], xmlCDATA) && bytes.HasSuffix(src[start:end], xmlCDATAEnd):
		inner := codec.Span{Start: start + len(xmlCDATA), End: end - len(xmlCDATAEnd)}
		ends, joins := bytes.Count(src[inner.Start:inner.End], xmlCDATAEnd), bytes.Count(src[inner.Start:inner.End], []byte("]]><![CDATA["))
		if ends == joins {
			return inner, codec.CDATA
		}
	}
	return codec.Span{}, nil
}

// enexScan goes from tag to tag of XML, past comments and CDATA sections.
type enexScan struct {
	at     int
	closer []byte // what ends the comment or the section at hand; nil for none
}

// enexTag is a tag, from its "<" to behind its ">", and its name, with the "/" of an end tag.
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

// next gives the next tag, or says that more has to be read for it. eof says that there is
// no more.
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
		// A tag of interest has no attribute with a ">" in it.
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

const longestENEXTag = 1024
