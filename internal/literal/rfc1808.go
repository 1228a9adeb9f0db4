// Package literal has the algorithms of RFC 1808 and RFC 3986 step by step. They are slower than those of package
// resolve, share no code with them, and are easy to compare with the text of the RFCs. The command uses them for
// --verify, and the tests of package resolve compare their results. Both take linear time.
//
//	RFC1808("http://a/b/c/d;p?q", ";x")   "http://a/b/c/d;x"
//	RFC3986("http://a/b/c/d;p?q", ";x")   "http://a/b/c/;x"
package literal

import "strings"

// RFC1808 returns the URL of ref by RFC 1808, sections 2.4 and 4. base is an absolute URL. Both are text and may
// contain any bytes. Two rules are not in the text of the RFC:
//
//   - Step 7 writes the delimiter of an empty component that the reference has and does not inherit:
//     "x?#s" becomes ".../x?#s".
//   - A base without a path gets a slash before a relative path, because the form in section 2.1 has a slash there.
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
	if len(r.netLoc) > len("//") { // Step 3
		return r.recombine()
	}
	r.netLoc = b.netLoc
	switch {
	case r.slash != "": // Step 4
	case r.path == "": // Step 5
		r.slash, r.path = b.slash, b.path
		if len(r.params) <= len(";") { // a
			r.params = inherited(r.params, b.params)
			if len(r.query) <= len("?") { // b
				r.query = inherited(r.query, b.query)
			}
		}
	default: // Step 6
		if r.slash = b.slash; b.path == "" && b.netLoc != "" {
			r.slash = "/"
		}
		r.path = withoutDots1808(b.path[:strings.LastIndex(b.path, "/")+1] + r.path)
	}
	return r.recombine()
}

// inherited returns a component of the base or, if that is empty, own.
func inherited(own, base string) string {
	if len(base) > 1 {
		return base
	}
	return own
}

// withoutDots1808 is step 6, a to d.
func withoutDots1808(path string) string {
	// c removes the leftmost "<segment>/../" until there is none. A removal does not change the segments before it,
	// which had no match, so the search continues with the last of them.
	segments := strings.Split(path, "/")
	var kept []string
	for i, s := range segments {
		n, last := len(kept), i == len(segments)-1
		switch {
		case s == "." && !last: // a: "./" is removed
		case s == ".": // b: "." at the end is removed
			kept = append(kept, "")
		case s != ".." || n == 0 || kept[n-1] == "..":
			kept = append(kept, s)
		case !last:
			kept = kept[:n-1]
		default: // d: "<segment>/.." at the end is removed
			kept[n-1] = ""
		}
	}
	return strings.Join(kept, "/")
}

// url1808 is a URL parsed by section 2.4. The components have their delimiters, except the scheme and the path, and ""
// is a component that the URL does not have. The slash before the path is not part of it (2.4.6).
type url1808 struct{ scheme, netLoc, slash, path, params, query, fragment string }

func parse1808(s string) (u url1808) {
	s, u.fragment = cut(s, "#")            // 2.4.1
	if i := strings.Index(s, ":"); i > 0 { // 2.4.2
		const allowed = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+.-"
		if strings.Trim(s[:i], allowed) == "" {
			u.scheme, s = s[:i], s[i+1:]
		}
	}
	if strings.HasPrefix(s, "//") { // 2.4.3
		end := len(s)
		if i := strings.Index(s[2:], "/"); i >= 0 {
			end = 2 + i
		}
		u.netLoc, s = s[:end], s[end:]
	}
	s, u.query = cut(s, "?")            // 2.4.4
	s, u.params = cut(s, ";")           // 2.4.5
	u.path = strings.TrimPrefix(s, "/") // 2.4.6
	u.slash = s[:len(s)-len(u.path)]
	return u
}

// cut is strings.Cut, but the delimiter stays with the rest.
func cut(s, delimiter string) (before, rest string) {
	before, _, _ = strings.Cut(s, delimiter)
	return before, s[len(before):]
}

// recombine is step 7.
func (u url1808) recombine() string {
	return u.scheme + ":" + u.netLoc + u.slash + u.path + u.params + u.query + u.fragment
}
