package verify

import (
	"bytes"
	"crypto/md5"
	"crypto/sha1"
	"crypto/sha256"
	"crypto/sha512"
	"encoding/base32"
	"encoding/hex"
	"errors"
	"hash"
	"io"
	"net/http/httputil"
	"slices"
	"strconv"
	"strings"
)

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
		return k.unable(e.path, "the WARC file cannot be read", err.Error())
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
	kind := strings.ToLower(old.get("WARC-Type"))
	if k.Unarchive {
		old = old.unarchived(new)
	}
	switch {
	case old.gap != new.gap:
		return in.differ(old.at, new.at, "the empty lines before a record changed")
	case bytes.Equal(old.block, new.block):
		if slices.Equal(old.fields, new.fields) && old.line == new.line {
			return nil
		}
		return in.differ(old.at, new.at, "the header of a record changed, and its block did not")
	case kind == "response", kind == "revisit", kind == "resource", kind == "conversion", kind == "metadata":
		k.detect(&in)
		if d := k.check(in); d != nil {
			return d
		}
	default:
		return in.differ(old.at, new.at, "a record of the type %s changed", kind)
	}
	if old.line != new.line || len(old.fields) != len(new.fields) {
		return in.differ(old.at, new.at, "the header of a record has other fields")
	}
	was, now := digested(old.block, in.kind), digested(new.block, in.kind)
	for j, f := range old.fields {
		g := new.fields[j]
		if why := recordField(f, g, was, now); why != "" {
			return in.differ(old.at, new.at, "the field %s of a record: %s", f.key, why)
		}
	}
	return nil
}

// unarchived returns the record with the original URL, if the new record has it.
func (r *record) unarchived(new *record) *record {
	out := *r
	out.fields = slices.Clone(r.fields)
	for i, f := range out.fields[:min(len(r.fields), len(new.fields))] {
		old, now := strings.Trim(f.value, "<> "), strings.Trim(new.fields[i].value, "<> ")
		if strings.EqualFold(f.key, "WARC-Target-URI") && unarchive(old) == withoutPort(now) {
			out.fields[i].value = strings.Replace(f.value, old, now, 1)
		}
	}
	return &out
}

// recordField returns the reason why a field of a record is wrong, or "". old and new are the texts by the names of the
// fields that have their digests.
func recordField(f, g field, old, new map[string]*texts) string {
	name := strings.ToLower(f.key)
	switch {
	case f.key != g.key:
		return "it became " + g.key
	case name == "content-length":
		return "" // readRecords has checked it
	case old[name] == nil && f == g:
		return ""
	case old[name] == nil:
		return "it changed"
	case new[name].have(g.value), f == g && !old[name].have(f.value): // a digest that was wrong before may stay
		return ""
	}
	return "it is not the digest"
}

// digested returns the texts of a block, by the names of the fields that have their digests. kind is the type of the block.
func digested(block []byte, kind string) map[string]*texts {
	whole := &texts{all: [][]byte{block}, sums: map[string][][]byte{}}
	payload := &texts{all: payloads(block, kind), sums: map[string][][]byte{}}
	return map[string]*texts{"warc-block-digest": whole, "warc-payload-digest": payload}
}

// texts are the texts that a digest can be the digest of, with their digests.
type texts struct {
	all  [][]byte
	sums map[string][][]byte // by the name of the algorithm
}

// have reports whether a value such as "sha1:..." is the digest of one of the texts, in base32 or hexadecimal.
func (t *texts) have(value string) bool {
	name, want, _ := strings.Cut(strings.TrimSpace(value), ":")
	name = strings.ToLower(strings.ReplaceAll(name, "-", ""))
	newHash := hashes[name]
	if newHash == nil {
		return false
	}
	if t.sums[name] == nil {
		for _, text := range t.all {
			h := newHash()
			h.Write(text)
			t.sums[name] = append(t.sums[name], h.Sum(nil))
		}
	}
	return slices.ContainsFunc(t.sums[name], func(sum []byte) bool {
		return strings.EqualFold(strings.TrimRight(want, "="), strings.TrimRight(base32.StdEncoding.EncodeToString(sum), "=")) ||
			strings.EqualFold(want, hex.EncodeToString(sum))
	})
}

// payloads returns the texts that can be the payload of a block. That of a response is its body, with or without its
// transfer coding. If interim responses come first, some programs count the text after the first header.
func payloads(block []byte, kind string) (all [][]byte) {
	if kind != "application/http" {
		return [][]byte{block}
	}
	for {
		if block = bytes.TrimLeft(block, void); !bytes.HasPrefix(block, []byte("HTTP/")) {
			break
		}
		block = block[headerLen(block):]
		all = append(all[:min(len(all), 1)], block)
	}
	for _, body := range slices.Clone(all) {
		if text, err := io.ReadAll(httputil.NewChunkedReader(bytes.NewReader(body))); err == nil {
			all = append(all, text)
		}
	}
	return all
}

var hashes = map[string]func() hash.Hash{"md5": md5.New, "sha1": sha1.New, "sha256": sha256.New, "sha512": sha512.New}
