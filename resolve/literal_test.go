package resolve

import (
	"strings"
)

// literal1808 follows the text of RFC 1808, 4 step by step, with strings and repeated searches. It is slow, and easy to
// compare with the text.
func literal1808(base, ref string) string {
	b, r := literalParse1808(base), literalParse1808(ref)
	empty := r
	empty.hasNetLoc = false // "//" is entirely empty, too
	switch {                // Step 2
	case empty == literalURL{}:
		return base
	case r.scheme != "":
		return ref
	}
	r.scheme = b.scheme
	if r.netLoc != "" { // Step 3
		return r.recombine()
	}
	r.netLoc, r.hasNetLoc = b.netLoc, b.hasNetLoc
	switch {
	case r.slash: // Step 4
		return r.recombine()
	case r.path == "": // Step 5
		r.slash, r.path = b.slash, b.path
		if r.params == "" {
			r.params = b.params
			if r.query == "" {
				r.query = b.query
			}
		}
		return r.recombine()
	}
	// Step 6
	r.slash = b.slash || b.path == "" && b.hasNetLoc
	path := b.path[:strings.LastIndex(b.path, "/")+1] + r.path
	for { // a
		before := path
		path = strings.TrimPrefix(path, "./")
		path = strings.Replace(path, "/./", "/", 1)
		if path == before {
			break
		}
	}
	if path == "." || strings.HasSuffix(path, "/.") { // b
		path = path[:len(path)-1]
	}
	for { // c
		segments := strings.Split(path, "/")
		at := -1
		for i := range segments {
			// "<segment>/../" ends with a slash, so ".." is not the last segment.
			if segments[i] != ".." && i+2 < len(segments) && segments[i+1] == ".." {
				at = i
				break
			}
		}
		if at < 0 {
			break
		}
		path = strings.Join(append(segments[:at:at], segments[at+2:]...), "/")
	}
	segments := strings.Split(path, "/") // d
	if n := len(segments); n >= 2 && segments[n-1] == ".." && segments[n-2] != ".." {
		path = strings.Join(append(segments[:n-2:n-2], ""), "/")
	}
	r.path = path
	return r.recombine()
}

// literalURL is a URL parsed by RFC 1808, 2.4. An absent component is empty, and hasNetLoc marks an empty net_loc. slash
// is the slash before the path, which is not part of the path (2.4.6).
type literalURL struct {
	scheme, netLoc, path, params, query, fragment string
	hasNetLoc, slash                              bool
}

func literalParse1808(s string) (u literalURL) {
	s, u.fragment, _ = strings.Cut(s, "#")
	if i := strings.Index(s, ":"); i > 0 {
		const allowed = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+.-"
		if strings.Trim(s[:i], allowed) == "" {
			u.scheme, s = s[:i], s[i+1:]
		}
	}
	if strings.HasPrefix(s, "//") {
		u.netLoc, s = s[2:], ""
		if i := strings.Index(u.netLoc, "/"); i >= 0 {
			u.netLoc, s = u.netLoc[:i], u.netLoc[i:]
		}
		u.hasNetLoc = true
	}
	s, u.query, _ = strings.Cut(s, "?")
	s, u.params, _ = strings.Cut(s, ";")
	u.path = strings.TrimPrefix(s, "/")
	u.slash = s != u.path
	return u
}

// recombine is RFC 1808, 4, step 7.
func (u literalURL) recombine() string {
	s := u.scheme + ":"
	if u.hasNetLoc {
		s += "//" + u.netLoc
	}
	if u.slash {
		s += "/"
	}
	s += u.path
	if u.params != "" {
		s += ";" + u.params
	}
	if u.query != "" {
		s += "?" + u.query
	}
	if u.fragment != "" {
		s += "#" + u.fragment
	}
	return s
}

// literal3986 follows the pseudocode of RFC 3986, 5.2.2 to 5.3, step by step.
func literal3986(base, ref string) string {
	b, r := literalParse3986(base), literalParse3986(ref)
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

// literalURI is a URI parsed by RFC 3986. A component that is not defined is nil.
type literalURI struct {
	scheme, authority, query, fragment *string
	path                               string
}

func literalParse3986(s string) (u literalURI) {
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
	out := ""
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
			in = "/" + strings.TrimPrefix(in[3:], "/")
			out = out[:max(0, strings.LastIndex(out, "/"))]
		case in == ".", in == "..": // D
			in = ""
		default: // E
			n := len(in)
			if i := strings.Index(in[1:], "/"); i >= 0 {
				n = i + 1
			}
			out, in = out+in[:n], in[n:]
		}
	}
	return out
}
