package codec

import (
	"slices"
	"sort"
)

// Stretches lifts the edits of a long text in stretches, from left to right. So the edits of the whole text need not be
// in memory together. A stretch is some consecutive pieces of the source. All lifted edits together obey the law of
// Lift.
type Stretches struct {
	pieces
	goes bool // cuts.Lift was called, so it must be called for all pieces
	at   int  // the first piece of the next stretch

	rest    bool // the next stretch begins with the second part of a split edit
	asked   int  // the number of edits of the next stretch for which cuts.Spells was called
	refuses bool // the codec can perhaps not spell one of them
}

// A Stretch is a part of a long text.
type Stretch struct {
	Src, Text Span  // in the source and in the text
	Edits     int   // the number of edits in it
	codec     Codec // of its source
	rest      bool  // its first edit is the second part of a split edit
}

// NewStretches returns the Stretches of src. The text is c.Decode(src). It returns nil if src is short, or if it cannot
// be cut. Stretches keeps the source and the text, which must not change.
func NewStretches(c Codec, src, text []byte) *Stretches {
	return newStretches(c, src, text, pieceLen)
}

// newStretches is NewStretches, for pieces of at least least bytes.
func newStretches(c Codec, src, text []byte, least int) *Stretches {
	if p, ok := cut(c, src, text, least); ok {
		return &Stretches{pieces: p}
	}
	return nil
}

// Long reports whether a region of a source is so long that it may have Stretches.
func Long(region Span) bool { return region.Len() >= 2*pieceLen }

// Start returns the offset in the source of the next stretch.
func (s *Stretches) Start() int { return s.start(s.at).i }

// stretchPieces is the number of pieces in most stretches.
const stretchPieces = 4

// Next returns the next stretch. The edits are those that were not lifted yet. Other edits may follow, but none starts
// before the text offset upTo. If upTo is greater than the length of the text, no other edits follow. Next returns
// false if it must know more edits first, or if no other stretch changes.
func (s *Stretches) Next(edits []Edit, upTo int) (Stretch, bool) {
	if len(edits) == 0 && !s.goes {
		return Stretch{}, false
	}
	for n := s.at + stretchPieces - 1; ; n++ {
		for n >= len(s.ends) && s.find() {
		}
		last := s.start(len(s.ends)).i == len(s.src)
		if n >= len(s.ends)-1 && last {
			if n = len(s.ends) - 1; n < s.at || upTo <= len(s.text) {
				return Stretch{}, false
			}
			return s.upTo(n, len(edits)), true
		}
		end := s.ends[n].at
		if end >= upTo {
			return Stretch{}, false
		}
		k := sort.Search(len(edits), func(i int) bool { return edits[i].End >= end })
		if k == len(edits) || edits[k].Start > end {
			return s.upTo(n, k), true
		}
		if e := &edits[k]; e.Start < end && end < e.End && e.Len() >= s.least && s.splits(s.ends[n].i, edits[:k+1]) {
			at := s.upTo(n, k+1)
			s.rest, s.asked = true, 1 // the second part only removes text
			return at, true
		}
	}
}

// splits reports whether the last edit may be split at the cut i. The edits are those of the next stretch.
func (s *Stretches) splits(i int, edits []Edit) bool {
	if s.cuts.Splits == nil || !s.cuts.Splits(i) {
		return false
	}
	for ; s.cuts.Spells != nil && s.asked < len(edits) && !s.refuses; s.asked++ {
		s.refuses = !s.cuts.Spells(&edits[s.asked])
	}
	return !s.refuses
}

// Whole returns the stretch of the whole text. It is for a codec whose edits do not depend on each other.
func (s *Stretches) Whole() Stretch {
	return Stretch{Src: Span{0, len(s.src)}, Text: Span{0, len(s.text)}, codec: s.codecs[0]}
}

// upTo returns the stretch that ends with piece n.
func (s *Stretches) upTo(n, edits int) Stretch {
	from, to := s.start(s.at), s.ends[n]
	at := Stretch{Span{from.i, to.i}, Span{from.at, to.at}, edits, s.codecs[s.at], s.rest}
	s.at, s.rest, s.asked, s.refuses = n+1, false, 0, false
	return at
}

// Take returns the edits of the stretch and the edits after it. edits are those that Next has got. Take splits an edit that is
// longer than the stretch: the first part has the new bytes, and the second part only removes text.
func (at Stretch) Take(edits []Edit) (known, rest []Edit) {
	known, rest = edits[:at.Edits], edits[at.Edits:]
	if last := at.Edits - 1; last >= 0 && edits[last].End > at.Text.End {
		known, rest = slices.Clone(known), edits[last:]
		known[last].End = at.Text.End
		rest[0] = Edit{Span: Span{at.Text.End, rest[0].End}}
	}
	return known, rest
}

// Lift lifts the edits of a stretch, as LiftEach does. Each stretch must be lifted once, in its order. Lift changes the
// offsets in edits. The result counts from the start of the source. With an error, the result has at most the second part of
// a split edit, whose first part was lifted with the stretch before.
func (s *Stretches) Lift(r *Replacer, at Stretch, edits []Edit, refused func(i int, err error)) (out []Edit, err error) {
	Shift(edits, -at.Text.Start)
	if s.cuts.Lift != nil {
		s.goes = true
		out, err = s.cuts.Lift(r, at, edits)
	} else {
		src, text := s.src[at.Src.Start:at.Src.End], s.text[at.Text.Start:at.Text.End]
		if out, err = r.LiftEach(at.codec, src, text, edits, refused); err != nil && at.rest {
			out, _ = r.Lift(at.codec, src, text, edits[:1])
		}
	}
	return Shift(out, at.Src.Start), err
}
