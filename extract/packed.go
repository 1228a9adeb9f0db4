package extract

import "iter"

// atOnce is how many findings are kept as they are: so many that they stay in the caches.
var atOnce = 1 << 14

// packed are the findings of a text that has more of them, a word each. As a rule that tells how far one
// is behind the last, how long it is, and which of kinds it is but for that. Else it is marked, and
// tells which of others it is.
type packed struct {
	words   [][]uint64 // in pieces, so that none is ever moved
	end     int        // of the last one
	kinds   []finding  // without their spans
	numbers map[finding]int
	recent  [2]int    // the last two of kinds
	others  []finding // what declares a base or is in the scope of one, and has a header; and what no word has room for
}

const (
	pieceLen = 8 << 10

	gapBits    = 23
	lengthBits = 20
	kindBits   = 20
	marked     = 1 << 63
)

func (p *packed) clear() {
	if len(p.words) > 0 {
		*p = packed{}
	}
}

func (p *packed) add(found []finding) {
	if len(p.words) == 0 {
		p.words, p.kinds, p.numbers = [][]uint64{nil}, []finding{{}}, map[finding]int{}
	}
	last := len(p.words) - 1
	for i := range found {
		if len(p.words[last]) == cap(p.words[last]) {
			p.words = append(p.words, make([]uint64, 0, pieceLen))
			last++
		}
		p.words[last] = append(p.words[last], p.word(&found[i]))
	}
}

func (p *packed) word(at *finding) uint64 {
	gap, length := uint(at.start-p.end), uint(at.end-at.start)
	p.end = at.end
	if at.base == nil && at.part == nil && at.scope <= 0 && gap>>gapBits|length>>lengthBits == 0 {
		if kind := uint(p.kind(at)); kind>>kindBits == 0 {
			return uint64(gap<<(lengthBits+kindBits) | length<<kindBits | kind)
		}
	}
	p.others = append(p.others, *at)
	return marked | uint64(len(p.others)-1)
}

// kind tells which of kinds a finding is but for its span.
func (p *packed) kind(at *finding) int {
	for i, n := range p.recent {
		if at.like(&p.kinds[n]) {
			p.recent[i], p.recent[0] = p.recent[0], n
			return n
		}
	}
	kind := *at
	kind.start, kind.end = 0, 0
	n, ok := p.numbers[kind]
	if !ok {
		n = len(p.kinds)
		p.kinds = append(p.kinds, kind)
		p.numbers[kind] = n
	}
	p.recent[1], p.recent[0] = p.recent[0], n
	return n
}

// like says whether two findings are the same but for their spans.
func (at *finding) like(other *finding) bool {
	return at.place == other.place && at.codec == other.codec && at.scope == other.scope && at.kind == other.kind &&
		at.base == other.base && at.format == other.format && at.part == other.part
}

// chunks gives the findings, as many at a time as are kept as they are, in room.
func (p *packed) chunks(room []finding) iter.Seq[[]finding] {
	return func(yield func([]finding) bool) {
		end, chunk := 0, room[:0]
		for _, words := range p.words {
			for _, word := range words {
				if len(chunk) >= atOnce {
					if !yield(chunk) {
						return
					}
					chunk = chunk[:0]
				}
				var at finding
				if word&marked != 0 {
					at = p.others[word&^marked]
				} else {
					at = p.kinds[word&(1<<kindBits-1)]
					at.start = end + int(word>>(lengthBits+kindBits))
					at.end = at.start + int(word>>kindBits&(1<<lengthBits-1))
				}
				end = at.end
				chunk = append(chunk, at)
			}
		}
		yield(chunk)
	}
}
