package spell

import (
	"bytes"
	"encoding/base64"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"absolink/extract/internal/codec"
	"absolink/extract/internal/codec/codectest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestBase64(t *testing.T) {
	for _, row := range []struct {
		clause, src, text string
		err               error
	}{
		{"6.8 no padding needed", "QUJD", "ABC", nil},
		{"6.8 one =", "QUI=", "AB", nil},
		{"6.8 two =", "QQ==", "A", nil},
		{"6.8 nothing", "", "", nil},
		{"6.8 line breaks anywhere", "\r\nQU\r\nJD\nR\n\nA=\r\n=\r\n", "ABCD", nil},
		{"6.8 lines of uneven width", "QUJD\r\nREVGR\r\n0hJSk\r\ntMTU5\r\nPUFFS\r\n", "ABCDEFGHIJKLMNOPQR", nil},
		{"6.8 CR alone", "QUJD\rREVGR\r0hJSk\rtMTU5\rPUFFS\r", "ABCDEFGHIJKLMNOPQR", nil},
		{"6.8 CR and LF with a letter between them", "QUJD\rR\nEVGR\r0\nhJSk\rt\nMTU5\rP\nUFFS", "ABCDEFGHIJKLMNOPQR", nil},
		{"6.8 blanks", " QU JD \t\r\n RA = = \r\n", "ABCD", nil},
		{"6.8 much junk is ignored, and told", "QU*JD!\r\nRA==", "ABCD", codec.ErrUnread},
		{"6.8 padding bits are not looked at", "QR==", "A", nil},
		{"6.8 cut: two letters", "QUJDRA", "ABCD", codec.ErrUndecodable},
		{"6.8 cut: three letters", "QUJDREU\r\n", "ABCDE", codec.ErrUndecodable},
		{"6.8 cut: one letter", "QUJDR", "ABC", codec.ErrUnread},
		{"6.8 cut: half the padding", "QUJDRA=", "ABCD", codec.ErrUndecodable},
		{"6.8 cut: one letter, padded", "QUJDR=", "ABC", codec.ErrUnread},
		{"6.8 padding where none is due", "QUJD=", "ABC", codec.ErrUndecodable},
		{"6.8 encoded in pieces", "QQ==\r\nQkM=\r\nREVG", "ABCDEF", codec.ErrUndecodable},
		{"6.8 a footer in the clear", "QQ==\r\n_____\r\nlist mailing list\r\n", "A", codec.ErrUndecodable},
		{"6.8 a footer below a line, without padding", "QUJD\r\n-- \r\nlist mailing list\r\n", "ABC", codec.ErrUndecodable},
		{"6.8 a footer in the clear, without padding", "QUJD\r\n\r\n_____\r\nlist mailing list\r\n", "ABC", codec.ErrUndecodable},
		{"6.8 an empty line in the data", "QUJD\n\nREVG\n", "ABCDEF", nil},
		{"6.8 an empty line in a quantum, and junk", "QU\n\nJD!\n", "ABC", codec.ErrUndecodable},
		{"6.8 an empty line in a later quantum, and junk", "QUJDRE\n\nVG!\n", "ABCDEF", codec.ErrUndecodable},
		{"6.8 junk after a line end", "QUJD\r\nREVG!\r\n", "ABCDEF", codec.ErrUndecodable},
		{"6.8 empty lines before the data, and junk", "\r\n\r\nQUJD!\r\n", "ABC", codec.ErrUndecodable},
		{"6.8 junk before an empty line in the data", "QU*JD\n\nREVG\n", "ABCDEF", codec.ErrUndecodable},
	} {
		t.Run(row.clause, func(t *testing.T) {
			text, err := Base64.Decode([]byte(row.src))
			assert.Equal(t, row.text, string(text))
			if row.err == nil {
				assert.NoError(t, err)
				return
			}
			assert.ErrorIs(t, err, codec.ErrUndecodable)
			assert.Equal(t, row.err == codec.ErrUnread, errors.Is(err, codec.ErrUnread), "%v", err)
		})
	}
}

