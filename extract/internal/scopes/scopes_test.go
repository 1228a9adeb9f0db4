package scopes_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"absolink/base"
	"absolink/extract/internal/codec"
	"absolink/extract/internal/mark"
	"absolink/extract/internal/scopes"
	"absolink/resolve"
)

// Scopes that are asked for in any order are those that would be made at once, outer before inner.
func TestScopes(t *testing.T) {
	entity := base.Root(resolve.RFC3986, base.Declaration{Layer: base.LayerRetrieval, Value: "http://h/"})
	none := base.Root(resolve.RFC3986)
	for seed := range uint64(200) {
		r := rand.New(rand.NewPCG(seed, 0))
		var m mark.Marks
		const count = 30
		for n := range count {
			outer := int32(r.IntN(n + 1))
			m.OpenScope(outer, nil, n, n, codec.Identity, mark.Declaration{By: fmt.Sprint(n), Header: true})
		}
		declare := func(at *mark.Mark) base.Declaration {
			return base.Declaration{Layer: base.LayerEmbedded, Value: fmt.Sprintf("%d/", at.Start)}
		}
		got := scopes.New(&m, func(int32) *base.Scope { return entity }, declare)
		want := []*base.Scope{entity}
		for n := int32(1); n <= count; n++ {
			at := m.ScopeMark(n)
			switch choice := r.IntN(8); {
			case choice == 0:
				got.Without(none)
				want = append(want, none)
			case choice == 1 && at.ScopeNumber > 0:
				got.AsOuter()
				want = append(want, want[at.ScopeNumber])
			default:
				require.Equal(t, want[at.ScopeNumber].Within(declare(at)).Base().String(), got.Own().Base().String())
				want = append(want, want[at.ScopeNumber].Within(declare(at)))
			}
		}
		for range 100 {
			n := int32(r.IntN(count + 1))
			require.Equal(t, want[n].Base().String(), got.At(n).Base().String(), "scope %d, seed %d", n, seed)
		}
	}
}
