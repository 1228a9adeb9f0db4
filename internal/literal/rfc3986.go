// This file is the pseudocode of RFC 3986, section 5.2.

package literal

import (
	"bytes"
	"strings"
)

// RFC3986 returns the URL of ref by RFC 3986, 5.2.2 to 5.3, in its strict form. base is an absolute URL. Both are text,
// and may contain any bytes.
func RFC3986(base, ref string) string {
	b, r := parse3986(base), parse3986(ref)
	t := r
	switch {
	case r.scheme != nil, r.authority != nil:
		t.path = removeDotSegments(r.path)
	case r.path == "":
		t.path = b.path
		if r.query == nil {
			t.query = b.query
		}
	case r.path[0] == '/':
		t.path = removeDotSegments(r.path)
	case b.authority != nil && b.path == "":
		t.path = removeDotSegments("/" + r.path)
	default:
		t.path = removeDotSegments(b.path[:strings.LastIndex(b.path, "/")+1] + r.path)
	}
	if r.scheme == nil {
		t.scheme = b.scheme
		if r.authority == nil {
			t.authority = b.authority
		}
	}
	result := *t.scheme + ":"
	if t.authority != nil {
		result += "//" + *t.authority
	}
	result += t.path
	if t.query != nil {
		result += "?" + *t.query
	}
	if t.fragment != nil {
		result += "#" + *t.fragment
	}
	return result
}

// uri3986 is a URI parsed by RFC 3986. A component that is not defined is nil.
type uri3986 struct {
	scheme, authority, query, fragment *string
	path                               string
}

func parse3986(s string) (u uri3986) {
	if before, after, ok := strings.Cut(s, "#"); ok {
		s, u.fragment = before, &after
	}
	if before, after, ok := strings.Cut(s, "?"); ok {
		s, u.query = before, &after
	}
	if before, after, ok := strings.Cut(s, ":"); ok && before != "" {
		const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
		if strings.Contains(letters, before[:1]) && strings.Trim(before, letters+"0123456789+-.") == "" {
			s, u.scheme = after, &before
		}
	}
	if strings.HasPrefix(s, "//") {
		authority := s[2:]
		if i := strings.Index(authority, "/"); i >= 0 {
			authority = authority[:i]
		}
		s, u.authority = s[2+len(authority):], &authority
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
