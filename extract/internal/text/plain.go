package text

import (
	"bytes"
	"math"
	"slices"
	"sort"
	"strings"
	"unicode"
	"unicode/utf8"

	"absolink/extract/internal/ascii"
	"absolink/extract/internal/codec"
	"absolink/extract/internal/codec/charsets"
	"absolink/extract/internal/codec/spell"
	"absolink/extract/internal/mark"
)

// Plain is the format text/plain. It marks wrapped URLs and bare URLs.
var Plain = &mark.Format{Name: "text/plain", Exts: []string{".txt"}, Charset: plainCharset, Embeds: mark.NoDocuments,
	Mark: func(src []byte, m *mark.Marks) { extract(src, m, false) }, Variant: variant,
	Places: func() []string { return []string{wrappedPlace.Name, barePlace.Name, sitemapPlace.Name} }}

var (
	wrappedPlace = &mark.Place{Name: "<URL:>",
		Reads: func(spelled []byte) bool { return len(spelled) < longestWrapped }}
	barePlace = &mark.Place{Name: "text", Reads: readsBare}
	// hyphenPlace is the place of a URL that ends with a hyphen, which a new URL must keep: in angle brackets, a URL
	// without it would continue in the next line (see markAngle).
	hyphenPlace = &mark.Place{Name: barePlace.Name, Reads: func(spelled []byte) bool {
		return readsBare(spelled) && spelled[len(spelled)-1] == '-'
	}}
	// enclosedPlace is the place of a URL before a bracket or punctuation, which a URL with an open bracket would take
	// in.
	enclosedPlace = &mark.Place{Name: barePlace.Name, Reads: func(spelled []byte) bool {
		whole, balanced := readsURL(spelled)
		return whole && balanced
	}}
	// gluedPlace is the place of a URL directly after text, which must not become part of a new scheme.
	gluedPlace = &mark.Place{Name: barePlace.Name, Reads: func(spelled []byte) bool {
		const word = "w."
		return enclosedPlace.Reads(spelled) &&
			schemeIn(append([]byte(word), spelled...), 0, len(word)+bytes.IndexByte(spelled, ':')) == len(word)
	}}
)

// plainCharset returns the charset of the byte order mark, or else that of the transport layer. The default is UTF-8,
// which leaves bytes unchanged. That suits even ISO-2022-KR and HZ, which mail uses and the Encoding Standard does not
// decode, because a URL in them is ASCII.
func plainCharset(raw []byte, transport string) string {
	if name := charsets.OfBOM(raw); name != "" {
		return name
	}
	if _, name, ok := charsets.Of(transport); !ok || name == "replacement" {
		return "utf-8"
	}
	return transport
}

// longestWrapped limits the search for the ">" of a wrapped URL.
const longestWrapped = 4096

func extract(src []byte, m *mark.Marks, flowed bool) {
	markLines(src, m)
	t := lines{src: src, text: src, marks: m}
	if flowed {
		t.join()
	}
	t.extract(0)
}

// extract marks the URLs of a text from p on, all of which have a colon.
func (t *lines) extract(p int) {
	for p < len(t.text) {
		i := bytes.IndexByte(t.text[p:], ':')
		if i < 0 {
			return
		}
		p += i + 1
		if start := p - len("<URL:"); start >= 0 && ascii.FoldEqual(t.text[start:p], "<url:") {
			p = t.markWrapped(p)
		} else if end := t.markAngle(p); end > p {
			p = end
		} else if bytes.HasPrefix(t.text[p:], []byte("//")) {
			if start, end, enclosed, _ := bareURL(t.text, p); start < end {
				place := barePlace
				if start > 0 && ascii.IsSchemeByte(t.text[start-1]) {
					place = gluedPlace
				} else if enclosed {
					place = enclosedPlace
				} else if t.text[end-1] == '-' {
					place = hyphenPlace
				}
				t.link(place, flowedPlace, start, end, codec.Identity)
				p = end
			}
		}
	}
}

// markWrapped marks the URL after the "<URL:" that ends at p, and returns the index after it.
func (t *lines) markWrapped(p int) int {
	end := p
	for end < len(t.text) && end-p < longestWrapped && t.text[end] != '<' && t.text[end] != '>' {
		if end++; t.text[end-1] == '\n' {
			if depth, prefix := quoteMarks(t.text[end:]); depth > 0 && depth == t.depthAt(p) {
				end += prefix
			}
		}
	}
	end = min(end, len(t.text))
	if a, b := ascii.TrimSpace(t.text, p, end); a < b && end < len(t.text) && t.text[end] == '>' {
		t.link(wrappedPlace, wrappedPlace, p, end, spell.TextURL)
	}
	return end
}

