package mark

// AtOnce is how many findings are kept as they are: so many that they stay in the caches.
var AtOnce = 1 << 14

// packed are the findings of a text that has more of them, a word each. As a rule that tells how far one
// is behind the last, how long it is, and which of those that are kept it is like. Else it is marked, and
// tells which of them it is: one that declares a base, or that a word has no room for.
type packed struct {
	words  pieces[uint64]
	end    int // of the last one
	kept   pieces[Mark]
	recent [8]int // of those that others are like, the last ones; most pages have no more
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

func (p *packed) add(found []Mark) {
	if len(p.kept) == 0 {
		p.kept.add(Mark{}) // which none is like
	}
	for i := range found {
		p.words.add(p.word(&found[i]))
	}
}

// word packs a finding that follows the last one.
func (p *packed) word(at *Mark) uint64 {
	gap, length := uint64(at.Start-p.end), uint64(at.End-at.Start)
	p.end = at.End
	if at.Base == nil && gap>>gapBits|length>>lengthBits == 0 {
		if n := uint64(p.model(at)); n>>keptBits == 0 {
			return gap<<(lengthBits+keptBits) | length<<keptBits | n
		}
	}
	return marked | uint64(p.kept.add(*at))
}

// model gives which of those that are kept a finding is like; if none of the recent ones, it is kept itself.
func (p *packed) model(at *Mark) int {
	for i := range p.recent { // not over a copy of them
		if n := p.recent[i]; at.like(p.kept.at(n)) {
			p.recent[0], p.recent[i] = n, p.recent[0]
			return n
		}
	}
	copy(p.recent[1:], p.recent[:])
	p.recent[0] = p.kept.add(*at)
	return p.recent[0]
}

// like says whether two findings are the same but for their spans.
func (at *Mark) like(other *Mark) bool {
	return at.Place == other.Place && at.Codec == other.Codec && at.Scope == other.Scope && at.Kind == other.Kind &&
		at.Base == other.Base && at.Format == other.Format && at.Part == other.Part
}

// chunks gives the findings, as many at a time as are kept as they are, in room.
func (p *packed) chunks(room []Mark, yield func([]Mark) bool) {
	end, chunk := 0, room[:0]
	for _, words := range p.words {
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
			end = chunk[len(chunk)-1].End
		}
	}
	yield(chunk)
}

// pieces is a long list, none of which is ever moved.
type pieces[T any] [][]T

const pieceLen = 1 << 10

// add gives the index of what it adds.
func (p *pieces[T]) add(v T) int {
	last := len(*p) - 1
	if last < 0 || len((*p)[last]) == pieceLen {
		*p = append(*p, make([]T, 0, pieceLen))
		last++
	}
	(*p)[last] = append((*p)[last], v)
	return last*pieceLen + len((*p)[last]) - 1
}

// at gives what add gave an index for. As an unsigned number that is divided by a shift.
func (p pieces[T]) at(i int) *T { return &p[uint(i)/pieceLen][uint(i)%pieceLen] }
