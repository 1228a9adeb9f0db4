package codec_test

import (
	"testing"

	"absolink/extract/internal/codec/codectest"
)

// FuzzLift checks the law for each codec. Three bytes of script make one edit: the distance from the previous edit, the
// length of the old text, and the length of the new text. The new texts are consecutive parts of fresh.
func FuzzLift(f *testing.F) {
	// TestLaw has each source in each codec. Two codecs for each source leave the fuzzer time for inputs of its own.
	for i, s := range codectest.Sources {
		for _, index := range []int{i % len(all), i * 7 % len(all)} {
			f.Add(byte(index), []byte(s), []byte{0, 0, 2, 1, 1, 3}, []byte("http://h/&é日 p;"))
		}
	}
	f.Fuzz(func(t *testing.T, index byte, src, script, fresh []byte) {
		c := all[int(index)%len(all)].codec
		text, _ := c.Decode(src)
		codectest.Lawful(t, c, src, nil)
		codectest.Lawful(t, c, src, codectest.Edits(len(text), script, fresh))
	})
}
