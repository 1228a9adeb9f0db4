// Messages, mailboxes, files of Apple Mail, and plain text. Headers are read by RFC 5322, 2.2, body parts are cut by
// RFC 2046, 5.1.1, and go-message decodes transfer encodings.

package verify

import (
	"bytes"
	"cmp"
	"crypto/md5"
	"encoding/base64"
	"io"
	"mime"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/emersion/go-message"
)

type mailReader struct {
	*reading
	*checker
	e      *entity
	saved  bool // Chromium wrote the message
	quoted bool // and another program dropped its transfer encodings
}

// keepCharsets keeps go-message from decoding the charsets of bodies, whatever another package has set.
var keepCharsets = sync.OnceFunc(func() {
	message.CharsetReader = func(_ string, in io.Reader) (io.Reader, error) { return in, nil }
})

// void is what may be before a header.
const void = "\uFEFF \t\r\n\f"

func skipVoid(src []byte, at int) int { return len(src) - len(bytes.TrimLeft(src[at:], void)) }

func parseMessage(k *checker, e *entity, src []byte) *reading {
	keepCharsets()
	m := &mailReader{reading: &reading{src: src}, checker: k, e: e}
	start := skipVoid(src, 0)
	begin := 0
	if line, _, ok := bytes.Cut(src[start:], []byte("\n")); ok && bytes.HasPrefix(line, []byte("From ")) {
		begin = start + len(line) + 1
		start = skipVoid(src, begin)
	}
	plain := e.plain && start == begin && !loneCR().Match(src)
	if !plain {
		m.failed = "a message does not begin with its header, or has other line ends"
	}
	m.part(start, len(src), "", nil, "text/plain", plain)
	return m.reading
}

type header []field

type field struct {
	name, key string // the name in lower case, and as written
	value     string // without line ends
	at        span   // of the value in the text
	plain     bool   // it is ASCII
}

func (h header) get(name string) (value string, n int) {
	for _, f := range h {
		if f.name == name {
			if n++; n == 1 {
				value = f.value
			}
		}
	}
	return value, n
}

var loneCR = pattern(`\r(?:[^\n]|$)`)

var (
	fieldName = pattern(`^[A-Za-z0-9_.-]+[ \t]*$`)
	lineEnds  = strings.NewReplacer("\r\n", "", "\n", "")
)

func lineAt(src []byte, at, end int) int {
	if i := bytes.IndexByte(src[at:end], '\n'); i >= 0 {
		return at + i + 1
	}
	return end
}

// headerIn reads a header, and returns the offset after its empty line. plain reports whether each line is a field, or
// continues one; another line may end the header, so the fields after it are not plain, and none is if sure is not set.
func headerIn(src []byte, start, end int, sure bool) (h header, body int, plain bool) {
	plain = true
	fields := 0
	for at := start; at < end; at = body {
		body = lineAt(src, at, end)
		line := bytes.TrimRight(src[at:body], "\r\n")
		if len(line) == 0 {
			break
		}
		name, _, ok := bytes.Cut(line, []byte(":"))
		switch n := len(h); {
		case (line[0] == ' ' || line[0] == '\t') && n > 0:
			h[n-1].at.end = at + len(line)
		case ok && fieldName().Match(name):
			key := string(bytes.TrimRight(name, " \t"))
			h = append(h, field{name: strings.ToLower(key), key: key, at: span{at + len(name) + 1, at + len(line)}})
		default:
			plain = false
		}
		if plain && sure {
			fields = len(h)
		}
	}
	for i := range h {
		raw := string(src[h[i].at.start:h[i].at.end])
		h[i].value, h[i].plain = strings.Trim(lineEnds.Replace(raw), " \t"), ascii(raw) && i < fields
	}
	return h, max(body, start), plain
}

// The fields that have links, and those of them that are links whatever is in them.
const (
	linkFields = strictFields + "archived-at base snapshot-content-location x-archived-at x-home-page x-homepage " +
		"x-uri x-url list-owner list-url uri comments content-type "
	strictFields = " content-base content-location location list-archive list-help list-post list-subscribe " +
		"list-unsubscribe link refresh "
)