// The brackets and quotes that can enclose a URL. Both of a pair have the same offset, because they have the same
// length.
const (
	opening = "([{（「『【〈《［｛〔〖“«‹‘"
	closing = ")]}）」』】〉》］｝〕〗”»›’"
)

const (
	stops = "。、，；：！？…．｡､،؛؟۔।" // the punctuation marks outside ASCII that end a sentence, or a part of one
	// trailing has the characters that do not belong to a URL at its end. Opening quotes are among them because German
	// closes with them: „http://h/“.
	trailing = ".,;:!?'“«‹‘" + stops
)

// bareURL returns the bounds of an absolute URL with "//" at p, after the colon of its scheme. The bounds are empty if
// there is no scheme, or no text after the "//". Punctuation that ends a sentence is not part of the URL, and neither
// is a closing bracket whose opening one is before the URL. enclosed reports whether a bracket or punctuation follows
// the URL, and balanced whether the URL closes all its brackets.
func bareURL(src []byte, p int) (start, end int, enclosed, balanced bool) {
	start = p - 1
	for start > 0 && p-start < 32 && ascii.IsSchemeByte(src[start-1]) {
		start--
	}
	if start = schemeIn(src, start, p-1); start == p-1 {
		return p, p, false, false // before the search for the end, which many such places may share
	}
	var open [len(opening)]int // by the offset of a bracket, how many are open
	for end = p + 2; end < len(src); {
		r, n := utf8.DecodeRune(src[end:])
		i := strings.IndexRune(closing, r)
		if endsURL(r) || endsBefore(r, i >= 0 && open[i] <= 0, src[end+n:]) {
			enclosed = i >= 0
			break
		}
		if i >= 0 {
			open[i]--
		} else if i = strings.IndexRune(opening, r); i >= 0 {
			open[i]++
		}
		end += n
	}
	for end > p+2 {
		r, n := utf8.DecodeLastRune(src[:end])
		if i := strings.IndexRune(closing, r); i >= 0 && open[i] < 0 {
			open[i]++
		} else if !strings.ContainsRune(trailing, r) {
			break
		} else if i := strings.IndexRune(opening, r); i >= 0 {
			open[i]--
		}
		end -= n
		enclosed = true
	}
	if end == p+2 {
		return p, p, false, false
	}
	return start, end, enclosed, slices.Max(open[:]) <= 0
}

// commonSchemes has the schemes of URLs in texts. Others may have a full stop, like the schemes of apps
// (com.example.app).
var commonSchemes = ascii.Words("http https ftp ftps sftp file gopher git ssh svn irc ircs ws wss rtsp rtmp ldap " +
	"ldaps telnet rsync nntp news webcal feed ipfs s3")

// schemeIn returns the start of the scheme in src[start:end], which are all bytes before a colon that a scheme may
// have, or end if there is none. A full stop, or \n, \r or \t in a log, may glue other text to a common scheme.
func schemeIn(src []byte, start, end int) int {
	letter := func(at int) int {
		for at < end && !ascii.IsLetter(src[at]) {
			at++
		}
		return at
	}
	other := bytes.LastIndexByte(src[start:end], '.') + 1
	if other == 0 && start > 0 && src[start-1] == '\\' && bytes.IndexByte([]byte("nrt"), src[start]) >= 0 {
		other = len("n")
	}
	if glued := letter(start + other); other > 0 {
		name := src[glued:end]
		if commonSchemes()[ascii.Lower(string(name[bytes.LastIndexAny(name, "+-")+1:]))] {
			return glued
		}
	}
	return letter(start)
}

// endsURL reports whether no URL has the character: white space, a control character, a mark for the direction of a
// text (RFC 3987 4.1), or a delimiter (RFC 3986 appendix C).
func endsURL(r rune) bool {
	switch {
	case r < utf8.RuneSelf:
		return r <= ' ' || r == '<' || r == '>' || r == '"' || r == 0x7F
	case r == 0x200B, r == 0x200E, r == 0x200F, r == 0xFEFF, 0x202A <= r && r <= 0x202E, 0x2060 <= r && r <= 0x206F:
		return true
	}
	return unicode.IsSpace(r) || unicode.IsControl(r)
}

