package mapping

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"strings"
	"unicode/utf8"
)

// Left finds the URLs that rules leave behind: those under an OLD, with its port or a default one, that are not under a
// NEW. It does not matter whether a rule matches them: an old URL in a script has no rule. Its methods are safe for
// many goroutines at once.
type Left struct {
	hosts    map[string]string // the hosts of the OLDs, in lower case, and the first OLD of each up to its host
	longest  int               // the length of the longest of them
	old, new *Table            // tables of OLDs only; the scheme of old is always "http:", and new has the NEWs
	around   []string          // what is before an OLD in a NEW such as https://archive.example/http://h/
}

// NewLeft returns a Left for the rules of a table. It is nil if the table is, and if no OLD has a host.
func NewLeft(t *Table) *Left {
	if t == nil {
		return nil
	}
	l := &Left{hosts: map[string]string{}, old: &Table{index: map[string]int{}}, new: &Table{}}
	for _, r := range t.rules {
		u := split([]byte(r.old), len(r.old)*2)
		if !u.authority || u.host == u.head {
			continue
		}
		name, port := cutPort(string(u.key[u.host:u.head]))
		l.hosts[name] = cmp.Or(l.hosts[name], string(u.key[:u.scheme])+"//"+name)
		l.longest = max(l.longest, len(name))
		rest, _, _ := strings.Cut(string(u.key[u.head:]), "&") // where the path of a text is cut, too
		for _, port := range []string{"", port} {
			_ = l.old.add(rule{old: "http://" + name + port + rest})
		}
	}
	if len(l.hosts) == 0 {
		return nil
	}
	for _, r := range t.rules {
		if u := l.in([]byte(r.new), false)(1 + strings.Index(r.new, "//")); u.host != "" {
			l.around = append(l.around, r.new[:u.start])
		}
	}
	l.new.index = map[string]int{}
	for _, r := range t.rules {
		_ = l.new.add(rule{old: r.new})
	}
	return l
}

// cutPort cuts a host before its port, which is "" if it is a default one.
func cutPort(host string) (name, port string) {
	i := strings.LastIndexByte(host, ':')
	if i < 0 || strings.HasSuffix(host, "]") {
		return host, ""
	}
	if port = host[i:]; port == ":80" || port == ":443" || port == ":" {
		port = ""
	}
	return host[:i], port
}

// spelling is how a text may spell the slashes and the colon of a URL, in lower case.
type spelling struct {
	slash, colon string
	before       int               // the bytes of two slashes before what is searched
	plain        *strings.Replacer // spells what follows the host as usual
}

