package archive

import (
	"bytes"
	"crypto/md5"
	"crypto/sha1"
	"crypto/sha256"
	"crypto/sha512"
	"encoding/base32"
	"encoding/base64"
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

// WARC is the format of web archives (ISO 28500, WARC 1.0 and 1.1). The WARC-Target-URI of a record is its retrieval
// URL. The block of a response is an HTTP response; that of a resource or a conversion is the document itself.
var WARC = &mark.Format{
	Name:    warcType,
	Exts:    []string{".warc"},
	Split:   splitWARC,
	Holds:   mark.Captures,
	Members: true,
}

const warcType = "application/warc"

// SniffWARC reports whether a file begins like a WARC.
func SniffWARC(head []byte) bool { return isWARCLine(head) }

// isWARCLine reports whether a line begins a record.
func isWARCLine(line []byte) bool { return bytes.HasPrefix(line, []byte("WARC/")) }

// splitWARC yields the records. Bytes between two records belong to the first of them. If a length is wrong, splitWARC
// yields a Fault, and looks for the first line of the next record.
func splitWARC(in window.Window, limit int) iter.Seq2[mark.Chunk, error] {
	return func(yield func(mark.Chunk, error) bool) {
		s := &blockSplitter{Window: in, limit: limit, begins: isWARCLine, first: []byte("\nWARC/"), length: warcLength}
		s.split(warcRecord, yield)
	}
}

// warcLength returns the Content-Length of the header at the start of src, and the start of the block. The length is -1
// if the field is missing or invalid, or if the next record begins inside the header. more reports whether the header
// continues after src.
func warcLength(src []byte) (length int64, body int, more bool) {
	length = -1
	for p := ascii.LineEnd(src, 0); p < len(src); {
		if n := ascii.NewlineLen(src[p:]); n > 0 {
			return length, p + n, false
		}
		if isWARCLine(src[p:]) {
			return -1, p, false
		}
		end := ascii.LineEnd(src, p)
		for end < len(src) && ascii.IsBlank(src[end]) { // a fold (ISO 28500 4)
			end = ascii.LineEnd(src, end)
		}
		if name, value := header.FieldName(src[p:end], 0); length < 0 &&
			ascii.FoldEqual(src[p+name.Start:p+name.End], "content-length") {
			if n, err := strconv.ParseInt(string(ascii.Trimmed(src[p+value:end])), 10, 64); err == nil && n >= 0 {
				length = n
			}
		}
		p = end
	}
	return length, len(src), true
}

func warcRecord(n int) *mark.Format {
	place := &mark.Place{Name: mark.Numbered("record", n)}
	return &mark.Format{Name: warcType, Fragment: true, Holds: mark.Captures, Mark: func(src []byte, m *mark.Marks) {
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
		kind := ascii.Lower(string(ascii.Trimmed(r.Value(fields, "warc-type"))))
		target := r.Field(fields, "warc-target-uri")
		url, c := header.FieldURL(src, target)
		switch {
		case mediaType == "application/json" && kind == "metadata":
			m.Unread(mark.CrawlData, place.Name, 0)
			return
		case payloads == nil:
			return // for example a DNS lookup, whose dns: URL is no base for links
		case format != nil && format.Name == "text/plain" && isCrawlLog(kind, src[url.Start:url.End]):
			m.Unread(mark.CrawlLog, place.Name, 0)
			return
		case target.Len() > 0:
			m.Base(targetPlace, url.Start, url.End, c, mark.RetrievedFrom(targetPlace.Name))
		}
		why, segment := ascii.Trimmed(r.Value(fields, "warc-truncated")), r.Field(fields,
			"warc-segment-number").Len() > 0
		if len(why) > 0 {
			m.Fault(end, mark.RecordTruncated, "the document was truncated when it was archived (WARC-Truncated: "+
				string(ascii.Trimmed(why[:min(len(why), 40)]))+")")
		}
		block := codec.Span{Start: body, End: end}
		r.Counts(fields, "content-length", block, countCutOff(missing))
		warcDigest(r, r.Digest(fields, "warc-block-digest", block), block)
		warcDigest(r, r.Digest(fields, "warc-payload-digest", payloads[0]), payloads...)
		spelled := codec.Identity
		identified, _ := header.ContentType(r.Value(fields, "warc-identified-payload-type"))
		if format == http.Format {
			format = http.Archived(missing > 0 || segment || len(why) > 0, identified)
		}
		if segment {
			// The last segment declares the length of all segments, and a document may continue in the next segment
			// (ISO 28500 7).
			spelled = codec.ReadOnly("the record is one of several segments (WARC-Segment-Number)")
		}
		m.Part(0, place, body, end, spelled, format, mark.Part{Charset: params["charset"], Identified: identified})
	}}
}

var targetPlace = &mark.Place{Name: "WARC-Target-URI"}

// countCutOff returns a function that counts the bytes of a truncated record, including the missing ones, so that an
// edit changes the declared length by the right number. If the length stayed, a reader would lose more of the end.
func countCutOff(missing int) func([]byte) int {
	return func(b []byte) int { return len(b) + missing }
}

// warcBlock returns the format of the block of a record, or nil if the engine must detect it. payloads has the possible
// payloads of the block, and is empty if the block is not read.
//
// The payload is the text after the header of the last response. If interim responses come before it (RFC 9110 15.2),
// some programs take the text after the first header for the payload. Then there are two possible payloads, the longer
// first.
func warcBlock(r *header.Reader, fields []header.Field, mediaType string, block codec.Span) (format *mark.Format,
	payloads []codec.Span) {
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
	format, wanted := http.FormatOf(r.Marks.FormatOf, mediaType)
	if !wanted {
		return nil, nil
	}
	return format, []codec.Span{block}
}

// isCrawlLog reports whether a record of a kind, with a text, is about the crawl, as those that wget makes of its log
// and its arguments. Changed, it would claim fetches that never were.
func isCrawlLog(kind string, target []byte) bool {
	scheme, _, _ := bytes.Cut(target, []byte(":"))
	return kind == "metadata" ||
		kind == "resource" && (ascii.FoldEqual(scheme, "metadata") || ascii.FoldEqual(scheme, "urn"))
}

// warcDigest marks a digest to be updated when the record changes. It is the name of an algorithm, a colon, and the sum
// in base32, hexadecimal or base64: "sha1:3I42...". The digest is that of one of the regions, the first of which
// contains the others; one that was wrong before is left alone. For a chunked payload, it may be the digest of the
// chunks or of the text.
func warcDigest(r *header.Reader, value codec.Span, of ...codec.Span) {
	if value.Len() == 0 {
		return
	}
	value = header.TrimWhite(r.Src, value)
	algorithm, digest, _ := bytes.Cut(r.Src[value.Start:value.End], []byte(":"))
	newHash := hashes[ascii.Lower(string(algorithm))]
	if newHash == nil {
		r.Marks.Breaks(of[0], value.Start, mark.DigestBroken,
			"the record was changed, but its digest was not: the algorithm "+mark.Quote(algorithm)+
				" is unknown; compute the digest again")
		return
	}
	value.Start = value.End - len(digest)
	for _, region := range of {
		r.Marks.Mends(func(src []byte, edits []codec.Edit) []codec.Edit {
			return mark.MendDigest(src, edits, value, region, newHash,
				base32.StdEncoding.EncodeToString, unpaddedBase32, lowerBase32, hex.EncodeToString, upperHex,
				base64.StdEncoding.EncodeToString, base64.RawStdEncoding.EncodeToString,
				base64.URLEncoding.EncodeToString, base64.RawURLEncoding.EncodeToString)
		})
	}
}

var hashes = map[string]func() hash.Hash{"md5": md5.New, "sha1": sha1.New, "sha-1": sha1.New,
	"sha256": sha256.New, "sha-256": sha256.New, "sha512": sha512.New, "sha-512": sha512.New}

// unpaddedBase32 spells a digest in base32 without padding (RFC 4648 3.2), as some programs do if it is not a multiple
// of five bytes long, like SHA-256.
var unpaddedBase32 = base32.StdEncoding.WithPadding(base32.NoPadding).EncodeToString

func lowerBase32(sum []byte) string { return ascii.Lower(base32.StdEncoding.EncodeToString(sum)) }
func upperHex(sum []byte) string    { return fmt.Sprintf("%X", sum) }
