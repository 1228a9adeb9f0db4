package archive_test

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
	. "absolink/extract/internal/extracttest"
	"absolink/internal/longtest"
)

// In a .warc.gz each record is a member. Members without a change are copied.
func TestWARCMembers(t *testing.T) {
	records := []string{WARCResponse("http://h/1", "<p>none"), WARCResponse("http://h/2", "<a href=x>"), WARCResponse("http://h/3", strings.Repeat("<p>none ", 100000))}
	src := GzipMembers(t, records...)
	var w Walker
	d := extract.Document{Name: "c.warc.gz", Bytes: []byte(src)}
	out := Rewrite(t, &w, d)
	records[1] = WARCResponse("http://h/2", "<a href=http://h/x>")
	assert.Equal(t, strings.Join(records, ""), Gunzip(t, out))
	assert.True(t, strings.HasPrefix(out, Gzipped(t, records[0])))
	assert.True(t, strings.HasSuffix(out, Gzipped(t, records[2])))
	assert.Equal(t, 3, strings.Count(out, "\x1f\x8b\x08"))
	assert.Equal(t, []string{"gzip/record[2]/body http://h/x WARC-Target-URI"}, LinkLines(t, &w, d))

	// If all records are in one member, each becomes a member of its own.
	d.Bytes = []byte(Gzipped(t, Gunzip(t, src)))
	assert.Equal(t, strings.Join(records, ""), Gunzip(t, Rewrite(t, &w, d)))

	// A file without a change stays as it is, however it is divided into members.
	for _, unchanged := range []string{Gzipped(t, records[0]+records[2]), GzipMembers(t, records[0][:50], records[0][50:]+records[2])} {
		d.Bytes = []byte(unchanged)
		assert.True(t, Rewrite(t, &w, d) == unchanged)
	}
	const empty = "\x28\xB5\x2F\xFD\x00\x00\x01\x00\x00" // a frame of zstd
	for _, unchanged := range []string{Gzipped(t, ""), empty} {
		d := extract.Document{Type: "application/warc", Bytes: []byte(unchanged)}
		assert.True(t, Rewrite(t, &w, d) == unchanged)
	}
	inner := GzipMembers(t, records[0], records[2])
	twice := Rewrite(t, &w, extract.Document{Type: "application/warc", Bytes: []byte(Gzipped(t, inner))})
	assert.True(t, Gunzip(t, twice) == inner, "only the outer compression is made again")

	// The same is true if a record is in several members, or if a member is empty or too long to be read as a whole.
	noise := make([]byte, 9<<20)
	rand.NewChaCha8([32]byte{}).Read(noise)
	long := WARCRecord("resource", "http://h/", "video/mp4", string(noise), "")
	for name, members := range map[string][]string{
		"two members":         {records[0], records[2][:50], records[2][50:], records[0]},
		"empty members":       {"", records[0], "", records[2], ""},
		"long members":        {records[0], records[2] + records[0], long, long, records[2]},
		"the first long":      {long, records[2]},
		"several in a member": {records[0], records[2] + records[0] + records[2], records[0]},
		"several in some":     {records[0], records[2] + records[0][:50], "", records[0][50:] + records[0], records[2]},
	} {
		d.Bytes = []byte(GzipMembers(t, members...))
		assert.True(t, Rewrite(t, &w, d) == string(d.Bytes), name)
		out := Rewrite(t, &w, extract.Document{Name: d.Name, Reader: iotest.HalfReader(bytes.NewBuffer(d.Bytes))})
		assert.True(t, out == string(d.Bytes), name+", from a pipe")
		d.Bytes = append(d.Bytes, make([]byte, 10<<10)...)
		assert.True(t, Rewrite(t, &w, d) == string(d.Bytes), name+", and zeros that fill up a block")
	}

	d.Bytes = []byte(src[:len(src)-20])
	assert.Len(t, LinkLines(t, &w, d), 1, "a damaged member is read up to the damage")
	assert.Equal(t, out[:len(out)-20], Rewrite(t, &w, d), "the rest stays unchanged")
	for _, damage := range []func(b []byte){
		func(b []byte) { b[len(Gzipped(t, records[0]))+30] ^= 0xFF },      // of the data
		func(b []byte) { b[len(src)-len(Gzipped(t, records[2]))-3] ^= 1 }, // of a checksum
		func(b []byte) { b[len(Gzipped(t, records[0]))] ^= 1 },            // of a header
	} {
		d.Bytes = []byte(src)
		damage(d.Bytes)
		assert.True(t, Rewrite(t, &w, d) == string(d.Bytes))
	}
	d.Bytes = []byte(src + "junk")
	assert.Equal(t, out+"junk", Rewrite(t, &w, d))

	// A record longer than the limit is copied in pieces.
	w.MaxRecord = 1000
	d.Bytes = []byte(src)
	problems, _ := BagProblems(t, Walker{Extractor: extract.Extractor{MaxRecord: 1000}}, d)
	assert.Contains(t, strings.Join(problems, "\n"), "size-limit")
	assert.Equal(t, strings.Join(records, ""), Gunzip(t, Rewrite(t, &w, d)))
}

