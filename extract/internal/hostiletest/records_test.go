package hostiletest

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"absolink/extract"
	. "absolink/extract/internal/extracttest"
)

// A record owns its bytes, which later records do not change in any kind of stream.
func TestRecordsOwn(t *testing.T) {
	var mbox, members, files strings.Builder
	for i := range 60 {
		page := fmt.Sprintf("<p>%d <a href=x%d>", i, i) + strings.Repeat("<b>text</b>\n", i%7*i*100) // to 400 kB
		if i%20 == 10 {
			page += strings.Repeat("<i>more</i>\n", 200_000) // and some longer than a block of memory
		}
		fmt.Fprintf(&mbox, "From a Thu Jan  1 00:00:00 1970\nContent-Type: text/html\n\n%s\n\n", page)
		members.WriteString(Gzipped(t, WARCResponse("http://w/", page)))
		files.WriteString(TarFile(fmt.Sprintf("%d.html", i), page))
	}
	for name, src := range map[string]string{
		"a.mbox": mbox.String(), "a.mbox.gz": Gzipped(t, mbox.String()), "a.warc.gz": members.String(),
		"a.tar": files.String() + TarEnd, "a.html": "<a href=x>", "empty.html": "",
	} {
		d := func() extract.Document {
			return extract.Document{Name: name, URL: "http://h/", Reader: iotest.HalfReader(strings.NewReader(src))}
		}
		var want, kept []extract.Record
		var w, other Walker
		one, err := other.Open(d(), nil)
		require.NoError(t, err)
		for rec, err := range one.Records() {
			require.NoError(t, err)
			rec.Bytes = bytes.Clone(rec.Bytes)
			want = append(want, rec)
		}
		var out bytes.Buffer
		in, err := w.Open(d(), &out)
		require.NoError(t, err)
		for rec, err := range in.Records() {
			require.NoError(t, err)
			kept = append(kept, rec)
		}
		require.Len(t, kept, len(want), name)
		next, err := w.Open(extract.Document{Name: "next.html", Reader: strings.NewReader("<b>other</b>")}, nil)
		require.NoError(t, err)
		for _, err := range next.Records() {
			require.NoError(t, err)
		}
		for i, rec := range kept {
			assert.Equal(t, string(want[i].Bytes), string(rec.Bytes), name)
			var rewritten bytes.Buffer
			require.NoError(t, w.Rewrite(&rewritten, rec.Document()))
			require.NoError(t, in.Put(rec, rewritten.Bytes()))
		}
		require.NoError(t, in.Close())
		var whole bytes.Buffer
		require.NoError(t, new(Walker).Rewrite(&whole, d()))
		assert.Equal(t, whole.String(), out.String(), name)
	}
}