// fields adds the spots of a header. A length or digest must be that of one of the bodies. own has the scopes of the
// fields that declare a base.
func (r *reading) fields(h header, in *scope, own map[string]*scope, bodies ...[]byte) {
	for _, f := range h {
		raw := string(r.src[f.at.start:f.at.end])
		s := spot{what: f.key, start: f.at.start, end: f.at.end, text: raw, scope: in, folded: true, plain: f.plain}
		s.declares = strings.Contains(" base content-base snapshot-content-location ", " "+f.name+" ")
		if declared, ok := own[f.name]; ok {
			s.scope, s.declares = declared, f.name != "location"
			delete(own, f.name) // a second field of that name declares nothing
		}
		s.loose = !strings.Contains(strictFields, " "+f.name+" ") || len(f.value) == 0 ||
			// RFC 2369, 2; RFC 8288
			(strings.HasPrefix(f.name, "list-") || f.name == "link") && !strings.Contains(raw, "<")
		switch {
		case bodies != nil && strings.Contains(" content-length lines content-md5 ", " "+f.name+" "):
			s.kind, s.content = isCount, &content{fits: func(value string) bool {
				return dependent(f.name, strings.TrimSpace(value), bodies)
			}}
			s.start += len(raw) - len(strings.TrimLeft(raw, " \t"))
			_, n := h.get(f.name)
			s.plain = s.plain && n == 1 && s.fits(raw)
			r.spots = append(r.spots, s)
		case !strings.Contains(linkFields, " "+f.name+" "):
		case strings.Contains(raw, "=?"), f.name == "content-type" && strings.Contains(raw, "url"):
			s.kind, s.plain, s.content = isOpaque, false, &content{why: "encoded words, and the URLs of external " +
				"bodies, are not read"}
			r.spots = append(r.spots, s)
		case f.name == "content-type":
		case f.name == "refresh":
			s.plain = s.plain && plainRefresh().MatchString(f.value)
			r.add(s, raw, refreshedIn(raw))
		default:
			s.plain = s.plain && (inBrackets().MatchString(f.value) || !strings.ContainsAny(raw, "<>")) &&
				!strings.ContainsAny(raw, "\n\"(")
			r.add(s, raw, bracketed(raw))
		}
	}
}

var packedName = pattern(`(?i)\.(?:gz|bz2)$`)

var inBrackets = pattern(`^(?:\s*<[^<>]+>\s*(?:;(?:[^<>,"]|"[^"<>]*")*)?(?:,|$))+$`)

// dependent reports whether a field that depends on the body has the right value for one of the forms of the body.
func dependent(name, value string, all [][]byte) bool {
	return slices.ContainsFunc(all, func(body []byte) bool {
		switch name {
		case "content-length":
			return value == strconv.Itoa(len(body))
		case "lines":
			return value == strconv.Itoa(bytes.Count(body, []byte("\n")))
		}
		sum := md5.Sum(body)
		return value == base64.StdEncoding.EncodeToString(sum[:])
	})
}

