package spell

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	mimeqp "mime/quotedprintable"
	"slices"
	"strings"
	"testing"

	"absolink/extract/internal/ascii"
	"absolink/extract/internal/codec"
	"absolink/extract/internal/codec/codectest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var ten = "0123456789"

// Each row names a rule of RFC 2045, 6.7. "robust" marks what that section suggests for robust decoders.
func TestQuotedPrintable(t *testing.T) {
	for _, row := range []struct{ clause, src, text string }{
		{"6.7 the example", "Now's the time =\r\nfor all folk to come=\r\n to the aid of their country.", "Now's the time for all folk to come to the aid of their country."},
		{"6.7 (1) any byte", "=3D=0C=20=00=FF=0d=0a", "=\f \x00\xff\r\n"},
		{"6.7 (1) lower-case digits, robust", "=3d=e9=eA", "=\xe9\xea"},
		{"6.7 (2) literal", "!<>~ a\tb", "!<>~ a\tb"},
		{"6.7 (3) white space at a line end", "a \t\r\nb  \nc=20\nd=09 \r\n \n", "a\r\nb\nc \nd\t\r\n\n"},
		{"6.7 (3) the end of the source is a line end", "a \t", "a"},
		{"6.7 (4) line breaks stay", "a\r\nb\nc\r\n", "a\r\nb\nc\r\n"},
		{"6.7 damaged: a CR without LF is not a line break", "a \rb=\rc\r\r\n", "a \rb=\rc\r\r\n"},
		{"6.7 (5) soft break", "a=\r\nb=\nc", "abc"},
		{"6.7 (5) soft break with transport padding", "a= \t\r\nb=  \nc", "abc"},
		{"6.7 (5) soft break at the end", "a=", "a"},
		{"6.7 damaged, robust: soft breaks in which LF was replaced by CRLF twice", "a=\r\r\nb= \r\r\r\nc\r\r\n=\r\rd", "abc\r\r\n=\r\rd"},
		{"6.7 (5) white space before a soft break stays", "a =\r\nb", "a b"},
		{"6.7 damaged, robust: invalid escapes", "a=b =4 =zz ==3D =G1=1G", "a=b =4 =zz == =G1=1G"},
		{"6.7 robust: 8 bits", "\xe9=E9é", "\xe9\xe9é"},
	} {
		t.Run(row.clause, func(t *testing.T) {
			text, err := QuotedPrintable.Decode([]byte(row.src))
			if strings.Contains(row.clause, "damaged") {
				require.Error(t, err)
			} else {
				require.NoError(t, err)
			}
			assert.Equal(t, row.text, string(text))
		})
	}
	src := []byte("nothing to do\r\nhere\n")
	text, _ := QuotedPrintable.Decode(src)
	assert.Same(t, &src[0], &text[0])
}

// The first "=" that begins neither an escape nor a soft line break is reported with its offset (RFC 2045 6.7).
func TestQuotedPrintableDamage(t *testing.T) {
	for src, want := range map[string]string{
		"a=3Dx=ZZ":             `5 "=ZZ" is not valid in quoted-printable; it was read unchanged`,
		`y=">`:                 `1 "=\">" is not valid in quoted-printable; it was read unchanged`,
		"q=G0":                 `1 "=G0" is not valid in quoted-printable; it was read unchanged`,
		"=3 ":                  `0 "=3 " is not valid in quoted-printable; it was read unchanged`,
		"=3":                   `0 "=3" is not valid in quoted-printable; it was read unchanged`,
		"= x":                  `0 "= x" is not valid in quoted-printable; it was read unchanged`,
		"==3D":                 `0 "==3" is not valid in quoted-printable; it was read unchanged`,
		"=3D=3D=x =\n=3D=y =z": `6 "=x " is not valid in quoted-printable; it was read unchanged (and 2 more in this part)`,
		"=3D=3d= \t\r\n=":      "",
	} {
		_, err := QuotedPrintable.Decode([]byte(src))
		got := ""
		if d := (*codec.Damage)(nil); errors.As(err, &d) {
			got = fmt.Sprint(d.Offset, " ", d)
			assert.ErrorIs(t, err, codec.ErrUndecodable)
			assert.NotErrorIs(t, err, codec.ErrUnread)
		}
		assert.Equal(t, want, got, src)
	}
}

