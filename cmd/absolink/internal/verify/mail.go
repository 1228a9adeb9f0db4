package verify

import (
	"bytes"
	"cmp"
	"crypto/md5"
	"encoding/base64"
	"io"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/emersion/go-message"
)

// part is a message or a body part in one version.
type part struct {
	*message.Entity
	body []byte // decoded, unless it is a multipart
	raw  []byte // not decoded
}

// bodies are the forms of a body in one version, whose length or digest a field may have: as it is stored, and decoded.
type bodies [2][]byte

// field is a header field.
type field struct{ key, value string }

// readPart reads the body of an entity.
func readPart(e *message.Entity, err error) (part, error) {
	if err != nil && !message.IsUnknownCharset(err) {
		return part{}, err
	}
	body, err := io.ReadAll(e.Body)
	return part{e, body, body}, err
}

// keepCharsets sets that go-message does not decode the charsets of bodies, whatever another package has set.
var keepCharsets = sync.OnceFunc(func() {
	message.CharsetReader = func(_ string, in io.Reader) (io.Reader, error) { return in, nil }
})

// readMessage reads a message.
func readMessage(src []byte) (part, error) {
	keepCharsets()
	p, err := readPart(message.ReadWithOptions(bytes.NewReader(src), &message.ReadOptions{MaxHeaderBytes: -1}))
	if err == nil {
		_, p.raw, err = readHeader(src)
	}
	return p, err
}

// usualFields are fields that are in headers, and not in texts.
var usualFields = []string{"From", "To", "Date", "Subject", "Received", "Message-Id", "Mime-Version", "Content-Type"}

// message compares two messages.
func (k *checker) message(e entity) *Difference {
	if !e.inLF() {
		return k.unable(e.path, "the header has CR as the line end, and the body has LF")
	}
	if cut := withoutFromLine(e); len(cut.old) < len(e.old) {
		if h, _, err := readHeader(cut.old); err == nil && h.Len() > 0 {
			if !slices.ContainsFunc(usualFields, h.Has) {
				return k.unable(e.path, "go-message reads no header after an empty line")
			}
			e = cut
		}
	}
	old, new, d, ok := both(k, e, "go-message", "message", readMessage)
	if !ok {
		return d
	}
	if e.bases.old.url == "" && !e.bases.old.unsure {
		b := k.under(old.Header.Get("Snapshot-Content-Location"), base{url: e.evidence})
		e.bases = bases{b, b}
	}
	return k.part(e, old, new)
}

const void = "\uFEFF \t\r\n\f"

// withoutVoid returns e without the white space and the byte order marks that both versions begin with. Other parsers do not
// read a header after them.
func withoutVoid(e entity) entity {
	rest := bytes.TrimLeft(e.old, void)
	if before := e.old[:len(e.old)-len(rest)]; bytes.HasPrefix(e.new, before) {
		e.old, e.new = rest, e.new[len(before):]
	}
	return e
}

// withoutFromLine returns e without the From_ line and the void that both versions begin with.
func withoutFromLine(e entity) entity {
	e = withoutVoid(e)
	line, _, ok := bytes.Cut(e.old, []byte("\n"))
	if !ok || !bytes.HasPrefix(line, []byte("From ")) || !bytes.HasPrefix(e.new, line) {
		return e
	}
	e.old, e.new = e.old[len(line):], e.new[len(line):]
	return withoutVoid(e)
}

// part compares two messages or body parts. The bases of e are those around the part.
func (k *checker) part(e entity, old, new part) *Difference {
	at := k.headerBases(&e, old.Header, new.Header)
	if d := k.header(e, at, fieldsOf(old.Header.Fields()), fieldsOf(new.Header.Fields()), bodies{old.raw, old.body}, bodies{new.raw, new.body}); d != nil {
		return d
	}
	for _, name := range []string{"Content-Type", "Content-Transfer-Encoding"} {
		if len(old.Header.Values(name)) > 1 {
			return k.unable(e.path, "go-message reads only the first "+name)
		}
	}
	kind, params, _ := old.Header.ContentType()
	if strings.HasPrefix(kind, "multipart/") {
		return k.multipart(e, params["boundary"], old, new)
	}
	if bytes.Equal(old.body, new.body) && e.bases.old == e.bases.new {
		return nil
	}
	if strings.EqualFold(params["delsp"], "yes") {
		return k.unable(e.path, "soft line breaks with DelSp=yes are not read")
	}
	in := e
	in.setType(old.Header.Get("Content-Type"))
	in.kind, in.untyped = cmp.Or(in.kind, e.untyped, "text/plain"), ""
	if in.path == "" {
		in.path = "body"
	}
	in.old, in.new = old.body, new.body
	if !comparable(in.kind) && k.doc.TypeOf != nil {
		_, named, _ := old.Header.ContentDisposition()
		_, typed, _ := old.Header.ContentType()
		in.setType(cmp.Or(k.doc.TypeOf(cmp.Or(named["filename"], typed["name"]), in.old[:min(len(in.old), 1024)]), in.kind))
	}
	return k.check(in)
}

