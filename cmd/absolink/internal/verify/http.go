package verify

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"compress/zlib"
	"crypto/md5"
	"crypto/sha1"
	"crypto/sha256"
	"encoding/base32"
	"encoding/hex"
	"errors"
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/emersion/go-message"
)

// response is a saved HTTP response in one version.
type response struct {
	line    string // the status line
	fields  []field
	header  message.Header
	raw     []byte // the body as it is stored
	payload []byte // without transfer coding
	body    []byte // without content coding
}

var errCoding = errors.New("the standard library has no reader for the Content-Encoding")

// readResponse reads a response. The header is read twice: net/http does not keep the order of the fields.
func (k *checker) readResponse(src []byte) (r response, err error) {
	known := src // net/http reads only HTTP/1 as text
	if rest, ok := bytes.CutPrefix(src, []byte("HTTP/2 ")); ok {
		known = append([]byte("HTTP/1.1 "), rest...)
	}
	in, err := http.ReadResponse(bufio.NewReader(bytes.NewReader(known)), nil)
	if err != nil {
		return r, err
	}
	if in.StatusCode >= 300 && in.StatusCode < 400 && in.StatusCode != 304 {
		return r, errors.New("redirects are not followed")
	}
	if in.StatusCode < 200 {
		return r, errors.New("interim responses are not followed")
	}
	if r.payload, err = io.ReadAll(in.Body); err != nil {
		return r, err
	}
	line, rest, _ := bytes.Cut(src, []byte("\n"))
	h, raw, err := readHeader(rest)
	if err != nil {
		return r, err
	}
	if in.ContentLength >= 0 && len(raw) != len(r.payload) {
		return r, errors.New("the body has another length than declared")
	}
	r.line, r.raw, r.body = string(line), raw, r.payload
	r.header = message.Header{Header: h}
	r.fields = fieldsOf(r.header.Fields())
	switch coding := strings.ToLower(strings.TrimSpace(in.Header.Get("Content-Encoding"))); coding {
	case "", "identity":
	case "gzip", "x-gzip":
		r.body, err = k.inflated(gzip.NewReader(bytes.NewReader(r.payload)))
	case "deflate":
		r.body, err = k.inflated(zlib.NewReader(bytes.NewReader(r.payload)))
	default:
		err = errCoding
	}
	return r, err
}

// inflated reads a reader that was made without an error.
func (k *checker) inflated(in io.Reader, err error) ([]byte, error) {
	if err != nil {
		return nil, err
	}
	return k.inflate(in)
}

// response compares two HTTP responses.
func (k *checker) response(e entity) *Difference {
	_, d := k.responses(e)
	return d
}

// redirect returns the header of a redirect at the start of a file of curl -iL, and the rest of the file, which begins with the
// next response. ok is false for other responses.
func redirect(src []byte) (r response, rest []byte, ok bool) {
	line, after, _ := bytes.Cut(src, []byte("\n"))
	words := strings.Fields(string(line))
	if len(words) < 2 || !slices.Contains([]string{"301", "302", "303", "307", "308"}, words[1]) {
		return r, nil, false
	}
	h, rest, err := readHeader(after)
	if err != nil || !bytes.HasPrefix(rest, []byte("HTTP/")) {
		return r, nil, false
	}
	r.line, r.header = string(line), message.Header{Header: h}
	r.fields = fieldsOf(r.header.Fields())
	return r, rest, true
}

// redirects compares the redirects at the start of both versions. It returns the entity of the last responses, whose base is the
// last Location.
func (k *checker) redirects(e entity) (entity, *Difference) {
	for {
		old, restOld, ok := redirect(e.old)
		if !ok {
			return e, nil
		}
		new, restNew, ok := redirect(e.new)
		if !ok || old.line != new.line {
			return e, e.differ(0, 0, "a redirect changed")
		}
		if d := k.header(e, e.bases, old.fields, new.fields, bodies{}, bodies{}); d != nil {
			return e, d
		}
		e.old, e.new = restOld, restNew
		e.bases = bases{k.under(old.header.Get("Location"), e.bases.old), k.under(new.header.Get("Location"), e.bases.new)}
	}
}