// Each row names a rule of RFC 2045, 6.7.
func TestQuotedPrintableLift(t *testing.T) {
	line := func(n int) string { return strings.Repeat(ten, 8)[:n] }
	for _, row := range []struct {
		clause, src string
		start, end  int
		text, want  string
	}{
		{"(1) upper-case digits, also beside lower-case digits", "a=3db=e9", 1, 1, "=\xcf", "a=3D=CF=3db=e9"},
		{"(1) upper-case digits", "ab", 1, 1, "=\xe9\x00\r\x7f", "a=3D=E9=00=0D=7Fb"},
		{"(2) no escape if the byte needs none", "ab", 1, 1, "~!\t &\"", "a~!\t &\"b"},
		{"(3) a space at a line end", "a\r\nb", 1, 1, " ", "a=20\r\nb"},
		{"(3) a tab at the end of the source", "a", 1, 1, "\t", "a=09"},
		{"(3) a space before white space that has no text", "a  \r\nb", 1, 1, "x ", "ax=20  \r\nb"},
		{"(3) a space that comes to a line end", "a x\r\nb", 2, 3, "", "a=20\r\nb"},
		{"(3) a space before a new line end", "a b", 2, 2, "\r\n", "a=20\r\nb"},
		{"(3) the line end after white space is deleted", "a  \r\nb", 1, 3, "", "ab"},
		{"(3) white space at line ends in the text", "ab", 1, 1, "x \ny\t\r\n", "ax=20\ny=09\r\nb"},
		{"(4) line ends of the text stay", "ab", 1, 1, "x\ny\r\nz", "ax\ny\r\nzb"},
		{"(4) line ends that are escapes stay escapes", "a=0Ab =0D=0Ac\r\nd", 0, 7, "x\nb \r\ny", "x=0Ab =0D=0Ay\r\nd"},
		{"(4) an escaped line end between other line ends", "a\nb=0Ac\nd", 0, 7, "x\nb\nc\ny", "x\nb=0Ac\ny"},
		{"(5) 74 columns and one more", line(74) + "\r\nx", 74, 74, "y", line(74) + "y\r\nx"},
		{"(5) 75 columns and one more", line(75) + "\r\nx", 75, 75, "y", line(75) + "y\r\nx"},
		{"(5) 76 columns and one more", line(76) + "\r\nx", 76, 76, "y", line(75) + "=\r\n5y\r\nx"},
		{"(5) 76 columns, edit in the middle", line(76) + "\nx", 10, 10, "y", ten + "y=\n" + line(76)[10:] + "\nx"},
		{"(5) 76 columns, edit at the start", line(76) + "\nx", 0, 0, "y", "y=\n" + line(76) + "\nx"},
		{"(5) 75 columns and a soft break", line(75) + "=\nx", 75, 75, "y", line(75) + "=\ny=\nx"},
		{"(5) 74 columns and a soft break", line(74) + "=\nx", 74, 74, "y", line(74) + "y=\nx"},
		{"(5) a soft break in which LF was replaced by CRLF twice", line(75) + "=\r\r\nx", 75, 75, "y", line(75) + "=\r\ny=\r\r\nx"},
		{"(5) a line of 77 columns without an edit stays", line(77) + "\nx\n", 78, 79, "y", line(77) + "\ny\n"},
		{"(5) 77 columns, edit at the start", line(77) + "\nx", 0, 0, "y", "y" + line(74) + "=\n" + line(77)[74:] + "\nx"},
		{"(5) 77 columns, edit at the end", line(77) + "\nx", 77, 77, "y", line(75) + "=\n56y\nx"},
		{"(5) no line end in the source: CRLF", line(70), 70, 70, line(10), line(70) + "01234=\r\n56789"},
		{"(5) an escape is not broken", line(73) + "\n", 73, 73, "=x", line(73) + "=\n=3Dx\n"},
		{"(5) an escape may end a line", line(73) + "\n", 73, 73, "=", line(73) + "=3D\n"},
		{"(5) the rest moves to the next line", line(70) + "\n", 0, 0, "abcdefgh", "abcdefgh=\n" + line(70) + "\n"},
		{"a replaced soft break", "ab=\ncd", 1, 3, "x", "axd"},
		{"a soft break after the edit stays", "ab=\ncd", 1, 2, "x", "ax=\ncd"},
		{"no dot at the start of a line", line(75) + "\n", 75, 75, "..", line(75) + "=\n=2E.\n"},
		{"a dot inside a line after the edit stays", "a.b\n", 0, 1, line(74), line(74) + ".b\n"},
		{"no dot at the start of a line: the soft break is after the dot", "a." + line(70) + "\n", 0, 1, line(10), line(10) + "." + "=\n" + line(70) + "\n"},
		{"no dot at the start of a line: deletion", "a.b\n", 0, 1, "", "=2Eb\n"},
		{"no From at the start of a line", "a\nb", 2, 2, "From x", "a\n=46rom xb"},
		{"no From at the start of a line: it follows the edit", "aFrom b", 1, 1, "\n", "a\n=46rom b"},
		{"no From at the start of a line: its second half follows the edit", "arom b", 0, 1, "F", "=46rom b"},
		{"no boundary at the start of a line", "a\nb", 2, 2, "--x", "a\n=2D-xb"},
		{"robust: an = at the end of the source", "a=", 0, 1, "", "="},
		{"robust: an = before hex digits", "=zz", 1, 3, "41", "=3D41"},
		{"robust: half an escape", "=4z", 2, 3, "1", "=3D41"},
		{"robust: an = before a line end", "=z", 1, 2, "\n", "=3D\n"},
		{"robust: an = that starts no escape stays", "a=", 1, 1, "http", "ahttp="},
	} {
		t.Run(row.clause, func(t *testing.T) {
			edits := []codec.Edit{{Span: codec.Span{Start: row.start, End: row.end}, New: []byte(row.text)}}
			require.False(t, codectest.Lawful(t, QuotedPrintable, []byte(row.src), edits))
			got, err := codectest.Lift(QuotedPrintable, []byte(row.src), edits)
			require.NoError(t, err)
			assert.Equal(t, row.want, string(codec.Apply(nil, []byte(row.src), got)))
		})
	}
}

