package mark

import (
	rand "math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"absolink/extract/internal/codec"
	"absolink/extract/internal/codec/spell"
)

// listed returns the bases without the refused declarations after the first ListedRefused.
func listed(bases []Mark) (kept []Mark) {
	refused := 0
	for _, at := range bases {
		if at.Base.Refuse != "" {
			refused++
		}
		if at.Base.Refuse == "" || refused <= ListedRefused {
			kept = append(kept, at)
		}
	}
	return kept
}

// All yields all marks in their order, also when it is called twice. Bases yields the bases.
func TestPacked(t *testing.T) {
	defer func(was int) { AtOnce = was }(AtOnce)
	AtOnce = 5
	places := []*Place{{Name: "a@href"}, {Name: "img@src"}, {Name: "area@href"}, {Name: "base@href"}}
	parts := []*Place{{Name: "part"}, {Name: "part", Within: "1."}}
	codecs := []codec.Codec{spell.AttrDouble, spell.AttrSingle, codec.Layers(spell.Base64, spell.AttrDouble), codec.Layers(spell.Base64, spell.AttrDouble)}
	refused := &Declaration{By: "Base", Refuse: "refused"}
	distances := []int{0, 1, 7, 1<<lengthBits - 1, 1 << lengthBits, 1<<gapBits - 1, 1 << gapBits}
	for seed := range uint64(100) {
		r := rand.New(rand.NewPCG(seed, 0))
		var m Marks
		var want, bases []Mark
		number, scopes := int32(0), 0
		for at := 0; len(want) < int(seed); {
			l := Mark{Start: at + distances[r.IntN(len(distances))], Place: places[r.IntN(4)], Codec: codecs[r.IntN(4)], Scope: int32(r.IntN(3)) - 2}
			if r.IntN(9) == 0 {
				l.Start = r.IntN(at + 1) // the marks of a header may be out of order
			}
			l.End = l.Start + distances[r.IntN(len(distances))]
			at = l.End
			if r.IntN(2) == 0 { // in an element with a scope of its own, or around it
				scopes += r.IntN(3)
				l.Scope = int32(r.IntN(scopes + 1))
			}
			if r.IntN(3) == 0 {
				l.Kind, l.Base = IsBase, &Declaration{By: "Base"}
				if r.IntN(4) > 0 {
					l.Base = refused
				}
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
		require.Equal(t, listed(bases), listed(got), "the bases, seed %d", seed)
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
