// Saved HTTP responses and WARC files, read by the rules of RFC 9112 and of WARC 1.1. The standard library decodes
// bodies.

package verify

import (
	"bufio"
	"bytes"
	"compress/zlib"
	"crypto/md5"
	"crypto/sha1"
	"crypto/sha256"
	"crypto/sha512"
	"encoding/base32"
	"encoding/base64"
	"encoding/hex"
	"hash"
	"io"
	"net/http/httputil"
	"slices"
	"strconv"
	"strings"
)

var statusLine = pattern(`^HTTP/(\d(?:\.\d)?) (\d{3})(?: [^\r\n]*)?\r?\n`)

// parseHTTP reads a response, with the redirects and the interim responses before it.
func parseHTTP(k *checker, e *entity, src []byte) *reading {
	r, sure := &reading{src: src}, e.plain
	var around *scope
	for at := 0; ; {
		at = skipVoid(src, at)
		status := statusLine().FindSubmatch(src[at:])
		if status == nil {
			return r.opaque("response", at, len(src), "the response has no status line")
		}
		h, body, plain := headerIn(src, at+len(status[0]), len(src), sure)
		if sure = sure && plain; !plain {
			r.failed = "a header has lines that are no fields"
		}
		if !bytes.HasPrefix(bytes.TrimLeft(src[body:], void), []byte("HTTP/")) {
			k.response(r, h, body, around, string(status[1]), sure)
			return r
		}
		// of a redirect, before the response
		r.fields(h, &scope{outer: around, unsure: true}, map[string]*scope{"location": around})
		if location, _ := h.get("location"); status[2][0] == '3' && location != "" {
			around = &scope{outer: around, decl: location, unsure: e.mail || location[0] == '<' ||
				!plainBase().MatchString(location)}
		}
		at = body
	}
}

func (k *checker) response(r *reading, h header, start int, around *scope, version string, plain bool) {
	in, own := k.declared(h, around, "content-base", "base")
	own["location"] = around // RFC 9110, 10.2.2
	raw := r.src[start:]
	mediaType, types := h.get("content-type")
	length, _ := h.get("content-length")
	transfer, _ := h.get("transfer-encoding")
	encoding, _ := h.get("content-encoding")
	s := spot{kind: isNested, what: "body", start: start, end: len(r.src), scope: in,
		content: &content{in: mediaType, body: raw}}
	s.plain = plain && (types == 0 || types == 1 && plainType().MatchString(mediaType))
	var err error
	switch strings.ToLower(transfer) {
	case "", "identity":
		s.plain = s.plain && (length == "" || length == strconv.Itoa(len(raw)))
	case "chunked":
		s.plain = s.plain && version != "1.0"
		in := bufio.NewReader(bytes.NewReader(raw))
		if s.body, err = io.ReadAll(httputil.NewChunkedReader(in)); err != nil && len(s.body) == 0 {
			s.body, s.plain, err = raw, false, nil
		} else if err == nil {
			rest, _ := io.ReadAll(in) // the trailer
			s.markup = string(rest)
		}
	default:
		s.kind = isOpaque
	}
	r.fields(h, in, own, raw, s.body)
	if err == nil {
		switch strings.ToLower(encoding) {
		case "", "identity":
		case "gzip", "x-gzip":
			var all []member
			all, err = k.readGzip(s.body)
			s.body, s.markup = all[0].content, s.markup+all[0].header
		case "deflate":
			var z io.Reader
			z, err = zlib.NewReader(bytes.NewReader(s.body))
			s.body, err = k.inflate(z, err)
		default:
			s.kind = isOpaque
		}
	}
	if err != nil {
		s.plain, s.why = false, "the body cannot be decoded to its end"
	}
	if kind, params := contentType(mediaType, ""); strings.HasPrefix(kind, "multipart/") && params["boundary"] != "" {
		if len(s.body) == len(raw) && s.kind == isNested {
			(&mailReader{reading: r, checker: k}).parts(kind, params["boundary"], start, len(r.src), "", in, s.plain)
			return
		}
		s.kind = isOpaque
	}
	if s.kind == isOpaque {
		s.why = "the standard library does not decode the body"
	}
	r.spots = append(r.spots, s)
}

func parseWARC(k *checker, e *entity, src []byte) *reading {
	r, sure := &reading{src: src}, bytes.HasPrefix(src, []byte("WARC/"))
	for at := 0; ; {
		if at = len(src) - len(bytes.TrimLeft(src[at:], "\r\n")); at == len(src) {
			return r
		}
		line, _, _ := bytes.Cut(src[at:], []byte("\n"))
		h, start, plain := headerIn(src, min(at+len(line)+1, len(src)), len(src), sure)
		length, _ := h.get("content-length")
		n, err := strconv.Atoi(length)
		if !bytes.HasPrefix(line, []byte("WARC/")) || err != nil || n < 0 || n > len(src)-start ||
			!afterRecord().Match(src[start+n:]) {
			return r.opaque("record", at, len(src), "a record has no header, or not its Content-Length")
		}
		sure = sure && plain
		k.record(r, e, h, src[start:start+n], start, sure)
		at = start + n
	}
}

var afterRecord = pattern(`^(?:\r\n\r\n|\n\n)`)

