package codec_test

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"

	"absolink/extract/internal/codec"
	"absolink/extract/internal/codec/codectest"
	"absolink/extract/internal/codec/spell"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestStretches lifts random edits of long sources, in pieces of a few hundred bytes. It checks the law, that the
// edits come in time, and that a SourceMap of the pieces returns the same spans as the atoms.
func TestStretches(t *testing.T) {
	const least = 200
	numbers := rand.NewPCG(1, 2)
	rnd := rand.New(numbers)
	places := rand.New(rand.NewPCG(3, 4))
	var cutters []string
	for _, n := range all {
		if n.codec.Cut(nil, nil, least).Next == nil && !strings.HasPrefix(n.name, "Base64") {
			continue
		}
		cutters = append(cutters, n.name)
		t.Run(n.name, func(t *testing.T) {
			lifts, early, cut := 0, 0, 0
			for range 80 {
				src := longSource(rnd, n)
				text, _ := n.codec.Decode(src)
				s := codec.NewPieces(n.codec, src, text, least)
				if s == nil {
					continue
				}
				cut++
				_, atoms, _ := n.codec.Map(src)
				spans := codec.SmallMap(n.codec, src, text, least)
				for range 200 {
					start := places.IntN(len(text) + 1)
					span := codec.Span{start, min(start+places.IntN(3), len(text))}
					require.Equal(t, atoms.Span(span), spans(span), "the source of %v", span)
				}
				edits := longEdits(rnd, text, strings.HasPrefix(n.name, "QuotedPrintable"))
				want := codec.Apply(nil, text, edits)
				again := *numbers
				got, lift, refused := liftAll(rnd, s, text, edits)
				slow, _, slowRefused := liftAll(rand.New(&again), codec.NewPieces(codectest.Duties{Codec: n.codec}, src, text, least), text, edits)
				require.Equal(t, string(codec.Apply(nil, src, got)), string(codec.Apply(nil, src, slow)), "without the fast ways")
				require.Equal(t, refused, slowRefused, "without the fast ways")
				lifts += lift
				if len(refused) > 0 {
					early++
					continue
				}
				for i := range got {
					require.LessOrEqual(t, got[i].Start, got[i].End)
					require.True(t, i == 0 || got[i-1].End <= got[i].Start, "sorted")
				}
				out, _ := n.codec.Decode(codec.Apply(nil, src, got))
				if !bytes.Equal(out, want) {
					d := codec.Differ(out, want)
					require.Failf(t, "the law", "%q is %q in the source, at %d", want[max(0, d.Start-20):d.End+20], out[max(0, d.Start-20):min(len(out), d.End+20)], d.Start)
				}
				if strings.HasPrefix(n.name, "QuotedPrintable") {
					for line := range bytes.Lines(codec.Apply(nil, src, got)) {
						line = bytes.TrimRight(line, "=\r\n")
						require.True(t, len(line) <= 76 || bytes.Contains(src, line), "a long line that is not in the source: %q", line)
					}
				}
				if strings.HasPrefix(n.name, "Base64") {
					whole, err := codec.Lift(n.codec, src, text, edits)
					require.NoError(t, err)
					require.Equal(t, string(codec.Apply(nil, src, whole)), string(codec.Apply(nil, src, got)), "all at once")
				}
			}
			assert.Equal(t, 80, cut, "sources that can be cut")
			assert.Greater(t, lifts, 2*cut, "stretches")
			assert.Less(t, early, cut*4/5, "refused")
		})
	}
	assert.Subset(t, cutters, []string{"QuotedPrintable", "Base64", "UTF-16LE", "ISO-2022-JP", "Shift_JIS", "JSONString", "CDATA", "XMLContent", "CharData", "Chunked"})
}

