package extract_test

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/klauspost/compress/zstd"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"absolink/extract"
	"absolink/internal/longtest"
)

// begins returns the first bytes of a document in memory, for Splits.
func begins(d extract.Document) func() ([]byte, error) {
	return func() ([]byte, error) { return d.Bytes, nil }
}

// In a .warc.gz each record is a member. Members without a change are copied unchanged.
func TestWARCMembers(t *testing.T) {
	records := []string{warcResponse("http://h/1", "<p>none"), warcResponse("http://h/2", "<a href=x>"), warcResponse("http://h/3", strings.Repeat("<p>none ", 100000))}
	src := gzipMembers(t, records...)
	var w walker
	d := extract.Document{Name: "c.warc.gz", Bytes: []byte(src)}
	out := rewrite(t, &w, d)
	records[1] = warcResponse("http://h/2", "<a href=http://h/x>")
	assert.Equal(t, strings.Join(records, ""), gunzip(t, out))
	assert.True(t, strings.HasPrefix(out, gzipped(t, records[0])))
	assert.True(t, strings.HasSuffix(out, gzipped(t, records[2])))
	assert.Equal(t, 3, strings.Count(out, "\x1f\x8b\x08"))
	assert.Equal(t, []string{"gzip/record[2]/body http://h/x WARC-Target-URI"}, linkLines(t, &w, d))

	// From one member: each record becomes a member.
	assert.True(t, w.Splits(d, begins(d), true))
	d.Bytes = []byte(gzipped(t, gunzip(t, src)))
	assert.Equal(t, strings.Join(records, ""), gunzip(t, rewrite(t, &w, d)))

	// Without a change the file stays unchanged, with any number of workers. The same is true of a file that is
	// divided into members at any byte.
	for _, unchanged := range []string{gzipped(t, records[0]+records[2]), gzipMembers(t, records[0][:50], records[0][50:]+records[2])} {
		d.Bytes = []byte(unchanged)
		assert.True(t, rewrite(t, &w, d) == unchanged)
		assert.False(t, w.Splits(d, begins(d), true))
		assert.True(t, w.Splits(d, begins(d), false))
	}
	const empty = "\x28\xB5\x2F\xFD\x00\x00\x01\x00\x00" // a frame of zstd
	for _, unchanged := range []string{gzipped(t, ""), empty, gzipped(t, empty), gzipped(t, gzipMembers(t, records[0], records[2]))} {
		d := extract.Document{Type: "application/warc", Bytes: []byte(unchanged)}
		assert.True(t, rewrite(t, &w, d) == unchanged)
		assert.False(t, w.Splits(d, begins(d), true))
	}

	// The same is true if a record is in several members, if a member is empty, or if it is too long to be
	// read as a whole.
	noise := make([]byte, 9<<20)
	rand.NewChaCha8([32]byte{}).Read(noise)
	long := warcRecord("resource", "http://h/", "video/mp4", string(noise), "")
	for name, members := range map[string][]string{
		"two members":         {records[0], records[2][:50], records[2][50:], records[0]},
		"empty members":       {"", records[0], "", records[2], ""},
		"long members":        {records[0], records[2] + records[0], long, long, records[2]},
		"the first long":      {long, records[2]},
		"several in a member": {records[0], records[2] + records[0] + records[2], records[0]},
		"several in some":     {records[0], records[2] + records[0][:50], "", records[0][50:] + records[0], records[2]},
	} {
		d.Bytes = []byte(gzipMembers(t, members...))
		assert.True(t, rewrite(t, &w, d) == string(d.Bytes), name)
		out := rewrite(t, &w, extract.Document{Name: d.Name, Reader: iotest.HalfReader(bytes.NewBuffer(d.Bytes))})
		assert.True(t, out == string(d.Bytes), name+", from a pipe")
		d.Bytes = append(d.Bytes, make([]byte, 10<<10)...)
		assert.True(t, rewrite(t, &w, d) == string(d.Bytes), name+", and zeros that fill up a block")
	}

	d.Bytes = []byte(src[:len(src)-20])
	assert.Len(t, linkLines(t, &w, d), 1, "a damaged member is read up to the damage")
	assert.Equal(t, out[:len(out)-20], rewrite(t, &w, d), "the rest stays unchanged")
	for _, damage := range []func(b []byte){
		func(b []byte) { b[len(gzipped(t, records[0]))+30] ^= 0xFF },      // of the data
		func(b []byte) { b[len(src)-len(gzipped(t, records[2]))-3] ^= 1 }, // of a checksum
		func(b []byte) { b[len(gzipped(t, records[0]))] ^= 1 },            // of a header
	} {
		d.Bytes = []byte(src)
		damage(d.Bytes)
		assert.True(t, rewrite(t, &w, d) == string(d.Bytes))
	}
	d.Bytes = []byte(src + "junk")
	assert.Equal(t, out+"junk", rewrite(t, &w, d))

	// A record longer than the limit is copied in pieces.
	w.MaxRecord = 1000
	d.Bytes = []byte(src)
	problems, _ := bagProblems(t, walker{Extractor: extract.Extractor{MaxRecord: 1000}}, d)
	assert.Contains(t, strings.Join(problems, "\n"), "size-limit")
	assert.Equal(t, strings.Join(records, ""), gunzip(t, rewrite(t, &w, d)))
}

