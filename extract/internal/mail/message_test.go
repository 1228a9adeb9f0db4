package mail

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"absolink/extract/internal/mark"
)

func TestSniffMessage(t *testing.T) {
	for _, row := range []struct {
		name, src string
		want      bool
	}{
		{"RFC 5322 3.6", "Date: Mon, 1 Jan 2024 00:00:00 +0000\n\n", true},
		{"RFC 5322 1.2.2: case is ignored", "SUBJECT: x\n\n", true},
		{"RFC 1036 2", "Path: a!b\r\nFrom: a@b\r\n\r\n", true},
		{"RFC 1808 3.1", "Base: <URL:http://h/>\n\n", true},
		{"a prefix of names", "X-Mailer: x\n\n", true},
		{"RFC 2369", "List-Help: <mailto:a@b>\n\n", true},
		{"a From_ line first", "From a@b Mon Jan  1 00:00:00 2024\nFrom: a@b\n\n", true},
		{"a byte order mark", "\uFEFFSubject: x\n\n", true},
		{"empty lines first", "\r\n \t\n\uFEFFSubject: x\n\n", true},
		{"an empty line after a From_ line", "From a@b Mon Jan  1 00:00:00 2024\n\nFrom: a@b\n\n", true},
		{"an empty line before text", "\nDear Sir,\nSubject: x\n\n", false},
		{"a field of other texts", "Title: x\nSubject: x\n\n", false},
		{"a prefix without its hyphen", "Content: x\n\n", false},
		{"no field", "Hello,\nhow are you\n", false},
		{"only a From_ line", "From a@b Mon Jan  1 00:00:00 2024\n\n", false},
		{"an empty document", "", false},
	} {
		assert.Equal(t, row.want, SniffMessage([]byte(row.src)), row.name)
	}
}

type marked struct {
	bases, links []string // "place=text"
	parts        []string // "place=text", the text as the codec decodes it
	faults       []mark.Code
}

// markedIn returns the marks of a message. Every media type but image/gif has a format.
func markedIn(t *testing.T, src string) (found marked) {
	t.Helper()
	m := &mark.Marks{Settings: mark.Settings{
		MaxDepth: 4,
		Formats: func(mediaType string) *mark.Format {
			if mediaType == "image/gif" {
				return nil
			}
			return Message
		},
	}}
	Message.Mark([]byte(src), m)
	end := 0
	for chunk := range m.All {
		for _, at := range chunk {
			require.LessOrEqual(t, end, at.Start, "in the order of the bytes")
			end = at.Start
			text, err := at.Codec.Decode([]byte(src[at.Start:at.End]))
			require.NoError(t, err)
			line := at.Name() + "=" + string(text)
			switch {
			case at.Kind == mark.IsBase:
				found.bases = append(found.bases, line)
			case at.Kind == mark.IsNested:
				found.parts = append(found.parts, line)
			default:
				found.links = append(found.links, line)
			}
		}
	}
	for _, f := range m.Notes.Faults {
		found.faults = append(found.faults, f.Code)
	}
	return found
}