// longSource returns a source of some thousand bytes.
func longSource(rnd *rand.Rand, n named) []byte {
	c := n.codec
	var src []byte
	if strings.HasPrefix(n.name, "Base64") {
		text := []byte(strings.Repeat("<a href=x>abc ", 300+rnd.IntN(3)))
		text = text[:len(text)-rnd.IntN(3)]
		src = []byte(base64.StdEncoding.EncodeToString(text))
		width := []int{60, 76, len(src)}[rnd.IntN(3)]
		end := []string{"\r\n", "\n"}[rnd.IntN(2)]
		if n.name != "Base64Line" {
			src = []byte(strings.Join(slices.Collect(func(yield func(string) bool) {
				for line := range slices.Chunk(src, width) {
					yield(string(line))
				}
			}), end) + end)
		}
		return src
	}
	chunks := n.name == "Chunked" // other bytes end the chunks
	for len(src) < 4000 {
		switch n := rnd.IntN(10); {
		case n == 0 && !chunks:
			src = append(src, codectest.Sources[rnd.IntN(len(codectest.Sources))]...)
		case n == 1:
			spelled, err := c.Encode(nil, nil, codec.Span{}, []byte(codectest.Inserts[rnd.IntN(len(codectest.Inserts))]))
			if err == nil {
				src = append(src, spelled...)
			}
		default:
			spelled, err := c.Encode(nil, nil, codec.Span{}, []byte([]string{"<a href='x'>", "abcdef ghij", "é日本", " \n", "the text of a page"}[rnd.IntN(5)]))
			if err == nil {
				src = append(src, spelled...)
			}
		}
	}
	switch n.name {
	case "Chunked":
		src = append(src, "0\r\nTrailer: x\r\n\r\n"...)
	case "QuotedPrintable", "QuotedPrintableLF":
		if rnd.IntN(2) == 0 { // one line
			src = bytes.ReplaceAll(bytes.ReplaceAll(src, []byte("\r"), nil), []byte("=\n"), nil)
			src = bytes.ReplaceAll(src, []byte("\n"), []byte(" x"))
		}
	case "XMLContent":
		if rnd.IntN(2) == 0 { // one section
			src = slices.Concat([]byte("a <![CDATA["), bytes.ReplaceAll(src, []byte("]]>"), []byte("]]]")), []byte("]]> b"))
		}
	}
	return src
}

// longEdits returns random edits of a text, as rewriting makes them, and some others. If splits is true, some are longer than a piece.
func longEdits(rnd *rand.Rand, text []byte, splits bool) (edits []codec.Edit) {
	density := []int{20, 100, 1000}[rnd.IntN(3)]
	for at := rnd.IntN(density + 1); at < len(text); at += 1 + rnd.IntN(2*density) {
		for at < len(text) && text[at]&0xC0 == 0x80 {
			at++
		}
		e := codec.Edit{Span: codec.Span{at, at}, New: []byte("http://h/")}
		if splits && rnd.IntN(20) == 0 {
			e.New, e.End = bytes.Repeat([]byte("new = text "), rnd.IntN(100)), min(at+rnd.IntN(2000), len(text))
			at = e.End
		} else if rnd.IntN(4) == 0 {
			e.New = []byte(codectest.Inserts[rnd.IntN(len(codectest.Inserts))])
			for e.End < min(at+rnd.IntN(10), len(text)) || e.End < len(text) && text[e.End]&0xC0 == 0x80 {
				e.End++
			}
			at = e.End
		}
		edits = append(edits, e)
	}
	return edits
}

