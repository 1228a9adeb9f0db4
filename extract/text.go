package extract

import (
	"absolink/extract/internal/ascii"
	"absolink/extract/internal/codec"
	"absolink/extract/internal/mark"
	"absolink/resolve"
	"bytes"
)

// frame is a text and where it came from: the way back from its offsets to those of the
// entity it stands in.
type frame struct {
	parent *frame // nil for an entity's own
	text   []byte
	start  int              // where src begins in the parent's text, or in the entity's bytes
	src    []byte           // what spells the text
	codec  codec.Codec      // how; nil if src is the text
	where  *codec.SourceMap // made when it is asked for
}

// decode makes the frame that of src, which stands at start in the parent's text. Its text
// may be in room, see codec.DecodeInto.
func (fr *frame) decode(parent *frame, start int, src []byte, c codec.Codec, room *[]byte) error {
	text, err := codec.DecodeInto(room, c, src)
	*fr = frame{parent: parent, text: text, start: start, src: src}
	if len(text) != len(src) || len(text) > 0 && &text[0] != &src[0] {
		fr.codec = c
	}
	return err
}

// span gives what in the entity's bytes spells a range of the text.
func (fr *frame) span(s codec.Span) codec.Span {
	for ; fr != nil; fr = fr.parent {
		if fr.codec != nil {
			if fr.where == nil {
				fr.where = codec.NewSourceMap(fr.codec, fr.src, fr.text)
			}
			s = fr.where.Span(s)
		}
		s.Start += fr.start
		s.End += fr.start
	}
	return s
}

// offset gives where in the entity's bytes a place in the text is spelled.
func (fr *frame) offset(at int) int { return fr.span(codec.Span{Start: at, End: at}).Start }

// textEncoding is how a record's bytes spell its text: the codec, nil when they are the text,
// and the encoding's name where one was needed.
type textEncoding struct {
	codec codec.Codec
	name  string
	late  *mark.Format // see spelling
	ascii bool         // it is called US-ASCII, which the Encoding Standard reads as windows-1252
}

// encodingOf asks the format which encoding an entity is in.
func (w *Walker) encodingOf(e *Entity, format *mark.Format, transport string) textEncoding {
	if format.Charset == nil {
		return textEncoding{}
	}
	if transport != "" {
		if _, _, ok := codec.Charset(transport); !ok {
			w.report(e, nil, 0, CharsetUnknown, mark.Quote([]byte(transport))+" is no encoding that the Encoding Standard knows")
			transport = ""
		}
	}
	if transport == "" && w.Standard != resolve.WHATWG && ascii.PlainASCII(e.Bytes) {
		// The same text in every encoding that could be declared here. What is put into
		// it may be other letters.
		return textEncoding{late: format}
	}
	return charsetBy(format, e.Bytes, transport)
}

// charsetBy is the encoding of a document as its format tells it; the codec is nil for UTF-8.
func charsetBy(format *mark.Format, src []byte, transport string) textEncoding {
	label := format.Charset(src, transport)
	c, name, ok := codec.Charset(label)
	if !ok || name == "UTF-8" {
		c = nil
	}
	return textEncoding{codec: c, name: name, ascii: isUSASCII(label) || isUSASCII(transport)}
}

func isUSASCII(label string) bool {
	return ascii.FoldEqual([]byte(label), "us-ascii") || ascii.FoldEqual([]byte(label), "ascii")
}

// spelling is the charset that edits of a record have to be spelled in.
type spelling struct {
	codec codec.Codec  // nil: UTF-8, or not asked yet
	late  *mark.Format // tells the codec of a record that is ASCII so far
	src   []byte       // the record, for late

	sevenBit bool // 7bit stays 7bit (RFC 2045 2.7), and US-ASCII stays that (RFC 2046 4.1.2, XML 1.0 4.3.3)
}

// shifts are the ASCII letters that ISO-2022-JP cannot spell (Encoding Standard 12.2.2, step 3).
const shifts = "\x0E\x0F\x1B"

// lacks says whether the charset has no spelling for a text.
func (s *spelling) lacks(text []byte) bool {
	if s.codec == nil && s.late == nil && !s.sevenBit {
		return false // UTF-8
	}
	plain := ascii.IsASCII(text)
	if plain && bytes.IndexAny(text, shifts) < 0 {
		return false
	}
	if s.late != nil {
		enc := charsetBy(s.late, s.src, "")
		s.codec, s.late, s.sevenBit = enc.codec, nil, s.sevenBit || enc.ascii
	}
	if s.sevenBit && !plain {
		return true
	}
	if s.codec == nil {
		return false
	}
	_, err := s.codec.Encode(nil, nil, codec.Span{}, text)
	return err != nil
}

// escape writes the letters that the charset lacks as escapes of the codec that the
// edits were made for, where it has such.
func (s *spelling) escape(c codec.Codec, edits []codec.Edit) {
	for i := range edits {
		if s.lacks(edits[i].New) {
			edits[i].New = codec.Escape(c, edits[i].New, s.lacks)
		}
	}
}
