package codec

import "bytes"

// Reader collects the text of a source, and its atoms, from left to right. It copies the source only after an atom
// whose text differs from its bytes, so most texts are a part of their source.
type Reader struct {
	src   []byte
	start int    // if fresh is nil, the text is src[start:end]
	end   int    // the end of the part of src that was read
	fresh []byte // the text, if it is not a part of src
	atoms *Atoms // nil if the caller does not need atoms

	marked struct { // the state at the last Mark
		start, end, text int
		runs             int // the number of runs of atoms
		last             run
	}
}

// ReadFrom returns a Reader of src[start:]. The bytes before start are one atom without text.
func ReadFrom(src []byte, start int, atoms *Atoms) Reader {
	r := Reader{src: src, start: start, end: start, atoms: atoms}
	r.Note(0, start, 0)
	return r
}

func (r *Reader) Len() int {
	if r.fresh != nil {
		return len(r.fresh)
	}
	return r.end - r.start
}

func (r *Reader) Text() []byte {
	if r.fresh != nil {
		return r.fresh
	}
	return r.src[r.start:r.end]
}

// Same reads the bytes up to end, which stand for themselves.
func (r *Reader) Same(end int) {
	if r.fresh != nil {
		r.fresh = append(r.fresh, r.src[r.end:end]...)
	}
	r.end = end
}

// To reads up to the next marker, as Same does, and reports whether there is one. Failing that, it reads everything.
func (r *Reader) To(marker []byte) bool {
	n := bytes.Index(r.src[r.end:], marker)
	if n < 0 {
		r.Same(len(r.src))
		return false
	}
	r.Same(r.end + n)
	return true
}

// Skip reads the next n bytes, which stand for themselves.
func (r *Reader) Skip(n int) { r.Same(r.end + n) }

func (r *Reader) Rest() []byte { return r.src[r.end:] }

// Put reads the next n bytes as an atom that stands for text.
func (r *Reader) Put(n int, text string) {
	r.Note(r.end, n, len(text))
	i := r.end
	r.end += n
	if r.fresh == nil {
		if text == "" && i == r.start {
			r.start = r.end
			return
		}
		r.fresh = append(make([]byte, 0, len(r.src)), r.src[r.start:i]...)
	}
	r.fresh = append(r.fresh, text...)
}

// Unit reads n bytes that stand for text, one character. If space is true, the character is white space in a URL: Unit
// drops it at the start of the URL, and drops tabs and newlines everywhere.
func (r *Reader) Unit(n int, text string, space bool) {
	switch {
	case space && (r.Len() == 0 || text[0] != ' ' && text[0] != '\f'):
		r.Put(n, "")
	case n == 1 && len(text) == 1 && text[0] == r.src[r.end]:
		r.Same(r.end + 1)
	default:
		r.Put(n, text)
	}
}

// Note adds one atom: the n bytes at src[i] stand for the next textLen bytes of text.
func (r *Reader) Note(i, n, textLen int) {
	if r.atoms != nil {
		r.atoms.Add(i, r.Len(), n, textLen)
	}
}

// Mark remembers the state of the Reader for Back.
func (r *Reader) Mark() {
	r.marked.start, r.marked.end, r.marked.text = r.start, r.end, r.Len()
	if r.atoms != nil {
		r.marked.runs, r.marked.last = len(r.atoms.runs), run{}
		if n := r.marked.runs; n > 0 {
			r.marked.last = r.atoms.runs[n-1]
		}
	}
}

// Back returns to the last Mark, as if nothing had been read since.
func (r *Reader) Back() {
	r.start, r.end = r.marked.start, r.marked.end
	if r.fresh != nil {
		r.fresh = r.fresh[:r.marked.text]
	}
	if r.atoms != nil {
		if r.atoms.runs = r.atoms.runs[:r.marked.runs]; r.marked.runs > 0 {
			r.atoms.runs[r.marked.runs-1] = r.marked.last
		}
	}
}

// Marked returns how far the source had been read at the last Mark.
func (r *Reader) Marked() int { return r.marked.end }
