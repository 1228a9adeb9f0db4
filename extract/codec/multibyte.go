package codec

import (
	"bytes"
	"fmt"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/transform"
)

// multiByte is an encoding of one to four bytes for each letter without state: gb18030, GBK, Big5,
// EUC-JP, Shift_JIS, EUC-KR (Encoding Standard 10 to 13). ASCII bytes stand for themselves, but for
// those inside a sequence that began with another; each sequence is an atom, also one that is invalid.
type multiByte struct {
	in, out encoding.Encoding // for Decode and for Encode
}

func (multiByte) plain() *set { return ascii }

func (c multiByte) Decode(src []byte) ([]byte, error) {
	if asciiLen(src) == len(src) {
		return src, nil
	}
	// All at once is ten times faster, and right as long as all is valid.
	text, err := c.in.NewDecoder().Bytes(src)
	if err != nil || bytes.Contains(text, []byte("\uFFFD")) {
		return c.read(src, nil)
	}
	return text, nil
}

func (c multiByte) Map(src []byte) ([]byte, Atoms, error) {
	var atoms Atoms
	text, err := c.read(src, &atoms)
	return text, atoms, err
}

func (c multiByte) read(src []byte, atoms *Atoms) (text []byte, err error) {
	r := readFrom(src, 0, atoms)
	dec := c.in.NewDecoder()
	for i := 0; i < len(src); {
		if src[i] < utf8.RuneSelf {
			i += asciiLen(src[i:])
			r.same(i)
			continue
		}
		var buf [16]byte
		n, size := step(dec, buf[:], src[i:])
		s := string(buf[:size])
		if s == "\uFFFD" {
			err = ErrUndecodable
		}
		r.put(n, s)
		i += n
	}
	return r.text(), err
}

// step reads the sequence that src begins with: how many bytes it takes, and how many bytes of text
// it left in buf. The sequence is the shortest that the decoder takes; where that is followed by a
// letter of its own, as after a bad lead byte, the decoder is held to the first letter. x/text swallows an
// ASCII byte at the end of a sequence that stands for nothing; the Encoding Standard reads it again.
func step(dec transform.Transformer, buf, src []byte) (n, size int) {
	for have := 1; ; have++ {
		atEOF := have >= len(src)
		size, n, _ = dec.Transform(buf, src[:min(have, len(src))], atEOF)
		if n == 0 && !atEOF {
			continue
		}
		break
	}
	if _, first := utf8.DecodeRune(buf[:size]); first < size {
		// The lone letter, unless it is one of those pairs that Big5 has a single sequence for.
		if one, m, _ := dec.Transform(buf[:first:first], src[:n], n == len(src)); m > 0 {
			size, n = one, m
		} else {
			size, n, _ = dec.Transform(buf, src[:n], n == len(src))
		}
	}
	if n == 0 { // no decoder does that
		n, size = 1, copy(buf, "\uFFFD")
	}
	if string(buf[:size]) == "\uFFFD" {
		for i := 1; i < n; i++ {
			if src[i] < utf8.RuneSelf {
				n = i
			}
		}
	}
	return n, size
}

func (c multiByte) Encode(dst, _ []byte, _ Span, text []byte) ([]byte, error) {
	if err := runes(text, func(rune) bool { return true }); err != nil {
		return dst, err
	}
	out, err := c.out.NewEncoder().Bytes(text)
	if err != nil {
		return dst, fmt.Errorf("%w: %w", ErrCannotSpell, err)
	}
	return append(dst, out...), nil
}