// part reads a message or a body part, which has the type untyped if its header has none.
func (m *mailReader) part(start, end int, number string, around *scope, untyped string, plain bool) {
	h, body, ok := headerIn(m.src, start, end, plain)
	if plain = plain && ok; !ok {
		m.failed = "a header has lines that are no fields"
	}
	if url, _ := h.get("snapshot-content-location"); url != "" && number == "" {
		if m.saved = true; m.e.bases.old.url == "" {
			around = &scope{outer: around, decl: url, unsure: true}
		}
	}
	in, own := m.declared(h, around, "content-location", "content-base", "base")
	if id, _ := h.get("content-id"); id != "" && m.saved && in == around {
		in = &scope{outer: around, unsure: true} // as for a Content-Location that is a cid: URL
	}
	raw := m.src[body:end]
	decoded, err := raw, error(nil)
	value, types := h.get("content-type")
	encoding, encodings := h.get("content-transfer-encoding")
	code := strings.ToLower(codeIn().FindString(encoding))
	plain = plain && strings.EqualFold(code, encoding) && !strangeBody(code, raw)
	kind, params := contentType(value, untyped)
	plain = plain && encodings < 2 && types < 2 && (types == 0 || plainType().MatchString(value))
	multipart := strings.HasPrefix(kind, "multipart/") && params["boundary"] != ""
	if !multipart {
		decoded, err = decodeBody(raw, code)
	}
	m.fields(h, in, own, raw, bytes.TrimSuffix(bytes.TrimSuffix(raw, []byte("\n")), []byte("\r")), decoded)
	if multipart {
		m.parts(kind, params["boundary"], body, end, number, in, plain)
		return
	}
	if encodings < 2 && strings.Contains("  7bit 8bit binary ", " "+strings.ToLower(encoding)+" ") &&
		(m.quoted || strings.Contains(kind, "html") && quotedBody().Match(raw)) {
		m.quoted = m.saved
		m.opaque("body", body, end, "a body is in quoted-printable, which its header does not say")
		return
	}
	s := spot{kind: isNested, what: "part[" + cmp.Or(number, "1") + "]", start: body, end: end, scope: in,
		content: &content{body: decoded, in: kind}}
	s.plain = plain && !strings.EqualFold(params["delsp"], "yes") &&
		!(m.saved && code != "quoted-printable" && bytes.Contains(m.src, []byte(`=3D"`)))
	if err != nil {
		s.plain, s.why = false, "go-message cannot decode a body to its end"
	}
	if encodings > 1 {
		s.kind, s.why = isOpaque, "a body has several transfer encodings"
	}
	if params["charset"] != "" {
		s.in += "; charset=" + strconv.Quote(mailLabels.Replace(strings.ToLower(params["charset"])))
	}
	if isVague().MatchString(kind) {
		name, plain := fileName(h, params["name"])
		named := m.doc.TypeOf(packedName().ReplaceAllString(name, ""), nil)
		s.plain = s.plain && plain && named == m.doc.TypeOf(name, decoded)
		s.in = cmp.Or(named, s.in)
	}
	m.spots = append(m.spots, s)
}

// mailLabels replaces the labels of charsets that only mail programs write.
var mailLabels = strings.NewReplacer("cp932", "shift_jis", "cp936", "gbk", "ms936", "gbk", "cp949", "euc-kr", "cp950",
	"big5", "cp51932", "euc-jp")

// strangeBody reports whether decoders do not agree on a body.
func strangeBody(code string, raw []byte) bool {
	return code == "quoted-printable" && blankEnd().Match(raw) || code == "base64" && !plainBase64().Match(raw)
}

// decodeBody decodes a body from a transfer encoding. With an error, it returns what it has read so far.
func decodeBody(raw []byte, encoding string) ([]byte, error) {
	var h message.Header
	h.Set("Content-Transfer-Encoding", encoding)
	if e, _ := message.New(h, bytes.NewReader(raw)); e != nil {
		return io.ReadAll(e.Body)
	}
	return raw, nil
}

// fileName returns the file name of a body part, or else the name from its type, and whether readers agree on it.
func fileName(h header, name string) (file string, plain bool) {
	value, n := h.get("content-disposition")
	_, named, err := mime.ParseMediaType(value)
	plain = n == 0 || n == 1 && err == nil && plainType().MatchString("x/"+value)
	plain = plain && !oddName().MatchString(value+name)
	file = cmp.Or(named["filename"], name)
	if text, err := new(mime.WordDecoder).DecodeHeader(file); err == nil {
		file = text
	}
	return file, plain
}