// starts are the bytes that are searched, because text has few of them. The last ones are only searched after a host of
// Proofpoint, which writes http-3A__HOST.
var starts = [...]struct {
	text      string
	spellings []spelling
}{
	{"//", []spelling{{"/", ":", 0, strings.NewReplacer()}}},
	{`\`, []spelling{{`\\\/`, ":", 0, plain}, {`\/`, ":", 0, plain}, {`\u002f`, ":", 0, plain}}},
	{"%2", []spelling{{"%2f", "%3a", 0, plain}, {"%252f", "%253a", 0, plain}}},
	{";&#", []spelling{{"&#x2f;", "&#x3a;", len("&#x2f"), plain}, {"&#47;", "&#58;", len("&#47"), plain}}},
	{"3A__", []spelling{{"_", "-3a", -len("3A"), strings.NewReplacer("_", "/", "-3A", ":")}}},
}

var plain = strings.NewReplacer(`\\\/`, "/", `\/`, "/", `\u002f`, "/", `\u002F`, "/", "&#x2f;", "/", "&#x2F;", "/",
	"&#47;", "/", "&#x3a;", ":", "&#x3A;", ":", "&#58;", ":", "%2f", "/", "%2F", "/", "%3a", ":", "%3A", ":", "%3f",
	"?", "%3F", "?", "%23", "#", "%26", "&", "%252f", "/", "%252F", "/", "%253a", ":", "%253A", ":",
	"%253f", "?", "%253F", "?", "%2523", "#", "%2526", "&")

// In returns a function that returns the first old URL of a text from an offset on, from its scheme to the end of its
// host. If there is none, both are the length of the text. The offsets must not become smaller.
func (l *Left) In(text []byte) func(from int) (start, end int) {
	find := l.in(text, false)
	return func(from int) (start, end int) {
		u := find(from)
		return u.start, u.end
	}
}

func (l *Left) in(text []byte, defended bool) func(from int) url {
	const last = len(starts) - 1
	next := [...]int{-1, -1, -1, -1, last: len(text)} // where each of starts is
	if defended {
		next[last] = -1
	}
	return func(from int) url {
		for {
			first := firstOf(next[:], text, from)
			at := next[first]
			if at == len(text) {
				return url{start: at, end: at}
			}
			from = at + 1
			for i := range starts[first].spellings {
				s := &starts[first].spellings[i]
				begin := max(at-s.before, 0)
				host := begin + 2*len(s.slash)
				if !hasFold(text[begin:], s.slash) || !hasFold(text[begin+len(s.slash):], s.slash) {
					continue
				}
				if hasFold(text[host:], "urldefense.") && next[last] == len(text) {
					next[last] = 0
				}
				if u, ok := l.at(text, begin, host, s); ok {
					return u
				}
			}
		}
	}
}

// firstOf returns the index of the start that is next in a text, after it has found each that is before from.
func firstOf(next []int, text []byte, from int) (first int) {
	for i := range next {
		if next[i] < from {
			next[i] = indexFrom(text, starts[i].text, from)
		}
		if next[i] < next[first] {
			first = i
		}
	}
	return first
}

// indexFrom returns where a text has some bytes, from an offset on, or its length.
func indexFrom(text []byte, sep string, from int) int {
	t := text[from:]
	for sep == "//" && len(t) > 32 { // bytes.Index is slow for a byte that text often has
		w := (*[33]byte)(t)
		if slashes(w, 0)|slashes(w, 8)|slashes(w, 16)|slashes(w, 24) != 0 {
			break
		}
		t = t[32:]
	}
	if n := bytes.Index(t, []byte(sep)); n >= 0 {
		return len(text) - len(t) + n
	}
	return len(text)
}

// slashes is not 0 if two slashes begin at one of the 8 bytes from an offset on.
func slashes(text *[33]byte, at int) uint64 {
	const ones, high = 0x0101010101010101, 0x8080808080808080
	x := (binary.LittleEndian.Uint64(text[at:]) ^ '/'*ones) | (binary.LittleEndian.Uint64(text[at+1:]) ^ '/'*ones)
	return (x - ones) &^ x & high // whether a byte of x is zero
}

// url is a URL in a text.
type url struct {
	start, end         int    // from its scheme to the end of its host
	scheme, host, port string // in lower case; the scheme is "" if there is none
	user               string // "USER@" if there is one
}

// at returns the old URL with slashes in a text at an offset, and its host or a user at another one. ok is false if
// there is none.
func (l *Left) at(text []byte, at, begin int, s *spelling) (u url, ok bool) {
	head := text
	if s.slash == "_" {
		name, _, _ := bytes.Cut(text[begin:], []byte("_"))
		head = text[:begin+len(name)]
	}
	u.host, u.end = l.hostAt(head, begin)
	if user := userLen(head[begin:]); u.host == "" && user > 0 {
		u.host, u.end = l.hostAt(head, begin+user)
		u.user = "USER@"
	}
	if u.host == "" {
		return u, false
	}
	path := s.plain.Replace(string(text[u.end:min(len(text), u.end+8*max(len(l.old.lengths), len(l.new.lengths)))]))
	if n := strings.IndexAny(path, "&\\\"'<>` \t\r\n"); n >= 0 {
		path = path[:n]
	}
	if rest, ok := strings.CutPrefix(path, "."); ok && strings.HasPrefix(rest, "/") { // the root of the DNS
		u.port, path = ".", rest
	} else if strings.HasPrefix(path, ":") {
		n := len(path) - len(strings.TrimLeft(path[1:], "0123456789"))
		u.port, path = path[:n], path[n:]
	}
	if path = strings.TrimRight(path, ".,;:!)]}"); path != "" && strings.IndexByte("/?#", path[0]) < 0 {
		path = "" // what follows is not a part of the URL
	}
	_, port := cutPort(u.host + u.port)
	if _, _, ok = l.old.find([]byte("http://" + u.host + port + path)); !ok {
		return u, false
	}
	u.start, u.scheme = schemeBefore(text[:at], s.colon)
	for _, scheme := range []string{"http", "https"} {
		if u.scheme == scheme || u.scheme == "" {
			_, _, moved := l.new.find([]byte(scheme + "://" + u.host + u.port + path))
			ok = ok && !moved
		}
	}
	for _, around := range l.around {
		ok = ok && !bytes.HasSuffix(text[:u.start], []byte(around))
	}
	return u, ok
}

