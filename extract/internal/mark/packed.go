package mark

// AtOnce is the number of marks that are stored without packing. This number fits into the caches of the processor.
var AtOnce = 1 << 14

// packed stores the first marks of a text that has more than AtOnce marks. Each mark is a word of 64 bits:
//
//	| 0 | gap: 23 bits | length: 20 bits | model: 20 bits |
//	| 1 | the index of a kept mark                         |
//
// gap is the distance from the end of the mark before it. model is the index of a kept mark with the same fields, except
// the region. A mark that declares a base is kept as a whole Mark, except refused declarations after the first ones. A mark
// whose numbers do not fit is kept as a whole, too.
//
// The parts of a message have ascending numbers. A kept mark has the difference from the number of the part before it, so
// that the next part can have the same model. The scopes of elements ascend, too. A mark in the last scope or in a new scope
// has the difference from the last scope.
type packed struct {
	words   pieces[uint64]
	end     int // of the last mark
	parts   numbers
	scope   int32 // the last scope of the marks
	refused int   // the number of refused declarations
	kept    pieces[Mark]
	recent  [8]int // the models that were used last; most pages need no other models
}

// numbers has the last part that was packed or read.
type numbers struct {
	place *Place
	last  int32
}

// before returns the number before the next part at a place.
func (n *numbers) before(place *Place) int32 {
	if n.place != place {
		n.place, n.last = place, 0
	}
	return n.last
}

const (
	gapBits    = 23
	lengthBits = 20
	keptBits   = 20
	marked     = 1 << 63
)

func (p *packed) clear() {
	if len(p.words) > 0 {
		*p = packed{}
	}
}

// add packs marks. It changes them.
func (p *packed) add(marks []Mark) {
	if len(p.kept) == 0 {
		p.kept.add(Mark{}) // index 0 is not a model: recent is zero at first
	}
	for i := range marks {
		at := &marks[i]
		if number := at.Number; number != 0 {
			at.Number -= p.parts.before(at.Place)
			p.parts.last = number
		}
		if at.Scope > 0 && at.Scope >= p.scope && at.Kind != IsBase {
			p.scope, at.Scope, at.relative = at.Scope, at.Scope-p.scope, true
		}
		p.words.add(p.word(at))
	}
}

// word returns the word of the mark after the last packed mark.
func (p *packed) word(at *Mark) uint64 {
	gap, length := uint64(at.Start-p.end), uint64(at.End-at.Start)
	p.end = at.End
	if !p.isListed(at) && gap>>gapBits|length>>lengthBits == 0 && len(p.kept) < 1<<keptBits/pieceLen {
		return gap<<(lengthBits+keptBits) | length<<keptBits | uint64(p.model(at))
	}
	return marked | uint64(p.kept.add(*at))
}

// isListed reports whether Bases must yield a mark.
func (p *packed) isListed(at *Mark) bool {
	if at.Kind != IsBase || at.Base.Refuse == "" {
		return at.Kind == IsBase
	}
	p.refused++
	return p.refused <= ListedRefused
}

// model returns the index of a kept mark that is like at. If no recent model is like at, it keeps at itself.
func (p *packed) model(at *Mark) int {
	for i := range p.recent { // by index: range would copy the array
		if n := p.recent[i]; at.like(p.kept.at(n)) {
			p.recent[0], p.recent[i] = n, p.recent[0]
			return n
		}
	}
	copy(p.recent[1:], p.recent[:])
	p.recent[0] = p.kept.add(*at)
	return p.recent[0]
}

// like reports whether two marks are equal, except for their regions.
func (at *Mark) like(other *Mark) bool {
	return at.Place == other.Place && at.Codec == other.Codec && at.Scope == other.Scope && at.relative == other.relative && at.Kind == other.Kind && at.Number == other.Number &&
		at.Base == other.Base && at.Format == other.Format && at.Part == other.Part
}

// chunks yields the marks in chunks of at most AtOnce marks. It reuses the memory of room for each chunk. If release is true, it
// releases the words that it has read.
func (p *packed) chunks(room []Mark, release bool, yield func([]Mark) bool) {
	end, chunk, parts, scope := 0, room[:0], numbers{}, int32(0)
	for i, words := range p.words {
		if release {
			p.words[i] = nil
		}
		for _, word := range words {
			if len(chunk) >= AtOnce {
				if !yield(chunk) {
					return
				}
				chunk = chunk[:0]
			}
			if word&marked != 0 {
				chunk = append(chunk, *p.kept.at(int(word &^ marked)))
			} else {
				chunk = append(chunk, *p.kept.at(int(word & (1<<keptBits - 1))))
				at := &chunk[len(chunk)-1]
				at.Start = end + int(word>>(lengthBits+keptBits))
				at.End = at.Start + int(word>>keptBits&(1<<lengthBits-1))
			}
			at := &chunk[len(chunk)-1]
			if end = at.End; at.Number != 0 {
				at.Number += parts.before(at.Place)
				parts.last = at.Number
			}
			if at.relative {
				scope += at.Scope
				at.Scope, at.relative = scope, false
			}
		}
	}
	yield(chunk)
}

// pieces is a long list whose elements never move in memory.
type pieces[T any] [][]T

const pieceLen = 1 << 10

// clear removes all elements. It keeps some memory.
func (p *pieces[T]) clear() {
	if len(*p) > 0 {
		clear((*p)[1:])
		*p = (*p)[:1]
		(*p)[0] = (*p)[0][:0]
	}
}

// add appends v, and returns its index.
func (p *pieces[T]) add(v T) int {
	last := len(*p) - 1
	if last < 0 || len((*p)[last]) == pieceLen {
		*p = append(*p, make([]T, 0, pieceLen))
		last++
	}
	(*p)[last] = append((*p)[last], v)
	return last*pieceLen + len((*p)[last]) - 1
}

// at returns the element at an index. The division of an unsigned number is a shift.
func (p pieces[T]) at(i int) *T { return &p[uint(i)/pieceLen][uint(i)%pieceLen] }
