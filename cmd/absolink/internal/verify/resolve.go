// The meaning of a link, by resolvers that absolink does not use.

package verify

import (
	"errors"
	"strings"

	whatwg "github.com/nlnwa/whatwg-url/url"

	"absolink/internal/literal"
)

// Rule is a rule of --map: Old at the start of a URL becomes New.
type Rule struct{ Old, New string }

// errUnable means that the other parser does not know the base. errNone means that the reference has no URL.
var (
	errUnable = errors.New("the other parser does not find the base URL")
	errNone   = errors.New("the reference has no URL")
)

var scheme = pattern(`^[A-Za-z][A-Za-z0-9+.\-]*:`)

// resolve returns the absolute URL of a reference.
func (c *Config) resolve(ref string, b base) (string, error) {
	if c.Standard == "whatwg" {
		return resolveWHATWG(ref, b)
	}
	switch {
	case c.isAbsolute(ref):
	case b.unsure:
		return "", errUnable
	case b.url == "":
		return "", errNone
	}
	if c.Standard == "rfc1808" {
		return literal.RFC1808(b.url, ref), nil
	}
	return literal.RFC3986(b.url, ref), nil
}

// resolveWHATWG resolves a reference by the URL Standard.
func resolveWHATWG(ref string, b base) (string, error) {
	if b.unsure {
		return "", errUnable
	}
	var u *whatwg.Url
	var err error
	if b.url == "" {
		u, err = whatwg.Parse(ref)
	} else {
		u, err = whatwg.ParseRef(b.url, ref)
	}
	if err != nil {
		return "", errNone
	}
	return u.Href(false), nil
}

var scheme1808 = pattern(`^[A-Za-z0-9+.\-]+:`)

// isAbsolute reports whether a reference has its own scheme, and so no base. A scheme may start with a digit in RFC 1808
// (2.2), and not in RFC 3986 (3.1).
func (c *Config) isAbsolute(ref string) bool {
	if c.Standard == "rfc1808" {
		return scheme1808().MatchString(ref)
	}
	return scheme().MatchString(ref)
}

// under returns the base in force where decl is declared and outer is the base around it.
func (c *Config) under(decl string, outer base) base {
	switch decl = squeeze(decl); {
	case c.Override != "":
		return base{url: c.Override}
	case decl == "":
		return outer
	case c.isAbsolute(decl) && !c.usable(decl):
		return outer
	}
	url, err := c.resolve(decl, outer)
	switch {
	case err == errUnable:
		return base{unsure: true}
	case err != nil || !c.usable(url):
		return outer
	}
	return base{url: url}
}

// declaredIn returns the base that an entity declares. It is unsure if the other parser does not decode it.
func (k *checker) declaredIn(e *entity, decl string, outer base) base {
	if e.legacy && k.Standard == "whatwg" && k.Override == "" && !ascii(decl) {
		return base{unsure: true}
	}
	return k.under(decl, outer)
}

// usable reports whether relative links can be resolved against a URL (RFC 1808, 2.3; under whatwg the HTML Standard).
func (c *Config) usable(url string) bool {
	lower := strings.ToLower(url)
	if c.Standard == "whatwg" {
		_, err := whatwg.Parse(url)
		return err == nil && !strings.HasPrefix(lower, "data:") && !strings.HasPrefix(lower, "javascript:")
	}
	name, rest, _ := strings.Cut(lower, ":")
	switch name {
	case "mailto", "news", "telnet", "data", "javascript", "about", "blob", "cid", "mid", "tel", "urn":
		return false
	}
	return strings.HasPrefix(rest, "/")
}

// means returns the URL that must be written for a reference of the old version.
func (c *Config) means(ref string, b base) (string, error) {
	if c.Unarchive && strings.HasPrefix(ref, "/") && !strings.HasPrefix(ref, "//") && !(waybackPath().MatchString(ref) && b.isCopy()) {
		if b.url = unarchive(b.url); unarchive(waybackHost+ref) != waybackHost+ref {
			ref = waybackHost + ref
		}
	}
	url, err := c.resolve(ref, b)
	if err != nil {
		return "", err
	}
	if c.Unarchive {
		url = unarchive(url)
	}
	return c.mapped(url), nil
}

