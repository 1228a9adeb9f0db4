package header

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"absolink/extract/internal/codec"
	"absolink/extract/internal/mark"
)

// A part has no header if no field comes before its first empty line.
func TestReadPart(t *testing.T) {
	for _, row := range []struct {
		name, src, body string
		fields          int
	}{
		{"RFC 2046 5.1: a header", "A: 1\n\nbody", "body", 1},
		{"RFC 2046 5.1: no header", "\nbody", "body", 0},
		{"text", "hello\n\nbody", "hello\n\nbody", 0},
		{"text and a field", "hello\nA: 1\n\nbody", "body", 2},
		{"a From_ line", "From a@b\n\nbody", "body", 1},
	} {
		r := Reader{Src: []byte("x" + row.src + "y"), Marks: &mark.Marks{}}
		fields, body := r.ReadPart(codec.Span{Start: 1, End: 1 + len(row.src)})
		assert.Len(t, fields, row.fields, row.name)
		assert.Equal(t, row.body+"y", string(r.Src[body:]), row.name)
	}
}

// A header with more than mostFields fields is reported.
func TestReadMostFields(t *testing.T) {
	for n, faults := range map[int]int{mostFields - 1: 0, mostFields + 1: 1} {
		r := Reader{Src: []byte(strings.Repeat("A:\n", n) + "\nbody"), Marks: &mark.Marks{}}
		fields, body := r.Read(codec.Span{End: len(r.Src)})
		assert.Len(t, fields, min(n, mostFields))
		assert.Equal(t, "body", string(r.Src[body:]))
		assert.Len(t, r.Marks.Notes.Faults, faults)
	}
}

func TestValue(t *testing.T) {
	r := Reader{Src: []byte("a: 1\nB: 2\nb: 3\njunk\n\n"), Marks: &mark.Marks{}}
	fields, _ := r.Read(codec.Span{End: len(r.Src)})
	assert.Equal(t, "1", string(r.Value(fields, "a")))
	assert.Equal(t, "2", string(r.Value(fields, "b")), "the first one")
	assert.Empty(t, r.Value(fields, "c"))
	assert.Zero(t, r.Field(fields, "c"))
}

// marked returns the marks of a header as "kind place=text". After the kind comes the number of the scope, if any.
func marked(t *testing.T, src string, http bool, outer int32) (found []string, scope int32, location *mark.Mark) {
	t.Helper()
	r := Reader{Src: []byte(src), Marks: &mark.Marks{}, HTTP: http}
	fields, _ := r.Read(codec.Span{End: len(src)})
	if outer < 0 {
		r.MarkOwn(fields)
	} else {
		scope, location = r.MarkPart(fields, outer)
	}
	end := 0
	for marks := range r.Marks.All {
		for _, at := range marks {
			require.LessOrEqual(t, end, at.Start, "in the order of the bytes of %q", src)
			end = at.Start
			kind := map[mark.Kind]string{mark.IsLink: "link", mark.IsBase: "base", mark.IsInline: "inline"}[at.Kind]
			if at.Base != nil && at.Kind == mark.IsLink {
				kind = "link and base"
			}
			if at.Base != nil && at.Base.Refuse != "" {
				kind = "refused " + kind
			}
			if at.Base != nil && at.Base.Listed {
				kind = "listed " + kind
			}
			if at.ScopeNumber > 0 {
				kind = fmt.Sprint(kind, " in ", at.ScopeNumber)
			}
			text, err := at.Codec.Decode(r.Src[at.Start:at.End])
			require.NoError(t, err)
			found = append(found, kind+" "+at.Place.Name+"="+string(text))
		}
	}
	return found, scope, location
}