// liftAll lifts the edits as a caller does that finds them from left to right.
func liftAll(rnd *rand.Rand, s *codec.Stretches, text []byte, edits []codec.Edit) (out []codec.Edit, lifts int, refused []string) {
	var pending []codec.Edit
	for at := 0; ; {
		upTo := at + rnd.IntN(1500)
		if at = upTo; upTo > len(text) {
			upTo = len(text) + 1
		}
		for len(edits) > 0 && edits[0].Start < upTo {
			pending, edits = append(pending, edits[0]), edits[1:]
		}
		for {
			stretch, ok := s.Next(pending, upTo)
			if !ok {
				break
			}
			lifts++
			var made []codec.Edit
			all, before := len(pending), len(refused)
			made, pending = stretch.Take(pending)
			lifted, err := s.Lift(new(codec.Replacer), stretch, slices.Clone(made), func(i int, err error) { refused = append(refused, err.Error()) })
			if err != nil {
				refused = append(refused, err.Error())
			}
			if len(made)+len(pending) > all && len(refused) > before {
				panic("the second part of a split edit removes text, but the first part is refused: " + refused[before])
			}
			out = append(out, lifted...)
		}
		if upTo > len(text) {
			if len(pending) > 0 {
				panic(fmt.Sprint("left: ", len(pending), " edits"))
			}
			return out, lifts, refused
		}
	}
}

// TestStretchesFromQuote lifts random edits of messages in an mbox in short pieces. Many edits are long and touch each other,
// like those of base64. They are split, and no "From " line is made or lost.
func TestStretchesFromQuote(t *testing.T) {
	const least = 8
	rnd := rand.New(rand.NewPCG(5, 6))
	draw := func(n int, words ...string) string {
		var b strings.Builder
		for range rnd.IntN(n) {
			b.WriteString(words[rnd.IntN(len(words))])
		}
		return b.String()
	}
	bare := regexp.MustCompile(`(?m)^From `)
	for name, row := range map[string]struct {
		codec  codec.Codec
		quoted string // a "From " of the source at the start of a line
	}{"rd": {spell.FromQuoteRD, ">From "}, "o": {spell.FromQuoteO, ">From "}, "none": {spell.FromUnquoted, "xFrom "}} {
		t.Run(name, func(t *testing.T) {
			c, split, whole := row.codec, 0, 0
			for range 5000 {
				src := bare.ReplaceAll([]byte(draw(60, "From ", ">", "\n", "\n>From ", "a", "Fr", "om ", " ", "x", "yz")), []byte(row.quoted))
				text, _ := c.Decode(src)
				s := codec.NewPieces(c, src, text, least)
				if s == nil {
					continue
				}
				var edits []codec.Edit
				for at := rnd.IntN(len(text)); at < len(text); at += rnd.IntN(6) * rnd.IntN(2) {
					e := codec.Edit{Span: codec.Span{at, min(at+1+rnd.IntN(30), len(text))}, New: []byte(draw(9, "From", ">", "\n", "a", "F", "om"))}
					if rnd.IntN(9) == 0 {
						e.New = append(e.New, draw(4, " ", "From ", "\n", "om ")...)
					}
					edits, at = append(edits, e), e.End
				}
				got, lifts, refused := liftAll(rnd, s, text, edits)
				split += lifts - 1
				if len(refused) > 0 {
					continue
				}
				whole++
				want, out := codec.Apply(nil, text, edits), codec.Apply(nil, src, got)
				require.False(t, bare.Match(out), "%q %q", src, edits)
				back, _ := c.Decode(out)
				require.Equal(t, string(want), string(back), "%q %q", src, edits)
			}
			assert.Greater(t, split, 1000)
			assert.Greater(t, whole, 1000)
		})
	}
}

// An edit is split, and the second edit after the cut makes a "From " line together with the text around it. It is refused, but
// the second part of the first edit is lifted.
func TestStretchesRefused(t *testing.T) {
	text := []byte(strings.Repeat("x", 48) + "\nFrZqxxx")
	s := codec.NewPieces(spell.FromUnquoted, text, text, 8)
	edits := []codec.Edit{{Span: codec.Span{Start: 0, End: 44}, New: []byte("y")}, {Span: codec.Span{Start: 51, End: 52}, New: []byte("om ")}}
	got, lifts, refused := liftAll(rand.New(rand.NewPCG(1, 1)), s, text, edits)
	assert.Len(t, refused, 1)
	assert.Equal(t, 2, lifts)
	assert.Equal(t, "yxxxx\nFrZqxxx", string(codec.Apply(nil, text, got)))
}