// Bytes outside the alphabet are skipped and reported (RFC 2045 6.8). Text is lost only if letters are missing.
func TestBase64Damage(t *testing.T) {
	whole := strings.Repeat("QUJD", 19)
	for src, want := range map[string]string{
		"QU*JD":                          `2 "*" is not in the base64 alphabet; it was skipped`,
		whole + "!" + whole + "\x00\r\n": `76 "!" is not in the base64 alphabet; it was skipped (and 1 more in this part)`,
		"*Q*UJD":                         `0 "*" is not in the base64 alphabet; it was skipped (and 1 more in this part); text may be missing; lost`,
		"QU*DRA==":                       `2 "*" is not in the base64 alphabet; it was skipped; text may be missing; lost`,
		"QUJ*RA==":                       `3 "*" is not in the base64 alphabet; it was skipped; text may be missing; lost`,
		"QUJDR*U=":                       `5 "*" is not in the base64 alphabet; it was skipped; text may be missing; lost`,
		"QUJDR*":                         `5 "*" is not in the base64 alphabet; it was skipped; text may be missing; lost`,
		"QUJDRA":                         `4 the base64 data ends without its padding "="; all data was read`,
		"QUJDR":                          `4 the base64 data ends with a single character, which is less than a byte; it was skipped; lost`,
		"QUJDRA=":                        `6 the base64 padding has one "=" instead of two; the data before it was read`,
		"QUJD=":                          `4 the base64 padding "=" is not needed here; it was skipped`,
		"QUJD=QUJD=":                     `4 the base64 padding "=" is not needed here; it was skipped`,
		"QQ===":                          `4 more base64 data after the padding "="; it was read, too`,
		"QQ==*":                          `4 the base64 data ends here; the text after it was left unchanged`,
		"Q*UJDRA":                        `1 "*" is not in the base64 alphabet; it was skipped; text may be missing; lost`,
		"QQ==\r\nQkM=":                   `4 more base64 data after the padding "="; it was read, too`,
		"QQ==\r\n__\r\nlist":             `4 the base64 data ends here; the text after it was left unchanged`,
	} {
		_, err := Base64.Decode([]byte(src))
		var d *codec.Damage
		if assert.ErrorAs(t, err, &d, src) {
			got := fmt.Sprint(d.Offset, " ", d)
			if d.Unread {
				got += "; lost"
			}
			assert.Equal(t, want, got, src)
		}
	}
}

