package codec

// This file cuts quoted-printable into pieces.

import "bytes"

// cuts cuts at the starts of lines, and in the middle of lines that are much too long.
func (quotedPrintable) cuts(src, _ []byte) func(int) int {
	return func(i int) int {
		if n := bytes.IndexByte(src[i-1:min(i+pieceLen, len(src))], '\n'); n >= 0 {
			return i + n
		}
		for i < len(src) && src[i-1] != '\n' {
			if i = untouched(src, i, len("=XX"), notInLine); i == len(src) || !notInLine[src[i]] {
				break
			}
			i++
		}
		return i
	}
}

// notInLine has the bytes that depend on their place in a line, or start an escape.
var notInLine = setOf("= \t\r\n")

// inPieces returns a function that continues in the next piece to spell a line that it has changed in the piece before.
//
//	source             pieces                new text                   new source
//	<a href=3D x ...   <a hr | ef=3D x ...   x is http://h/x, <a hr     <a hr=␍␊ef=3D http://h/x ...
//	                                         is unchanged
//
// A line is unchanged before the piece with its first edit. At the start of this piece, the function writes a soft break.
func (c quotedPrintable) inPieces(src, _ []byte) pieceLifter {
	c.newline = nearestNewline(src, Span{}, c.newline)
	return func(r *Replacer, at Stretch, edits []Edit) ([]Edit, error) {
		piece := src[at.Src.Start:at.Src.End]
		if starts := startsLine(src, at.Src.Start); starts {
			c.middle, c.broken = false, false
		} else {
			c.middle = !c.broken
		}
		c.open = at.Src.End < len(src) && !startsLine(src, at.Src.End)
		out, err := r.lift(c, piece, edits)
		c.broken = c.open && len(out) > 0 && out[len(out)-1].End == len(piece)
		return out, err
	}
}

// goesOn reports whether a source needs edits even if its text does not change, because a line before it was changed.
func goesOn(c Codec) bool {
	q, ok := c.(quotedPrintable)
	return ok && q.broken
}
