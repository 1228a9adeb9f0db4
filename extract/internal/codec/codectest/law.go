// Package codectest has what the tests of all codecs share: the check of the law, sources and edits.
package codectest

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/stretchr/testify/assert"

	"absolink/extract/internal/codec"
)

// changed lists the Changes of all edits.
func changed(edits []codec.Edit) string {
	var out strings.Builder
	for _, e := range edits {
		for c := e.Changes; c != nil; c = c.Next {
			fmt.Fprintln(&out, c.Of)
		}
	}
	return out.String()
}

// Duties hides the optional fast methods of a codec: it has only those of the interface.
type Duties struct{ codec.Codec }

// Lawful checks everything that package codec promises about one call of Lift, and reports whether Lift refused the
// edits.
func Lawful(t assert.TestingT, c codec.Codec, src []byte, edits []codec.Edit) (refused bool) {
	before := string(src)
	text, err := c.Decode(src)
	var atoms codec.Atoms
	c.Map(src, text, &atoms)
	into, intoErr := codec.DecodeInto(new([]byte), c, src)
	same(t, string(text), string(into), "Decode and DecodeInto return the same text")
	holds(t, (err != nil) == (intoErr != nil), "DecodeInto fails as Decode does")
	tiled(t, src, text, atoms)
	if len(edits) == 0 {
		mappedAs(t, c, src, text, atoms)
	}
	edits = slices.Clone(edits)
	for i := range edits {
		edits[i].Changes = &codec.Changes{N: 1, Of: i}
	}
	got, err := Lift(c, src, edits)
	same(t, before, string(src), "the source is only read")
	slow, slowErr := codec.Lift(Duties{c}, src, text, edits)
	holds(t, (err != nil) == (slowErr != nil), "Lift fails in the fast ways as without them")
	same(t, string(codec.Apply(nil, src, slow)), string(codec.Apply(nil, src, got)),
		"Lift has the same result in the fast ways as without them")
	if err != nil {
		holds(t, errors.Is(err, codec.ErrRefused), "the error is an ErrRefused")
		holds(t, got == nil, "no edits are returned with an error")
		return true
	}
	holds(t, len(edits) > 0 || got == nil, "no edits for no edits")
	at := 0
	for _, e := range got {
		if !holds(t, at <= e.Start && e.Start <= e.End && e.End <= len(src), "sorted and in range") ||
			!holds(t, e.Len() > 0 || len(e.New) > 0, "not empty") {
			return false
		}
		at = e.End
	}
	lawOf(t, c, src, text, edits, got)
	cancelled := bytes.Equal(codec.Apply(nil, text, edits), text)
	if made, _ := codec.Trim(text, edits); !cancelled {
		same(t, changed(made), changed(got), "the edits have the Changes of all edits of the text")
	}
	if len(edits) == 1 {
		var r codec.Replacer
		whole := codec.Apply(nil, text, edits)
		long, longErr := Lift(c, src, []codec.Edit{{Span: codec.Span{Start: 0, End: len(text)}, New: whole}})
		short, err := r.Replace(nil, c, src, text, whole)
		holds(t, (err != nil) == (longErr != nil), "Replace fails as Lift does")
		same(t, string(codec.Apply(nil, src, long)), string(codec.Apply(nil, src, short)),
			"Replace and Lift have the same result")
	}
	return false
}

// lawOf checks the law: the text of the edited source is the edited text.
func lawOf(t assert.TestingT, c codec.Codec, src, text []byte, edits, lifted []codec.Edit) {
	got, _ := c.Decode(codec.Apply(nil, src, lifted))
	holds(t, bytes.Equal(codec.Apply(nil, text, edits), got), "the law")
}

func mappedAs(t assert.TestingT, c codec.Codec, src, text []byte, atoms codec.Atoms) {
	m := codec.Spans(c, src, text)
	for start := range len(text) + 1 {
		for _, n := range []int{0, 1, 2, 3, len(text) - start} {
			span := codec.Span{Start: start, End: min(start+n, len(text))}
			holds(t, m(span) == atoms.Span(span), "Spans returns the same spans as the atoms")
		}
	}
}

// Lift is codec.Lift for the text of src.
func Lift(c codec.Codec, src []byte, edits []codec.Edit) ([]codec.Edit, error) {
	text, _ := c.Decode(src)
	return codec.Lift(c, src, text, edits)
}

// same and holds are assert.Equal and assert.True, cheap enough for millions of calls.
func same(t assert.TestingT, want, got, msg string) bool {
	return want == got || assert.Equal(t, want, got, msg)
}

func holds(t assert.TestingT, ok bool, msg string) bool {
	return ok || assert.Fail(t, msg)
}

// tiled checks that the atoms are sorted and in range, and that all bytes between them stand for themselves.
func tiled(t assert.TestingT, src, text []byte, atoms codec.Atoms) {
	s, x := 0, 0
	i := -1
	for a := range atoms.All {
		i++
		ok := a.N > 0 && a.SrcLen > 0 && a.TextLen >= 0 && a.Src >= s && a.Src-s == a.Text-x &&
			a.SrcEnd() <= len(src) && a.TextEnd() <= len(text)
		if !ok {
			assert.Fail(t, "atoms out of order", "%d of %+v", i, atoms)
			return
		}
		if !same(t, string(src[s:a.Src]), string(text[x:a.Text]), "between atoms") {
			return
		}
		s, x = a.SrcEnd(), a.TextEnd()
	}
	same(t, string(src[s:]), string(text[x:]), "after the atoms")
}

// Edits returns sorted edits of a text of n bytes. Each is three bytes of script: the distance from the edit before it,
// the length, and the number of bytes of fresh to write.
func Edits(n int, script, fresh []byte) []codec.Edit {
	var out []codec.Edit
	at := 0
	for ; len(script) >= 3; script = script[3:] {
		start := min(at+int(script[0]), n)
		end := min(start+int(script[1]), n)
		size := min(int(script[2]), len(fresh))
		out = append(out, codec.Edit{Span: codec.Span{Start: start, End: end}, New: fresh[:size]})
		fresh, at = fresh[size:], end
	}
	return out
}
