package mapping

import (
	"bytes"
	"encoding/hex"
	"fmt"
	"strings"
	"unicode/utf8"

	"absolink/resolve"
)

// parts is an absolute URL, cut where an OLD may end. The offsets are in key:
//
//	http://user@host:8080/a/b?q#f
//	     |      |        |   | |
//	     |      |        |   | `-- query
//	     |      |        |   `---- path
//	     |      |        `-------- head
//	     |      `----------------- host
//	     `------------------------ scheme
type parts struct {
	key    []byte // the URL in its common spelling
	scheme int    // the end of the scheme and its colon
	host   int    // the start of the host; the end of the scheme if there is no authority
	head   int    // the end of the scheme and the authority
	path   int    // the end of the path
	query  int    // the end of the query

	authority bool
	respelled bool // the key has another length than the URL
	spelled   int  // the head in the URL, if respelled
}

// split cuts the common spelling of a URL, up to a length of it. The key is a part of url itself if it has this
// spelling.
func split(url []byte, most int) parts {
	u := partsOf(url[:min(len(url), most)])
	folds, other := false, bytes.IndexByte(u.key, '%') >= 0
	for i, c := range u.key[:u.head] {
		switch {
		case 'a' <= c && c <= 'z':
		case 'A' <= c && c <= 'Z':
			folds = true
		case c == ':' && i >= u.scheme || c >= utf8.RuneSelf:
			other = true
		}
	}
	if other {
		key, spelled := common(url)
		u = partsOf(key[:min(len(key), most)])
		u.respelled, u.spelled = true, spelled
	} else if folds {
		u.key = bytes.Clone(u.key)
		lower(u.key[:u.scheme])
		lower(u.key[u.host:u.head])
	}
	return u
}

// partsOf cuts a URL as it is spelled.
func partsOf(url []byte) parts {
	u := parts{key: url, query: len(url)}
	if i := bytes.IndexByte(url, '#'); i >= 0 {
		u.query = i
	}
	u.path = u.query
	if i := bytes.IndexByte(url[:u.query], '?'); i >= 0 {
		u.path = i
	}
	u.scheme = bytes.IndexByte(url[:u.path], ':') + 1
	u.head, u.host = u.scheme, u.scheme
	if bytes.HasPrefix(url[u.head:u.path], []byte("//")) {
		u.authority = true
		u.head += len("//")
		u.host = u.head
		if i := bytes.IndexByte(url[u.head:u.path], '/'); i >= 0 {
			u.head += i
		} else {
			u.head = u.path
		}
		u.host += bytes.LastIndexByte(url[u.host:u.head], '@') + 1
	}
	return u
}

// common returns the common spelling of a URL: the scheme and the host in lower case, the host in A-labels, without the
// default or an empty port, and without escapes of unreserved characters (RFC 3986, 6.2.2 and 6.2.3). spelled is the
// head in the URL.
func common(url []byte) (key []byte, spelled int) {
	u := partsOf(url)
	key = make([]byte, 0, len(url))
	key = append(key, url[:u.scheme]...)
	lower(key)
	port, special := defaultPorts[string(key)]
	key = unescaped(key, url[u.scheme:u.host])
	at := len(key)
	key = unescaped(key, url[u.host:u.head])
	lower(key[at:])
	if i := at + bytes.LastIndexByte(key[at:], ':'); u.authority && i >= at &&
		(i+1 == len(key) || string(key[i+1:]) == port) {
		key = key[:i]
	}
	if special {
		key = append(key[:at], inALabels(key[at:])...)
	}
	return unescaped(key, url[u.head:]), u.head
}

var defaultPorts = map[string]string{"http:": "80", "https:": "443", "ws:": "80", "wss:": "443", "ftp:": "21"}