// fieldBases are the bases of the header fields that declare one, by name.
type fieldBases map[string]bases

// headerBases sets the bases of e to those that its header declares: Content-Location, Content-Base in it, and Base in that. A
// Content-Location is resolved against the base that the other fields declare, if there is one.
func (k *checker) headerBases(e *entity, old, new message.Header) fieldBases {
	outer, at := e.bases, fieldBases{}
	inLocation := func(h message.Header, b base, name string) base { return k.under(k.ofField(h.Get(name)), b) }
	location := bases{k.location(old, outer.old), k.location(new, outer.new)}
	e.bases = location
	for _, name := range []string{"content-base", "base"} {
		at[name] = e.bases
		e.bases = bases{inLocation(old, e.bases.old, name), inLocation(new, e.bases.new, name)}
	}
	if at["content-location"] = outer; e.bases.old != location.old {
		at["content-location"] = e.bases
	}
	return at
}

// ofField returns the URL of a field that declares a base, or "" for a Windows path, which is not a URL.
func (c *Config) ofField(value string) string {
	url := unbracketed(strings.ReplaceAll(value, "\r\n", ""))
	if c.Standard != "whatwg" && strings.HasPrefix(strings.ToLower(url), "file:") && strings.Contains(url, `\`) {
		return ""
	}
	return url
}

// location returns the base of a Content-Location, or else the outer base. A part that has only a name of the message, as Chromium
// writes it, has the base of the part that refers to it, which is not followed here.
func (k *checker) location(h message.Header, outer base) base {
	where := h.Get("Content-Location")
	if strings.HasPrefix(strings.ToLower(strings.TrimSpace(where)), "cid:") {
		return base{unsure: true}
	}
	return k.under(k.ofField(where), outer)
}

// fieldsOf returns the fields of a header, in order, without decoding.
func fieldsOf(f message.HeaderFields) (all []field) {
	for f.Next() {
		value := f.Value()
		if raw, err := f.(interface{ Raw() ([]byte, error) }).Raw(); err == nil {
			_, after, _ := strings.Cut(string(raw), ":")
			value = after
		}
		all = append(all, field{f.Key(), value})
	}
	return all
}

// linkFields are the fields that have links.
const linkFields = " archived-at content-base content-location location base snapshot-content-location x-archived-at x-home-page x-homepage x-uri x-url " +
	"list-archive list-help list-owner list-post list-subscribe list-unsubscribe list-url uri comments link refresh content-type "

// header compares the fields of two headers. e.bases are the bases in the header, at those of fields that declare one.
func (k *checker) header(e entity, at fieldBases, old, new []field, before, after bodies) *Difference {
	if len(old) != len(new) {
		return e.differ(0, 0, "the header has %d fields, and had %d", len(new), len(old))
	}
	for i, f := range old {
		g, name := new[i], strings.ToLower(f.key)
		in, own := at[name]
		delete(at, name) // a second field of the name declares no base
		switch {
		case f == g && dependent(name, strings.TrimSpace(f.value), before) && !dependent(name, strings.TrimSpace(g.value), after):
			return e.differ(0, 0, "the header field %s does not fit the new body", f.key)
		case f == g:
		case f.key != g.key:
			return e.differ(0, 0, "the header field %s became %s", f.key, g.key)
		case spaceOf(f.value) == spaceOf(g.value) && dependent(name, strings.TrimSpace(g.value), after):
		case strings.Contains(" content-length lines content-md5 ", " "+name+" ") && !dependent(name, strings.TrimSpace(f.value), before):
			k.unable(e.path, "a header field does not fit the old body as other parsers read it", f.key)
		case !strings.Contains(linkFields, " "+name+" "):
			return e.differText(f.value, g.value, 0, 0, "the header field "+f.key+" changed")
		default:
			v := value{entity: &e, what: f.key, old: f.value, new: g.value, bases: e.bases, header: true}
			if own {
				v.bases = in
			}
			d := k.disagreeField(v, k.field(name, v))
			if d != nil && name == "base" && k.Override != "" {
				d = k.unable(e.path, "--override-base hides the base of the header", f.key)
			}
			if d != nil {
				return d
			}
		}
	}
	return nil
}

// spaceOf returns a value without its content: only the white space around it is left.
func spaceOf(value string) string { return strings.Replace(value, strings.TrimSpace(value), "|", 1) }

var (
	external = pattern(`(?i)\burl\s*=\s*"([^"]*)"`)
	unquoted = pattern(`(?i);\s*url(?:\*|\s*=\s*[^"\s])`)
)

// field compares the values of a field that has links.
func (k *checker) field(name string, v value) *Difference {
	switch {
	case strings.Contains(v.old, "=?"):
		return k.unable(v.path, "encoded words are not decoded", v.what)
	case name == "refresh":
		return k.refresh(v)
	case name == "content-type" && unquoted().MatchString(v.old):
		return k.unable(v.path, "the URL of an external body is not in quotes")
	case name == "content-type":
		return k.each(v, func(s string) []span { return groups(external(), s) })
	}
	return k.bracketed(v)
}

