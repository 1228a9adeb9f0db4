package mark

import (
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"absolink/extract/internal/codec"
)

func TestCovers(t *testing.T) {
	var m Marks
	assert.False(t, m.Notes.Covers(0), "nothing is signed")
	m.Signed(2, 4)
	m.Signed(4, 5)
	m.Signed(8, 10)
	for offset, want := range []bool{false, false, true, true, true, false, false, false, true, true, false} {
		assert.Equal(t, want, m.Notes.Covers(offset), "%d", offset)
	}
}

func TestClear(t *testing.T) {
	var m Marks
	m.Extended = true
	place := &Place{Name: "a@href"}
	m.Link(place, 1, 2, codec.Identity)
	scope := m.OpenScope(0, place, 3, 4, codec.Identity, Declaration{})
	require.Equal(t, int32(1), scope)
	require.Equal(t, int32(2), m.OpenScope(scope, place, 5, 6, codec.Identity, Declaration{}))
	m.Fault(7, Undecodable, "damaged")
	m.Breaks(codec.Span{Start: 1, End: 2}, 3, DKIMBroken, "signed")
	m.Mends(func([]byte, []codec.Edit) []codec.Edit { return nil })
	m.Evidence(&Saver{By: "saver"}, 1, 2, codec.Identity)
	m.Signed(1, 2)
	m.Sibling(Sibling{Path: "1"})
	m.Parts.Snapshot, m.Notes.Opaque = true, true
	type buffer struct{ n int }
	ScratchOf[buffer](&m).n = 5

	assert.Equal(t, []Fault{{Offset: 7, Code: Undecodable, Detail: "damaged"}}, m.Notes.Faults)
	assert.Equal(t, []Fault{{Offset: 3, Code: DKIMBroken, Detail: "signed", Of: codec.Span{Start: 1, End: 2}}}, m.Notes.Breaks)
	assert.EqualValues(t, 2, m.ScopeCount())
	assert.Equal(t, scope, m.ScopeMark(2).ScopeNumber, "the outer scope")

	m.Clear()
	assert.Zero(t, m.Len())
	assert.Zero(t, m.ScopeCount())
	assert.Empty(t, m.Notes.Faults)
	assert.Empty(t, m.Notes.Breaks)
	assert.Empty(t, m.Notes.Menders)
	assert.Empty(t, m.Notes.Evidence)
	assert.Empty(t, m.Notes.Signed)
	assert.Empty(t, m.Parts.Siblings)
	assert.True(t, m.Extended, "the settings stay")
	assert.Equal(t, 5, ScratchOf[buffer](&m).n, "the scratch memory stays")
	assert.Zero(t, *ScratchOf[int](&m), "each type has its own")
}

func TestFaultsAreBounded(t *testing.T) {
	var m Marks
	for i := range mostFaults + 10 {
		m.Fault(2*i, Undecodable, "damaged")
		m.Warn(2*i+1, HeaderMalformed, "wrong")
	}
	require.Len(t, m.Notes.Faults, mostFaults+2)
	assert.Equal(t, []Fault{
		{Offset: mostFaults, Code: Undecodable, Detail: "damaged", More: mostFaults/2 + 9},
		{Offset: mostFaults + 1, Code: HeaderMalformed, Detail: "wrong", Read: true, More: mostFaults/2 + 9},
	}, m.Notes.Faults[mostFaults:])
}

func TestEvidenceIsBounded(t *testing.T) {
	var m Marks
	for i := range 2 * listedEvidence {
		m.Evidence(nil, i, i+1, codec.Identity)
	}
	require.Len(t, m.Notes.Evidence, listedEvidence)
	assert.Equal(t, 0, m.Notes.Evidence[0].Start, "the first ones are listed")
}

func TestQuote(t *testing.T) {
	for b, want := range map[string]string{
		"": `""`, "a b": `"a b"`, "a\"b": `"a\"b"`, `a\b`: `"a\\b"`, "a\nb": `"a\nb"`, "é": `"é"`, "\xe9": `"\xe9"`, "~\x7f": `"~\x7f"`,
		strings.Repeat("a", 200): `"` + strings.Repeat("a", 200) + `"`,
		strings.Repeat("a", 201): `"` + strings.Repeat("a", 200) + `"...`,
	} {
		assert.Equal(t, want, Quote([]byte(b)), "%q", b)
		if len(b) <= 200 {
			assert.Equal(t, strconv.Quote(b), Quote([]byte(b)), "%q", b)
		}
	}
}