// In a .warc.gz in another archive, members without a change keep their bytes as well, even if the records are long.
func TestWARCMembersInside(t *testing.T) {
	resource := func(body string) string { return WARCRecord("resource", "http://h/", "text/html", body, body) }
	for _, filler := range []string{"", strings.Repeat("<p>text ", 1<<18)} {
		members := []string{resource(filler), resource("<a href=x>" + filler + "<a href=y>"), resource(filler)}
		d := Tar(TarFile("c.warc.gz", GzipMembers(t, members...)) + TarEnd)
		var w Walker
		out := Rewrite(t, &w, d)
		inside := out[512:]
		first, last := Gzipped(t, members[0]), Gzipped(t, members[2])
		require.True(t, strings.HasPrefix(inside, first))
		second, _, _ := strings.Cut(inside[len(first):], last)
		assert.Less(t, len(second), len(inside)-len(first)-len(last), "the last member is there")
		assert.Equal(t, resource("<a href=http://h/p/x>"+filler+"<a href=http://h/p/y>"), Gunzip(t, second))
	}
}

// Records may be divided into members at any byte. If none of the records that share members changes, their compressed
// bytes are copied; if one does, these records are compressed together.
func TestWARCSharedMembers(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range longtest.Or(50, 300) {
		var src, want []string
		first := WARCResponse("http://h/", "<p>")
		members := []string{first}
		changes := rng.IntN(3) > 0
		for range 1 + rng.IntN(8) {
			body := "<p>" + strings.Repeat("text ", rng.IntN(500))
			src, want = append(src, WARCResponse("http://h/", body)), append(want, WARCResponse("http://h/", body))
			if changes && rng.IntN(4) == 0 {
				src[len(src)-1], want[len(want)-1] = WARCResponse("http://h/", body+"<a href=x>"), WARCResponse("http://h/", body+"<a href=http://h/x>")
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
		packed := GzipMembers(t, append(members, member)...)
		d := extract.Document{Name: "c.warc.gz", Bytes: []byte(packed)}
		if rng.IntN(2) == 0 {
			d.Bytes, d.Reader = nil, iotest.HalfReader(strings.NewReader(packed))
		}
		var w Walker
		w.MaxRecord = rng.IntN(4) * 1000
		for i := range want {
			if w.MaxRecord > 0 && len(src[i]) > w.MaxRecord {
				want[i] = src[i]
			}
		}
		out := Rewrite(t, &w, d)
		require.Equal(t, first+strings.Join(want, ""), Gunzip(t, out))
		require.True(t, strings.HasPrefix(out, Gzipped(t, first)))
		if !changes && w.MaxRecord == 0 {
			require.True(t, out == packed)
		}
	}

	none, link := WARCResponse("http://h/", "<p>"), WARCResponse("http://h/", "<a href=x>")
	out := Rewrite(t, &Walker{}, extract.Document{Name: "c.warc.gz", Bytes: []byte(GzipMembers(t, none, none+link, none+none))})
	out, ok := strings.CutSuffix(strings.TrimPrefix(out, Gzipped(t, none)), Gzipped(t, none+none))
	require.True(t, ok)
	z, err := gzip.NewReader(strings.NewReader(out))
	require.NoError(t, err)
	z.Multistream(false)
	text, err := io.ReadAll(z)
	require.NoError(t, err)
	assert.Equal(t, none+WARCResponse("http://h/", "<a href=http://h/x>"), string(text))
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
		_, err := io.WriteString(z, WARCResponse("http://h/", "<a href=x>"))
		require.NoError(t, err)
		require.NoError(t, z.Close())
	}
	out := Rewrite(t, &Walker{}, extract.Document{Name: "c.warc.gz", Bytes: src.Bytes()})
	in := bufio.NewReader(strings.NewReader(out))
	z, err := gzip.NewReader(in)
	for i, name := range []string{"a", "b", "c"} {
		require.NoError(t, err)
		z.Multistream(false)
		assert.Equal(t, []any{name, "no. " + name, int64(1e9 + i), i == 0}, []any{z.Name, z.Comment, z.ModTime.Unix(), z.Extra != nil})
		text, err := io.ReadAll(z)
		require.NoError(t, err)
		assert.Equal(t, WARCResponse("http://h/", "<a href=http://h/x>"), string(text))
		if i < 2 {
			require.NoError(t, z.Reset(in))
		}
	}
}

// In a .warc.zst each record is a frame, and a dictionary may come before the frames.
func TestWARCFrames(t *testing.T) {
	var samples [][]byte
	for i := range 50 {
		samples = append(samples, []byte(WARCResponse(fmt.Sprintf("http://h/%d", i), strings.Repeat(fmt.Sprintf("<p>text %d", i*i), i))))
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
	records := []string{WARCResponse("http://h/1", "<p>none"), WARCResponse("http://h/2", "<a href=x>")}
	after := records[0] + WARCResponse("http://h/2", "<a href=http://h/x>")
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
			var w Walker
			d := extract.Document{Name: "c.warc.zst", Bytes: []byte(src)}
			assert.Equal(t, []string{"zstd/record[2]/body http://h/x WARC-Target-URI"}, LinkLines(t, &w, d))
			out := Rewrite(t, &w, d)
			require.True(t, strings.HasPrefix(out, row.first))
			assert.Equal(t, 2, strings.Count(out[len(row.first):], "\x28\xB5\x2F\xFD"), "frames")
			read, err := zstd.NewReader(nil, zstd.WithDecoderDicts(dictionary))
			require.NoError(t, err)
			defer read.Close()
			text, err := read.DecodeAll([]byte(out), nil)
			require.NoError(t, err)
			assert.Equal(t, after, string(text))
			d.Bytes = []byte(out)
			assert.Equal(t, out, Rewrite(t, &w, d), "a second rewriting changes nothing")
		})
	}
	// A walker reuses its compressor, although the next document may be compressed differently.
	link := []byte(records[1])
	plainly, withOne := string(plain.EncodeAll(link, nil)), skippable(dictionary)+string(with.EncodeAll(link, nil))
	var one Walker
	for i, src := range []string{Gzipped(t, records[1]), plainly, withOne, plainly, Gzipped(t, records[1]), withOne, withOne} {
		d := extract.Document{Name: "c.warc", Bytes: []byte(src)}
		assert.True(t, Rewrite(t, &Walker{}, d) == Rewrite(t, &one, d), "document %d", i)
	}
	for _, damaged := range []string{skippable(dictionary)[:100], skippable([]byte("none")), "\x5D\x2A\x4D\x18\xff\xff\xff\xff"} {
		var w Walker
		d := extract.Document{Name: "c.warc.zst", Bytes: []byte(damaged)}
		problems, out := BagProblems(t, w, d)
		require.Len(t, problems, 1)
		assert.Contains(t, problems[0], "undecodable")
		assert.Equal(t, damaged, out)
	}
}

// A header that is spread over many members is not parsed again with each, so the time is linear in their number.
func TestWARCManyMembers(t *testing.T) {
	var w Walker
	longtest.Linear(t, "members", 20_000, func(n int) func() {
		src := extract.Document{Bytes: []byte(Gzipped(t, "WARC/1.0\n") + strings.Repeat(Gzipped(t, "A: b\n"), n))}
		return func() { require.NoError(t, w.Links(src, func(*extract.Link) error { return nil })) }
	})
}
