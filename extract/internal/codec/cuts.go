package codec

// This file finds the places where a long source can be cut, so that Stretches and SourceMap need little memory.

// Cuts are the places where a long source can be cut into pieces.
//
// A cut is a boundary of atoms. The pieces before and after it decode to the text before and after it. This stays so if
// edits change the pieces, but not the characters beside the cut.
type Cuts struct {
	// Next returns the first cut at or after an offset i > 0, or the length of the source if there is none. The offsets
	// of its calls ascend.
	Next func(i int) int

	// Splits reports whether an edit of the text around the cut i may become two edits. It is nil if no edit may. The codec must
	// be able to spell the edits before the cut: if it refused the first edit, the second one would still remove text.
	Splits func(i int) bool

	// Spells reports whether the codec can spell an edit beside all other edits of this kind. It is called before Splits. It is
	// nil if the codec can spell every edit.
	Spells func(e *Edit) bool

	// Resume returns the codec of the source after a piece. It is called for each piece, in their order. It is nil if the
	// pieces have the codec of the source.
	Resume func(piece []byte) Codec

	// Lift lifts the edits of one piece after the other. It is nil if Lift lifts each piece alone.
	Lift PieceLifter
}

// PieceLifter lifts the edits of the stretches of one source, in their order. The edits count from the start of the
// text of the stretch, and the result counts from the start of its source.
type PieceLifter func(r *Replacer, at Stretch, edits []Edit) ([]Edit, error)

// Anywhere are the cuts of a source that can be cut everywhere.
var Anywhere = Cuts{Next: func(i int) int { return i }}

// pieceLen is the least length of a piece of a source, except that of the last one.
const pieceLen = 64 << 10

// pieces is a long source that is cut into pieces. It finds the pieces from left to right, when they are needed.
type pieces struct {
	src, text []byte
	least     int // the least length of a piece, except that of the last one
	cuts      Cuts
	codecs    []Codec    // of the pieces that were found, and of the next one
	ends      []boundary // of the pieces that were found
	atoms     Atoms      // of the last piece that was read
	read      int        // the number of that piece, from 1
}

// cut returns the pieces of a source. ok is false if the source is short, or if the codec cannot cut it.
func cut(c Codec, src, text []byte, least int) (p pieces, ok bool) {
	if len(src) >= 2*least {
		p = pieces{src: src, text: text, least: least, cuts: c.Cut(src, text, least), codecs: []Codec{c}}
	}
	return p, p.cuts.Next != nil
}

// boundary is a boundary of atoms: the offset i in the source, and the offset at in the text.
type boundary struct{ i, at int }

// start returns the start of piece n, counted from 0.
func (p *pieces) start(n int) boundary {
	if n == 0 {
		return boundary{}
	}
	return p.ends[n-1]
}

// find finds the next piece. It returns false after the last piece.
func (p *pieces) find() bool {
	at := p.start(len(p.ends))
	if at.i == len(p.src) {
		return false
	}
	end := len(p.src)
	if end-at.i >= 2*p.least {
		if end = p.cuts.Next(at.i + p.least); end > len(p.src)-p.least {
			end = len(p.src)
		}
	}
	c := p.codecs[len(p.ends)]
	text, _ := c.Decode(p.src[at.i:end])
	p.ends = append(p.ends, boundary{end, at.at + len(text)})
	if p.cuts.Resume != nil {
		c = p.cuts.Resume(p.src[at.i:end])
	}
	p.codecs = append(p.codecs, c)
	return true
}

// piece returns the start of piece n, and its atoms.
func (p *pieces) piece(n int) (boundary, *Atoms) {
	start := p.start(n)
	if p.read != n+1 {
		_, p.atoms, _ = p.codecs[n].Map(p.src[start.i:p.ends[n].i])
		p.read = n + 1
	}
	return start, &p.atoms
}