// Records may be divided into members at any byte. If none of the records that share members changes, their
// compressed bytes are copied. If one changes, they stay together.
func TestWARCSharedMembers(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range longtest.Or(50, 300) {
		var src, want []string
		first := warcResponse("http://h/", "<p>")
		members := []string{first}
		changes := rng.IntN(3) > 0
		for range 1 + rng.IntN(8) {
			body := "<p>" + strings.Repeat("text ", rng.IntN(500))
			src, want = append(src, warcResponse("http://h/", body)), append(want, warcResponse("http://h/", body))
			if changes && rng.IntN(4) == 0 {
				src[len(src)-1], want[len(want)-1] = warcResponse("http://h/", body+"<a href=x>"), warcResponse("http://h/", body+"<a href=http://h/x>")
			}
		}
		member := ""
		for _, rec := range src {
			cut := rng.IntN(len(rec)) // a member ends in this record, or after it, or neither
			switch rng.IntN(3) {
			case 0:
				members, member = append(members, member+rec[:cut]), rec[cut:]
			case 1:
				members, member = append(members, member+rec), ""
			default:
				member += rec
			}
		}
		packed := gzipMembers(t, append(members, member)...)
		d := extract.Document{Name: "c.warc.gz", Bytes: []byte(packed)}
		if rng.IntN(2) == 0 {
			d.Bytes, d.Reader = nil, iotest.HalfReader(strings.NewReader(packed))
		}
		var w walker
		w.MaxRecord = rng.IntN(4) * 1000
		for i := range want {
			if w.MaxRecord > 0 && len(src[i]) > w.MaxRecord {
				want[i] = src[i]
			}
		}
		out := rewrite(t, &w, d)
		require.Equal(t, first+strings.Join(want, ""), gunzip(t, out))
		require.True(t, strings.HasPrefix(out, gzipped(t, first)))
		if !changes && w.MaxRecord == 0 {
			require.True(t, out == packed)
		}
	}

	none, link := warcResponse("http://h/", "<p>"), warcResponse("http://h/", "<a href=x>")
	out := rewrite(t, &walker{}, extract.Document{Name: "c.warc.gz", Bytes: []byte(gzipMembers(t, none, none+link, none+none))})
	out, ok := strings.CutSuffix(strings.TrimPrefix(out, gzipped(t, none)), gzipped(t, none+none))
	require.True(t, ok)
	z, err := gzip.NewReader(strings.NewReader(out))
	require.NoError(t, err)
	z.Multistream(false)
	text, err := io.ReadAll(z)
	require.NoError(t, err)
	assert.Equal(t, none+warcResponse("http://h/", "<a href=http://h/x>"), string(text))
}

