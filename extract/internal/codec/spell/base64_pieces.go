package spell

import (
	"bytes"

	"absolink/extract/internal/ascii"
	"absolink/extract/internal/codec"
)

// base64Shape is the shape of a source of whole quanta in lines of one width. Most sources are like that.
type base64Shape struct {
	width, eol int // the length of a line, and of its line end
	end        int // the end of the data
}

// shapeOf returns the shape of a source. It returns false if the source has another shape.
func shapeOf(src, text []byte) (s base64Shape, ok bool) {
	s.width, s.eol = bytes.IndexByte(src, '\n'), 1
	if s.width < 0 {
		s.width = len(src)
	} else if s.width > 0 && src[s.width-1] == '\r' {
		s.width, s.eol = s.width-1, 2
	}
	s.end = len(src)
	for s.end > 0 && ascii.IsSpace(src[s.end-1]) {
		s.end--
	}
	if s.width >= s.end {
		s.width = s.end
	}
	if s.width == 0 || s.width%4 != 0 || s.end%(s.width+s.eol)%4 != 0 || !allAsWide(src[:s.end], s.width, s.eol) {
		return s, false
	}
	// If the text has the greatest length for so many letters, there is no junk, and padding is only at the end.
	letters := s.end - s.end/(s.width+s.eol)*s.eol
	padding := s.end - len(bytes.TrimRight(src[:s.end], "="))
	return s, letters == (len(text)+2)/3*4 && padding == (3-len(text)%3)%3
}

// place returns the offset in the source of the quantum that an edit of the text changes first.
func (s base64Shape) place(e codec.Edit) int {
	at := e.Start / 3 * 4 // the number of letters before it
	if e.Len() == 0 && e.Start%3 == 0 && e.Start > 0 {
		return at + (at-4)/s.width*s.eol // directly after the quantum before, and before a line break
	}
	return at + at/s.width*s.eol
}

// atoms returns the atoms of the source.
func (s base64Shape) atoms(src, text []byte) (atoms codec.Atoms) {
	at, t := 0, 0
	for at < s.end {
		n := min(s.width, s.end-at) / 4
		whole := min(n, (len(text)-t)/3)
		atoms.AddRun(codec.Atom{Src: at, Text: t, N: whole, SrcLen: 4, TextLen: 3})
		if at, t = at+4*whole, t+3*whole; whole < n { // the last quantum has padding
			atoms.Add(at, t, 4, len(text)-t)
			at, t = at+4, len(text)
		}
		if at < s.end {
			atoms.Add(at, t, s.eol, 0)
			at += s.eol
		}
	}
	atoms.Add(at, t, len(src)-at, 0)
	return atoms
}

// Cut cuts between quanta, and only at the ends of lines if there are several lines.
func (c base64Codec) Cut(src, text []byte, _ int) codec.Cuts {
	s, ok := shapeOf(src, text)
	if !ok {
		return codec.Cuts{}
	}
	unit := s.width + s.eol
	if s.width == s.end {
		unit = 4
	}
	next := func(i int) int {
		if i = (i + unit - 1) / unit * unit; i >= s.end {
			return len(src)
		}
		return i
	}
	return codec.Cuts{Next: next, Lift: c.inPieces(s, src, text)}
}

func (base64Codec) InPlace() bool { return false }

// inPieces returns a function that spells all data from the first changed quantum on. If the new text of a piece is no
// whole number of quanta, its last bytes are spelled with the next piece.
func (c base64Codec) inPieces(shape base64Shape, src, text []byte) codec.PieceLifter {
	w := base64Writer{}
	if w.width, w.end = base64Lines(src, c.newline); c.line {
		w.width = 0
	}
	var rest []byte // the bytes for the next piece
	begun := false
	return func(r *codec.Replacer, at codec.Stretch, edits []codec.Edit) ([]codec.Edit, error) {
		src, text, last := src[at.Src.Start:at.Src.End], text[at.Text.Start:at.Text.End], at.Src.End == len(src)
		edits, err := codec.Trim(text, edits)
		if err != nil || len(edits) == 0 && !begun {
			return nil, err
		}
		from, span := 0, codec.Span{Start: 0, End: len(src)}
		if last {
			span.End = shape.end - at.Src.Start
		}
		if !begun {
			if last && edits[0].Start >= (len(text)-1)/3*3 {
				return r.Lift(c, src, text, edits)
			}
			begun, from, span.Start = true, edits[0].Start/3*3, shape.place(edits[0])
			w.col = span.Start % (shape.width + shape.eol)
		}
		made := codec.Joined(edits)
		fresh := append(make([]byte, 0, len(rest)+len(text)-from+codec.Grown(edits)), rest...)
		fresh = codec.Apply(fresh, text[from:], codec.Shift(edits, -from))
		if n := len(fresh) / 3 * 3; !last {
			fresh, rest = fresh[:n], fresh[n:]
		}
		w.write(fresh)
		out := w.out
		w.out = nil
		return []codec.Edit{{Span: span, New: out, Changes: made}}, nil
	}
}
