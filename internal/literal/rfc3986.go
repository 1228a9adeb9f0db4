package literal

import (
	"bytes"
	"strings"
)

// RFC3986 returns the URL of ref by RFC 3986, 5.2.2 to 5.3, in its strict form. base is an absolute URL. Both are text
// and may contain any bytes.
func RFC3986(base, ref string) string {
	b, r := parse3986(base), parse3986(ref)
	t := r
	switch {
	case r.scheme != "", r.authority != "":
		t.path = removeDotSegments(r.path)
	case r.path == "":
		t.path = b.path
		if r.query == "" {
			t.query = b.query
		}
	case r.path[0] == '/':
		t.path = removeDotSegments(r.path)
	case b.authority != "" && b.path == "":
		t.path = removeDotSegments("/" + r.path)
	default:
		t.path = removeDotSegments(b.path[:strings.LastIndex(b.path, "/")+1] + r.path)
	}
	if r.scheme == "" {
		t.scheme = b.scheme
		if r.authority == "" {
			t.authority = b.authority
		}
	}
	return t.scheme + t.authority + t.path + t.query + t.fragment
}

// uri3986 is a URI parsed by RFC 3986. The components have their delimiters, except the path, and "" is one that is not
// defined.
type uri3986 struct{ scheme, authority, path, query, fragment string }

func parse3986(s string) (u uri3986) {
	s, u.fragment = cut(s, "#")
	s, u.query = cut(s, "?")
	if before, _, ok := strings.Cut(s, ":"); ok && before != "" {
		const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
		if strings.Contains(letters, before[:1]) && strings.Trim(before, letters+"0123456789+-.") == "" {
			u.scheme, s = s[:len(before)+1], s[len(before)+1:]
		}
	}
	if strings.HasPrefix(s, "//") {
		end := len(s)
		if i := strings.Index(s[2:], "/"); i >= 0 {
			end = 2 + i
		}
		u.authority, s = s[:end], s[end:]
	}
	u.path = s
	return u
}

// removeDotSegments is RFC 3986, 5.2.4.
func removeDotSegments(in string) string {
	var out []byte
	for in != "" {
		switch {
		case strings.HasPrefix(in, "../"): // A
			in = in[3:]
		case strings.HasPrefix(in, "./"):
			in = in[2:]
		case strings.HasPrefix(in, "/./"): // B
			in = in[2:]
		case in == "/.":
			in = "/"
		case strings.HasPrefix(in, "/../"), in == "/..": // C
			if in = in[3:]; in == "" {
				in = "/"
			}
			out = out[:max(0, bytes.LastIndexByte(out, '/'))]
		case in == ".", in == "..": // D
			in = ""
		default: // E
			n := len(in)
			if i := strings.Index(in[1:], "/"); i >= 0 {
				n = i + 1
			}
			out, in = append(out, in[:n]...), in[n:]
		}
	}
	return string(out)
}
