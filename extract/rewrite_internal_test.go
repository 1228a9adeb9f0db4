package extract

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"absolink/extract/internal/codec"
	"absolink/extract/internal/codec/charsets"
	"absolink/extract/internal/mark"
	"absolink/extract/internal/source"
)

// reports makes a walker that lists the entity, the offset and the code of each problem, and the letters in its detail
// that are not ASCII, which have no spelling.
func reports(list *[]string) *walker {
	w := new(Extractor).walker(context.Background())
	w.x.OnProblem = func(p Problem) {
		letters := strings.Map(func(r rune) rune {
			if r < utf8.RuneSelf {
				return -1
			}
			return r
		}, p.Detail)
		if len(strings.TrimSpace(p.Detail)) < len(letters)+20 {
			letters = "no reason"
		}
		*list = append(*list, strings.TrimSpace(fmt.Sprint(p.Entity, " ", p.Offset, " ", p.Code, " ", letters)))
	}
	return w
}

// An edit that the charset cannot spell is reported at its offset, and the others are made.
func TestLiftEdits(t *testing.T) {
	for _, row := range []struct {
		name     string
		new      [4]string // for the text "aébécéd": a, b, c and d
		want     string    // the bytes
		kept     []int     // the changes that stay, by their offset in the text
		problems []string
	}{
		{"each has a spelling", [4]string{"x", "é", "", "z"}, "x\xe9\xe9\xe9\xe9z", []int{0, 3, 6, 9}, nil},
		{"the first has none", [4]string{"日", "x", "y", "z"}, "a\xe9x\xe9y\xe9z", []int{3, 6, 9},
			[]string{"part 0 rewrite-refused 日"}},
		{"two in the middle have none", [4]string{"x", "日", "本", "z"}, "x\xe9b\xe9c\xe9z", []int{0, 9},
			[]string{"part 2 rewrite-refused 日",
				"part 4 rewrite-refused 本"}},
		{"the last has none", [4]string{"x", "y", "z", "日"}, "x\xe9y\xe9z\xe9d", []int{0, 3, 6},
			[]string{"part 6 rewrite-refused 日"}},
		{"none has a spelling", [4]string{"日", "日", "日", "日"}, "a\xe9b\xe9c\xe9d", nil,
			[]string{"part 0 rewrite-refused 日", "part 2 rewrite-refused 日", "part 4 rewrite-refused 日", "part 6 rewrite-refused 日"}},
	} {
		t.Run(row.name, func(t *testing.T) {
			var problems []string
			w := reports(&problems)
			latin1, _, _ := charsets.Of("windows-1252")
			e := &Entity{Path: "part", Bytes: []byte("a\xe9b\xe9c\xe9d")}
			require.NoError(t, e.text.Decode(nil, 0, e.Bytes, latin1, new([]byte)))
			e.charset = latin1
			var edits []codec.Edit
			for i, text := range row.new {
				at := codec.Span{Start: 3 * i, End: 3*i + 1}
				edits = append(edits, codec.Edit{Span: at, New: []byte(text), Changes: &codec.Changes{N: 1, Of: at.Start}})
			}
			lifted, err := w.liftEdits(e, e.charset, e.Bytes, &e.text, edits, false)
			require.NoError(t, err)
			assert.Equal(t, row.want, string(codec.Apply(nil, e.Bytes, lifted)))
			var kept []int
			for _, edit := range lifted {
				kept = append(kept, edit.Changes.Of.(int))
			}
			assert.Equal(t, row.kept, kept)
			assert.Equal(t, row.problems, problems)
		})
	}
}

// The edits of a page in ASCII are spelled in its charset, windows-1252, once it is known. Those with other letters are
// dropped.
func TestEncodeEach(t *testing.T) {
	late := &mark.Format{Charset: func([]byte, string) string { return "windows-1252" }}
	for _, row := range []struct {
		name     string
		new      [4]string // before 2, and at 2, 4 and 6; the first one is before the index
		want     [][2]any  // offset and text
		problems []string
	}{
		{"ASCII", [4]string{"日", "x", "y", "z"}, [][2]any{{2, "日"}, {2, "x"}, {4, "y"}, {6, "z"}}, nil},
		{"letters of the charset", [4]string{"", "é", "y", "é"}, [][2]any{{2, ""}, {2, "\xe9"}, {4, "y"}, {6, "\xe9"}}, nil},
		{"the first lacks", [4]string{"", "日", "é", "z"}, [][2]any{{2, ""}, {4, "\xe9"}, {6, "z"}}, []string{"part 102 rewrite-refused 日"}},
		{"the last two lack", [4]string{"", "x", "日", "日本"}, [][2]any{{2, ""}, {2, "x"}},
			[]string{"part 104 rewrite-refused 日", "part 106 rewrite-refused 日本"}},
	} {
		t.Run(row.name, func(t *testing.T) {
			var problems []string
			w := reports(&problems)
			charset := source.NewCharset(source.Encoding{Format: late, Late: true}, nil, false)
			e := &Entity{Path: "part", guards: new(mark.Guards), spelling: &charset, text: source.Text{Bytes: []byte("abcdefgh"), Start: 100}}
			var edits []codec.Edit
			for i, text := range row.new {
				at := codec.Span{Start: 2 * i, End: 2*i + 1}
				if i == 0 {
					at = codec.Span{Start: 2, End: 2} // next to the first edit
				}
				edits = append(edits, codec.Edit{Span: at, New: []byte(text)})
			}
			var got [][2]any
			for _, edit := range w.writable(e, edits, 1) {
				got = append(got, [2]any{edit.Start, string(edit.New)})
			}
			assert.Equal(t, row.want, got)
			assert.Equal(t, row.problems, problems)
		})
	}

	// The edits of a page whose charset is known keep their letters, which liftEdits spells.
	latin1, _, _ := charsets.Of("windows-1252")
	charset := source.NewCharset(source.Encoding{Codec: latin1}, nil, false)
	e := &Entity{guards: new(mark.Guards), spelling: &charset, charset: latin1}
	assert.Equal(t, []codec.Edit{{New: []byte("é")}}, new(Extractor).walker(context.Background()).writable(e, []codec.Edit{{New: []byte("é")}}, 0))
}
