package grammar

import (
	"bytes"
	"errors"
	"strconv"

	"absolink/extract/internal/ascii"
	"absolink/extract/internal/codec"
	"absolink/extract/internal/codec/spell"
	"absolink/extract/internal/mark"
)

// Srcset is the value of a srcset or imagesrcset attribute: "a.png 1x, b.png 2x".
var Srcset = &mark.Format{Name: "srcset", Mark: extractSrcset}

var srcsetPlace = &mark.Place{Name: "srcset"}

var srcsetURL codec.Codec = &spell.Unescaped{Never: spell.WhiteSpace, First: ",", Last: ","}

// extractSrcset follows HTML 4.8.4.3, "parse a srcset attribute". A candidate with invalid descriptors is not a link,
// and is marked as dropped.
func extractSrcset(src []byte, m *mark.Marks) {
	for i := 0; ; {
		for i < len(src) && (ascii.IsSpace(src[i]) || src[i] == ',') {
			i++
		}
		if i == len(src) {
			return
		}
		// The URL ends at white space, and may contain commas. Commas at its end are not part of it, and mean that the
		// candidate has no descriptors.
		start := i
		for i < len(src) && !ascii.IsSpace(src[i]) {
			i++
		}
		end := i
		for src[end-1] == ',' {
			end--
		}
		if end < i {
			m.Link(srcsetPlace, start, end, srcsetURL)
			continue
		}
		var d descriptors
		if i = d.read(src, i); d.valid() {
			m.Link(srcsetPlace, start, end, srcsetURL)
		} else {
			m.Dropped(srcsetPlace, start, i)
		}
	}
}

// descriptors are the kinds of descriptors that one candidate has.
type descriptors struct {
	width, density, height, wrong bool
}

// valid reports whether a candidate may have these descriptors: a height needs a width.
func (d *descriptors) valid() bool { return !d.wrong && (d.width || !d.height) }

// read is the descriptor tokenizer. It reads the descriptors at i, and returns the offset of the comma after them, or
// len(src). A comma or white space in parentheses does not end a descriptor. Parentheses do not nest.
func (d *descriptors) read(src []byte, i int) int {
	for {
		for i < len(src) && ascii.IsSpace(src[i]) {
			i++
		}
		if i == len(src) || src[i] == ',' {
			return i
		}
		start := i
		for ; i < len(src); i++ {
			c := src[i]
			if c == ',' || ascii.IsSpace(c) {
				break
			}
			if c == '(' {
				n := bytes.IndexByte(src[i:], ')')
				if n < 0 {
					d.wrong = true
					return len(src)
				}
				i += n
			}
		}
		d.add(src[start:i])
	}
}

// add is the descriptor parser, for one descriptor.
func (d *descriptors) add(descriptor []byte) {
	last := len(descriptor) - 1
	number := descriptor[:last]
	switch descriptor[last] {
	case 'w':
		d.wrong = d.wrong || d.width || d.density || !isPositive(number)
		d.width = true
	case 'x':
		d.wrong = d.wrong || d.width || d.density || d.height || !isDensity(number)
		d.density = true
	case 'h':
		d.wrong = d.wrong || d.height || d.density || !isPositive(number)
		d.height = true
	default:
		d.wrong = true
	}
}

// isPositive reports whether b is a valid non-negative integer (HTML 2.3.4.2), and not zero.
func isPositive(b []byte) bool { return ascii.IsDigits(b) && len(bytes.Trim(b, "0")) > 0 }

// isDensity reports whether b is a valid floating-point number (HTML 2.3.4.3), and not less than 0. ParseFloat also
// reads other forms: +1, 1., 0x1, Inf.
func isDensity(b []byte) bool {
	value, err := strconv.ParseFloat(string(b), 64)
	_, fraction, dot := bytes.Cut(b, []byte("."))
	return (err == nil || errors.Is(err, strconv.ErrRange)) && value >= 0 && b[0] != '+' &&
		len(bytes.Trim(b, "0123456789.eE+-")) == 0 && (!dot || len(fraction) > 0 && ascii.IsDigit(fraction[0]))
}