// responses compares two HTTP responses, and returns the payload of the new version.
func (k *checker) responses(e entity) ([]byte, *Difference) {
	e, d := k.redirects(e)
	if d != nil {
		return nil, d
	}
	old, err := k.readResponse(e.old)
	if err != nil {
		return nil, k.unable(e.path, "net/http cannot read the response: "+err.Error())
	}
	new, err := k.readResponse(e.new)
	if err == errTooLong {
		return nil, k.unable(e.path, err.Error())
	}
	if err != nil {
		return nil, e.differ(0, 0, "net/http cannot read the new version: %v", err)
	}
	if old.line != new.line {
		return nil, e.differText(old.line, new.line, 0, 0, "the status line changed")
	}
	outer := e.bases
	for b, h := range map[*base]message.Header{&e.bases.old: old.header, &e.bases.new: new.header} {
		*b = k.under(unbracketed(h.Get("Base")), k.under(unbracketed(h.Get("Content-Base")), *b))
	}
	if d := k.header(e, outer, old.fields, new.fields, bodies{old.raw, old.payload}, bodies{new.raw, new.payload}); d != nil {
		return nil, d
	}
	in := e.inner("body", old.header.Get("Content-Type"), old.body, new.body, e.bases)
	if in.kind == "" && k.doc.TypeOf != nil {
		in.setType(k.doc.TypeOf("", old.body[:min(len(old.body), 1024)]))
	}
	return new.payload, k.check(in)
}

// record is a record of a WARC file in one version.
type record struct {
	line   string // the version line
	fields []field
	block  []byte
	gap    string // the empty lines before it
	at     int
}

// get returns the value of a field.
func (r *record) get(name string) string {
	for _, f := range r.fields {
		if strings.EqualFold(f.key, name) {
			return strings.TrimSpace(f.value)
		}
	}
	return ""
}

// readRecords reads the records of a WARC file (WARC 1.1, 4).
func readRecords(src []byte) (all []record, err error) {
	at := 0
	for {
		gap := at
		for at < len(src) && (src[at] == '\r' || src[at] == '\n') && all != nil {
			at++
		}
		r := record{at: at, gap: string(src[gap:at])}
		if at == len(src) {
			return append(all, r), nil // the empty lines at the end
		}
		newline := "\r\n" // some programs write "\n"
		if i := bytes.IndexByte(src[at:], '\n'); i < 1 || src[at+i-1] != '\r' {
			newline = "\n"
		}
		end := []byte(newline + newline)
		header, _, ok := bytes.Cut(src[at:], end)
		if !ok || !bytes.HasPrefix(header, []byte("WARC/")) {
			return nil, errors.New("a record has no header")
		}
		lines := strings.Split(string(header), newline)
		r.line = lines[0]
		for _, line := range lines[1:] {
			key, value, ok := strings.Cut(line, ":")
			if !ok {
				return nil, errors.New("a header line has no colon")
			}
			r.fields = append(r.fields, field{key, value})
		}
		start := at + len(header) + len(end)
		n, err := strconv.Atoi(r.get("Content-Length"))
		if err != nil || n < 0 || n > len(src)-start || !bytes.HasPrefix(src[start+n:], end) {
			return nil, errors.New("a record does not have its Content-Length")
		}
		r.block = src[start : start+n]
		all = append(all, r)
		at = start + n + len(end)
	}
}

// warc compares two WARC files, record by record.
func (k *checker) warc(e entity) *Difference {
	old, err := readRecords(e.old)
	if err != nil {
		return k.unable(e.path, "the WARC file cannot be read: "+err.Error())
	}
	new, err := readRecords(e.new)
	if err != nil || len(old) != len(new) {
		return e.differ(0, 0, "the records changed: %d records, and %d before: %v", len(new), len(old), err)
	}
	for i := range old {
		if d := k.record(e, i, &old[i], &new[i]); d != nil {
			return d
		}
	}
	return nil
}

