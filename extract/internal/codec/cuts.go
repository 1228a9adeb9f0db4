package codec

// This file finds the places where a long source can be cut, so that Stretches and SourceMap need little memory.

import "bytes"

// cutter is a codec whose long sources can be cut into pieces.
type cutter interface {
	// cuts returns a function that finds cuts in src, whose text is text. The function returns the first cut at or after
	// an offset i > 0, or len(src) if there is none. The offsets of its calls ascend. cuts returns nil if src has no cut.
	//
	// A cut is a boundary of atoms. The pieces before and after it decode to the text before and after it. This stays so
	// if edits change the pieces, but not the characters beside the cut.
	cuts(src, text []byte) func(i int) int
}

// resumer is a cutter whose pieces have codecs of their own.
type resumer interface {
	// resume returns the codec of the source after a piece. The piece has the codec of the method.
	resume(piece []byte) Codec
}

// pieceLen is the least length of a piece of a source, except that of the last one.
var pieceLen = 64 << 10

// pieces is a long source that is cut into pieces. It finds the pieces from left to right, when they are needed.
type pieces struct {
	src, text []byte
	next      func(i int) int // see cutter
	codecs    []Codec         // of the pieces that were found, and of the next one
	ends      []boundary      // of the pieces that were found
	atoms     Atoms           // of the last piece that was read
	read      int             // the number of that piece, from 1
}

// cut returns the pieces of a source. ok is false if the source is short, or if the codec cannot cut it.
func cut(c Codec, src, text []byte) (p pieces, ok bool) {
	if k, ok := c.(cutter); ok && len(src) >= 2*pieceLen {
		p = pieces{src: src, text: text, next: k.cuts(src, text), codecs: []Codec{c}}
	}
	return p, p.next != nil
}

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
	if end-at.i >= 2*pieceLen {
		if end = p.next(at.i + pieceLen); end > len(p.src)-pieceLen {
			end = len(p.src)
		}
	}
	c := p.codecs[len(p.ends)]
	text, atoms, _ := c.Map(p.src[at.i:end])
	p.ends = append(p.ends, boundary{end, at.at + len(text)})
	if r, ok := c.(resumer); ok {
		c = r.resume(p.src[at.i:end])
	}
	p.codecs = append(p.codecs, c)
	p.atoms, p.read = atoms, len(p.ends)
	return true
}

// piece returns the start of piece n, and its atoms.
func (p *pieces) piece(n int) (boundary, Atoms) {
	start := p.start(n)
	if p.read != n+1 {
		_, p.atoms, _ = p.codecs[n].Map(p.src[start.i:p.ends[n].i])
		p.read = n + 1
	}
	return start, p.atoms
}

// anywhere is the result of cuts for a codec that can cut everywhere.
func anywhere(i int) int { return i }

// untouched returns the first offset from i on without a byte of the set special among the n bytes before it. It returns
// len(src) if there is none.
func untouched(src []byte, i, n int, special *set) int {
	for i < len(src) {
		from := max(i-n, 0)
		k := i - 1
		for k >= from && !special[src[k]] {
			k--
		}
		if k < from {
			return i
		}
		i = k + n + 1
	}
	return len(src)
}

func (*singleByte) cuts([]byte, []byte) func(int) int { return anywhere }

// cuts cuts after a byte that is in no valid sequence.
func (c multiByte) cuts(src, _ []byte) func(int) int {
	return func(i int) int {
		for i < len(src) && src[i-1] >= '0' {
			i++
		}
		return i
	}
}

// cuts cuts between two ASCII characters, so that no cut is beside a surrogate or a byte order mark.
func (c utf16) cuts(src, _ []byte) func(int) int {
	isASCII := func(i int) bool { return i+2 <= len(src) && c.order.Uint16(src[i:]) < 0x80 }
	return func(i int) int {
		for i += i % 2; i+2 <= len(src); i += 2 {
			if isASCII(i-2) && isASCII(i) {
				return i
			}
		}
		return len(src)
	}
}

