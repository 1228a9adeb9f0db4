package codec

import (
	"testing"
)

// FuzzLift checks the law for each codec. Three bytes of script make one edit: the distance from the previous edit, the
// length of the old text, and the length of the new text. The new texts are consecutive parts of fresh.
func FuzzLift(f *testing.F) {
	// TestLaw uses each source in each codec. Here a source has two codecs, so that there is time for new inputs.
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

// edits returns sorted edits of a text of n bytes, made from script and fresh.
func edits(n int, script, fresh []byte) []Edit {
	var out []Edit
	at := 0
	for ; len(script) >= 3; script = script[3:] {
		start := min(at+int(script[0]), n)
		end := min(start+int(script[1]), n)
		size := min(int(script[2]), len(fresh))
		out = append(out, Edit{Span: Span{start, end}, New: fresh[:size]})
		fresh, at = fresh[size:], end
	}
	return out
}