// record compares two records.
func (k *checker) record(e entity, i int, old, new *record) *Difference {
	uri := base{url: strings.Trim(old.get("WARC-Target-URI"), "<>")}
	in := e.inner("record["+strconv.Itoa(i+1)+"]", old.get("Content-Type"), old.block, new.block, bases{uri, uri})
	payload := new.block
	kind := strings.ToLower(old.get("WARC-Type"))
	switch {
	case old.gap != new.gap:
		return in.differ(old.at, new.at, "the empty lines before a record changed")
	case bytes.Equal(old.block, new.block):
		if slices.Equal(old.fields, new.fields) && old.line == new.line {
			return nil
		}
		return in.differ(old.at, new.at, "the header of a record changed, and its block did not")
	case kind == "response" && in.kind == "application/http":
		var d *Difference
		if payload, d = k.responses(in); d != nil {
			return d
		}
	case kind == "resource", kind == "conversion":
		if d := k.check(in); d != nil {
			return d
		}
	default:
		return in.differ(old.at, new.at, "a record of the type %s changed", kind)
	}
	if old.line != new.line || len(old.fields) != len(new.fields) {
		return in.differ(old.at, new.at, "the header of a record has other fields")
	}
	for j, f := range old.fields {
		g := new.fields[j]
		if f == g && !strings.HasSuffix(strings.ToLower(f.key), "-digest") {
			continue
		}
		if why := k.recordField(f, g, old, new, payload); why != "" {
			return in.differ(old.at, new.at, "the field %s of a record: %s", f.key, why)
		}
	}
	return nil
}

// recordField returns the reason why a field of a changed record is wrong, or "".
func (k *checker) recordField(f, g field, old, new *record, payload []byte) string {
	if f.key != g.key {
		return "it became " + g.key
	}
	switch strings.ToLower(f.key) {
	case "content-length":
		return "" // readRecords has checked it
	case "warc-block-digest":
		if digests(old.block, f.value) && !digests(new.block, g.value) {
			return "it is not the digest of the block"
		}
		return ""
	case "warc-payload-digest":
		before := old.block
		after := new.block
		if _, rest, err := readHeaderAfterLine(old.block); err == nil && payload != nil && !bytes.Equal(payload, new.block) {
			before = rest
			_, after, _ = readHeaderAfterLine(new.block)
		}
		if digests(before, f.value) && !digests(after, g.value) && !digests(payload, g.value) {
			return "it is not the digest of the payload"
		}
		if !digests(before, f.value) && f != g && !digests(payload, g.value) && !digests(after, g.value) {
			return "it changed, and is not the digest of the payload"
		}
		return ""
	}
	return "it changed"
}

// readHeaderAfterLine reads the fields after the first line.
func readHeaderAfterLine(src []byte) (message.Header, []byte, error) {
	_, rest, _ := bytes.Cut(src, []byte("\n"))
	h, body, err := readHeader(rest)
	return message.Header{Header: h}, body, err
}

// digests reports whether a value such as "sha1:..." is the digest of a text, in base32 or hexadecimal.
func digests(text []byte, value string) bool {
	name, want, _ := strings.Cut(strings.TrimSpace(value), ":")
	var sum []byte
	switch strings.ToLower(name) {
	case "sha1":
		s := sha1.Sum(text)
		sum = s[:]
	case "sha256", "sha-256":
		s := sha256.Sum256(text)
		sum = s[:]
	case "md5":
		s := md5.Sum(text)
		sum = s[:]
	default:
		return false
	}
	return strings.EqualFold(strings.TrimRight(want, "="), strings.TrimRight(base32.StdEncoding.EncodeToString(sum), "=")) ||
		strings.EqualFold(want, hex.EncodeToString(sum))
}
