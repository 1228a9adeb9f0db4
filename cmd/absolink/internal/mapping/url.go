package mapping

import (
	"bytes"
	"fmt"
	"strings"

	"absolink/resolve"
)

// parts is an absolute URL, cut where an OLD may end. The offsets are in key:
//
//	http://user@host:80/a/b?q#f
//	                   |   | |
//	                   |   | `-- query
//	                   |   `---- path
//	                   `-------- head
type parts struct {
	key   []byte // the URL, with the scheme and the host in lower case
	head  int    // the end of the scheme and the authority
	path  int    // the end of the path
	query int    // the end of the query
	host  bool   // there is an authority
}

// split cuts a URL. The key is url itself unless a letter changes case.
func split(url []byte) parts {
	u := parts{key: url, query: len(url)}
	if i := bytes.IndexByte(url, '#'); i >= 0 {
		u.query = i
	}
	u.path = u.query
	if i := bytes.IndexByte(url[:u.query], '?'); i >= 0 {
		u.path = i
	}
	scheme := bytes.IndexByte(url[:u.path], ':')
	u.head = scheme + 1
	host := u.head
	if bytes.HasPrefix(url[u.head:u.path], []byte("//")) {
		u.host = true
		u.head += len("//")
		if i := bytes.IndexByte(url[u.head:u.path], '/'); i >= 0 {
			u.head += i
		} else {
			u.head = u.path
		}
		host += len("//") + bytes.LastIndexByte(url[host+len("//"):u.head], '@') + 1
	}
	if bytes.ContainsAny(url[:scheme+1], upper) || bytes.ContainsAny(url[host:u.head], upper) {
		u.key = bytes.Clone(url)
		lower(u.key[:scheme+1])
		lower(u.key[host:u.head])
	}
	return u
}

const upper = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"

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
	if rest == "" {
		return fmt.Errorf("%s %q is only a scheme; write the rest of the URL, too", name, url)
	}
	return nil
}
