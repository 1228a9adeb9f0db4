package mail

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"absolink/extract/internal/codec"
	"absolink/extract/internal/header"
	"absolink/extract/internal/mark"
	"absolink/internal/longtest"
)

func partsOf(src, boundary string) (parts []string, closed bool) {
	r := reader{Reader: header.Reader{Src: []byte(src), Marks: &mark.Marks{}}}
	spans, closed := r.splitParts(codec.Span{End: len(src)}, boundary)
	for _, s := range spans {
		parts = append(parts, src[s.Start:s.End])
	}
	return parts, closed
}

// TestSplitParts has a row for each rule of RFC 2046 5.1.1, and for each error that is common in mail.
func TestSplitParts(t *testing.T) {
	for _, row := range []struct {
		name, src, boundary string
		want                []string
		closed              bool
	}{
		{"preamble and epilogue", "pre\n--b\n1\n--b\n2\n--b--\nepi\n--b\n3\n", "b", []string{"1", "2"}, true},
		{"the newline before a boundary belongs to it", "--b\n\n1\n\n--b--\n", "b", []string{"\n1\n"}, true},
		{"CRLF", "--b\r\n1\r\n--b--\r\n", "b", []string{"1"}, true},
		{"white space after a boundary", "--b \t\n1\n--b-- \n", "b", []string{"1"}, true},
		{"an empty part", "--b\n--b--", "b", []string{""}, true},
		{"the file ends after the closing boundary", "--b\n1\n--b--", "b", []string{"1"}, true},
		{"no closing boundary", "--b\n1\n", "b", []string{"1\n"}, false},
		{"no boundary", "1\n--c\n", "b", nil, false},
		{"a boundary that is the beginning of another", "--b\n1\n--bc\n2\n--b--\n", "b", []string{"1\n--bc\n2"}, true},
		{"text after the boundary", "--b\n1\n--b x\n2\n--b--\n", "b", []string{"1\n--b x\n2"}, true},
		{"an epilogue on the line of the closing boundary", "--b\n1\n--b--epi\n", "b", []string{"1"}, true},
		{"white space before the dashes of the closing boundary", "--b \n1\n--b \t-- \nepi\n", "b", []string{"1"}, true},
		{"the same, before another boundary", "--b\n1\n--b --\n2\n--b\n3\n--b--\n", "b", []string{"1\n--b --\n2", "3"}, true},
		{"the same, with text after the dashes", "--b\n1\n--b --x\n", "b", []string{"1\n--b --x\n"}, false},
		{"the closing boundary of an inner multipart", "--b\n1\n--b--c\n2\n--b\n3\n--b--\n", "b", []string{"1\n--b--c\n2", "3"}, true},
		{"a boundary in the middle of a line does not count", "--b\n1--b\n2\n--b--\n", "b", []string{"1--b\n2"}, true},
		{"a boundary in the middle of a line of a binary part", "--b\nContent-Transfer-Encoding: binary\n\n1--b\n2\n--b--\n", "b", []string{"Content-Transfer-Encoding: binary\n\n1", "2"}, true},
		{"RFC 2046 5.1.1: a boundary has no newline", "--b\n--b\n1\n--b\n--b--\n", "b\n--b", nil, false},
		{"a longer boundary than RFC 2046 allows", "--" + strings.Repeat("b", 99) + "\n1\n--" + strings.Repeat("b", 99) + "--\n", strings.Repeat("b", 99), []string{"1"}, true},
	} {
		t.Run(row.name, func(t *testing.T) {
			parts, closed := partsOf(row.src, row.boundary)
			assert.Equal(t, row.want, parts)
			assert.Equal(t, row.closed, closed)
			for n := range row.src {
				partsOf(row.src[:n], row.boundary)
			}
			under := strings.NewReplacer("--b", "--_b", "_", "__", "--c", "--_c")
			parts, closed = partsOf(under.Replace(row.src), "_"+row.boundary)
			for i, want := range row.want {
				assert.Equal(t, under.Replace(want), parts[i], "a boundary with an underscore")
			}
			assert.Len(t, parts, len(row.want))
			assert.Equal(t, row.closed, closed)
		})
	}
}

func TestSplitPartsLinear(t *testing.T) {
	for _, unit := range []string{"-", "_", "--_", "--", "--b", "--b\n", "--b--\n", "--b--c\n", "--b --\n", "\n--", "--b\nContent-Transfer-Encoding: binary\n\n--b", "x--b"} {
		longtest.Linear(t, unit, 1<<20/len(unit), func(n int) func() {
			src := "--b\n" + strings.Repeat(unit, n)
			return func() {
				partsOf(src, "b")
				partsOf(src, "_b")
			}
		})
	}
}