func TestBase64Lift(t *testing.T) {
	for _, row := range []struct {
		name, src  string
		start, end int
		text, want string
	}{
		{"from the first changed quantum on", "QU\nJD\nREVGR0hJ\n", 4, 5, "xy", "QU\nJD\nRH\nh5\nRk\ndI\nSQ\n==\n"},
		{"width and line end of the first line", "QUJDREVG\r\nR0hJSktM\r\nTQ==", 6, 6, "x", "QUJDREVG\r\neEdISUpL\r\nTE0="},
		{"the final line end as found", "QUJDREVG\nR0hJ\n", 9, 9, "JKLM", "QUJDREVG\nR0hJSktM\nTQ==\n"},
		{"an empty line before the edit stays", "QUJD\n\nREVG\n", 3, 6, "xyz", "QUJD\n\neHl6\n"},
		{"padding goes", "QQ==\r\n", 1, 1, "BC", "QUJD\r\n"},
		{"padding does not stay before new text", "QUJDRA==", 4, 4, "EF", "QUJDREVG"},
		{"76 columns when one line does not tell", "QUJD", 3, 3, strings.Repeat("ABC", 19), strings.Repeat("QUJD", 19) + "\r\nQUJD"},
		{"one line of 76 columns is full", strings.Repeat("QUJD", 19), 57, 57, "ABC", strings.Repeat("QUJD", 19) + "\r\nQUJD"},
		{"a line of blanks below it tells no width", "QUJD\n \n", 3, 3, "ABCD", "QUJDQUJDRA==\n \n"},
		{"one long line stays one", strings.Repeat("QUJD", 30), 0, 0, "ABC", strings.Repeat("QUJD", 31)},
		{"one long line before a line of blanks stays one", strings.Repeat("QUJD", 30) + "\n \n", 0, 0, "ABC", strings.Repeat("QUJD", 31) + "\n \n"},
		{"one long line with a short padding stays one", strings.Repeat("QUJD", 30) + "QQ=QUJDREVG", 94, 95, "x", strings.Repeat("QUJD", 30) + "QQ=QUJDeEVG"},
		{"one line of 77 columns is a long one", strings.Repeat("QUJD", 19) + "R", 0, 0, "ABC", strings.Repeat("QUJD", 20) + "R"},
		{"lines of one column", "Q\nU\nJ\nD", 3, 3, "x", "Q\nU\nJ\nD\ne\nA\n=\n="},
		{"an empty line before the data has no width", "\nQUJD\nREVG\n", 3, 3, "xyz", "\nQUJD\neHl6\nREVG\n"},
		{"indentation as in property lists", "QUJD\n \tREVG\n \tR0hJ", 3, 3, "xyz", "QUJD\n \teHl6\n \tREVG\n \tR0hJ"},
		{"a full line before the edit", "QUJD\nREVG\n", 3, 3, "x", "QUJD\neERF\nRg==\n"},
		{"all goes", "QUJD\r\n", 0, 3, "", "\r\n"},
		{"the end goes, and the line break before it", "QUJD\nREVG\n", 3, 6, "", "QUJD\n"},
		{"equal quanta behind a change of equal length stay", "QUJDREVGR0hJ", 3, 4, "x", "QUJDeEVGR0hJ"},
		{"junk before the edit stays", "Q*U J D\nREVG", 5, 6, "x", "Q*U J D\nREV4"},
		{"a missing padding is put right", "QUJDRA", 4, 4, "x", "QUJDRHg="},
		{"a missing padding is put right before the final line end", "QUJDRA\r\n", 4, 4, "x", "QUJDRHg=\r\n"},
		{"a missing padding is put right after the last letter of the alphabet", "QUJDR/", 4, 4, "x", "QUJDR3g="},
		{"a missing padding is put right after a capital Z", "QUJDRZ", 4, 4, "x", "QUJDRXg="},
		{"a letter that is no whole byte stays", "QUJD\nR", 3, 3, "x", "QUJD\neA==\nR"},
		{"pieces before the edit stay", "QQ==\nQg==\n", 2, 2, "C", "QQ==\nQkM=\n"},
		{"an empty line before a deletion stays", "QUJD\n\nREVGR0hJ", 3, 6, "", "QUJD\n\nR0hJ"},
		{"the end goes, and junk before it stays", "Q*UJD\nREVG\n", 3, 6, "", "Q*UJD\n"},
		{"into nothing", "", 0, 0, "A", "QQ=="},
		{"a footer stays behind an empty line", "QUJD\n\n_ x.\n", 0, 1, "BCDE", "QkNE\nRUJD\n\n_ x.\n"},
		{"a footer stays below its line", "QUJD\n_____\nlist\n", 0, 1, "BC", "QkNC\nQw==\n_____\nlist\n"},
		{"a footer stays behind padding", "QQ==\n_ x.\n", 0, 1, "BC", "QkM=\n_ x.\n"},
	} {
		t.Run(row.name, func(t *testing.T) {
			edits := []codec.Edit{{Span: codec.Span{Start: row.start, End: row.end}, New: []byte(row.text)}}
			require.False(t, codectest.Lawful(t, Base64, []byte(row.src), edits))
			got, err := codectest.Lift(Base64, []byte(row.src), edits)
			require.NoError(t, err)
			assert.Equal(t, row.want, string(codec.Apply(nil, []byte(row.src), got)))
		})
	}
	// Junk before three edits stays.
	far := strings.Repeat("QUJD", 50)
	src := []byte("Q*UJD" + far + far + far)
	got, err := codectest.Lift(Base64, src, []codec.Edit{{Span: codec.Span{Start: 3, End: 4}, New: []byte("x")}, {Span: codec.Span{Start: 153, End: 154}, New: []byte("y")}, {Span: codec.Span{Start: 303, End: 304}, New: []byte("z")}})
	require.NoError(t, err)
	assert.Equal(t, "Q*UJDeEJD"+far[4:]+"eUJD"+far[4:]+"ekJD"+far[4:], string(codec.Apply(nil, src, got)))
	// White space after the data stays if all of the source is replaced.
	all, err := Base64.Encode([]byte("before"), []byte("QUJD \r\n"), codec.Span{Start: 0, End: 7}, []byte("x"))
	require.NoError(t, err)
	assert.Equal(t, "beforeeA== \r\n", string(all))
	_, err = Base64.Encode(nil, []byte("QQ==_"), codec.Span{Start: 0, End: 5}, []byte("x"))
	assert.ErrorIs(t, err, codec.ErrCannotSpell, "a footer of one byte")
	// A string of JSON has no line breaks, even if it is long.
	line, err := codectest.Lift(Base64Line, []byte("QUJD"), []codec.Edit{{Span: codec.Span{Start: 3, End: 3}, New: []byte(strings.Repeat("ABC", 30))}})
	require.NoError(t, err)
	assert.Equal(t, strings.Repeat("QUJD", 31), string(codec.Apply(nil, []byte("QUJD"), line)))
	// The new text has no line breaks even if the source has one.
	line, err = codectest.Lift(Base64Line, []byte("QUJD\nREVG"), []codec.Edit{{Span: codec.Span{Start: 6, End: 6}, New: []byte("ABC")}})
	require.NoError(t, err)
	assert.Equal(t, "QUJD\nREVGQUJD", string(codec.Apply(nil, []byte("QUJD\nREVG"), line)))
	// Programs that stop at padding would read a footer, or the next piece, as data.
	for _, row := range []struct {
		src        string
		start, end int
		text       string
	}{
		{"QQ==_ list.\n", 0, 1, "ABC"},
		{"QQ==\r\n_ list.\r\n", 0, 1, "ABC"},
		{"QQ==\r\n_____\r\nlist\r\n", 0, 1, "ABC"},
		{"QQ==\n\n\nlist.\n", 1, 1, "BC"},
		{"QUJDRA=\n=\n_ list.\n", 0, 1, "ABC"},
		{"QUJDRA=\n=\n_ list.\n", 3, 4, ""},
		{"QQ==\nlist\n", 0, 1, "x"},
		{"QQ==\nQg==\n", 1, 1, "x"},
		{"QQ==\nQUJD", 1, 2, "x"},
		{"QUI=\nQUJD", 2, 3, "x"},
		{"QUJD\n\nQQ==\nQUJD", 4, 5, "x"},
	} {
		_, err = codectest.Lift(Base64, []byte(row.src), []codec.Edit{{Span: codec.Span{Start: row.start, End: row.end}, New: []byte(row.text)}})
		assert.ErrorIs(t, err, codec.ErrRefused, row)
		assert.ErrorIs(t, err, codec.ErrCannotSpell, row)
	}
	// Skipped bytes between the data, like a footer after data that needs no padding, must not be lost.
	for _, src := range []string{"QUJD\n_ list.\n", "QUJD\nREVG*\nR0hJ\n"} {
		_, err = codectest.Lift(Base64, []byte(src), []codec.Edit{{Span: codec.Span{Start: 0, End: 1}, New: []byte("B")}})
		assert.ErrorIs(t, err, codec.ErrRefused, src)
		assert.ErrorIs(t, err, codec.ErrCannotSpell, src)
	}
	_, err = codectest.Lift(Base64, []byte("QUJD\nREVG*\nR0hJ\n"), []codec.Edit{{Span: codec.Span{Start: 3, End: 4}, New: []byte("x")}})
	assert.ErrorContains(t, err, `"*"`)
	assert.ErrorContains(t, err, " 9 ", "where it is")
	// A line that is shorter than the first one does not change where the lines after the edit end.
	for short := 1; short < 8; short++ {
		const code = "QUJDREVGQUJDREVGR0hJ"
		src := []byte(code[:8] + "\n" + code[8:8+short] + "\n" + code[8+short:])
		got, err := codectest.Lift(Base64, src, []codec.Edit{{Span: codec.Span{Start: 12, End: 13}, New: []byte("x")}})
		require.NoError(t, err)
		rest := code[8+short:16] + "eEhJ"
		if n := len(rest); n > 8 {
			rest = rest[:8] + "\n" + rest[8:]
		}
		assert.Equal(t, code[:8]+"\n"+code[8:8+short]+"\n"+rest, string(codec.Apply(nil, src, got)))
	}
	// Nor must bytes before the first data.
	_, err = codectest.Lift(Base64, []byte("_ x"), []codec.Edit{{Span: codec.Span{Start: 0, End: 0}, New: []byte("A")}})
	assert.ErrorIs(t, err, codec.ErrCannotSpell)
}