// crawlLog matches the type and the URL of a record that is about the crawl, so its text has no links.
var crawlLog = pattern(`(?i)^(?:metadata |resource (?:metadata|urn):)`)

func (k *checker) record(r *reading, e *entity, h header, block []byte, start int, plain bool) {
	s := spot{kind: isNested, what: r.number("record"), start: start, end: start + len(block),
		content: &content{body: block}}
	mediaType, types := h.get("content-type")
	uri, in := k.target(e, h)
	s.in, s.scope, s.plain = mediaType, in, plain && plainURL(uri) &&
		(types == 0 || types == 1 && plainType().MatchString(mediaType))
	kind, _ := h.get("warc-type")
	s.plain = s.plain && (!strings.EqualFold(kind, "response") || strings.HasPrefix(mediaType, "application/http"))
	if !slices.Contains([]string{"response", "revisit", "resource", "conversion", "metadata"}, strings.ToLower(kind)) {
		return
	}
	if text, _ := contentType(s.in, ""); text == "text/plain" && crawlLog().MatchString(kind+" "+uri) {
		return
	}
	whole := digested(func() [][]byte { return [][]byte{block} })
	payload := digested(func() [][]byte { return payloads(block, s.in) })
	for _, f := range h {
		count := spot{kind: isCount, what: f.key, start: f.at.start, end: f.at.end, content: &content{}}
		_, n := h.get(f.name)
		count.plain = plain && n == 1
		switch f.name {
		case "content-length":
			count.fits = func(value string) bool { return strings.TrimSpace(value) == strconv.Itoa(len(block)) }
		case "warc-block-digest":
			count.fits = whole
		case "warc-payload-digest":
			count.fits, count.plain = payload, count.plain && s.plain && !bytes.HasPrefix(block, []byte("\n")) &&
				!bytes.HasPrefix(block, []byte("\r"))
		case "warc-target-uri":
			raw := string(r.src[f.at.start:f.at.end])
			count.text, count.declares, count.refs = raw, true, bracketed(raw)
			if count.kind = isLinks; k.Rules != nil || k.Override != "" {
				count.kind, count.why = isOpaque, "--unarchive and --override-base change the URL of a record, and "+
					"--map does not"
			}
		}
		if count.fits != nil || count.kind != isCount && (k.Unarchive || k.Override != "") {
			r.spots = append(r.spots, count)
		}
	}
	r.spots = append(r.spots, s)
}

// target returns the URL of a record, and its scope, or nil if it is no base.
func (k *checker) target(e *entity, h header) (uri string, in *scope) {
	uri, n := h.get("warc-target-uri")
	if strings.HasPrefix(uri, "<") { // only brackets may have white space to ignore
		uri = strings.Trim(strings.Join(strings.Fields(uri), ""), "<>")
	}
	if k.doc.URL == "" || e.bases.old.url == "" {
		hidden := e.bases.old.url != "" && !strings.Contains(e.path, ".warc") // the base around the file may hide it
		in = &scope{decl: uri, unsure: hidden || n > 1 || !k.isAbsolute(uri) || !plainBase().MatchString(uri)}
	}
	return uri, in
}

// digested returns a function that reports whether a value like "sha1:..." is the digest of one of the texts, in
// hexadecimal, base32 or base64.
func digested(all func() [][]byte) func(value string) bool {
	known := map[string][]string{} // the digests of the texts, by algorithm
	return func(value string) bool {
		name, want, _ := strings.Cut(strings.TrimSpace(value), ":")
		name, want = strings.ReplaceAll(strings.ToLower(name), "-", ""), strings.TrimRight(want, "=")
		if newHash := hashes[name]; newHash != nil && known[name] == nil {
			for _, text := range all() {
				h := newHash()
				h.Write(text)
				sum := h.Sum(nil)
				known[name] = append(known[name], hex.EncodeToString(sum),
					strings.ToLower(strings.TrimRight(base32.StdEncoding.EncodeToString(sum), "=")),
					base64.RawStdEncoding.EncodeToString(sum), base64.RawURLEncoding.EncodeToString(sum))
			}
		}
		return slices.Contains(known[name], want) || slices.Contains(known[name], strings.ToLower(want))
	}
}

// payloads returns the texts that can be the payload of a block. Of a response it is the body, or the text after the
// first header, with or without its transfer coding.
func payloads(block []byte, kind string) (all [][]byte) {
	if !strings.HasPrefix(strings.ToLower(kind), "application/http") {
		return [][]byte{block}
	}
	first, last := -1, 0
	for at := skipVoid(block, 0); bytes.HasPrefix(block[at:], []byte("HTTP/")); at = skipVoid(block, last) {
		if _, last, _ = headerIn(block, at, len(block), true); first < 0 {
			first = last
		}
	}
	for _, body := range [][]byte{block[max(first, 0):], block[last:]} {
		all = append(all, body)
		if text, err := io.ReadAll(httputil.NewChunkedReader(bytes.NewReader(body))); err == nil {
			all = append(all, text)
		}
	}
	return all
}

var hashes = map[string]func() hash.Hash{"md5": md5.New, "sha1": sha1.New, "sha256": sha256.New, "sha512": sha512.New}
