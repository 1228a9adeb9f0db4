package archive

import (
	"bytes"
	"crypto/md5"
	"crypto/sha1"
	"crypto/sha256"
	"crypto/sha512"
	"encoding/base32"
	"encoding/hex"
	"fmt"
	"hash"
	"iter"
	"strconv"

	"absolink/extract/internal/ascii"
	"absolink/extract/internal/codec"
	"absolink/extract/internal/header"
	"absolink/extract/internal/http"
	"absolink/extract/internal/mark"
	"absolink/extract/internal/window"
)

// WARC is a web archive (ISO 28500, WARC 1.0 and 1.1): records, each a header and a block
// of the length that it says. What a record was retrieved from is its WARC-Target-URI. In
// the block of a response is an HTTP message, in that of a resource or conversion the
// document itself.
var WARC = &mark.Format{
	Name:    warcType,
	Exts:    []string{".warc"},
	Split:   splitWARC,
	Holds:   mark.Captures,
	Members: true,
}

const warcType = "application/warc"

// IsWARCLine reports whether a line begins a record of WARC.
func IsWARCLine(line []byte) bool { return bytes.HasPrefix(line, []byte("WARC/")) }

// splitWARC gives the records. What stands between two records belongs to the first. A
// length that is wrong is told, and the next record looked for by its first line.
func splitWARC(in window.Window, limit int) iter.Seq2[mark.Chunk, error] {
	return func(yield func(mark.Chunk, error) bool) {
		s := &blockSplitter{Window: in, limit: limit, begins: IsWARCLine, first: []byte("\nWARC/"), length: warcLength}
		s.split(warcRecord, yield)
	}
}

// warcLength gives the Content-Length of the header at the beginning of src, and where the
// warcBlock begins. more says that the header does not end in src. One in which the next record
// begins tells none.
func warcLength(src []byte) (length int64, body int, more bool) {
	length = -1
	for p := ascii.LineEnd(src, 0); p < len(src); {
		if n := ascii.NewlineLen(src[p:]); n > 0 {
			return length, p + n, false
		}
		if IsWARCLine(src[p:]) {
			return -1, p, false
		}
		end := ascii.LineEnd(src, p)
		for end < len(src) && ascii.IsBlank(src[end]) { // a fold (ISO 28500 4)
			end = ascii.LineEnd(src, end)
		}
		if name, value := header.FieldName(src[p:end], 0); length < 0 && ascii.FoldEqual(src[p+name.Start:p+name.End], "content-length") {
			if n, err := strconv.ParseInt(string(ascii.Trimmed(src[p+value:end])), 10, 64); err == nil && n >= 0 {
				length = n
			}
		}
		p = end
	}
	return length, len(src), true
}

// warcRecord is the format of the n-th record.
func warcRecord(n int) *mark.Format {
	place := &mark.Place{Name: mark.Numbered("record", n)}
	return &mark.Format{Name: warcType, Fragment: true, Extract: func(src []byte, m *mark.Marks) {
		r := &header.Reader{Src: src, Marks: m}
		start := ascii.LineEnd(src, 0)
		fields, body := r.Read(codec.Span{Start: start, End: len(src)})
		length, missing := len(src)-body, 0
		if n, err := strconv.Atoi(string(ascii.Trimmed(r.Value(fields, "content-length")))); err == nil && n >= 0 {
			length, missing = min(n, length), max(n-length, 0)
		}
		end := body + length
		mediaType, params := r.ContentType(fields)
		format, payloads := warcBlock(r, fields, mediaType, codec.Span{Start: body, End: end})
		if payloads == nil {
			return // a lookup of a name, say, with a dns: URL that nothing is relative to
		}
		if target := r.Field(fields, "warc-target-uri"); target.Len() > 0 {
			url, c := header.FieldURL(src, target)
			m.Base(targetPlace, url.Start, url.End, c, mark.RetrievedFrom(targetPlace.Name))
		}
		m.Counts(r.Field(fields, "content-length"), codec.Span{Start: body, End: end}, countCutOff(missing))
		warcDigest(r, r.Field(fields, "warc-block-digest"), codec.Span{Start: body, End: end})
		warcDigest(r, r.Field(fields, "warc-payload-digest"), payloads...)
		spelled := codec.Identity
		if r.Field(fields, "warc-segment-number").Len() > 0 {
			// The last one tells how long all of them are together, and what is in the block counts
			// what is in the others (ISO 28500 7).
			spelled = codec.Kept("a record that goes on in others stays as it is")
		}
		m.Part(0, place, body, end, spelled, format, mark.Part{Charset: params["charset"]})
	}}
}