// The memory for a text is reused if it is large enough.
func TestBase64Room(t *testing.T) {
	for n, used := range []bool{5: false, 6: true, 7: true} {
		room := make([]byte, 0, n)
		first := room[:n]
		text, err := Base64.(base64Codec).DecodeInto(&room, []byte("QUJDREVG"))
		require.NoError(t, err)
		require.Equal(t, "ABCDEF", string(text))
		assert.Equal(t, used, n > 0 && &text[0] == &first[0], "room for %d bytes", n)
		assert.Same(t, &text[0], &room[:1][0], "the room grows")
	}
}

func wrapped(text []byte, width int, end string, final bool) []byte {
	code := base64.StdEncoding.EncodeToString(text)
	var b strings.Builder
	for width > 0 && len(code) > width {
		b.WriteString(code[:width] + end)
		code = code[width:]
	}
	b.WriteString(code)
	if final && len(text) > 0 {
		b.WriteString(end)
	}
	return []byte(b.String())
}

// An edited source is, byte for byte, the edited text in lines of the same width.
func TestBase64Same(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for range 6000 {
		text := make([]byte, 200+r.IntN(100))
		for i := range text {
			text[i] = byte(r.IntN(256))
		}
		width, end, final := []int{76, 72, 60, 75, 61, 0}[r.IntN(6)], []string{"\n", "\r\n"}[r.IntN(2)], r.IntN(2) == 0
		if width == 0 {
			end, final = "\r\n", false
		}
		src := wrapped(text, width, end, final)
		var edits []codec.Edit
		for at := r.IntN(len(text)); at <= len(text) && len(edits) < 3; at += r.IntN(200) {
			fresh := make([]byte, r.IntN(40))
			for i := range fresh {
				fresh[i] = byte(r.IntN(256))
			}
			to := min(at+r.IntN(20), len(text))
			edits = append(edits, codec.Edit{Span: codec.Span{Start: at, End: to}, New: fresh})
			at = to
		}
		require.False(t, codectest.Lawful(t, Base64, src, edits))
		got, err := codectest.Lift(Base64, src, edits)
		require.NoError(t, err)
		want := wrapped(codec.Apply(nil, text, edits), width, end, final)
		require.Equal(t, string(want), string(codec.Apply(nil, src, got)))
	}
}

