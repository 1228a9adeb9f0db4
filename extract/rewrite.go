package extract

import (
	"bytes"
	"encoding/binary"
	"sort"
	"strconv"
	"unicode/utf8"

	"absolink/base"
	"absolink/extract/codec"
)

// lift turns edits of a region's text into edits of the text that the region stands in.
// What cannot be spelled there is reported and left as it is.
func (w *Walker) lift(e *Entity, fr *frame, region codec.Span, src []byte, c codec.Codec, edits []codec.Edit) []codec.Edit {
	if len(edits) == 0 {
		return nil
	}
	lifted, err := codec.Lift(c, src, edits)
	if err != nil {
		w.report(e, fr, region.Start, RewriteRefused, err.Error())
		return nil
	}
	return shift(lifted, region.Start)
}

// shift moves edits by n bytes, in place.
func shift(edits []codec.Edit, n int) []codec.Edit {
	for i := range edits {
		edits[i].Start += n
		edits[i].End += n
	}
	return edits
}

// baseEdit gives the edits of a declared base: it is made absolute, or emptied or taken
// out. One that was never asked stays.
func (w *Walker) baseEdit(e *Entity, at *finding, candidates []base.Candidate) []codec.Edit {
	if !w.rewriting || at.base.refuse != "" && w.BaseURLs == BaseKeep {
		return nil
	}
	region := codec.Span{Start: at.start, End: at.end}
	src := e.frame.text[at.start:at.end]
	if at.base.element.Len() > 0 && w.BaseURLs != BaseKeep {
		if w.BaseURLs == BaseRemove {
			return []codec.Edit{{Span: at.base.element}}
		}
		text, _ := at.codec.Decode(src)
		return w.lift(e, e.frame, region, src, at.codec, []codec.Edit{{Span: codec.Span{End: len(text)}}})
	}
	offset := e.frame.span(codec.Span{Start: at.start, End: at.start}).Start
	for _, c := range candidates {
		if c.Own && c.Offset == offset && c.Verdict != base.Rejected && c.Relative {
			return w.lift(e, e.frame, region, src, at.codec, []codec.Edit{{Span: codec.Span{End: len(c.Value)}, New: []byte(c.URL)}})
		}
	}
	return nil
}

// spellable readies edits of a text for a charset that does not have every letter. A
// letter that it lacks becomes a character reference where those are read; else the edit
// is reported and dropped.
func (w *Walker) spellable(e *Entity, charset codec.Codec, edits []codec.Edit) []codec.Edit {
	kept := edits[:0]
	for _, edit := range edits {
		if _, err := charset.Encode(nil, nil, codec.Span{}, edit.New); err == nil {
			kept = append(kept, edit)
			continue
		}
		if !w.inReferences(e, edit.Start) {
			w.report(e, e.frame, edit.Start, RewriteRefused, quote(edit.New)+" has letters that the document's charset lacks")
			continue
		}
		var new []byte
		for rest := edit.New; len(rest) > 0; {
			_, n := utf8.DecodeRune(rest)
			if _, err := charset.Encode(nil, nil, codec.Span{}, rest[:n]); err != nil {
				r, _ := utf8.DecodeRune(rest)
				new = append(strconv.AppendInt(append(new, "&#"...), int64(r), 10), ';')
			} else {
				new = append(new, rest[:n]...)
			}
			rest = rest[n:]
		}
		edit.New = new
		kept = append(kept, edit)
	}
	return kept
}

// inReferences says whether an offset of the entity's text is in a region that is read
// with character references.
func (w *Walker) inReferences(e *Entity, offset int) bool {
	found := w.levels[e.depth].finder.found
	i := sort.Search(len(found), func(i int) bool { return found[i].end >= offset })
	return i < len(found) && found[i].start <= offset && found[i].codec != codec.Identity
}

// plainASCII says whether src holds only bytes that mean the same in every encoding a
// document without a byte order mark can declare: no high bit, and no escape, with which
// ISO-2022-JP begins its kanji.
func plainASCII(src []byte) bool {
	const high = 0x8080808080808080
	p := src
	for ; len(p) >= 32; p = p[32:] {
		if (binary.LittleEndian.Uint64(p)|binary.LittleEndian.Uint64(p[8:])|
			binary.LittleEndian.Uint64(p[16:])|binary.LittleEndian.Uint64(p[24:]))&high != 0 {
			return false
		}
	}
	for _, c := range p {
		if c >= 0x80 {
			return false
		}
	}
	return bytes.IndexByte(src, 0x1B) < 0
}