var (
	archived = pattern(`^(?:https?:)?//web\.archive\.org(?::\d+)?/web/\d{1,14}(?:[a-z]{2}_)?/(.+)$`)
	raw      = pattern(`^(?:https?:)?//web\.archive\.org(?::\d+)?/web/\d{1,14}id_/`) // a page as it was
	hostless = pattern(`^(?i:https?:)?/*(?:$|[^/?#]*%)`)
)

const waybackHost = "https://web.archive.org"

// isCopy reports whether a page with the base has the links of the archive.
func (b base) isCopy() bool { return archived().MatchString(b.url) && !raw().MatchString(b.url) }

// unarchive returns the original URL of a link into the Wayback Machine.
func unarchive(url string) string {
	m := archived().FindStringSubmatch(url)
	if m == nil || hostless().MatchString(m[1]) {
		return url
	}
	original := m[1]
	if !scheme().MatchString(original) {
		original = "http://" + original
	}
	return withoutPort(original)
}

var ports = pattern(`^(?:(http://[^/?#:]*):80|(https://[^/?#:]*):443)([/?#]|$)`)

// withoutPort returns a URL without the default port of its scheme.
func withoutPort(url string) string { return ports().ReplaceAllString(url, "$1$2$3") }

// mapped applies the rule with the longest Old to a URL. An Old that ends after the slash of a host also matches the URL
// without this slash, if no other Old matches it.
func (c *Config) mapped(u string) string {
	best, to := -1, u
	for _, r := range c.Rules {
		old, full, length := r.Old, u, 2*len(r.Old)
		if m := noPath().FindStringSubmatch(u); m != nil && folded(m[1]+"/") == folded(old) {
			full, length = m[1]+"/"+m[2], length-3
		}
		if length <= best || len(old) > len(full) || folded(full[:len(old)]) != folded(old) {
			continue
		}
		rest := full[len(old):]
		if !strings.HasSuffix(old, "/") && rest != "" && strings.IndexByte("/?#", rest[0]) < 0 {
			continue
		}
		if strings.Contains(old, "#") && rest != "" || strings.Contains(old, "?") && rest != "" && rest[0] != '#' {
			continue
		}
		best, to = length, joined(r.New, old, rest)
	}
	return to
}

var (
	noPath = pattern(`^([A-Za-z][A-Za-z0-9+.\-]*://[^/?#]*)([?#].*)?$`)
	head   = pattern(`^[A-Za-z][A-Za-z0-9+.\-]*:(?://[^/?#]*)?`)
)

// folded returns a URL with its scheme and authority in lower case.
func folded(u string) string {
	n := len(head().FindString(u))
	return strings.ToLower(u[:n]) + u[n:]
}

// joined returns the new URL: New, and the rest of the URL after Old.
func joined(to, old, rest string) string {
	main, fragment, hasFragment := strings.Cut(to, "#")
	if hasFragment {
		rest, _, _ = strings.Cut(rest, "#")
		fragment = "#" + fragment
	}
	switch path, query, hasQuery := strings.Cut(rest, "?"); {
	case strings.Contains(main, "?"):
		if hasQuery && !strings.Contains(path, "#") {
			rest = path + "&" + query
		}
	case rest != "" && rest[0] != '?' && rest[0] != '#':
		if !strings.HasSuffix(old, "/") {
			rest = rest[1:]
		}
		main, rest = strings.TrimSuffix(main, "/"), "/"+rest
	}
	return main + rest + fragment
}

// squeeze removes white space at the ends of a reference, and the tabs and newlines inside it (HTML Standard).
func squeeze(s string) string {
	s = strings.Trim(s, " \t\n\f\r")
	if strings.ContainsAny(s, "\t\n\r") {
		return inside.Replace(s)
	}
	return s
}

var inside = strings.NewReplacer("\t", "", "\n", "", "\r", "")
