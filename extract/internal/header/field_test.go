package header

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"absolink/extract/internal/ascii"
	"absolink/extract/internal/codec"
	"absolink/extract/internal/mark"
	"absolink/extract/internal/marktest"
	"absolink/internal/longtest"
)

// headerRows have the fields of a header as "name|value", and the body. Junk has an empty name.
var headerRows = []struct {
	name, src string
	want      []string
	body      string
}{
	{"RFC 5322 2.2: LF", "A: 1\nB:2\n\nbody", marktest.Texts("A|1", "B|2"), "body"},
	{"RFC 5322 2.2: CRLF", "A: 1\r\nB: 2 \r\n\r\nbody", marktest.Texts("A|1", "B|2 "), "body"},
	{"mixed newlines", "A: 1\r\nB: 2\n\r\nbody", marktest.Texts("A|1", "B|2"), "body"},
	{"a CR alone is not a newline", "A: 1\rB: 2\n\rC: 3\n\nbody", marktest.Texts("A|1\rB: 2", "|\rC: 3"), "body"},
	{"CRs before LF", "A: 1\r\r\n\r\n", marktest.Texts("A|1\r"), ""},
	{"RFC 5322 2.3: LF converted to CRLF twice", "A: 1\r\r\nB: 2\r\r\n\r\r\nbody: 3\r\r\n", marktest.Texts("A|1\r", "B|2\r"), "body: 3\r\r\n"},
	{"RFC 5322 2.2.3: folding", "A: 1\r\n 2\n\t3\r\nB:\r\n 4\n\n", marktest.Texts("A|1\r\n 2\n\t3", "B|4"), ""},
	{"RFC 5322 4.2: a line of white space in a field", "A: 1\r\n \r\n 2\r\n\t\r\nB: 3\r\n  \r\n\r\nbody", marktest.Texts("A|1\r\n \r\n 2\r\n\t", "B|3\r\n  "), "body"},
	{"a line of white space at the end", "A: 1\n \n", marktest.Texts("A|1\n "), ""},
	{"a line of white space instead of the empty line", "A: 1\n \nHello,\nB: 2\n", marktest.Texts("A|1"), "Hello,\nB: 2\n"},
	{"RFC 5322 4.5: white space before the colon", "Subject \t: x\n\n", marktest.Texts("Subject|x"), ""},
	{"no space after the colon, and a colon in the value", "A:b:c\n\n", marktest.Texts("A|b:c"), ""},
	{"empty values", "A:\nB: \r\nC:\n \n\n", marktest.Texts("A|", "B|", "C|"), ""},
	{"names and values outside ASCII", "Gr\xfc\xdfe: \xe9\n\n", marktest.Texts("Gr\xfc\xdfe|\xe9"), ""},
	{"junk lines between fields", "A: 1\njunk line\nmore: no field\xff\n also junk\nB c: 2\nD: 3\n\n", marktest.Texts("A|1", "|junk line", "more|no field\xff\n also junk", "|B c: 2", "D|3"), ""},
	{"adjacent junk lines are one Field", "A: 1\njunk\njunk: \n: 2\n\x00:3\n\nbody", marktest.Texts("A|1", "|junk", "junk|", "|: 2\n\x00:3"), "body"},
	{"RFC 4155: From_ line", "From a@b Thu Jan  1 00:00:00 1970\nA: 1\n\nbody", marktest.Texts("|From a@b Thu Jan  1 00:00:00 1970", "A|1"), "body"},
	{"quoted From_ line", "A: 1\n>From a@b\nB: 2\n\n", marktest.Texts("A|1", "|>From a@b", "B|2"), ""},
	{"a From_ line alone", "From a@b", marktest.Texts("|From a@b"), ""},
	{"white space at the start", " A: 1\n\tx\nB: 2\n\n", marktest.Texts("| A: 1\n\tx", "B|2"), ""},
	{"RFC 2046 5.1: no fields", "\nbody\n\n", nil, "body\n\n"},
	{"no fields, CRLF", "\r\nbody", nil, "body"},
	{"empty text", "", nil, ""},
	{"ends inside a name", "A: 1\nSubje", marktest.Texts("A|1"), "Subje"},
	{"ends inside a value", "A: 1\nB: 2", marktest.Texts("A|1", "B|2"), ""},
	{"ends with a CR", "A: 1\r", marktest.Texts("A|1\r"), ""},
	{"ends after a field", "A: 1\r\n", marktest.Texts("A|1"), ""},
	{"no empty line before the body", "A: 1\nHello,\nhow are you\n", marktest.Texts("A|1"), "Hello,\nhow are you\n"},
	{"RFC 2046 5.1.1: no empty line before a boundary", "A: 1\nmultipart\n--b\nB: 2\n\n", marktest.Texts("A|1", "|multipart"), "--b\nB: 2\n\n"},
	{"no header and no empty line", "Hello,\nhow are you\n", nil, "Hello,\nhow are you\n"},
	{"HTTP", "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<p>", marktest.Texts("|HTTP/1.1 200 OK", "Content-Type|text/html"), "<p>"},
}

