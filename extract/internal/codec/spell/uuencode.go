package spell

import (
	"bytes"
	"fmt"

	"absolink/extract/internal/ascii"
	"absolink/extract/internal/codec"
)

// UUEncode is the data between "begin MODE NAME" and "end" (POSIX, uuencode). Each line begins with a character for the number of
// its bytes. Four characters stand for three bytes, as in base64, with the alphabet from space to "_". A grave accent is a space.
//
//	begin 644 a.txt␊
//	#86)C␊                          the line of the three bytes "abc"
//	`␊                              a line of no bytes
//	end␊
//
// Spaces that a line has lost at its end are added again. The text around the data is not part of the text, and stays unchanged.
// A change of the text spells all lines again from the first changed line on.
var UUEncode codec.Codec = uuencode{}

type uuencode struct{ codec.Simple }

const uuLine = 45 // the number of bytes of a line

func (c uuencode) Decode(src []byte) ([]byte, error) {
	text, _, err := c.read(src)
	return text, err
}

// Map returns the data as one atom. The text before it and after it are atoms without text.
func (c uuencode) Map(src []byte) ([]byte, codec.Atoms, error) {
	text, data, err := c.read(src)
	var atoms codec.Atoms
	atoms.Add(0, 0, data.Start, 0)
	atoms.Add(data.Start, 0, data.Len(), len(text))
	atoms.Add(data.End, len(text), len(src)-data.End, 0)
	return text, atoms, err
}

// read returns the text, and the span of its lines.
func (uuencode) read(src []byte) (text []byte, data codec.Span, err error) {
	p := 0
	for !bytes.HasPrefix(src[p:], []byte("begin ")) {
		n := bytes.IndexByte(src[p:], '\n')
		if n < 0 {
			return nil, codec.Span{Start: len(src), End: len(src)}, &codec.Damage{Offset: 0, What: `no line starts the data with "begin "; it cannot be decoded`, Unread: true}
		}
		p += n + 1
	}
	data.Start = len(src)
	if n := bytes.IndexByte(src[p:], '\n'); n >= 0 {
		data.Start = p + n + 1
	}
	for p = data.Start; p < len(src); {
		end := lineEnd(src, p)
		line := src[p:end]
		if n, ok := uuValue(line, 0); len(line) == 0 || n == 0 || !ok || string(line) == "end" {
			break
		}
		var bad int
		if text, bad = uuDecode(text, line); bad >= 0 && err == nil {
			err = &codec.Damage{Offset: p + bad, What: fmt.Sprintf("%q is not valid in a line of uuencode; text may be missing", line[bad:bad+1]), Unread: true}
		}
		p = end + ascii.NewlineLen(src[end:])
	}
	if data.End = p; err == nil && !bytes.HasPrefix(bytes.TrimLeft(src[p:], "` \r\n"), []byte("end")) {
		err = &codec.Damage{Offset: p, What: `the data has no line "end"; all data before was read`, Unread: false}
	}
	return text, data, err
}

// uuValue returns the value of line[i]. It is 0 after the end of the line, where spaces were lost.
func uuValue(line []byte, i int) (value int, ok bool) {
	if i >= len(line) {
		return 0, true
	}
	return int(line[i]-' ') & 63, line[i] >= ' ' && line[i] <= '`'
}

// uuDecode appends the text of a line. bad is the offset of the first invalid character, or -1.
func uuDecode(text, line []byte) (_ []byte, bad int) {
	n, _ := uuValue(line, 0)
	bad = -1
	var bits, have int
	for i := 1; n > 0; i++ {
		value, ok := uuValue(line, i)
		if !ok && bad < 0 {
			bad = i
		}
		if bits, have = bits<<6|value, have+6; have >= 8 {
			have -= 8
			text, n = append(text, byte(bits>>have)), n-1
			bits &= 1<<have - 1
		}
	}
	return text, bad
}

// Widen returns one group, the whole data.
func (c uuencode) Widen(l *codec.Lifting, groups []codec.Group) []codec.Group {
	_, data, _ := c.read(l.Src)
	return l.Whole(groups, data)
}

// Encode writes all lines of the data.
func (c uuencode) Encode(dst, src []byte, at codec.Span, text []byte) ([]byte, error) {
	_, data, _ := c.read(src)
	if at.Start < data.Start || at.End > data.End || data.Start == 0 || src[data.Start-1] != '\n' {
		return dst, fmt.Errorf("%w: uuencoded data begins after a line \"begin\"", codec.ErrCannotSpell)
	}
	newline, zero := nearestNewline(src, data, "\n"), byte('`')
	if bytes.IndexByte(src[data.Start:data.End], '`') < 0 && bytes.IndexByte(src[data.Start:data.End], ' ') >= 0 {
		zero = ' '
	}
	char := func(value int) byte {
		if value == 0 {
			return zero
		}
		return byte(value) + ' '
	}
	for len(text) > 0 {
		n := min(len(text), uuLine)
		dst = append(dst, char(n))
		for i := 0; i < n; i += 3 {
			var three [3]byte
			copy(three[:], text[i:n])
			bits := int(three[0])<<16 | int(three[1])<<8 | int(three[2])
			dst = append(dst, char(bits>>18), char(bits>>12&63), char(bits>>6&63), char(bits&63))
		}
		for pad := (3 - n%3) % 3; pad > 0; pad-- {
			dst[len(dst)-pad] = '`' // a line may lose a space at its end
		}
		dst, text = append(dst, newline...), text[n:]
	}
	return dst, nil
}
