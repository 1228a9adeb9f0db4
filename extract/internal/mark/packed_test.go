package mark

import (
	rand "math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"absolink/extract/internal/codec"
	"absolink/extract/internal/codec/spell"
)

// All yields all marks in their order, also when it is called twice. Bases yields the bases.
func TestPacked(t *testing.T) {
	defer func(was int) { AtOnce = was }(AtOnce)
	AtOnce = 5
	places := []*Place{{Name: "a@href"}, {Name: "img@src"}, {Name: "area@href"}, {Name: "base@href"}}
	parts := []*Place{{Name: "part"}, {Name: "part", Within: "1."}}
	codecs := []codec.Codec{spell.AttrDouble, spell.AttrSingle, codec.Layers(spell.Base64, spell.AttrDouble), codec.Layers(spell.Base64, spell.AttrDouble)}
	distances := []int{0, 1, 7, 1<<lengthBits - 1, 1 << lengthBits, 1<<gapBits - 1, 1 << gapBits}
	for seed := range uint64(100) {
		r := rand.New(rand.NewPCG(seed, 0))
		var m Marks
		var want, bases []Mark
		number := int32(0)
		for at := 0; len(want) < int(seed); {
			l := Mark{Start: at + distances[r.IntN(len(distances))], Place: places[r.IntN(4)], Codec: codecs[r.IntN(4)], Scope: int32(r.IntN(3)) - 2}
			if r.IntN(9) == 0 {
				l.Start = r.IntN(at + 1) // the marks of a header may be out of order
			}
			l.End = l.Start + distances[r.IntN(len(distances))]
			at = l.End
			if r.IntN(9) == 0 {
				l.Kind, l.Base = IsBase, &Declaration{By: "Base"}
				bases = append(bases, l)
			} else if r.IntN(2) == 0 { // a part; its number is greater than that of the part before it
				number += 1 + r.Int32N(2)
				l.Place, l.Number = parts[r.IntN(2)], number
			}
			want = append(want, l)
			m.Add(l)
		}
		var got []Mark
		for at := range m.Bases {
			got = append(got, *at)
		}
		require.Equal(t, bases, got, "the bases, seed %d", seed)
		for range 2 {
			got = nil
			for chunk := range m.All {
				got = append(got, chunk...)
			}
			require.Equal(t, len(want), len(got), "seed %d", seed)
			for i := range want {
				require.True(t, want[i] == got[i], "%+v is %+v, seed %d", want[i], got[i], seed)
			}
		}
	}
}