var (
	oddName     = pattern(`=\?|\*| "*$`)
	quotedBody  = pattern(`^(?:[^=]|=(?:[0-9A-Fa-f]{2}|[ \t]*\r?\n))*=3D"(?:[^=]|=(?:[0-9A-Fa-f]{2}|[ \t]*\r?\n))*$`)
	plainBase64 = pattern(`^[A-Za-z0-9+/\r\n]*={0,2}\s*$`)
	blankEnd    = pattern(`[ \t\r]\r?\n`)
	codeIn      = pattern(`(?i)\b(?:7bit|8bit|binary|quoted-printable|base64)\b`)
	boundaries  = pattern(`(?i)[;\s]boundary\s*=\s*(?:"([^"]*)"|([^;\s]+))`)
	plainType   = pattern(`^[A-Za-z0-9!#$&^_.+-]+/[A-Za-z0-9!#$&^_.+-]+` +
		`(?:[ \t]*;[ \t]*[A-Za-z0-9_.*-]+=(?:"[^"\\\x00-\x1F\x7F-\xFF]*"|[A-Za-z0-9!#$%&'*+.^_{|}~-]+))*$`)
)

// contentType returns a media type and its parameters, from a field that need not be in the grammar of MIME. The type
// is untyped if the field has none with a slash.
func contentType(value, untyped string) (kind string, params map[string]string) {
	kind, params, err := mime.ParseMediaType(value)
	if err != nil {
		kind, _, _ = strings.Cut(value, ";")
		kind, _, _ = strings.Cut(strings.TrimSpace(kind), " ")
		if m := boundaries().FindStringSubmatch(value); m != nil && params["boundary"] == "" {
			params = map[string]string{"boundary": m[1] + m[2]}
		}
	}
	if !strings.Contains(kind, "/") {
		kind = untyped
	}
	return strings.ToLower(kind), params
}

func (m *mailReader) parts(kind, boundary string, start, end int, number string, in *scope, plain bool) {
	parts := cutParts(m.src, start, end, boundary)
	if parts == nil || kind == "multipart/encrypted" {
		m.opaque("multipart", start, end, "a multipart is encrypted, has no part, or text after a boundary")
		return
	}
	untyped := "text/plain"
	if kind == "multipart/digest" {
		untyped = "message/rfc822" // RFC 2046 5.1.5
	}
	if number != "" {
		number += "."
	}
	for i, p := range parts {
		m.part(p.start, p.end, number+strconv.Itoa(i+1), in, untyped, plain)
	}
}