func TestMessage(t *testing.T) {
	for _, row := range []struct {
		name, src string
		want      marked
	}{
		{"RFC 822 3.1: header and body", "Subject: x\n\nbody\n", marked{parts: []string{"part[1]=body\n"}}},
		{"RFC 822 3.1: only a header", "Subject: x\n\n", marked{}},
		{"no field before the empty line", "hello\n\nbody\n", marked{parts: []string{"part[1]=hello\n\nbody\n"}}},
		{"RFC 1808 3.1, RFC 2110 4.2: bases", "Content-Base: http://h/\nBase: <URL:http://i/>\n\n", marked{bases: []string{"Content-Base=http://h/", "Base=http://i/"}}},
		{"links before and after a base", "Archived-At: <a>\nBase: b\nList-Help: <c>\n\n", marked{bases: []string{"Base=b"}, links: []string{"Archived-At=a", "List-Help=c"}}},
		{"the page of a snapshot", "Snapshot-Content-Location: http://h/p\n\n", marked{bases: []string{"Snapshot-Content-Location=http://h/p"}}},
		{"RFC 2017 3: the URL of an external body", "Content-Type: message/external-body; access-type=URL; url=\"http://h/x\"\n\n", marked{links: []string{"Content-Type=http://h/x"}}},
		{"RFC 2045 6.7", "Content-Transfer-Encoding: quoted-printable\n\na=\nb=3D\n", marked{parts: []string{"part[1]=ab=\n"}}},
		{"RFC 2045 6.8", "Content-Transfer-Encoding: base64\n\nYQ==\n", marked{parts: []string{"part[1]=a"}}},
		{"RFC 2045 6.3: an unknown encoding", "Content-Transfer-Encoding: x-unknown\n\nx\n", marked{faults: []mark.Code{mark.Undecodable}}},
		{"a type without a format", "Content-Type: image/gif\n\nx\n", marked{}},
		{"RFC 2046 5.1: no boundary parameter", "Content-Type: multipart/mixed\n\n--x\n\na\n--x--\n", marked{faults: []mark.Code{mark.BoundaryMissing}}},
		{"RFC 2046 5.1: no boundary in the body", "Content-Type: multipart/mixed; boundary=x\n\n--y\n", marked{faults: []mark.Code{mark.BoundaryMissing}}},
		{"RFC 2046 5.1: no closing boundary", "Content-Type: multipart/mixed; boundary=x\n\n--x\n\na\n", marked{parts: []string{"part[1]=a\n"}, faults: []mark.Code{mark.BoundaryUnterminated}}},
		{"RFC 2557 5: parts with their own bases", "Content-Type: multipart/related; boundary=x\n\n--x\nContent-Location: p/q\n\na\n--x\nBase: <b>\n\nc\n--x--\n",
			marked{bases: []string{"Base=b"}, links: []string{"Content-Location=p/q"}, parts: []string{"part[1]=a", "part[2]=c"}}},
		{"RFC 2046 5.1.2: nested multiparts", "Content-Type: multipart/mixed; boundary=x\n\n--x\n\na\n--x\nContent-Type: multipart/mixed; boundary=y\n\n--y\n\nb\n--y--\n--x--\n",
			marked{parts: []string{"part[1]=a", "part[2.1]=b"}}},
	} {
		t.Run(row.name, func(t *testing.T) {
			assert.Equal(t, row.want, markedIn(t, row.src))
			for n := range row.src {
				Message.Mark([]byte(row.src[:n]), &mark.Marks{})
			}
		})
	}
}

func TestMultipartDepth(t *testing.T) {
	src := "Subject: x\n"
	for _, boundary := range []string{"a", "b", "c", "d", "e"} {
		src += "Content-Type: multipart/mixed; boundary=" + boundary + "\n\n--" + boundary + "\n"
	}
	assert.Equal(t, mark.DepthLimit, markedIn(t, src).faults[4], "after four multiparts without a closing boundary")
}

// A link names a part by its Content-ID or its Content-Location. The Content-ID of a multipart/related names its root.
func TestSiblings(t *testing.T) {
	src := "Content-Type: multipart/mixed; boundary=x\n\n--x\nContent-ID: <a>\nContent-Type: multipart/related; start=\"<c>\"; boundary=y\n\n" +
		"--y\nContent-Location: b\n\nB\n--y\nContent-ID: <c>\n\nC\n--y--\n--x--\n"
	var m mark.Marks
	m.MaxDepth = 4
	Message.Mark([]byte(src), &m)
	var got []string
	for _, s := range m.Parts.Siblings {
		line := s.Path + " " + src[s.ID.Start:s.ID.End]
		if s.Location != nil {
			line += " at " + src[s.Location.Start:s.Location.End]
		}
		got = append(got, line)
	}
	assert.Equal(t, []string{"1.1  at b", "1.2 <c>", "1.2 <a>"}, got)
	assert.Equal(t, []int{-1, 0}, m.Parts.Groups)
}
