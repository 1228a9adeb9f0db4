package mapping

import (
	"bytes"
	"encoding/binary"
	"math/bits"
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
	l := &Left{hosts: map[string]string{}, old: &Table{index: map[string]int{}}, new: &Table{index: map[string]int{}}}
	for _, r := range t.rules {
		if u := split([]byte(r.old), len(r.old)*2); u.authority && u.host < u.head {
			name, port := cutPort(string(u.key[u.host:u.head]))
			if l.hosts[name] == "" {
				l.hosts[name] = string(u.key[:u.scheme]) + "//" + name
			}
			rest := string(u.key[u.head:])
			_ = l.old.add(rule{old: "http://" + name + rest})
			if port != "" {
				_ = l.old.add(rule{old: "http://" + name + port + rest})
			}
		}
		_ = l.new.add(rule{old: r.new})
	}
	for name := range l.hosts {
		l.longest = max(l.longest, len(name))
	}
	for _, r := range t.rules {
		all := &Left{hosts: l.hosts, longest: l.longest, old: l.old, new: &Table{}}
		if u, found := all.in([]byte(r.new))(1+strings.Index(r.new, "//"), len(r.new)); found {
			l.around = append(l.around, r.new[:u.start])
		}
	}
	if len(l.hosts) == 0 {
		return nil
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

// spelling is how a text may spell a URL. The slash and the colon are in lower case.
type spelling struct {
	slash, colon string
	plain        *strings.Replacer // spells what follows the host as usual
}

// starts are what two slashes in the spellings start with.
var starts = [...]struct {
	text      string
	spellings []spelling
}{
	{"//", []spelling{{"/", ":", strings.NewReplacer()}}},
	{`\`, []spelling{
		{`\\\/`, ":", strings.NewReplacer(`\\\/`, "/")},
		{`\/`, ":", strings.NewReplacer(`\/`, "/")},
		{`\u002f`, ":", strings.NewReplacer(`\u002f`, "/", `\u002F`, "/")},
	}},
	{"%2", []spelling{{"%2f", "%3a", escapes("%")}, {"%252f", "%253a", escapes("%25")}}},
	{"&#", []spelling{
		{"&#x2f;", "&#x3a;", strings.NewReplacer("&#x2f;", "/", "&#x2F;", "/", "&#x3a;", ":", "&#x3A;", ":")},
		{"&#47;", "&#58;", strings.NewReplacer("&#47;", "/", "&#58;", ":")},
	}},
	{"__", []spelling{{"_", "-3a", strings.NewReplacer("_", "/", "-3A", ":", "-3a", ":")}}}, // of urldefense
}

func escapes(percent string) *strings.Replacer {
	var all []string
	for _, e := range []string{"2F/", "2f/", "3A:", "3a:", "3F?", "3f?", "23#", "26&"} {
		all = append(all, percent+e[:2], e[2:])
	}
	return strings.NewReplacer(all...)
}

// In returns a function that returns the first old URL whose slashes are in a part of a text, from its scheme to the
// end of its host, or a negative number. The parts must follow each other.
func (l *Left) In(text []byte) func(from, to int) (start, end int) {
	find := l.in(text)
	return func(from, to int) (start, end int) {
		if u, ok := find(from, to); ok {
			return u.start, u.end
		}
		return -1, -1
	}
}

func (l *Left) in(text []byte) func(from, to int) (url, bool) {
	var next [len(starts)]int // where each of starts is
	for i := range next {
		next[i] = indexFrom(text, i, 0)
	}
	nearest := 0
	return func(from, to int) (u url, ok bool) {
		for !ok && nearest < to {
			nearest = len(text)
			first := 0
			for i := range next {
				if next[i] < from {
					next[i] = indexFrom(text, i, from)
				}
				if next[i] < nearest {
					first, nearest = i, next[i]
				}
			}
			if nearest >= to {
				break
			}
			at := nearest
			from = at + 1
			for i := range starts[first].spellings {
				if u, ok = l.at(text, at, &starts[first].spellings[i]); ok {
					break
				}
			}
		}
		return u, ok
	}
}

// indexFrom returns where one of starts is, from an offset on.
func indexFrom(text []byte, i, from int) (n int) {
	switch start := starts[i].text; start {
	case "//", "&#":
		n = indexPair(text[from:], start[0], start[1])
	default:
		n = bytes.Index(text[from:], []byte(start))
	}
	if n < 0 {
		return len(text)
	}
	return from + n
}

// indexPair is like bytes.Index for two bytes, and fast even if the text often has the first of them.
func indexPair(text []byte, a, b byte) int {
	const ones, high, low = 0x0101010101010101, 0x8080808080808080, 0x7F7F7F7F7F7F7F7F
	i, first, second := 0, ones*uint64(a), ones*uint64(b)
	for ; i+9 <= len(text); i += 8 {
		x := (binary.LittleEndian.Uint64(text[i:]) ^ first) | (binary.LittleEndian.Uint64(text[i+1:]) ^ second)
		if m := ^((x&low + low) | x | low); m&high != 0 { // a byte of x is zero
			return i + bits.TrailingZeros64(m)/8
		}
	}
	if n := bytes.Index(text[i:], []byte{a, b}); n >= 0 {
		return i + n
	}
	return -1
}

// url is a URL in a text.
type url struct {
	start, end         int    // from its scheme to the end of its host
	scheme, host, port string // in lower case; the scheme is "" if there is none
}

// at returns the old URL whose slashes are in a text at an offset, in a spelling. ok is false if there is none.
func (l *Left) at(text []byte, at int, s *spelling) (u url, ok bool) {
	if !hasFold(text[at:], s.slash) || !hasFold(text[at+len(s.slash):], s.slash) {
		return u, false
	}
	begin := at + 2*len(s.slash)
	if u.host, u.end = l.hostAt(text, begin); u.host == "" {
		user := userEnd(text[begin:min(len(text), begin+longestUser)])
		if user > 0 {
			u.host, u.end = l.hostAt(text, begin+user)
		}
		if u.host == "" {
			return u, false
		}
	}
	path := s.plain.Replace(string(text[u.end:min(len(text), u.end+8*max(len(l.old.lengths), len(l.new.lengths)))]))
	if n := strings.IndexAny(path, "&\\\"'<>` \t\r\n"); n >= 0 {
		path = path[:n]
	}
	if strings.HasPrefix(path, ":") {
		n := len(path) - len(strings.TrimLeft(path[1:], "0123456789"))
		u.port, path = path[:n], path[n:]
	}
	if path = strings.TrimRight(path, ".,;:!)]}"); path != "" && strings.IndexByte("/?#", path[0]) < 0 {
		path = "" // what follows is not a part of the URL
	}
	u.start, u.scheme = schemeBefore(text[:at], s.colon)
	_, port := cutPort(u.host + u.port)
	if _, _, ok = l.old.find([]byte("http://" + u.host + port + path)); !ok {
		return u, false
	}
	for _, scheme := range []string{"http", "https"} {
		if u.scheme == scheme || u.scheme == "" {
			_, _, moved := l.new.find([]byte(scheme + "://" + u.host + u.port + path))
			ok = ok && !moved
		}
	}
	for _, around := range l.around {
		ok = ok && !(bytes.HasSuffix(text[:u.start], []byte(around)))
	}
	return u, ok
}

// hostAt returns the host of an OLD that is in a text at an offset, in A-labels, and its end. The host is "" if there
// is none.
func (l *Left) hostAt(text []byte, at int) (host string, end int) {
	const most = len("ö") * 2 // a U-label may be longer than its A-label
	end = at + hostEnd(text[at:min(len(text), at+most*l.longest+2)])
	var buf [256]byte
	folded := append(buf[:0], text[at:end]...)
	lower(folded)
	if !ascii(folded) {
		folded = inALabels(folded)
	}
	if len(folded) > l.longest || l.hosts[string(folded)] == "" {
		return "", end
	}
	return string(folded), end
}

func ascii(text []byte) bool {
	return !bytes.ContainsFunc(text, func(r rune) bool { return r >= utf8.RuneSelf })
}

// Name returns the first OLD with a host, up to the host.
func (l *Left) Name(host string) string { return l.hosts[host] }

// Origin returns the scheme, the host and the port of the old URL at the start of a text, and the host.
func (l *Left) Origin(text []byte) (origin, host string) {
	u, _ := l.in(text)(0, len(text))
	if origin = "//" + u.host + u.port; u.scheme != "" {
		origin = u.scheme + ":" + origin
	}
	return origin, u.host
}

const longestUser = 64

// hostEnd returns the length of a host at the start of a text: letters and digits, and dots and hyphens with one after
// them.
func hostEnd(text []byte) int {
	end := 0
	for i, c := range text {
		switch {
		case 'a' <= c|0x20 && c|0x20 <= 'z' || '0' <= c && c <= '9' || c >= utf8.RuneSelf:
			end = i + 1
		case c != '.' && c != '-' || end < i && !(c == '-' && i > 2 && hasFold(text[i-3:], "xn--")):
			return end
		}
	}
	return end
}

// userEnd returns the offset after the "@" of a user at the start of a text, or 0.
func userEnd(text []byte) int {
	for i, c := range text {
		if c == '@' {
			return i + 1
		}
		if hostEnd(text[i:i+1]) == 0 && strings.IndexByte("-._~:%+!$*", c) < 0 {
			break
		}
	}
	return 0
}

// schemeBefore returns where the scheme at the end of a text begins, before a colon, and the scheme in lower case, or
// "".
func schemeBefore(text []byte, colon string) (from int, scheme string) {
	for _, c := range []string{colon, ":"} {
		n := len(text) - len(c)
		if n < 0 || !hasFold(text[n:], c) {
			continue
		}
		from = n
		for from > 0 && n-from < 16 && hostEnd(text[from-1:from]) > 0 {
			from--
		}
		if from < n {
			return from, strings.ToLower(string(text[from:n]))
		}
	}
	return len(text), ""
}

func hasFold(text []byte, lower string) bool {
	return len(text) >= len(lower) && strings.EqualFold(string(text[:len(lower)]), lower)
}