// cuts cuts after an ASCII character, where the set of characters is ASCII.
func (iso2022jp) cuts(src, _ []byte) func(int) int {
	d := jisReader{src: src}
	return func(i int) int {
		for d.at < len(src) {
			if d.state == jisASCII {
				n := bytes.IndexByte(src[d.at:], esc)
				if n < 0 {
					n = len(src) - d.at
				}
				if at := max(d.at+1, i); at <= d.at+n {
					d.to(at)
					return at
				}
				d.to(d.at + n)
			}
			if d.at < len(src) {
				d.next()
			}
		}
		return len(src)
	}
}

// cuts cuts where no escape is near.
func (c jsonString) cuts(src, _ []byte) func(int) int {
	if c.commented {
		return nil
	}
	const longest = len(`\ud83d\ude00`)
	return func(i int) int { return untouched(src, i, longest, backslash) }
}

var backslash = setOf(`\`)

// cuts cuts before a byte that ends every reference.
func (c *charref) cuts(src, _ []byte) func(int) int {
	if c.url || c.open != "" {
		return nil
	}
	return func(i int) int { return endOfReference(src, i) }
}

// endOfReference returns the offset of the first byte from src[i] on that ends every reference.
func endOfReference(src []byte, i int) int {
	for i < len(src) && !endsReference[src[i]] {
		i++
	}
	return i
}

// endsReference has the ASCII characters that are in no reference and in no line end. It has no "=": before an "=", a name
// without a semicolon is not a reference.
var endsReference = setOf(" !\"$%'()*+,-./:<>?@[\\]^_`{|}~")

func (c xmlText) cuts(src, _ []byte) func(int) int {
	if c.url {
		return nil
	}
	return func(i int) int { return endOfReference(src, i) }
}

// cuts cuts outside of comments and processing instructions. Outside of CDATA sections it cuts as in xmlText, and inside
// of them as in CDATA.
func (c xmlContent) cuts(src, _ []byte) func(int) int {
	if c.url {
		return nil
	}
	at, in := 0, false // the place up to which markup was read, and whether it is in a CDATA section
	return func(i int) int {
		for {
			end := len(src) // of the text, or of the section
			if in {
				if n := bytes.Index(src[at:], sectionEnd); n >= 0 {
					end = at + n
				}
				if k := untouched(src[:end], max(i, at), len("]]><![CDATA["), inSection); k < end {
					return k
				}
				at = min(end+len(sectionEnd), len(src))
			} else {
				if n := bytes.IndexByte(src[at:], '<'); n >= 0 {
					end = at + n
				}
				if k := endOfReference(src[:end], max(i, at)); k < end {
					return k
				}
				at = min(end+max(markupLen(src[end:]), 1), len(src))
			}
			if in = !in && bytes.HasPrefix(src[end:], sectionStart); at == len(src) {
				return len(src)
			}
		}
	}
}

// inSection has the bytes in a CDATA section that are perhaps not read alone.
var inSection = setOf("]\r")

// resume returns the codec of the source after a piece: it starts perhaps in a CDATA section.
func (c xmlContent) resume(piece []byte) Codec {
	next := *c.xmlSpelling
	next.section = sectionAt(piece, c.section)
	return xmlContent{&next}
}

// cuts cuts where the end of a section is not near.
func (cdata) cuts(src, _ []byte) func(int) int {
	return func(i int) int { return untouched(src, i, len("]]><![CDATA["), bracket) }
}

var bracket = setOf("]")

// cuts cuts between two bytes that are not white space.
func (c *header) cuts(src, _ []byte) func(int) int {
	if c.words || c.url || c.sections {
		return nil
	}
	return func(i int) int {
		for i < len(src) && (isWhite(src[i-1]) || isWhite(src[i])) {
			i++
		}
		return i
	}
}

// cuts cuts beside bytes that are not at the start of a "From " line.
func (fromQuote) cuts(src, _ []byte) func(int) int {
	return func(i int) int {
		for i < len(src) && (beforeFrom[src[i-1]] || beforeFrom[src[i]]) {
			i++
		}
		return i
	}
}

// beforeFrom has the bytes of the start of a "From " line, and the line end before it.
var beforeFrom = setOf("\n>From")

func (identity) cuts([]byte, []byte) func(int) int { return anywhere }