// endsBefore reports whether a URL ends before the character r, given the text after r. closes reports whether r is a
// closing bracket or quote whose opening one is not in the URL.
func endsBefore(r rune, closes bool, after []byte) bool {
	next, n := utf8.DecodeRune(after)
	switch last := n == 0 || endsURL(next); {
	case r == '’': // also an apostrophe
		return closes && last
	case closes && r >= utf8.RuneSelf:
		return true
	case closes, r >= utf8.RuneSelf && strings.ContainsRune(stops, r):
		return last || next >= utf8.RuneSelf
	}
	return false
}

func readsBare(spelled []byte) bool {
	whole, _ := readsURL(spelled)
	return whole
}

// readsURL reports whether spelled is one whole URL, and whether the URL closes all its brackets.
func readsURL(spelled []byte) (whole, balanced bool) {
	i := bytes.Index(spelled, []byte("://"))
	if i < 0 {
		return false, false
	}
	start, end, _, balanced := bareURL(spelled, i+1)
	return start == 0 && end == len(spelled), balanced
}

var (
	anglePlace  = &mark.Place{Name: barePlace.Name, Reads: readsAngle}
	flowedPlace = &mark.Place{Name: barePlace.Name, Reads: readsFlowed}
)

// flowed is the format of text/plain; format=flowed; delsp=yes (RFC 3676), where soft line breaks are not part of the
// text.
var flowed = &mark.Format{Name: "text/plain", Charset: plainCharset, Embeds: mark.NoDocuments,
	Mark: func(src []byte, m *mark.Marks) { extract(src, m, true) }}

// variant returns the format for parameters of text/plain, or nil for Plain. Plain is right for format=flowed without
// DelSp=yes, because the space before each soft line break then belongs to the text, and ends a URL.
func variant(params map[string]string) *mark.Format {
	if ascii.Lower(params["format"]) == "flowed" && ascii.Lower(params["delsp"]) == "yes" {
		return flowed
	}
	return nil
}

// lines is a text whose URLs may go over several lines.
type lines struct {
	src   []byte
	text  []byte // src without the soft line breaks
	soft  []soft
	marks *mark.Marks

	seen, line int // the last argument of depthAt, and the start of its line
}

// soft is a soft line break: bytes of src that are not in the text. It is short, because a text may have one for every
// 3 bytes.
type soft struct{ end, at uint32 }

// join sets the text. A line that ends with a space continues in the next line (RFC 3676 4.1) if both have the same
// number of quote marks (4.5), and neither is the line above a signature (4.3).
func (t *lines) join() {
	if len(t.src) > math.MaxUint32 {
		return
	}
	t.text = make([]byte, 0, len(t.src))
	t.soft = make([]soft, 0, bytes.Count(t.src, []byte(" \n"))+bytes.Count(t.src, []byte(" \r\n")))
	start := 0 // of the next piece of the text
	before, depth := -1, 0
	for p := 0; p < len(t.src); {
		end := ascii.LineEnd(t.src, p)
		own := 0
		for p+own < end && t.src[p+own] == '>' {
			own++
		}
		content := p + own
		if content < end && t.src[content] == ' ' { // space-stuffing (RFC 3676 4.4)
			content++
		}
		stop := max(content, end-ascii.LastNewline(t.src[p:end]))
		signature := string(t.src[content:stop]) == "-- "
		if before >= 0 && depth == own && !signature {
			t.text = append(t.text, t.src[start:before]...)
			t.soft = append(t.soft, soft{uint32(content), uint32(len(t.text))})
			start = content
		}
		before, depth = -1, own
		if stop > content && t.src[stop-1] == ' ' && !signature {
			before = stop - 1
		}
		p = end
	}
	t.text = append(t.text, t.src[start:]...)
}

// source returns the index in src of the byte text[at] or, if after is set, the index after that of text[at-1]. They
// differ at a soft line break.
func (t *lines) source(at int, after bool) int {
	n := sort.Search(len(t.soft), func(i int) bool {
		return int(t.soft[i].at) > at || after && int(t.soft[i].at) == at
	})
	if n == 0 {
		return at
	}
	return int(t.soft[n-1].end) + at - int(t.soft[n-1].at)
}

