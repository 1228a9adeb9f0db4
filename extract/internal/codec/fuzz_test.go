package codec

import (
	"testing"
)

// FuzzLift: the law and all that goes with it, for every codec. The edits are drawn from bytes: each
// takes a gap, a length and how much of the new text.
func FuzzLift(f *testing.F) {
	// TestLaw has each source in each codec. Here a source has two codecs, so that the seeds leave time for new inputs.
	for i, s := range sources {
		for _, index := range []int{i % len(all), i * 7 % len(all)} {
			f.Add(byte(index), []byte(s), []byte{0, 0, 2, 1, 1, 3}, []byte("http://h/&é日 p;"))
		}
	}
	f.Fuzz(func(t *testing.T, index byte, src, script, fresh []byte) {
		c := all[int(index)%len(all)].codec
		text, _ := c.Decode(src)
		lawful(t, c, src, nil)
		lawful(t, c, src, edits(len(text), script, fresh))
	})
}

// edits makes sorted edits of a text of n bytes out of bytes.
func edits(n int, script, fresh []byte) []Edit {
	var out []Edit
	at := 0
	for ; len(script) >= 3; script = script[3:] {
		start := min(at+int(script[0]), n)
		end := min(start+int(script[1]), n)
		size := min(int(script[2]), len(fresh))
		out = append(out, Edit{Span{start, end}, fresh[:size]})
		fresh, at = fresh[size:], end
	}
	return out
}