func encodedLines(r *rand.Rand) []byte {
	words := []string{"a", " ", "=", "<a href=", "http://h/p?q=1", ".", "From ", "--", "é", "\t", "Привет", strings.Repeat(ten, 9), "\n", "\n", "x", "-"}
	ends := []string{"\n", "\r\n"}
	end := ends[r.IntN(2)]
	var b bytes.Buffer
	for range r.IntN(6) {
		switch r.IntN(3) {
		case 0: // lines of the standard library's encoder
			w := mimeqp.NewWriter(&b)
			for range r.IntN(20) {
				io.WriteString(w, words[r.IntN(len(words))])
			}
			w.Close()
		default: // lines of other encoders, and damage
			for range r.IntN(9) {
				b.WriteString([]string{"a", ten, "=3D", "=e9", "=20", " ", ".", "-", "=", "=4", "\r", "=" + end, "= " + end, " " + end, end, strings.Repeat("x", 60+r.IntN(40))}[r.IntN(16)])
			}
		}
	}
	if src := b.Bytes(); end == "\n" {
		return bytes.ReplaceAll(src, []byte("\r\n"), []byte("\n"))
	}
	return b.Bytes()
}

// Only lines with an edit change, and these have at most 76 columns.
func TestQuotedPrintableLines(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	fresh := []string{"", "", "x", "=", " ", "\n", "\r\n", ".", "From ", "4", "--", "é", "http://host/path?a=1&b=2", strings.Repeat("y", 30), strings.Repeat("=", 40), strings.Repeat(" ", 80)}
	for n := range 20000 {
		src := encodedLines(r)
		text, _ := QuotedPrintable.Decode(src)
		var atoms codec.Atoms
		QuotedPrintable.Map(src, text, &atoms)
		var edits []codec.Edit
		for at := 0; at <= len(text) && r.IntN(4) > 0; {
			start := at + r.IntN(len(text)-at+1)
			end := min(start+r.IntN(4)*r.IntN(12), len(text))
			edits = append(edits, codec.Edit{Span: codec.Span{Start: start, End: end}, New: []byte(fresh[r.IntN(len(fresh))])})
			at = end + 1
		}
		require.False(t, codectest.Lawful(t, QuotedPrintable, src, edits), "Lift refuses no edit")
		got, err := codectest.Lift(QuotedPrintable, src, edits)
		require.NoError(t, err)

		// touched has the lines that the edits change, adjacent ones as one span.
		var touched []codec.Span
		changes, _ := codec.Trim(text, edits)
		for _, e := range changes {
			s := atoms.Span(e.Span)
			s = codec.Span{Start: lineStart(src, s.Start), End: lineEnd(src, s.End)}
			s.End += ascii.NewlineLen(src[s.End:])
			if n := len(touched) - 1; n >= 0 && s.Start <= touched[n].End {
				touched[n].End = max(s.End, touched[n].End)
			} else {
				touched = append(touched, s)
			}
		}
		for _, e := range got {
			if !slices.ContainsFunc(touched, func(s codec.Span) bool { return s.Start <= e.Start && e.End <= s.End }) {
				t.Fatalf("%d: source %q, edits %v: %v is in no line of %v", n, src, edits, e, touched)
			}
		}
		out := codec.Apply(nil, src, got)
		shift := 0
		for _, e := range got {
			start := e.Start + shift
			stop := start + len(e.New)
			shift += len(e.New) - e.Len()
			for i := lineStart(out, start); i <= stop; {
				end := lineEnd(out, i)
				if end-i > columns {
					t.Fatalf("%d: source %q, edits %v: line %q of %q", n, src, edits, out[i:end], out)
				}
				if i = end + ascii.NewlineLen(out[end:]); i == end {
					break
				}
			}
		}
	}
}