func TestReadHeader(t *testing.T) {
	for _, row := range headerRows {
		t.Run(row.name, func(t *testing.T) {
			for _, before := range []string{"", "X: 0\n\n"} {
				src := []byte(before + row.src)
				fields, body := Read(src, len(before))
				checkTiles(t, src, len(before), fields, body)
				var got []string
				for _, f := range fields {
					got = append(got, string(src[f.Name.Start:f.Name.End])+"|"+string(src[f.Value.Start:f.Value.End]))
				}
				assert.Equal(t, row.want, got)
				assert.Equal(t, row.body, string(src[body:]))
			}
		})
	}
}

// checkTiles checks that the fields are in order and cover each byte up to the line that ends the header, and that names and
// values are inside their fields.
func checkTiles(t testing.TB, src []byte, p int, fields []Field, body int) {
	require.LessOrEqual(t, body, len(src))
	for _, f := range fields {
		if f.Name.Len() > 0 {
			require.Equal(t, p, f.Name.Start, "%q", src)
			p = f.Name.End
		} else {
			require.Equal(t, p, f.Value.Start, "%q", src)
		}
		require.True(t, p <= f.Value.Start && f.Value.Start <= f.Value.End && f.Value.End <= len(src), "%q", src)
		p = f.Value.End + ascii.NewlineLen(src[f.Value.End:])
	}
	require.LessOrEqual(t, p, body)
	require.True(t, ascii.IsBlankLine(src[p:body]), "%q", src)
	require.LessOrEqual(t, bytes.Count(src[p:body], []byte("\n")), 1)
}

// worstHeaders are texts whose repetition can make a header slow to read.
var worstHeaders = []string{"a", "a\n", ":", "a:\n", " ", " \n", "\n ", "\t\n\r", "(", ")", "\\", "<", ">", `"`, "URL:", ",", "<a>", "<URL:", "( ", " (", " (a", "(a) ",
	";", "=", `="`, `a="`, `;a="\`, ";a=b", ";a=b c", " a", "a=(", ";a*0=b", ";a*=''%41", ";a=b (c)", "/", "=?", "=?us-ascii?Q?=3C?= ", "From ", ">", "\x00\n"}

// With 1 MB, longtest.Linear compares nearly half of the inputs. The others take too little time.
func TestHeaderLinear(t *testing.T) {
	const most = 1 << 20
	heads := []string{"", "List-Post:", "List-Post:=?us-ascii?Q?x?=", "Content-Base:", "Content-Location:<", `Location:"`, "X-URL:", "Link:", "Refresh:5;"}
	for i, unit := range worstHeaders {
		linear := func(name, head string, run func(src []byte)) {
			longtest.Linear(t, fmt.Sprintf("%s of %q and many %q", name, head, unit), most/len(unit), func(n int) func() {
				src := []byte(head + strings.Repeat(unit, n))
				return func() { run(src) }
			})
		}
		// All fields for each text would take too long, so each has three.
		for _, head := range []string{"", heads[i%len(heads)], heads[(i+1)%len(heads)], heads[(i+2)%len(heads)]} {
			linear("header", head, runHeader)
		}
		for _, head := range []string{"", "text/html", "text/html;", "text/html; boundary="} {
			linear("content type", head, func(src []byte) { ContentType(src) })
		}
		for _, head := range []string{"", "text/html"} {
			linear("transfer encoding", head, func(src []byte) { TransferEncoding(src) })
		}
		linear("parameter", "text/html", func(src []byte) { parameterURL(src, codec.Span{End: len(src)}) })
	}
}

func runHeader(src []byte) {
	fields, _ := Read(src, 0)
	baseFields(src, fields)
	var f mark.Marks
	links(src, fields, false, func(_ *mark.Place, s codec.Span, c codec.Codec, format *mark.Format) {
		text, _ := c.Decode(src[s.Start:s.End])
		if format != nil {
			format.Mark(text, &f)
		}
	})
}

// The throughput must not depend on the length of the header.
func BenchmarkReadHeader(b *testing.B) {
	for _, unit := range []string{"a", "Received: from a by b;\r\n\tThu, 1 Jan 1970 00:00:00 +0000\r\n", " \n", "junk\n"} {
		for size := 1 << 20; size <= 1<<23; size *= 2 {
			b.Run(fmt.Sprintf("%.4q/%d", unit, size), func(b *testing.B) {
				src := []byte(strings.Repeat(unit, size/len(unit)))
				b.SetBytes(int64(len(src)))
				for b.Loop() {
					Read(src, 0)
				}
			})
		}
	}
}

// The fields of any text cover its header, and its URLs are in the values of their fields, in order.
func FuzzReadHeader(f *testing.F) {
	for _, row := range headerRows {
		f.Add([]byte(row.src), 0)
	}
	for _, row := range baseRows {
		f.Add([]byte(row.Src), 1)
	}
	for _, row := range headerLinkRows {
		f.Add([]byte(row.Src), 0)
	}
	f.Fuzz(func(t *testing.T, src []byte, p int) {
		p = min(max(p, 0), len(src))
		before := string(src)
		fields, body := Read(src, p)
		checkTiles(t, src, p, fields, body)
		checkBases(t, src, fields)
		checkLinks(t, src, fields)
		require.Equal(t, before, string(src), "the source is not changed")
	})
}