// dependent reports whether a field depends on the body, and has the right value for a form of the body.
func dependent(name, value string, all bodies) bool {
	n, err := strconv.Atoi(value)
	for _, body := range all {
		switch name {
		case "content-length":
			if err == nil && (n == len(body) || n == len(body)+1) { // go-mbox cuts off the last newline
				return true
			}
		case "lines":
			if err == nil && n == bytes.Count(body, []byte("\n")) {
				return true
			}
		case "content-md5":
			if sum := md5.Sum(body); value == base64.StdEncoding.EncodeToString(sum[:]) {
				return true
			}
		}
	}
	return false
}

// multipart compares the parts of two multiparts, and the bytes around the parts.
func (k *checker) multipart(e entity, boundary string, old, new part) *Difference {
	aroundOld, rawOld := cutParts(old.body, boundary)
	aroundNew, rawNew := cutParts(new.body, boundary)
	if aroundOld != aroundNew {
		return e.differText(aroundOld, aroundNew, 0, 0, "the boundaries, or the text around the parts, changed")
	}
	if n, err := countParts(old); err != nil || n != len(rawOld) {
		return k.unable(e.path, "go-message cannot read the multipart")
	}
	if n, err := countParts(new); err != nil || n != len(rawOld) || len(rawNew) != len(rawOld) {
		return e.differ(0, 0, "the number of parts changed from %d to %d", len(rawOld), n)
	}
	nextOld, nextNew := partsOf(old), partsOf(new) // a part is garbage when the next one is read
	untyped := ""
	if kind, _, _ := old.Header.ContentType(); kind == "multipart/digest" {
		untyped = "message/rfc822" // RFC 2046 5.1.5
	}
	for i := range rawOld {
		partOld, err := nextOld()
		partNew, err2 := nextNew()
		if err = cmp.Or(err, err2); err != nil { // countParts has read them
			return k.unable(e.path, "go-message cannot read the multipart", err.Error())
		}
		_, partOld.raw, _ = readHeader(rawOld[i])
		_, partNew.raw, _ = readHeader(rawNew[i])
		if bytes.Equal(rawOld[i], rawNew[i]) && e.bases.old == e.bases.new {
			continue
		}
		in := e
		in.untyped = untyped
		in.path = strings.TrimPrefix(e.path+"/part["+strconv.Itoa(i+1)+"]", "/")
		if in.level++; in.level > maxLevel {
			return k.unable(in.path, "documents are nested too deep")
		}
		before := k.result.Links
		if d := k.part(in, partOld, partNew); d != nil {
			return d
		}
		multipart := strings.HasPrefix(strings.ToLower(partOld.Header.Get("Content-Type")), "multipart/")
		if !multipart && before == k.result.Links && len(k.result.Unable) == 0 && !bytes.Equal(rawOld[i], rawNew[i]) && bytes.Equal(partOld.body, partNew.body) {
			return in.differText(string(rawOld[i]), string(rawNew[i]), 0, 0, "the encoding of the part changed")
		}
	}
	return nil
}

// partsOf returns a function that returns the next part of a multipart, and io.EOF after the last one.
func partsOf(p part) (next func() (part, error)) {
	e, err := message.New(p.Header, bytes.NewReader(p.body))
	if message.IsUnknownCharset(err) {
		err = nil
	}
	var in message.MultipartReader
	if err == nil {
		if in = e.MultipartReader(); in == nil {
			err = io.ErrUnexpectedEOF
		}
	}
	return func() (part, error) {
		if err != nil {
			return part{}, err
		}
		return readPart(in.NextPart())
	}
}

// countParts reads a multipart, and returns the number of its parts.
func countParts(p part) (n int, err error) {
	next := partsOf(p)
	for {
		switch _, err := next(); err {
		case nil:
			n++
		case io.EOF:
			return n, nil
		default:
			return n, err
		}
	}
}

// cutParts cuts the body of a multipart into its parts, and the lines around them (RFC 2046, 5.1.1).
func cutParts(body []byte, boundary string) (around string, parts [][]byte) {
	var out strings.Builder
	boundary = strings.TrimRight(boundary, " \t")
	delimiter := "--" + boundary
	open := -1 // the start of the current part
	for at := 0; at < len(body); {
		end := len(body)
		if i := bytes.IndexByte(body[at:], '\n'); i >= 0 {
			end = at + i + 1
		}
		line := string(body[at:end])
		rest, ok := strings.CutPrefix(strings.TrimRight(line, " \t\r\n"), delimiter)
		rest = strings.TrimLeft(rest, " \t")
		if ok && (rest == "" || rest == "--") && boundary != "" {
			if open >= 0 {
				parts = append(parts, body[open:at])
			}
			out.WriteString(line)
			if open = end; rest == "--" {
				out.Write(body[end:])
				return out.String(), parts
			}
		} else if open < 0 {
			out.WriteString(line)
		}
		at = end
	}
	if open >= 0 {
		parts = append(parts, body[open:])
	}
	return out.String(), parts
}
