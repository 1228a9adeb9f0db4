package mail_test

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"absolink/extract"
	. "absolink/extract/internal/extracttest"
	"absolink/internal/longtest"
)

// Without a base, a message stays unchanged. With one, a rewritten mailbox has the messages that rewriting each alone gives.
func TestMadeMessages(t *testing.T) {
	all := madeMessages()
	require.GreaterOrEqual(t, len(all), longtest.Or(800, 5000))
	var w Walker
	rewritten := map[string][]string{}
	messages := map[string][]string{}
	for _, m := range all {
		require.Equal(t, m.Src, Rewrite(t, &w, Message(m.Src)), m.Name)
		d := Message(m.Src)
		d.URL = MadeURL
		out := Rewrite(t, &w, d)
		d.Bytes = []byte(out)
		require.Equal(t, out, Rewrite(t, &w, d), "%s, twice", m.Name)
		d.Bytes = []byte(m.Src)
		Changes(t, w.Extractor, d, out)
		if m.Encoding == "quoted-printable" {
			for _, line := range strings.Split(out, "\n") {
				require.LessOrEqual(t, len(strings.TrimSuffix(line, "\r")), 76, m.Name)
			}
		}
		messages[m.Newline], rewritten[m.Newline] = append(messages[m.Newline], m.Src), append(rewritten[m.Newline], out)
	}
	t.Logf("%d messages", len(all))

	for newline := range messages {
		for _, flavour := range MboxFlavours {
			t.Run(fmt.Sprintf("%s %q", flavour.Name, newline), func(t *testing.T) {
				t.Parallel()
				src := Mboxed(flavour.Name, newline, messages[newline]...)
				want := Mboxed(flavour.Name, newline, rewritten[newline]...)
				for _, format := range []extract.Mbox{0, flavour.Format} {
					w := Walker{Extractor: extract.Extractor{Mbox: format}}
					assert.True(t, src == Rewrite(t, &w, Mailbox(src)), "without a base")
					d := Mailbox(src)
					d.URL = MadeURL
					assert.Equal(t, FirstDifference(want, Rewrite(t, &w, d)), "", "with a base")
				}
				assert.Equal(t, len(messages[newline]), countMessages(t, &Walker{}, src))

				n := len(messages[newline]) / 20
				src = Mboxed(flavour.Name, newline, messages[newline][:n]...)
				want = Mboxed(flavour.Name, newline, rewritten[newline][:n]...)
				packed := Gzipped(t, src)
				w := Walker{Extractor: extract.Extractor{Mbox: flavour.Format}}
				d := extract.Document{Name: "m.mbox.gz", Bytes: []byte(packed)}
				assert.True(t, src == Gunzip(t, Rewrite(t, &w, d)), "compressed, without a change")
				d.URL = MadeURL
				assert.True(t, want == Gunzip(t, Rewrite(t, &w, d)), "compressed again")
				d.URL, w.Decompress = "", true
				assert.True(t, src == Rewrite(t, &w, d), "unpacked")
			})
		}
	}
}

// countMessages returns the number of messages of a mailbox, without embedded messages.
func countMessages(t *testing.T, w *Walker, src string) int {
	n := 0
	require.NoError(t, w.Bases(Mailbox(src), func(e *extract.Entity) error {
		if e.Type == "message/rfc822" && !strings.Contains(e.Path, "/") {
			n++
		}
		return nil
	}))
	return n
}

// TestForeignMessages checks every message below the folder ABSOLINK_MESSAGES, alone and in mailboxes. A good folder is
// test_email/data of the Debian package libpython3.11-testsuite.
func TestForeignMessages(t *testing.T) {
	root := os.Getenv("ABSOLINK_MESSAGES")
	if root == "" {
		t.Skip("ABSOLINK_MESSAGES names no folder of messages")
	}
	n := 0
	require.NoError(t, filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || !entry.Type().IsRegular() {
			return err
		}
		src, err := os.ReadFile(path)
		require.NoError(t, err)
		n++
		var w Walker
		d := extract.Document{Name: path, Type: "message/rfc822", Bytes: src}
		based := HasBase(t, &w, d)
		assert.True(t, based || Rewrite(t, &w, d) == string(src), path)
		d.URL = MadeURL
		once := Rewrite(t, &w, d)
		d.Bytes = []byte(once)
		assert.True(t, Rewrite(t, &w, d) == once, "%s, twice", path)
		for _, flavour := range MboxFlavours {
			box := Mboxed(flavour.Name, "\n", string(src)+"\n")
			for _, w.Mbox = range []extract.Mbox{0, flavour.Format} {
				assert.True(t, based || Rewrite(t, &w, Mailbox(box)) == box, "%s in %s", path, flavour.Name)
			}
		}
		return nil
	}))
	require.NotZero(t, n)
	t.Logf("%d messages", n)
}
