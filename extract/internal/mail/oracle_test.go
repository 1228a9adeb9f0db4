package mail_test

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/emersion/go-message"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"absolink/extract"
	. "absolink/extract/internal/extracttest"
)

// seen is an entity of a message, as another program reads it.
type seen struct {
	Type    string
	Headers [][2]string // names and values, as spelled
	Body    []byte      // of an entity without parts, without its transfer encoding
	Parts   []seen
}

// linkHeaders are the header fields whose values are links.
var linkHeaders = map[string]bool{"list-help": true, "link": true, "comments": true, "archived-at": true, "content-location": true}

// same checks that two readings differ only in links: a body in the rewritten message is the same as the body that
// is rewritten alone.
func (before seen) same(t *testing.T, w *Walker, after seen, name string) {
	require.Equal(t, before.Type, after.Type, name)
	require.Len(t, after.Headers, len(before.Headers), name)
	mediaType := before.Type
	for i, h := range before.Headers {
		require.Equal(t, h[0], after.Headers[i][0], name)
		if !linkHeaders[strings.ToLower(h[0])] {
			require.Equal(t, h[1], after.Headers[i][1], name)
		}
		if _, charset, ok := strings.Cut(h[1], "charset="); ok {
			mediaType += "; charset=" + charset
		}
	}
	require.Len(t, after.Parts, len(before.Parts), name)
	for i, part := range before.Parts {
		part.same(t, w, after.Parts[i], name+" part "+strconv.Itoa(i+1))
	}
	want := string(before.Body)
	if strings.HasPrefix(before.Type, "text/") {
		want = Rewrite(t, w, extract.Document{Type: mediaType, URL: MadeURL, Bytes: before.Body})
	}
	require.Equal(t, want, string(after.Body), name)
}

// compareReadings lets another program read the corpus, before and after rewriting.
func compareReadings(t *testing.T, read func(messages []string) []seen) {
	var w Walker
	var before, after []string
	for _, m := range madeMessages() {
		d := Message(m.Src)
		d.URL = MadeURL
		before, after = append(before, m.Src), append(after, Rewrite(t, &w, d))
	}
	was, is := read(before), read(after)
	for i, m := range madeMessages() {
		was[i].same(t, &w, is[i], m.Name)
	}
}

func TestGoMessage(t *testing.T) {
	message.CharsetReader = func(_ string, r io.Reader) (io.Reader, error) { return r, nil }
	compareReadings(t, func(messages []string) (all []seen) {
		for _, m := range messages {
			e, err := message.Read(strings.NewReader(m))
			require.NoError(t, err)
			all = append(all, goMessage(t, e))
		}
		return all
	})
}

func goMessage(t *testing.T, e *message.Entity) (s seen) {
	s.Type, _, _ = e.Header.ContentType()
	for fields := e.Header.Fields(); fields.Next(); {
		s.Headers = append(s.Headers, [2]string{fields.Key(), fields.Value()})
	}
	if parts := e.MultipartReader(); parts != nil {
		for {
			part, err := parts.NextPart()
			if err == io.EOF {
				return s
			}
			require.NoError(t, err)
			s.Parts = append(s.Parts, goMessage(t, part))
		}
	}
	body, err := io.ReadAll(e.Body)
	require.NoError(t, err)
	if s.Type == "message/rfc822" {
		inner, err := message.Read(bytes.NewReader(body))
		require.NoError(t, err)
		s.Parts, body = []seen{goMessage(t, inner)}, nil
	}
	s.Body = body
	return s
}

const mailOracle = "../../../testdata/message/oracle.py"

func TestPythonEmail(t *testing.T) {
	compareReadings(t, func(messages []string) []seen {
		var in bytes.Buffer
		for _, m := range messages {
			in.WriteString(base64.StdEncoding.EncodeToString([]byte(m)) + "\n")
		}
		all := make([]seen, len(messages))
		out := json.NewDecoder(strings.NewReader(Python(t, in.Bytes(), mailOracle, "email")))
		for i := range all {
			require.NoError(t, out.Decode(&all[i]))
		}
		return all
	})
}

// Python's mailbox starts a message at every "From " and ignores lengths. It must find as many messages after rewriting as
// before, and, in the flavours that quote such lines, as many as were written.
func TestPythonMailbox(t *testing.T) {
	dir := t.TempDir()
	var files []string
	var want []int
	var w Walker
	for _, newline := range []string{"\n", "\r\n"} {
		var messages []string
		for _, m := range madeMessages() {
			if m.Newline == newline && len(messages) < 1000 {
				messages = append(messages, m.Src)
			}
		}
		for _, flavour := range MboxFlavours {
			w.Mbox = flavour.Format
			d := Mailbox(Mboxed(flavour.Name, newline, messages...))
			d.URL = MadeURL
			for _, text := range []string{string(d.Bytes), Rewrite(t, &w, d)} {
				name := filepath.Join(dir, strconv.Itoa(len(files)))
				require.NoError(t, os.WriteFile(name, []byte(text), 0o600))
				files, want = append(files, name), append(want, len(messages))
			}
		}
	}
	var got []int
	for _, line := range strings.Fields(Python(t, nil, append([]string{mailOracle, "mbox"}, files...)...)) {
		n, err := strconv.Atoi(line)
		require.NoError(t, err)
		got = append(got, n)
	}
	require.Len(t, got, len(want))
	for i := 0; i < len(got); i += 2 {
		flavour := MboxFlavours[i/2%len(MboxFlavours)].Name
		if flavour != "mboxcl2" {
			assert.Equal(t, want[i], got[i], flavour)
		}
		assert.Equal(t, got[i], got[i+1], flavour)
	}
}

// Each length grows as much as its message, and still leads to the next From_ line.
func TestMboxLengths(t *testing.T) {
	for _, newline := range []string{"\n", "\r\n"} {
		var messages, rewritten []string
		for i, m := range madeMessages() {
			if m.Newline == newline && i%7 == 0 {
				d := Message(m.Src)
				d.URL = MadeURL
				messages, rewritten = append(messages, m.Src), append(rewritten, Rewrite(t, &Walker{}, d))
			}
		}
		for _, flavour := range MboxFlavours[2:] {
			for _, format := range []extract.Mbox{0, flavour.Format} {
				w := Walker{Extractor: extract.Extractor{Mbox: format}}
				d := Mailbox(Mboxed(flavour.Name, newline, messages...))
				d.URL = MadeURL
				before, after := followLengths(t, string(d.Bytes), newline), followLengths(t, Rewrite(t, &w, d), newline)
				require.Len(t, before, len(messages), flavour.Name)
				require.Len(t, after, len(messages), flavour.Name)
				for i := range before {
					_, was, _ := strings.Cut(messages[i], newline+newline)
					_, is, _ := strings.Cut(rewritten[i], newline+newline)
					require.Equal(t, before[i]+len(is)-len(was), after[i], messages[i])
				}
			}
		}
	}
}

// followLengths reads a mailbox by its lengths alone, and returns the lengths.
func followLengths(t *testing.T, src, newline string) (lengths []int) {
	for src != "" {
		require.True(t, strings.HasPrefix(src, MadeFrom+newline), "%.100q", src)
		header, body, _ := strings.Cut(src, newline+newline)
		_, length, _ := strings.Cut(header, newline+"Content-Length: ")
		n, err := strconv.Atoi(length)
		require.NoError(t, err)
		lengths = append(lengths, n)
		require.True(t, strings.HasPrefix(body[n:], newline), "%.100q", body[n:])
		src = body[n+len(newline):]
	}
	return lengths
}
