package codec

// reader gathers the text of a source, and its atoms, from left to right. It copies nothing until
// something stands for other bytes than its own, so that most sources are their own text.
type reader struct {
	src   []byte
	start int    // while fresh is nil the text is src[start:end]
	end   int    // how far src was read
	fresh []byte // the text, once it is not a part of src
	atoms *Atoms // nil: not wanted
	room  []byte // for fresh; nil: to be made
}

// useRoom has the text gathered in room, if it is not nil and there is a need.
func (r *reader) useRoom(room *[]byte) {
	if room != nil {
		r.room = *room
	}
}

// giveRoom gives back to room what the text has made of it, for the next to use.
func (r *reader) giveRoom(room *[]byte) {
	if room != nil && r.fresh != nil {
		*room = r.fresh[:0]
	}
}

// mark is a place to go back to.
type mark struct{ start, src, text, atoms, run int }

// readFrom is a reader of src[start:], whose bytes before start are one atom without text.
func readFrom(src []byte, start int, atoms *Atoms) reader {
	r := reader{src: src, start: start, end: start, atoms: atoms}
	r.note(0, start, 0)
	return r
}

// len is how much text there is.
func (r *reader) len() int {
	if r.fresh != nil {
		return len(r.fresh)
	}
	return r.end - r.start
}

// text is all of it.
func (r *reader) text() []byte {
	if r.fresh != nil {
		return r.fresh
	}
	return r.src[r.start:r.end]
}

// same: the source stands for itself up to end.
func (r *reader) same(end int) {
	if r.fresh != nil {
		r.fresh = append(r.fresh, r.src[r.end:end]...)
	}
	r.end = end
}

// put: the next n bytes are an atom that stands for text.
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

// unit reads n bytes that stand for text, one character. space reports that the character is white space in a URL: then
// it is dropped at the start of the URL, and everywhere if it is not a blank or a form feed.
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

// note is one atom: the n bytes at i are the next textLen bytes of text.
func (r *reader) note(i, n, textLen int) {
	if r.atoms != nil {
		*r.atoms = r.atoms.add(i, r.len(), n, textLen)
	}
}

// mark remembers what was read so far.
func (r *reader) mark() mark {
	m := mark{start: r.start, src: r.end, text: r.len()}
	if r.atoms != nil && len(*r.atoms) > 0 {
		m.atoms = len(*r.atoms)
		m.run = (*r.atoms)[m.atoms-1].N
	}
	return m
}

// back forgets what was read since m.
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