// Each side decodes what the other one encodes: this package, and the one of the standard library.
func TestQuotedPrintableOracle(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 3000 {
		want := make([]byte, r.IntN(300))
		for i := range want {
			want[i] = " \t\n=a.é\xffFrom"[r.IntN(13)]
		}
		var b bytes.Buffer
		w := mimeqp.NewWriter(&b)
		w.Write(want)
		w.Close()
		text, err := QuotedPrintable.Decode(b.Bytes())
		require.NoError(t, err)
		theirs, err := io.ReadAll(mimeqp.NewReader(bytes.NewReader(b.Bytes())))
		require.NoError(t, err)
		require.Equal(t, string(theirs), string(text), "%q", b.Bytes())
		got, err := QuotedPrintable.Encode(nil, nil, codec.Span{}, want)
		require.NoError(t, err)
		theirs, err = io.ReadAll(mimeqp.NewReader(bytes.NewReader(got)))
		require.NoError(t, err, "%q", got)
		require.Equal(t, string(want), string(theirs))
	}
}

func TestTransferLinear(t *testing.T) {
	for _, unit := range []string{"=", "=\n", "= ", " ", " \n", "\n", "\r", "=4", "=3D", "=3D \n", "a ", "QQ==", "Q", "Q=", "QUJD\n", "QUJD\n\n", "*", "=Q", "QQ==_", "Q Q = ="} {
		codectest.Linear(t, "quoted-printable", QuotedPrintable, codectest.Repeated{"", unit}, codectest.Mega, codectest.EverySome("=x\xff"))
		codectest.Linear(t, "base64", Base64, codectest.Repeated{"", unit}, codectest.Mega, codectest.EverySome("=x\xff"))
	}
}