func TestBase64Oracle(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	for range 20000 {
		src := make([]byte, r.IntN(30))
		for i := range src {
			src[i] = "QUJDRA+/==\r\n"[r.IntN(12)]
		}
		want, err := base64.StdEncoding.DecodeString(string(src))
		ours, ourErr := base64Read(nil, src, nil)
		if err == nil {
			require.Equal(t, string(want), string(ours), "%q", src)
			require.NoError(t, ourErr, "%q", src)
		} else {
			require.Error(t, ourErr, "%q", src)
		}
	}
}

// The fast ways for lines of one width have the results of base64Read, in the text and in the edits. The sources have lines of
// one width, to which some add line ends, padding or junk, or from which they take a byte.
func TestBase64Fast(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	ends := []string{"\n", "\r\n", "\n\n", " \n", "\r", ""}
	short := 0
	for n := range 30_000 {
		c := []codec.Codec{Base64, Base64LF, Base64Line}[n%3]
		text := make([]byte, r.IntN(600)>>r.IntN(5))
		for i := range text {
			text[i] = byte(r.IntN(256))
		}
		src := string(wrapped(text, []int{0, 1, 4, 6, 8, 12, 16, 60, 64, 72, 75, 76, 80, 148, 152, 156, 160}[r.IntN(17)], ends[r.IntN(2)], r.IntN(2) == 0))
		for range r.IntN(3) {
			at := r.IntN(len(src) + 1)
			switch r.IntN(4) {
			case 0:
				src = src[:at] + ends[r.IntN(len(ends))] + src[at:]
			case 1:
				src = src[:at] + src[min(at+1, len(src)):]
			case 2:
				src = src[:at] + "=" + src[at:]
			default:
				src = src[:at] + "*A-\xff"[r.IntN(4):][:1] + src[at:]
			}
		}
		text, _ = c.Decode([]byte(src))
		slow, _ := base64Read(nil, []byte(src), nil)
		require.Equal(t, string(slow), string(text), "%q", src)
		var edits []codec.Edit
		for at := r.IntN(len(text) + 1); at <= len(text) && len(edits) < 5; at += 1 + r.IntN(50) {
			stop := min(len(text), at+r.IntN(5))
			edits = append(edits, codec.Edit{Span: codec.Span{Start: at, End: stop}, New: bytes.Repeat([]byte("x"), r.IntN(5))})
			at = stop
		}
		codectest.Lawful(t, c, []byte(src), edits)
		if t.Failed() {
			t.Fatalf("%q %v", src, edits)
		}
		if trimmed, err := codec.Trim(text, edits); err == nil && len(trimmed) > 0 {
			if _, ok := c.(base64Codec).Short([]byte(src), text, trimmed); ok {
				short++
			}
		}
	}
	assert.Greater(t, short, 5_000)
}

// The atoms of a source in lines of one width are those that base64Read finds.
func TestBase64Atoms(t *testing.T) {
	for size := range 200 {
		text := []byte(strings.Repeat("<a href=x>", 20))[:size]
		for _, width := range []int{4, 8, 76, 1000} {
			for _, end := range []string{"\n", "\r\n"} {
				for _, last := range []string{"", end, end + end} {
					var lines []string
					for line := range slices.Chunk(base64.StdEncoding.AppendEncode(nil, text), width) {
						lines = append(lines, string(line))
					}
					src := []byte(strings.Join(lines, end) + last)
					var got, want codec.Atoms
					Base64.Map(src, text, &got)
					_, err := base64Read(nil, src, &want)
					require.NoError(t, err)
					require.Equal(t, want, got, "%q", src)
				}
			}
		}
	}
}
