package spell

import (
	"bytes"
	"encoding/base64"
	"fmt"

	"absolink/extract/internal/ascii"
	"absolink/extract/internal/codec"
)

// UUEncode is the data between "begin MODE NAME" and "end" (POSIX, uuencode). Each line begins with a character for the
// number of its bytes. Four characters stand for three bytes, as in base64, with the alphabet from space to "_". A
// grave accent stands for the space as well.
//
//	begin 644 a.txt␊
//	#86)C␊                          the line of the three bytes "abc"
//	`␊                              a line of no bytes
//	end␊
//
// Decode adds the spaces that a line has lost at its end. What is around the data is not part of the text, and stays
// unchanged. A change of the text rewrites all lines of the data; the lines before the change keep their bytes only if
// Encode would write them so.
var UUEncode codec.Codec = uuencode{}

type uuencode struct{ codec.Simple }

const uuLine = 45 // the number of bytes of a line

var uuCharacters = base64.NewEncoding("`!\"#$%&'()*+,-./0123456789:;<=>?@ABCDEFGHIJKLMNOPQRSTUVWXYZ[\\]^_").WithPadding(base64.NoPadding)

// uuLost has as many spaces, written as grave accents, as the longest line can have lost.
var uuLost = bytes.Repeat([]byte("`"), 84)

func (c uuencode) Decode(src []byte) ([]byte, error) {
	text, _, err := c.read(src)
	return text, err
}

// Map adds the data as one atom. The text before it and after it are atoms without text.
func (c uuencode) Map(src, text []byte, atoms *codec.Atoms) {
	_, data, _ := c.read(src)
	atoms.Add(0, 0, data.Start, 0)
	atoms.Add(data.Start, 0, data.Len(), len(text))
	atoms.Add(data.End, len(text), len(src)-data.End, 0)
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
		if len(line) == 0 || line[0] <= ' ' || line[0] >= '`' || string(line) == "end" {
			break
		}
		var valid bool
		if text, valid = uuDecode(text, line); !valid && err == nil {
			err = &codec.Damage{Offset: p, What: "the line is not valid in uuencode; text may be missing", Unread: true}
		}
		p = end + ascii.NewlineLen(src[end:])
	}
	if data.End = p; err == nil && !bytes.HasPrefix(bytes.TrimLeft(src[p:], "` \r\n"), []byte("end")) {
		err = &codec.Damage{Offset: p, What: `the data has no line "end"; all data before was read`, Unread: false}
	}
	return text, data, err
}

// uuDecode appends the text of a line, and ignores what follows, like a checksum.
func uuDecode(text, line []byte) (_ []byte, valid bool) {
	n := int(line[0] - ' ')
	all := bytes.ReplaceAll(line[1:], []byte(" "), []byte("`"))
	all = append(all, uuLost...)[:(n+2)/3*4]
	out, err := uuCharacters.AppendDecode(text, all)
	return out[:min(len(out), len(text)+n)], err == nil && len(out) >= len(text)+n
}

// Widen returns one group, the whole data, because an edit moves the bytes of all lines after it.
func (c uuencode) Widen(l *codec.Lifting, groups []codec.Group) []codec.Group {
	_, data, _ := c.read(l.Src)
	return l.Whole(groups, data)
}

func (c uuencode) Encode(dst, src []byte, at codec.Span, text []byte) ([]byte, error) {
	_, data, _ := c.read(src)
	if at.Start < data.Start || at.End > data.End || data.Start == 0 || src[data.Start-1] != '\n' {
		return dst, fmt.Errorf("%w: uuencoded data begins after a line \"begin\"", codec.ErrCannotSpell)
	}
	newline, lines := nearestNewline(src, data, "\n"), src[data.Start:data.End]
	spaces := bytes.IndexByte(lines, '`') < 0 && bytes.IndexByte(lines, ' ') >= 0
	for len(text) > 0 {
		n := min(len(text), uuLine)
		start, padding := len(dst)+1, (3-n%3)%3
		dst = uuCharacters.AppendEncode(append(dst, byte(n)+' '), append(text[:n:n], 0, 0)[:n+padding])
		if line := dst[start : len(dst)-padding]; spaces { // without the padding: a line may lose a space at its end
			copy(line, bytes.ReplaceAll(line, []byte("`"), []byte(" ")))
		}
		dst, text = append(dst, newline...), text[n:]
	}
	return dst, nil
}
