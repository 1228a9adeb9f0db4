package codec

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestStretches lifts random edits of long sources, in pieces of a few hundred bytes. It checks the law, and that the
// edits come in time.
func TestStretches(t *testing.T) {
	defer func(was int) { pieceLen = was }(pieceLen)
	pieceLen = 200
	rnd := rand.New(rand.NewPCG(1, 2))
	var cutters []string
	for _, n := range append([]named{{"HeaderFolds", HeaderFolds}, {"HeaderLines", HeaderLines}}, all...) {
		if k, ok := n.codec.(cutter); !ok || k.cuts(nil, nil) == nil && !strings.HasPrefix(n.name, "Base64") {
			continue
		}
		cutters = append(cutters, n.name)
		t.Run(n.name, func(t *testing.T) {
			lifts, early, cut := 0, 0, 0
			for range 80 {
				src := longSource(rnd, n.codec)
				text, _ := n.codec.Decode(src)
				s := NewStretches(n.codec, src, text)
				if s == nil {
					continue
				}
				cut++
				edits := longEdits(rnd, text)
				want := Apply(nil, text, edits)
				got, lift, refused := liftAll(rnd, s, text, edits)
				lifts += lift
				if len(refused) > 0 {
					early++
					continue
				}
				for i := range got {
					require.LessOrEqual(t, got[i].Start, got[i].End)
					require.True(t, i == 0 || got[i-1].End <= got[i].Start, "sorted")
				}
				out, _ := n.codec.Decode(Apply(nil, src, got))
				if !bytes.Equal(out, want) {
					d := differ(out, want)
					require.Failf(t, "the law", "%q is %q in the source, at %d", want[max(0, d.Start-20):d.End+20], out[max(0, d.Start-20):min(len(out), d.End+20)], d.Start)
				}
				if _, ok := n.codec.(quotedPrintable); ok {
					for line := range bytes.Lines(Apply(nil, src, got)) {
						line = bytes.TrimRight(line, "=\r\n")
						require.True(t, len(line) <= columns || bytes.Contains(src, line), "a long line that is not in the source: %q", line)
					}
				}
				if k, ok := n.codec.(base64Codec); ok {
					whole, err := Lift(k, src, text, edits)
					require.NoError(t, err)
					require.Equal(t, string(Apply(nil, src, whole)), string(Apply(nil, src, got)), "all at once")
				}
			}
			assert.Equal(t, 80, cut, "sources that can be cut")
			assert.Greater(t, lifts, 2*cut, "stretches")
			assert.Less(t, early, cut*3/4, "refused")
		})
	}
	assert.Subset(t, cutters, []string{"QuotedPrintable", "Base64", "UTF-16LE", "ISO-2022-JP", "Shift_JIS", "JSONString", "CDATA", "XMLContent", "CharData"})
}

// longSource returns a source of some thousand bytes.
func longSource(rnd *rand.Rand, c Codec) []byte {
	var src []byte
	switch c := c.(type) {
	case base64Codec:
		text := []byte(strings.Repeat("<a href=x>abc ", 300+rnd.IntN(3)))
		text = text[:len(text)-rnd.IntN(3)]
		src = appendBase64(nil, text)
		width := []int{60, 76, len(src)}[rnd.IntN(3)]
		end := []string{"\r\n", "\n"}[rnd.IntN(2)]
		if !c.line {
			src = []byte(strings.Join(slices.Collect(func(yield func(string) bool) {
				for line := range slices.Chunk(src, width) {
					yield(string(line))
				}
			}), end) + end)
		}
		return src
	}
	for len(src) < 4000 {
		switch n := rnd.IntN(10); {
		case n == 0:
			src = append(src, sources[rnd.IntN(len(sources))]...)
		case n == 1:
			spelled, err := c.Encode(nil, nil, Span{}, []byte(inserts[rnd.IntN(len(inserts))]))
			if err == nil {
				src = append(src, spelled...)
			}
		default:
			spelled, err := c.Encode(nil, nil, Span{}, []byte([]string{"<a href='x'>", "abcdef ghij", "é日本", " \n", "the text of a page"}[rnd.IntN(5)]))
			if err == nil {
				src = append(src, spelled...)
			}
		}
	}
	switch c.(type) {
	case quotedPrintable:
		if rnd.IntN(2) == 0 { // one line
			src = bytes.ReplaceAll(bytes.ReplaceAll(src, []byte("\r"), nil), []byte("=\n"), nil)
			src = bytes.ReplaceAll(src, []byte("\n"), []byte(" x"))
		}
	case xmlContent:
		if rnd.IntN(2) == 0 { // one section
			src = slices.Concat([]byte("a <![CDATA["), bytes.ReplaceAll(src, []byte("]]>"), []byte("]]]")), []byte("]]> b"))
		}
	}
	return src
}

// longEdits returns random edits of a text, as rewriting makes them, and some others.
func longEdits(rnd *rand.Rand, text []byte) (edits []Edit) {
	density := []int{20, 100, 1000}[rnd.IntN(3)]
	for at := rnd.IntN(density + 1); at < len(text); at += 1 + rnd.IntN(2*density) {
		for at < len(text) && text[at]&0xC0 == 0x80 {
			at++
		}
		e := Edit{Span: Span{at, at}, New: []byte("http://h/")}
		if rnd.IntN(4) == 0 {
			e.New = []byte(inserts[rnd.IntN(len(inserts))])
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
func liftAll(rnd *rand.Rand, s *Stretches, text []byte, edits []Edit) (out []Edit, lifts int, refused []string) {
	var pending []Edit
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
			made := slices.Clone(pending[:stretch.Edits])
			pending = pending[stretch.Edits:]
			lifted, err := s.Lift(new(Replacer), stretch, made, func(i int, err error) { refused = append(refused, err.Error()) })
			if err != nil {
				refused = append(refused, err.Error())
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

// TestBase64Atoms: the atoms of a source in lines of one width are those that the reader of any source finds.
func TestBase64Atoms(t *testing.T) {
	for size := range 200 {
		text := []byte(strings.Repeat("<a href=x>", 20))[:size]
		for _, width := range []int{4, 8, 76, 1000} {
			for _, end := range []string{"\n", "\r\n"} {
				for _, last := range []string{"", end, end + end} {
					var lines []string
					for line := range slices.Chunk(appendBase64(nil, text), width) {
						lines = append(lines, string(line))
					}
					src := []byte(strings.Join(lines, end) + last)
					_, got, err := Base64.Map(src)
					require.NoError(t, err)
					var want Atoms
					_, err = base64Read(nil, src, &want)
					require.NoError(t, err)
					require.Equal(t, want, got, "%q", src)
				}
			}
		}
	}
}