// link marks the URL text[start:end]. Its place is one and its codec c if it is in one line of src, or else its place
// is several.
func (t *lines) link(one, several *mark.Place, start, end int, c codec.Codec) {
	start, end = t.source(start, false), t.source(end, true)
	url := t.src[start:end]
	if bytes.IndexByte(url, '\n') < 0 {
		t.marks.Link(one, start, end, c)
		return
	}
	t.marks.Link(several, start, end, spell.WrappedURL)
}

// quoteMarks returns the number of quote marks at the start of a line, and their length with the spaces between them
// and one space after them.
func quoteMarks(line []byte) (depth, prefix int) {
	for i := 0; i < len(line); i++ {
		switch {
		case line[i] == '>':
			depth++
		case depth == 0 || line[i] != ' ' || line[i-1] == ' ':
			return depth, i
		}
	}
	return depth, len(line)
}

// depthAt returns the number of quote marks of the line at p, which must not be before the p of the last call.
func (t *lines) depthAt(p int) int {
	if i := bytes.LastIndexByte(t.text[t.seen:p], '\n'); i >= 0 {
		t.line = t.seen + i + 1
	}
	t.seen = p
	depth, _ := quoteMarks(t.text[t.line:p])
	return depth
}

// angleStart returns the start of the scheme before the colon at p, or -1 if there is no "<" before a scheme.
func (t *lines) angleStart(p int) int {
	start := p
	for start > 0 && p-start < 31 && ascii.IsSchemeByte(t.text[start-1]) {
		start--
	}
	if start == p || start == 0 || t.text[start-1] != '<' || !ascii.IsLetter(t.text[start]) {
		return -1
	}
	return start
}

// markAngle marks the URL in "<SCHEME://...>" that goes over several lines (RFC 3986 appendix C). p is the index after
// the colon. It returns the index after the URL, or p if there is none because the URL is in one line, or the lines
// have other white space or different numbers of quote marks. If a line of the URL ends with a hyphen, markAngle only
// reports that.
func (t *lines) markAngle(p int) int {
	start := t.angleStart(p - 1)
	if start < 0 {
		return p
	}
	hyphen, newlines, slashes := -1, 0, 0
	for end := p; end < len(t.text) && end-p < longestWrapped; {
		if n := ascii.NewlineLen(t.text[end:]); n > 0 {
			depth := t.depthAt(p)
			if t.text[end-1] == '-' && hyphen < 0 {
				hyphen = end - 1
			}
			own, prefix := quoteMarks(t.text[end+n:])
			// the bracket closes in a line of its own
			if own == depth+1 && newlines > 0 && hyphen < 0 && slashes >= len("//") {
				t.link(anglePlace, anglePlace, start, end, codec.Identity)
				return end
			}
			if end += n + prefix; own != depth || end == len(t.text) || t.text[end] <= ' ' {
				return p
			}
			newlines++
			continue
		}
		c, n := utf8.DecodeRune(t.text[end:])
		switch {
		case c == '>' && slashes < len("//"), c != '>' && endsURL(c):
			return p
		case c == '>' && hyphen >= 0:
			t.marks.Note(t.source(hyphen, false), mark.LinkMalformed, "the URL in angle brackets is read only up to "+
				"the hyphen at the end of its line: the hyphen may belong to the URL or not (RFC 3986 appendix C)")
			return p
		case c == '>' && newlines == 0:
			return p
		case c == '>':
			t.link(anglePlace, anglePlace, start, end, codec.Identity)
			return end
		case slashes < len("//") && c != '/':
			return p
		default:
			slashes++
		}
		end += n
	}
	return p
}

// readsAngle reports whether spelled is a URL that markAngle reads, which has no hyphen at the end of a line. With a
// space, as in a soft line break, or without any line break, it must be a bare URL as well.
func readsAngle(spelled []byte) bool {
	if bytes.Contains(spelled, []byte("-\n")) || bytes.Contains(spelled, []byte("-\r\n")) {
		return false
	}
	i := bytes.IndexByte(spelled, ':')
	url, _ := spell.WrappedURL.Decode(spelled)
	if (bytes.IndexByte(spelled, ' ') >= 0 || bytes.IndexByte(spelled, '\n') < 0) && !readsBare(url) {
		return false
	}
	return ascii.HasScheme(url) && bytes.HasPrefix(url[bytes.IndexByte(url, ':')+1:], []byte("//")) &&
		bytes.IndexByte(spelled[:i], '\n') < 0
}

func readsFlowed(spelled []byte) bool {
	url, _ := spell.WrappedURL.Decode(spelled)
	whole, balanced := readsURL(url) // a bracket may follow
	return whole && balanced
}