// A member that changes keeps its own header (RFC 1952 2.3.1), not the header of the first member.
func TestWARCMemberHeaders(t *testing.T) {
	var src bytes.Buffer
	for i, name := range []string{"a", "b", "c"} {
		z := gzip.NewWriter(&src)
		z.Name, z.Comment, z.ModTime = name, "no. "+name, time.Unix(int64(1e9+i), 0)
		if i == 0 {
			z.Extra = []byte("LX\x00\x00")
		}
		_, err := io.WriteString(z, warcResponse("http://h/", "<a href=x>"))
		require.NoError(t, err)
		require.NoError(t, z.Close())
	}
	out := rewrite(t, &walker{}, extract.Document{Name: "c.warc.gz", Bytes: src.Bytes()})
	in := bufio.NewReader(strings.NewReader(out))
	z, err := gzip.NewReader(in)
	for i, name := range []string{"a", "b", "c"} {
		require.NoError(t, err)
		z.Multistream(false)
		assert.Equal(t, []any{name, "no. " + name, int64(1e9 + i), i == 0}, []any{z.Name, z.Comment, z.ModTime.Unix(), z.Extra != nil})
		text, err := io.ReadAll(z)
		require.NoError(t, err)
		assert.Equal(t, warcResponse("http://h/", "<a href=http://h/x>"), string(text))
		if i < 2 {
			require.NoError(t, z.Reset(in))
		}
	}
}

// In a .warc.zst each record is a frame. A dictionary may be before the frames.
func TestWARCFrames(t *testing.T) {
	var samples [][]byte
	for i := range 50 {
		samples = append(samples, []byte(warcResponse(fmt.Sprintf("http://h/%d", i), strings.Repeat(fmt.Sprintf("<p>text %d", i*i), i))))
	}
	dictionary, err := zstd.BuildDict(zstd.BuildDictOptions{ID: 7, Contents: samples, History: samples[49], Offsets: [3]int{1, 4, 8}})
	require.NoError(t, err)
	plain, err := zstd.NewWriter(nil)
	require.NoError(t, err)
	with, err := zstd.NewWriter(nil, zstd.WithEncoderDict(dictionary))
	require.NoError(t, err)
	skippable := func(b []byte) string {
		return string(append(binary.LittleEndian.AppendUint32([]byte("\x5D\x2A\x4D\x18"), uint32(len(b))), b...))
	}
	records := []string{warcResponse("http://h/1", "<p>none"), warcResponse("http://h/2", "<a href=x>")}
	after := records[0] + warcResponse("http://h/2", "<a href=http://h/x>")
	for _, row := range []struct {
		name, first string
		packer      *zstd.Encoder
	}{
		{"without a dictionary", "", plain},
		{"with a dictionary", skippable(dictionary), with},
		{"with a compressed dictionary", skippable(plain.EncodeAll(dictionary, nil)), with},
	} {
		t.Run(row.name, func(t *testing.T) {
			src := row.first
			for _, r := range records {
				src += string(row.packer.EncodeAll([]byte(r), nil))
			}
			var w walker
			d := extract.Document{Name: "c.warc.zst", Bytes: []byte(src)}
			assert.Equal(t, []string{"zstd/record[2]/body http://h/x WARC-Target-URI"}, linkLines(t, &w, d))
			out := rewrite(t, &w, d)
			require.True(t, strings.HasPrefix(out, row.first))
			assert.Equal(t, 2, strings.Count(out[len(row.first):], "\x28\xB5\x2F\xFD"), "frames")
			read, err := zstd.NewReader(nil, zstd.WithDecoderDicts(dictionary))
			require.NoError(t, err)
			defer read.Close()
			text, err := read.DecodeAll([]byte(out), nil)
			require.NoError(t, err)
			assert.Equal(t, after, string(text))
			d.Bytes = []byte(out)
			assert.Equal(t, out, rewrite(t, &w, d), "a second rewriting changes nothing")
		})
	}
	// A walker keeps its compressor for the next document, which may have another compression.
	link := []byte(records[1])
	plainly, withOne := string(plain.EncodeAll(link, nil)), skippable(dictionary)+string(with.EncodeAll(link, nil))
	var one walker
	for i, src := range []string{gzipped(t, records[1]), plainly, withOne, plainly, gzipped(t, records[1]), withOne, withOne} {
		d := extract.Document{Name: "c.warc", Bytes: []byte(src)}
		assert.True(t, rewrite(t, &walker{}, d) == rewrite(t, &one, d), "document %d", i)
	}
	for _, damaged := range []string{skippable(dictionary)[:100], skippable([]byte("none")), "\x5D\x2A\x4D\x18\xff\xff\xff\xff"} {
		var w walker
		require.Error(t, w.Links(extract.Document{Name: "c.warc.zst", Bytes: []byte(damaged)}, func(*extract.Link) error { return nil }))
	}
}