// inALabels returns a host, with a port or without, in A-labels.
func inALabels(host []byte) []byte {
	name, port := host, []byte(nil)
	if i := bytes.LastIndexByte(host, ':'); i >= 0 {
		name, port = host[:i], host[i:]
	}
	if !isASCII(name) {
		b, err := resolve.WHATWG.Base("http://" + string(name))
		if err != nil {
			return host
		}
		if s := strings.TrimPrefix(b.String(), "http://"); strings.IndexByte(s, '/') == len(s)-1 {
			return append([]byte(s[:len(s)-1]), port...)
		}
	}
	return host
}

// unescaped appends text without the escapes of unreserved characters.
func unescaped(dst, text []byte) []byte {
	for len(text) > 0 {
		c, n := first(text)
		dst, text = append(dst, c), text[n:]
	}
	return dst
}

// first returns the first character of a text that is not empty, and the length of its spelling, which may be an
// escape.
func first(text []byte) (c byte, n int) {
	if text[0] == '%' && len(text) > 2 {
		var b [1]byte
		_, err := hex.Decode(b[:], text[1:3])
		if c = b[0]; err == nil &&
			('a' <= c|0x20 && c|0x20 <= 'z' || '0' <= c && c <= '9' || strings.IndexByte("-._~", c) >= 0) {
			return c, 3
		}
	}
	return text[0], 1
}

// in returns the offset in the URL of one in the key, which is not before the head.
func (u *parts) in(url []byte, offset int) int {
	if !u.respelled {
		return offset
	}
	at := u.spelled
	for range offset - u.head {
		_, n := first(url[at:])
		at += n
	}
	return at
}

func lower(text []byte) {
	for i, c := range text {
		if 'A' <= c && c <= 'Z' {
			text[i] = c + 'a' - 'A'
		}
	}
}

// schemeEnd returns the offset after the scheme and its colon at the start of text, or 0 (RFC 3986, 3.1).
func schemeEnd(text string) int {
	for i := range len(text) {
		switch c := text[i]; {
		case 'a' <= c|0x20 && c|0x20 <= 'z':
		case i > 0 && ('0' <= c && c <= '9' || c == '+' || c == '-' || c == '.'):
		case i > 0 && c == ':':
			return i + 1
		default:
			return 0
		}
	}
	return 0
}

// check returns an error unless OLD and NEW are absolute URLs, and NEW is valid.
func check(old, new string) error {
	if err := checkAbsolute("OLD", old); err != nil {
		return err
	}
	if err := checkAbsolute("NEW", new); err != nil {
		return err
	}
	if strings.HasSuffix(old, " ") {
		return fmt.Errorf("OLD %q ends in a space; remove it", old)
	}
	if strings.Contains(new, " ") {
		return fmt.Errorf("NEW %q has a space; write it as %%20", new)
	}
	if _, err := resolve.WHATWG.Base(new); err != nil {
		return fmt.Errorf("NEW %q is not a valid URL; look at its host and port", new)
	}
	return nil
}

// checkAbsolute returns an error if url has no scheme, or nothing after it, or needs a host and has none.
func checkAbsolute(name, url string) error {
	end := schemeEnd(url)
	if end == 0 {
		return fmt.Errorf("%s %q is not an absolute URL; write the scheme, too, as in http://example.org/", name, url)
	}
	if strings.ContainsFunc(url, func(r rune) bool { return r < ' ' || r == 0x7F }) {
		return fmt.Errorf("%s %q has a control character; remove it", name, url)
	}
	rest, authority := strings.CutPrefix(url[end:], "//")
	switch strings.ToLower(url[:end]) {
	case "http:", "https:", "ws:", "wss:", "ftp:":
		if !authority || rest == "" || strings.ContainsRune("/?#", rune(rest[0])) {
			return fmt.Errorf("%s %q has no host; write the host, as in http://example.org/", name, url)
		}
	}
	if host, _, _ := strings.Cut(rest, "/"); authority && strings.Contains(host, "*") {
		return fmt.Errorf("%s %q: * is no wildcard, and matches only itself; write a rule for each host", name, url)
	}
	if rest == "" {
		return fmt.Errorf("%s %q is only a scheme; write the rest of the URL, too", name, url)
	}
	return nil
}