// declared returns the scope of the bases that fields of a header declare, each inside the one before it, and the scope
// of each of these fields. A Content-Location is resolved against the base that the other fields declare, if any.
func (k *checker) declared(h header, around *scope, names ...string) (in *scope, own map[string]*scope) {
	in, own = around, map[string]*scope{}
	for _, name := range names {
		own[name] = in
		if value, n := h.get(name); n > 0 {
			url := unbracketed(value)
			if k.Standard != "whatwg" && strings.HasPrefix(strings.ToLower(url), "file:") &&
				strings.Contains(url, `\`) {
				url = "" // a Windows path is not a URL
			}
			in = &scope{outer: in, decl: url, unsure: n > 1 || !plainBase().MatchString(value) ||
				strings.Contains(value, "=?")}
			if lower := strings.ToLower(value); name == "content-location" && strings.HasPrefix(lower, "cid:") {
				in.unsure = true // its base may be that of the part that refers to it, which is not followed
			} else if name != "content-location" && names[0] == "content-location" {
				own["content-location"] = in
			}
		}
	}
	if _, n := h.get("base"); n > 0 || in != around && in.unsure { // a reader may resolve the other fields against it
		for name, s := range own {
			own[name] = &scope{outer: s, unsure: true}
		}
	}
	return in, own
}

// plainBase matches a value that declares a base plainly.
var plainBase = pattern(`^(?:` + plainValue + `|<(?i:URL:)?` + plainValue + `>)$`)

const plainValue = `(?:(?i:https?:)//[A-Za-z0-9]|[/?#.]|[A-Za-z0-9%~_-]+[/?#.])[!#-'*-;=?-~]*`

// cutParts returns the parts of a multipart (RFC 2046, 5.1.1), or nil if a line is perhaps a boundary.
func cutParts(src []byte, start, end int, boundary string) (parts []span) {
	open, bare := -1, strings.TrimRight(boundary, " \t") // the start of the current part
	for at, next := start, 0; at < end; at = next {
		next = lineAt(src, at, end)
		rest, ok := bytes.CutPrefix(bytes.TrimRight(src[at:next], " \t\r\n"), []byte("--"+bare))
		closes := string(rest) == "--" || string(rest) == boundary[len(bare):]+"--"
		switch {
		case !ok || len(rest) > 0 && !closes && !endsDelimiter().Match(rest):
			continue
		case len(rest) > 0 && !closes:
			return nil
		case open >= 0:
			parts = append(parts, span{open, at})
		}
		if open = next; closes {
			return parts
		}
	}
	if open >= 0 {
		parts = append(parts, span{open, end})
	}
	return parts
}

var endsDelimiter = pattern(`^\s*--`) // or else it is no boundary, or another one

var (
	textURL = pattern(`(?m)<URL:\s*([^<>\s](?:[^<>]*?[^<>\s])?)\s*>|` +
		`(?:^\x{FEFF}?|\r)[ \t]*(?i:sitemap)[ \t]*:[ \t]*([^\s#]+)|` + // in robots.txt
		`(?:^|[^A-Za-z0-9+.<-])` + bareURL + `|<` + bareURL + `>`)
	textEnd    = pattern(`^[.,;:!?)\]}']*(?:[\s<>"]|$)`)
	unreadText = pattern(`(?m)^begin \d+ |^-----BEGIN PGP |<URL:[^<>]*\n>`)
)

const bareURL = `((?i:https?|ftp)://[A-Za-z0-9](?:[A-Za-z0-9\-._~:/?#@!$&*+,;=%|]*[A-Za-z0-9\-_~/#@$&*+=%|])?)`

// parseText reads a plain text, for the URLs in "<URL:...>" (RFC 1738, appendix) and the absolute URLs between white
// space.
func parseText(_ *checker, _ *entity, src []byte) *reading {
	r := &reading{src: src}
	if unreadText().Match(src) {
		r.failed = "a text has uuencoded documents, or quoted URLs over several lines"
	}
	text, _, _ := strings.Cut(string(src), "-----BEGIN PGP ") // what is signed does not change
	for _, f := range matches(textURL(), text) {
		s := spot{what: "text", start: f.start, end: f.end, text: f.value,
			refs: []ref{{0, len(f.value), f.value, f.plain}}, folded: true, content: noContent}
		if s.loose = !strings.HasSuffix(strings.TrimRight(text[:f.start], blanks), "<URL:"); s.loose &&
			!textEnd().MatchString(text[f.end:]) {
			continue
		}
		s.plain = f.plain && strings.HasPrefix(text[f.end:], ">")
		r.spots = append(r.spots, s)
	}
	return r
}

// parseShortcut reads a bookmark of Windows, or one of macOS in XML.
func parseShortcut(_ *checker, _ *entity, src []byte) *reading {
	r := &reading{src: src}
	if loneCR().Match(src) {
		r.failed = "a bookmark has other line ends"
	}
	if urls := matches(shortcutURL(), string(src)); len(urls) > 0 {
		f, list := urls[0], bytes.HasPrefix(src[urls[0].end:], []byte("</"))
		s := spot{what: "URL", start: f.start, text: f.value,
			plain: plainSpelling([]byte(f.value)) && (!list || plainList().Match(src))}
		if s.loose = !s.plain || f.value == ""; list {
			s.text = unescaped(f.value)
		}
		r.add(s, f.value, refsIn(kindURL, &s))
	}
	return r
}

var shortcutURL = pattern(`(?i)(?:^\x{FEFF}?|\n)\[InternetShortcut\][^\n]*\n` +
	`(?:[^\[\n][^\n]*\n|\n)*?[ \t]*URL[ \t]*=[ \t]*([^\r\n]*)` +
	`|<key>URL</key>\s*<string>([^<\s](?:[^<]*[^<\s])?)</string>`)

// plainList matches a property list that is one dictionary of texts.
var plainList = pattern(`^\x{FEFF}?\s*(?:<\?xml[^<>]*\?>\s*)?(?:<!DOCTYPE[^<>\[]*>\s*)?` +
	`<plist(?:\s[^<>/]*)?>\s*<dict>\s*(?:<key>[^<]*</key>\s*<string>[^<]*</string>\s*)*</dict>\s*</plist>\s*$`)

const monthName = `(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|` +
	`july?|aug(?:ust)?|sep(?:tember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?),?`

var (
	closingLine = pattern(`^\x01{4}\r?\n?$`) // before and after each message in a file of MMDF
	escapedFrom = pattern(`(?m)^>(>*From )`)
	escapedOnce = pattern(`(?m)^>(From )`)
	patchLine   = pattern(`^From (?:[0-9A-Fa-f]{40}|[0-9A-Fa-f]{64}) Mon Sep 17 00:00:00 2001\s*$`)
	bareLine    = pattern(`^From\s+(?:-\s*)?$`)
	addressLine = pattern(`^From\s+[^\s@]\S*@\S+\s*$`)
	timedLine   = pattern(`^From .*\d:\d\d`)
	// a number, or a date in digits
	stampLine = pattern(`^From\s+(?:[+-]?\d+|[^\s@]\S*@\S+\s+` +
		`(?:\d{8,10}|\d{4}-\d\d-\d\d(?:[Tt]\S*)?(?:\s+\d+:\d\d.*)?))\s*$`)
	fieldLine   = pattern(`^(?:>From |[A-Za-z][\w.-]*[ \t]*:(?:[^/]|$))`)
	secondField = pattern(`^.*\n(?:[ \t].*\n)*(?:>From |[A-Za-z][\w.-]*[ \t]*:(?:[^/]|$))`)
	datedLine   = pattern(`(?i)^From (?:.*[ \t])?` +
		`(?:mon(?:day)?|tue(?:sday)?|wed(?:nesday)?|thu(?:rsday)?|fri(?:day)?|sat(?:urday)?|sun(?:day)?),?[ \t]+` +
		`(?:` + monthName + `[ \t]+\d\d?,?|\d\d?,?[ \t]+` + monthName + `)[ \t]+` +
		`(?:\d\d?:\d\d\S*(?:[ \t]+[a-z+(-]\S*){0,2}[ \t]+(?:\d\d|\d{4}),?|(?:\d\d|\d{4}),?[ \t]+\d\d?:\d\d\S*)(?:\s|$)`)
)

// parseMbox reads an mbox. See docs/formats.md for the rules by which a line that begins with "From " starts a message.
func parseMbox(k *checker, _ *entity, src []byte) *reading {
	r := &reading{src: src}
	var m mailbox
	first := src[:lineAt(src, 0, len(src))]
	mmdf := closingLine().Match(first)
	plain := (datedLine().Match(first) || patchLine().Match(first)) && !loneCR().Match(src)
	// where the message starts, and ends by its Content-Length; it has lines that would start another
	open, counted, bare := -1, 0, false
	add := func(end int) {
		if open >= 0 {
			body := src[open:end]
			h, _, _ := headerIn(body, 0, len(body), true)
			_, lengths := h.get("content-length")
			plain = plain && lengths < 2 && !m.odd
			in := &content{in: "message/rfc822", body: body, markup: "0"}
			if bytes.Contains(body, []byte(">From ")) && !mmdf && k.Mbox != "mboxcl2" && (k.Mbox != "" || !bare) {
				in.unquote(k.Mbox == "mboxo" || k.Mbox == "mboxcl")
			}
			s := spot{kind: isNested, what: r.number("message"), start: open, end: end, content: in}
			s.plain = plain && fieldLine().Match(in.body)
			r.spots = append(r.spots, s)
		}
	}
	for at, next := skipVoid(src, 0), 0; at < len(src); at = next {
		next = lineAt(src, at, len(src))
		line := src[at:next]
		switch starts := !mmdf && bytes.HasPrefix(line, []byte("From ")) && m.starts(line, src[next:], open < 0); {
		case mmdf && closingLine().Match(line):
			add(at)
			open = -1
		case starts && at < counted:
			bare = true
		case starts:
			add(at)
			if open, m.inBody, bare = next, false, false; k.Mbox != "mboxo" && k.Mbox != "mboxrd" {
				counted = lengthOf(src, next)
			}
		case open < 0:
			open = at
		}
		m.filled = len(bytes.TrimRight(line, "\r\n")) > 0
		m.inBody = m.inBody || !m.filled
	}
	add(len(src))
	if !plain {
		r.failed = "a mailbox has lines that are not plainly the first of a message"
	}
	return r
}

// unquote removes the quotes of From_ lines, and counts them. once means that no quoted line was quoted again.
func (c *content) unquote(once bool) {
	quoted := escapedFrom()
	if once {
		quoted = escapedOnce()
	}
	c.markup = strconv.Itoa(len(quoted.FindAllIndex(c.body, -1)))
	c.body = quoted.ReplaceAll(c.body, []byte("$1"))
}

// mailbox is what starts needs to know about the lines before a From_ line: the kind of the first such line, whether
// the line before is not empty, and whether the message has had an empty line. odd is set after a line that only some
// programs know.
type mailbox struct{ patches, stamps, bares, addresses, filled, inBody, odd bool }

// starts reports whether a line that begins with "From " starts a message. next is the text after it.
func (m *mailbox) starts(line, next []byte, first bool) bool {
	patch, stamp := patchLine().Match(line), stampLine().Match(line)
	bare, address := bareLine().Match(line), addressLine().Match(line)
	if first {
		m.patches, m.stamps, m.bares, m.addresses = patch, stamp, bare, address
		return true
	}
	dated, field := !patch && datedLine().Match(line) ||
		patch && m.patches, fieldLine().Match(next[:min(256, len(next))])
	m.odd = m.odd || stamp || bare
	if m.filled {
		return (dated || stamp && m.stamps || (bare && m.bares || address && m.addresses) &&
			secondField().Match(next[:min(4096+256, len(next))])) && field && m.inBody
	}
	return dated || bare || !patch && field && (stamp || address || timedLine().Match(line))
}

// lengthOf returns the end of a message by its Content-Length, or 0 if neither a From_ line nor the end of the file is
// there.
func lengthOf(src []byte, start int) int {
	h, body, _ := headerIn(src, start, len(src), true)
	value, _ := h.get("content-length")
	n, err := strconv.Atoi(value)
	if err != nil || n > len(src)-body {
		return 0
	}
	if next := bytes.TrimLeft(src[body+n:], "\r\n"); len(next) > 0 && !bytes.HasPrefix(next, []byte("From ")) {
		return 0
	}
	return body + n
}

var (
	appleLength = pattern(`^(\d+)([ \t]*)\r?\n`)
	appleList   = pattern(`^\s*(?:<\?xml(?s:.{0,900})<plist|<!DOCTYPE plist|<plist|bplist0|$)`)
)

func parseEmlx(_ *checker, _ *entity, src []byte) *reading {
	r := &reading{src: src}
	line := appleLength().FindSubmatchIndex(src)
	n := -1
	if line != nil {
		n, _ = strconv.Atoi(string(src[:line[3]]))
	}
	if n < 0 || n > len(src)-line[1] || !appleList().Match(src[line[1]+n:]) {
		return r.opaque("message", 0, len(src), "the first line does not have the length of the message")
	}
	r.spots = []spot{
		// a length with blanks after it must keep its columns
		{kind: isCount, what: "the length of the message", end: line[5], plain: true, content: &content{
			fits: func(string) bool { return true }, markup: strconv.Itoa(min(1, line[5]-line[4]) * line[5])}},
		{kind: isNested, what: "message", start: line[1], end: line[1] + n, plain: true,
			content: &content{in: "message/rfc822", body: src[line[1] : line[1]+n]}},
	}
	return r
}
