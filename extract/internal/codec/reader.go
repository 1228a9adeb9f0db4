package codec

// This file has reader, which most codecs use to build a text and its atoms.

// reader collects the text of a source, and its atoms, from left to right. It copies the source only after an atom
// whose text differs from its bytes. So most texts are a part of their source.
type reader struct {
	src   []byte
	start int    // if fresh is nil, the text is src[start:end]
	end   int    // the end of the part of src that was read
	fresh []byte // the text, if it is not a part of src
	atoms *Atoms // nil if the caller does not need atoms
	room  []byte // memory for fresh, or nil
}

// useRoom makes the reader use the memory of *room if it has to copy the source. A nil room changes nothing.
func (r *reader) useRoom(room *[]byte) {
	if room != nil {
		r.room = *room
	}
}

// giveRoom stores the memory of the text in *room, for the next reader. A nil room changes nothing.
func (r *reader) giveRoom(room *[]byte) {
	if room != nil && r.fresh != nil {
		*room = r.fresh[:0]
	}
}

// mark is a state of a reader, to which back returns.
type mark struct{ start, src, text, atoms, run int }

// readFrom returns a reader of src[start:]. The bytes before start are one atom without text.
func readFrom(src []byte, start int, atoms *Atoms) reader {
	r := reader{src: src, start: start, end: start, atoms: atoms}
	r.note(0, start, 0)
	return r
}

// len returns the length of the text.
func (r *reader) len() int {
	if r.fresh != nil {
		return len(r.fresh)
	}
	return r.end - r.start
}

// text returns the text.
func (r *reader) text() []byte {
	if r.fresh != nil {
		return r.fresh
	}
	return r.src[r.start:r.end]
}

// same reads the bytes up to end, which stand for themselves.
func (r *reader) same(end int) {
	if r.fresh != nil {
		r.fresh = append(r.fresh, r.src[r.end:end]...)
	}
	r.end = end
}

// put reads the next n bytes, which are an atom that stands for text.
func (r *reader) put(n int, text string) {
	r.note(r.end, n, len(text))
	i := r.end
	r.end += n
	if r.fresh == nil {
		if text == "" && i == r.start {
			r.start = r.end
			return
		}
		if r.room == nil {
			r.room = make([]byte, 0, len(r.src))
		}
		r.fresh = append(r.room[:0], r.src[r.start:i]...)
	}
	r.fresh = append(r.fresh, text...)
}

// unit reads n bytes that stand for text, one character. If space is true, the character is white space in a URL. unit
// drops white space at the start of the URL. It drops tabs and newlines everywhere.
func (r *reader) unit(n int, text string, space bool) {
	switch {
	case space && (r.len() == 0 || text[0] != ' ' && text[0] != '\f'):
		r.put(n, "")
	case n == 1 && len(text) == 1 && text[0] == r.src[r.end]:
		r.same(r.end + 1)
	default:
		r.put(n, text)
	}
}

// note adds one atom: the n bytes at src[i] stand for the next textLen bytes of text.
func (r *reader) note(i, n, textLen int) {
	if r.atoms != nil {
		*r.atoms = r.atoms.add(i, r.len(), n, textLen)
	}
}

// mark returns the state of the reader.
func (r *reader) mark() mark {
	m := mark{start: r.start, src: r.end, text: r.len()}
	if r.atoms != nil && len(*r.atoms) > 0 {
		m.atoms = len(*r.atoms)
		m.run = (*r.atoms)[m.atoms-1].N
	}
	return m
}

// back returns to the state m, as if the reader had read nothing since.
func (r *reader) back(m mark) {
	r.start, r.end = m.start, m.src
	if r.fresh != nil {
		r.fresh = r.fresh[:m.text]
	}
	if r.atoms != nil {
		*r.atoms = (*r.atoms)[:m.atoms]
		if m.atoms > 0 {
			(*r.atoms)[m.atoms-1].N = m.run
		}
	}
}
