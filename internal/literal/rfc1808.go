// This file is RFC 1808, sections 2.4 and 4, with two rules that the text does not have:
//
//   - Step 7 writes the delimiter of an empty component that the reference has and does not inherit. So "x?#s" is
//     ".../x?#s".
//   - A base without a path gets a slash before a relative path: the form in section 2.1 has a slash there.

package literal

import "strings"

// RFC1808 returns the URL of ref by RFC 1808. base is an absolute URL. Both are text, and may contain any bytes.
func RFC1808(base, ref string) string {
	if ref == "" { // Step 2 a
		return base
	}
	r := parse1808(ref)
	if r.scheme != "" { // Step 2 b
		return ref
	}
	b := parse1808(base)
	r.scheme = b.scheme
	if r.netLoc != "" { // Step 3
		return r.recombine()
	}
	r.netLoc, r.hasNetLoc = b.netLoc, b.hasNetLoc
	switch {
	case r.slash: // Step 4
	case r.path == "": // Step 5
		r.slash, r.path = b.slash, b.path
		if r.params.text == "" { // a
			r.params.inherit(b.params)
			if r.query.text == "" { // b
				r.query.inherit(b.query)
			}
		}
	default: // Step 6
		r.slash = b.slash || b.path == "" && b.hasNetLoc
		r.path = withoutDots1808(b.path[:strings.LastIndex(b.path, "/")+1] + r.path)
	}
	return r.recombine()
}

// withoutDots1808 is step 6, a to d.
func withoutDots1808(path string) string {
	segments := strings.Split(path, "/")
	last := len(segments) - 1
	var kept []string
	for i, s := range segments {
		switch {
		case s == "." && i < last: // a: "./" is removed
		case s == ".": // b: "." at the end is removed
			kept = append(kept, "")
		default:
			kept = append(kept, s)
		}
	}
	// c removes the leftmost "<segment>/../" until there is none. Each removal leaves the segments before it unchanged,
	// and they had no match. So the search continues with the segment before the removed ones.
	segments, kept = kept, nil
	last = len(segments) - 1
	for i, s := range segments {
		n := len(kept)
		switch {
		case s != ".." || n == 0 || kept[n-1] == "..":
			kept = append(kept, s)
		case i < last:
			kept = kept[:n-1]
		default: // d: "<segment>/.." at the end is removed
			kept[n-1] = ""
		}
	}
	return strings.Join(kept, "/")
}

// url1808 is a URL parsed by section 2.4. slash reports whether there is a slash before the path: it is not part of the path
// (2.4.6).
type url1808 struct {
	scheme, netLoc, path    string
	params, query, fragment component
	hasNetLoc, slash        bool
}

// component is the text after a delimiter.
type component struct {
	text  string
	given bool // the URL has the delimiter
}

// inherit sets the component to that of the base, unless that is empty.
func (c *component) inherit(base component) {
	if base.text != "" {
		*c = base
	}
}

func parse1808(s string) (u url1808) {
	s, u.fragment = cut(s, "#")            // 2.4.1
	if i := strings.Index(s, ":"); i > 0 { // 2.4.2
		const allowed = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+.-"
		if strings.Trim(s[:i], allowed) == "" {
			u.scheme, s = s[:i], s[i+1:]
		}
	}
	if strings.HasPrefix(s, "//") { // 2.4.3
		u.hasNetLoc = true
		u.netLoc, s = s[2:], ""
		if i := strings.Index(u.netLoc, "/"); i >= 0 {
			u.netLoc, s = u.netLoc[:i], u.netLoc[i:]
		}
	}
	s, u.query = cut(s, "?")            // 2.4.4
	s, u.params = cut(s, ";")           // 2.4.5
	u.path = strings.TrimPrefix(s, "/") // 2.4.6
	u.slash = s != u.path
	return u
}

// cut returns the text before the delimiter, and the component after it.
func cut(s, delimiter string) (before string, c component) {
	before, c.text, c.given = strings.Cut(s, delimiter)
	return before, c
}

// recombine is step 7.
func (u url1808) recombine() string {
	var s strings.Builder
	s.WriteString(u.scheme + ":")
	if u.hasNetLoc {
		s.WriteString("//" + u.netLoc)
	}
	if u.slash {
		s.WriteString("/")
	}
	s.WriteString(u.path)
	for _, part := range []struct {
		delimiter string
		component
	}{{";", u.params}, {"?", u.query}, {"#", u.fragment}} {
		if part.given {
			s.WriteString(part.delimiter + part.text)
		}
	}
	return s.String()
}