// hostAt returns the host of an OLD that is in a text at an offset, in A-labels, and its end. The host is "" if there
// is none.
func (l *Left) hostAt(text []byte, at int) (host string, end int) {
	const most = len("ö") * 2 // a U-label may be longer than its A-label
	end = at + hostLen(text[at:min(len(text), at+most*l.longest+2)])
	var buf [256]byte
	folded := append(buf[:0], text[at:end]...)
	lower(folded)
	if !isASCII(folded) {
		folded = inALabels(folded)
	}
	if len(folded) > l.longest || l.hosts[string(folded)] == "" {
		return "", end
	}
	return string(folded), end
}

func isASCII(text []byte) bool {
	return !bytes.ContainsFunc(text, func(r rune) bool { return r >= utf8.RuneSelf })
}

// Name returns the first OLD with a host, up to the host.
func (l *Left) Name(host string) string { return l.hosts[host] }

// Origin returns the scheme, the host and the port of the old URL at the start of a text, with "USER@" for any user,
// and the host.
func (l *Left) Origin(text []byte) (origin, host string) {
	u := l.in(text[:min(len(text), 1024)], true)(0)
	return strings.TrimPrefix(u.scheme+"://"+u.user+u.host+u.port, ":"), u.host
}

// hostLen returns the length of a host at the start of a text: letters and digits, and dots, hyphens and underscores
// with one after them, or an address in brackets.
func hostLen(text []byte) (n int) {
	if len(text) > 0 && text[0] == '[' {
		return bytes.IndexByte(text, ']') + 1
	}
	for i, c := range text {
		switch {
		case 'a' <= c|0x20 && c|0x20 <= 'z' || '0' <= c && c <= '9' || c >= utf8.RuneSelf:
			n = i + 1
		case c != '.' && c != '-' && c != '_' || n < i && !(c == '-' && i > 2 && hasFold(text[i-3:], "xn--")):
			return n
		}
	}
	return n
}

// userLen returns the length of a user and its "@" at the start of a text, or 0.
func userLen(text []byte) int {
	const longest = 64
	n := bytes.IndexByte(text[:min(len(text), longest)], '@')
	if n >= 0 && bytes.ContainsAny(text[:n], "/\\?#&=\"'<> \t\r\n") {
		return 0
	}
	return n + 1
}

// schemeBefore returns where the scheme at the end of a text begins, before a colon, and the scheme in lower case, or
// "".
func schemeBefore(text []byte, colon string) (from int, scheme string) {
	for _, c := range []string{colon, ":"} {
		if n := len(text) - len(c); n > 0 && hasFold(text[n:], c) {
			for from = n; from > 0 && n-from < 16 && hostLen(text[from-1:from]) > 0; {
				from--
			}
			return from, strings.ToLower(string(text[from:n]))
		}
	}
	return len(text), ""
}

func hasFold(text []byte, lower string) bool {
	return len(text) >= len(lower) && bytes.EqualFold(text[:len(lower)], []byte(lower))
}
