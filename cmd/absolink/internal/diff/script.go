package diff

import "encoding/binary"

// script has the text of both sides of a hunk. Text that both sides have is there once. The new texts of edits often begin
// alike, with the same base URL, so a new text has only the bytes after the beginning that it shares with the new text before
// it.
//
// A script is a list of operations. Each begins with one byte:
//
//	context  length, text                               an unchanged line
//	same     length, text                               unchanged text in changed lines
//	change   length, old text, shared, length, new text an edit; the new text without its shared bytes
//	end                                                 the end of changed lines
type script struct {
	blocks [][]byte // all are full, except the last
	last   []byte   // the new text of the last edit
}

const (
	opContext = iota
	opSame
	opChange
	opEnd
)

// The lengths of the first block of a script, and of the longest block.
const (
	firstBlock   = 4 << 10
	longestBlock = 1 << 20
)

// place is a place in a script, between two operations.
type place struct{ block, offset int }

// here returns the end of the script.
func (s *script) here() place {
	if len(s.blocks) == 0 {
		return place{}
	}
	return place{len(s.blocks) - 1, len(s.blocks[len(s.blocks)-1])}
}

// cut removes everything after a place. There must be no edit.
func (s *script) cut(at place) {
	if len(s.blocks) == 0 {
		return
	}
	clear(s.blocks[at.block+1:])
	s.blocks = s.blocks[:at.block+1]
	s.blocks[at.block] = s.blocks[at.block][:at.offset]
}

// clear removes all operations.
func (s *script) clear() {
	s.cut(place{})
	s.last = s.last[:0]
}

// write adds bytes.
func (s *script) write(p []byte) {
	for len(p) > 0 {
		n := len(s.blocks) - 1
		if n < 0 || len(s.blocks[n]) == cap(s.blocks[n]) {
			size := firstBlock
			if n >= 0 {
				size = min(2*cap(s.blocks[n]), longestBlock)
			}
			s.blocks = append(s.blocks, make([]byte, 0, size))
			n++
		}
		room := cap(s.blocks[n]) - len(s.blocks[n])
		some := p[:min(room, len(p))]
		s.blocks[n] = append(s.blocks[n], some...)
		p = p[len(some):]
	}
}

// text adds an operation with a text: opContext or opSame.
func (s *script) text(op byte, text []byte) {
	var room [1 + binary.MaxVarintLen64]byte
	s.write(binary.AppendUvarint(append(room[:0], op), uint64(len(text))))
	s.write(text)
}

// change adds an edit.
func (s *script) change(old, new []byte) {
	var room [1 + 2*binary.MaxVarintLen64]byte
	s.write(binary.AppendUvarint(append(room[:0], opChange), uint64(len(old))))
	s.write(old)
	shared := 0
	for shared < len(new) && shared < len(s.last) && new[shared] == s.last[shared] {
		shared++
	}
	lengths := binary.AppendUvarint(room[:0], uint64(shared))
	s.write(binary.AppendUvarint(lengths, uint64(len(new)-shared)))
	s.write(new[shared:])
	s.last = append(s.last[:shared], new[shared:]...)
}

// end ends changed lines.
func (s *script) end() { s.write([]byte{opEnd}) }

// reader reads a script from a place on.
type reader struct {
	blocks [][]byte
	offset int    // in the first of blocks
	last   []byte // the new text of the last edit whose new text was read
}

// from returns a reader that begins at a place. There must be no edit before it, or the reader must not read new texts.
func (s *script) from(at place) reader {
	return reader{blocks: s.blocks[min(at.block, len(s.blocks)):], offset: at.offset}
}

// more reports whether there is another operation.
func (r *reader) more() bool {
	for len(r.blocks) > 0 && r.offset == len(r.blocks[0]) {
		r.blocks, r.offset = r.blocks[1:], 0
	}
	return len(r.blocks) > 0
}

// next returns the first byte of the next operation.
func (r *reader) next() byte {
	r.more()
	return r.blocks[0][r.offset]
}

// op reads the first byte of an operation.
func (r *reader) op() byte {
	b := r.next()
	r.offset++
	return b
}

// length reads a length.
func (r *reader) length() (n int) {
	for shift := 0; ; shift += 7 {
		b := r.op()
		if n |= int(b&0x7F) << shift; b < 0x80 {
			return n
		}
	}
}

// text reads a length and a text, and passes the text on in pieces.
func (r *reader) text(pass func([]byte)) {
	for n := r.length(); n > 0; {
		r.more()
		piece := r.blocks[0][r.offset:min(len(r.blocks[0]), r.offset+n)]
		r.offset += len(piece)
		n -= len(piece)
		pass(piece)
	}
}

// ignored is a function for text of the other side.
func ignored([]byte) {}

// lines reads changed lines up to their end. It passes the text of one side on, in pieces.
func (r *reader) lines(side int, pass func([]byte)) {
	for {
		switch r.op() {
		case opEnd:
			return
		case opSame:
			r.text(pass)
		case opChange:
			if side == 0 {
				r.text(pass)
				r.length()
				r.text(ignored)
				continue
			}
			r.text(ignored)
			r.last = r.last[:r.length()]
			r.text(func(p []byte) { r.last = append(r.last, p...) })
			pass(r.last)
		}
	}
}