var targetPlace = &mark.Place{Name: "WARC-Target-URI"}

// countCutOff counts the bytes of a record and those that are missing behind it: if its length did not grow with it,
// the end of what is there would be cut off, too.
func countCutOff(missing int) func([]byte) int {
	return func(b []byte) int { return len(b) + missing }
}

// warcBlock gives the format of a record's block, nil if its bytes are to tell it, and where its
// payload is; nowhere if it is not looked into. Where interim responses stand before the
// final one (RFC 9110 15.2) it is behind the last header, but to some writers behind the
// first: then these are two places.
func warcBlock(r *header.Reader, fields []header.Field, mediaType string, block codec.Span) (format *mark.Format, payloads []codec.Span) {
	switch ascii.Lower(string(ascii.Trimmed(r.Value(fields, "warc-type")))) {
	case "response", "revisit":
		src := r.Src[:block.End]
		for p := http.StatusLine(src, block.Start); p > 0; {
			_, body := header.Read(src, p)
			payloads = append(payloads[:min(len(payloads), 1)], codec.Span{Start: body, End: block.End})
			p = http.NextResponse(src, body)
		}
		if payloads != nil {
			return http.Format, payloads
		}
	case "resource", "conversion", "metadata":
	default:
		return nil, nil
	}
	if format = r.Marks.FormatOf(mediaType); format == nil && mediaType != "" {
		return nil, nil
	}
	return format, []codec.Span{block}
}

// warcDigest marks a digest of one of some regions, the first of which holds the others. It is to
// stay true, as WARC has it: "sha1:" and base32, or another algorithm, or hexadecimal. One that
// was not true before stays as it is. A payload that came in chunks may be counted with them or
// without.
func warcDigest(r *header.Reader, value codec.Span, of ...codec.Span) {
	if value.Len() == 0 {
		return
	}
	value = header.TrimWhite(r.Src, value)
	algorithm, digest, _ := bytes.Cut(r.Src[value.Start:value.End], []byte(":"))
	newHash := hashes[ascii.Lower(string(algorithm))]
	if newHash == nil {
		r.Marks.Breaks(of[0], value.Start, mark.DigestBroken, "the record is changed, and "+mark.Quote(algorithm)+" is no algorithm that is known here: its digest stays as it is")
		return
	}
	value.Start = value.End - len(digest)
	for _, region := range of {
		r.Marks.Mends(func(src []byte, edits []codec.Edit) []codec.Edit {
			return mark.MendDigest(src, edits, value, region, newHash,
				base32.StdEncoding.EncodeToString, unpaddedBase32, lowerBase32, hex.EncodeToString, upperHex)
		})
	}
}

var hashes = map[string]func() hash.Hash{"md5": md5.New, "sha1": sha1.New, "sha-1": sha1.New,
	"sha256": sha256.New, "sha-256": sha256.New, "sha512": sha512.New, "sha-512": sha512.New}

// unpaddedBase32 is how some write what is no multiple of five bytes, as a SHA-256 (RFC 4648 3.2).
var unpaddedBase32 = base32.StdEncoding.WithPadding(base32.NoPadding).EncodeToString

func lowerBase32(sum []byte) string { return ascii.Lower(base32.StdEncoding.EncodeToString(sum)) }
func upperHex(sum []byte) string    { return fmt.Sprintf("%X", sum) }