func TestMarkOwn(t *testing.T) {
	for _, row := range []struct {
		name, src string
		http      bool
		want      []string
	}{
		{"RFC 1808 3.1", "Base: <URL:http://h/>\n\n", false, []string{"base Base=http://h/"}},
		{"RFC 2110 4.2: a base is listed as a link, too", "Content-Base: http://h/\n\n", false, []string{"listed base Content-Base=http://h/"}},
		{"repeated", "Base: a\nBase: b\n\n", false, []string{"base Base=a", "refused base Base=b"}},
		{"RFC 7231 B", "Content-Location: a\n\n", true, []string{"listed refused base Content-Location=a"}},
		{"links and bases in the order of the bytes", "Archived-At: <a>\nBase: b\nLink: <c>; rel=x\nContent-Base: d\n\n", false,
			[]string{"link Archived-At=a", "base Base=b", "inline Link=<c>; rel=x", "listed base Content-Base=d"}},
		{"the page of a snapshot", "Snapshot-Content-Location: http://h/\n\n", false, []string{"base Snapshot-Content-Location=http://h/"}},
		{"RFC 2017 3", "Content-Type: message/external-body; access-type=URL; url=\"http://h/\"\n\n", false, []string{"link Content-Type=http://h/"}},
		{"a url of another type", "Content-Type: text/html; url=\"http://h/\"\n\n", false, nil},
		{"RFC 9110 10.2.2: words in a Location of HTTP are a URL", "Location: Room 5\n\n", true, []string{"link Location=Room 5"}},
		{"words in a Location of mail are not a URL", "Location: Room 5\n\n", false, nil},
		{"no base and no link", "Subject: x\n\n", false, nil},
	} {
		got, _, _ := marked(t, row.src, row.http, -1)
		assert.Equal(t, row.want, got, row.name)
	}
}

func TestMarkPart(t *testing.T) {
	for _, row := range []struct {
		name, src string
		want      []string
		scope     int32
		location  string
	}{
		{"no base", "Link: <a>\n\n", []string{"inline Link=<a>"}, 0, ""},
		{"a base that is not a link", "Base: a\n\n", []string{"base in 1 Base=a"}, 1, ""},
		{"a base that is a link", "Content-Location: a\n\n", []string{"link and base in 1 Content-Location=a"}, 1, "a"},
		{"the outermost base has the first scope", "Base: a\nContent-Location: b\n\n", []string{"base in 2 Base=a", "link and base in 2 Content-Location=b"}, 2, "b"},
		{"repeated", "Content-Location: a\nContent-Location: b\n\n", []string{"link and base in 2 Content-Location=a", "link in 2 Content-Location=b"}, 2, "a"},
		{"links are in the scope of the part", "List-Help: <a>\nBase: b\n\n", []string{"link in 1 List-Help=a", "base in 1 Base=b"}, 1, ""},
		{"Snapshot-Content-Location does not count in a part", "Snapshot-Content-Location: http://h/\n\n", nil, 0, ""},
	} {
		got, scope, location := marked(t, row.src, false, 0)
		assert.Equal(t, row.want, got, row.name)
		assert.Equal(t, row.scope, scope, row.name)
		if assert.Equal(t, row.location != "", location != nil, row.name) && location != nil {
			assert.Equal(t, row.location, row.src[location.Start:location.End], row.name)
		}
	}
}

// At most ListedRefused fields open a scope.
func TestMarkPartManyBases(t *testing.T) {
	_, scope, _ := marked(t, strings.Repeat("Base: a\n", 100)+"\n", false, 0)
	assert.EqualValues(t, mark.ListedRefused, scope)
}

// An edit that would make a field is refused. Of a long line only a part is read, so a name longer than that is refused
// as well.
func TestLongNames(t *testing.T) {
	for _, row := range []struct {
		name, line string // the edit removes the first space
		refused    bool
	}{
		{"a name", "a b: c", true},
		{"no name", "a b c: d", false},
		{"the last line, without a colon", "a b", false},
		{"a name longer than what is read", "a " + strings.Repeat("b", mostName+1) + ": c", true},
		{"a long line without a name", "a b " + strings.Repeat("b", mostName+1) + ": c", false},
		{"a line as long as what is read", "a " + strings.Repeat("b", mostName-1) + "\n", false},
	} {
		g := lineGuard{src: []byte(row.line)}
		assert.Equal(t, row.refused, g.refuses(codec.Edit{Span: codec.Span{Start: 1, End: 2}}) != "", row.name)
	}
	g := lineGuard{src: []byte("a b c: d")}
	assert.Empty(t, g.refuses(codec.Edit{Span: codec.Span{Start: 1, End: 2}}))
	assert.NotEmpty(t, g.refuses(codec.Edit{Span: codec.Span{Start: 3, End: 4}}), "the second edit of a line")
}
