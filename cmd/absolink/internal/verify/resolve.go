// The meaning of a link, by resolvers that absolink does not use.

package verify

import (
	"strconv"
	"strings"

	whatwg "github.com/nlnwa/whatwg-url/url"

	"absolink/internal/literal"
)

// Rule is a rule of --map: Old at the start of a URL becomes New.
type Rule struct{ Old, New string }

var scheme = pattern(`^[A-Za-z][A-Za-z0-9+.\-]*:`)

func (c *Config) resolve(ref string, b base) (string, bool) {
	switch {
	case c.Standard == "whatwg":
		u, err := whatwg.Parse(ref)
		if b.url != "" {
			u, err = whatwg.ParseRef(b.url, ref)
		}
		if err != nil {
			return "", false
		}
		return u.Href(false), true
	case template().MatchString(ref):
		return "", false
	case b.url == "" && !c.isAbsolute(ref):
		return "", false
	case c.Standard == "rfc1808":
		return literal.RFC1808(b.url, ref), true
	}
	return literal.RFC3986(b.url, ref), true
}

// template matches a reference that begins with a placeholder of a template, or has one in its authority. Only browsers
// resolve it.
var template = pattern(`(?s)^(?:(?:[A-Za-z][A-Za-z0-9+.\-]*:)?//[^/?#]*?)?(?:\{[{%#$!]|\$!?\{|<[%?]|\*\|)|` +
	`^(?:%%=|\[%(?:.?$|[^0-9A-Fa-f]|.[^0-9A-Fa-f]))|` +
	`^(?:\[\[[^0-9\]].*?\]\]|###[A-Za-z]\w*###|::[A-Za-z]\w*::|__[A-Z](?:_?[A-Z0-9])*_?__)(?:$|[/?#])|` +
	`^(?:%[A-Za-z][^%]*%|%%[A-Za-z](?:[^%]|%[^%])*%?%%|\{[A-Za-z]\w*\}|` +
	`\[[A-Z][A-Z0-9_]*\]|\$[A-Z]\w*|:/[0-9A-Fa-f]{32})$`)

// versions matches the URLs for which the library and absolink may follow different versions of the URL Standard. It
// encodes "^" in a path since November 2024, and a space at the end of an opaque path since May 2025. Which hosts are
// valid, and how they are spelled, changed with each version of UTS 46, last in January 2025.
var versions = pattern(`\^|^[^/?#]*:[^/].* $|(?i:xn--)|^(?:[a-zA-Z][a-zA-Z0-9+.-]*:)?[/\\]{2}[^/?#\\]*%`)

var scheme1808 = pattern(`^[A-Za-z0-9+.\-]+:`)

// isAbsolute reports whether a reference has its own scheme, and so needs no base. A scheme may start with a digit in
// RFC 1808 (2.2), but not in RFC 3986 (3.1).
func (c *Config) isAbsolute(ref string) bool {
	return scheme().MatchString(ref) || c.Standard == "rfc1808" && scheme1808().MatchString(ref)
}

// under returns the base in force where decl is declared and outer is the base around it.
func (c *Config) under(decl string, outer base) base {
	switch decl = squeeze(decl); {
	case c.Override != "":
		return base{url: c.Override, declared: true}
	case decl == "":
		return outer
	}
	around := outer
	if c.Unarchive && !waybackPath().MatchString(decl) {
		around.url = original(outer.url)
	}
	url, ok := c.resolve(decl, around)
	unsure := c.Standard == "whatwg" && (!ascii(decl) || versions().MatchString(decl)) ||
		c.Unarchive && waybackPath().MatchString(decl)
	if !ok || !c.usable(url) {
		outer.unsure = outer.unsure || unsure
		return outer
	}
	return base{url, outer.unsure && !c.isAbsolute(decl) || unsure, true}
}

// usable reports whether relative links can be resolved against a URL (RFC 1808, 2.3; for whatwg the HTML Standard).
func (c *Config) usable(url string) bool {
	if c.Standard == "whatwg" {
		_, err := whatwg.Parse(url)
		return err == nil && !opaque().MatchString(url)
	}
	return !unsuitable().MatchString(url)
}

var (
	opaque     = pattern(`^(?i:data|javascript):`)
	unsuitable = pattern(`^(?i:mailto|news|telnet|data|javascript|about|blob|cid|mid|tel|urn):|^[^:]*(?::[^/]|:?$)`)
)

var (
	waybackPath = pattern(`^/(?:web|save|details|_static|__wb)(?:[/?#]|$)`) // a path of the Wayback Machine
	archived    = pattern(`^(?:https?:)?//(?:web|wayback|www\.web)\.archive\.org(?::\d+)?/web/` +
		// a short time needs a scheme
		`(?:\d{14}(?:[a-z]{2,}_)?/([^/].*|//.+)|\d{4,13}(?:[a-z]{2,}_)?/([A-Za-z][A-Za-z0-9+-]*:.*))$`)
	// a page with its original links
	rawCopy     = pattern(`^(?:https?:)?//web\.archive\.org(?::\d+)?/web/\d{1,14}id_/`)
	waybackHost = "https://web.archive.org"
	fewSlashes  = pattern(`^((?i)https?:)/?([^/].*)$`)
	hostless    = pattern(`^(?i:https?:)?/*(?:$|[^/?#]*%)`)
)

// replayed returns a reference into the archive that the page came from with its host. With --unarchive a copy there
// becomes one in the Wayback Machine, but a copy in archive.today stays.
func (k *checker) replayed(ref string) string {
	full, prefix := strings.TrimPrefix(strings.TrimPrefix(ref, "https:"), "http:"), k.replay[1]+k.replay[2]
	if strings.HasPrefix(ref, k.replay[2]) && !strings.HasPrefix(ref, "//") {
		full = k.replay[1] + ref
	}
	rest, ok := strings.CutPrefix(full, prefix)
	copied := waybackHost + "/web/" + untimed().ReplaceAllString(rest, "20000101000000$0")
	switch {
	case ok && k.Unarchive && !strings.HasPrefix(prefix, "//archive.") && unarchive(copied) != copied:
		return copied
	case ok && strings.HasPrefix(ref, "/"):
		return k.replay[0] + full
	}
	return ref
}

var untimed = pattern(`^[a-z]`)

// isCopy reports whether the links of a page with the base lead into the archive.
func (b base) isCopy() bool { return archived().MatchString(b.url) && !rawCopy().MatchString(b.url) }

// unarchive returns the original URL of one in the archive, which has copies of its own pages. Any other URL stays.
func unarchive(url string) string {
	for range 64 {
		m := archived().FindStringSubmatch(url)
		if m == nil || hostless().MatchString(m[1]+m[2]) {
			break
		}
		switch url = m[1] + m[2]; {
		case fewSlashes().MatchString(url):
			url = fewSlashes().ReplaceAllString(url, "$1//$2")
		case strings.HasPrefix(url, "//"):
			url = "http:" + url
		case !scheme().MatchString(url):
			url = "http://" + url
		}
	}
	return url
}

// original is unarchive for the URL of a page, which loses its port with the archive.
func original(url string) string {
	if u := unarchive(url); u != url {
		return withoutPort(u)
	}
	return url
}

var ports = pattern(`^(?:(http://[^/?#:]*):80|(https://[^/?#:]*):443)([/?#]|$)`)

func withoutPort(url string) string { return ports().ReplaceAllString(url, "$1$2$3") }

// Rules are rules by the common spelling of their Old.
type Rules map[string]Rule

// NewRules returns the Rules for some rules. Of two with the same Old, the first one applies.
func NewRules(rules []Rule) Rules {
	by := Rules{}
	for _, r := range rules {
		if old := folded(r.Old); by[old] == (Rule{}) {
			by[old] = r
		}
	}
	return by
}

// mapped applies the rule with the longest Old to a URL. An Old that ends after the slash of a host also matches the
// URL without this slash, if no other Old matches it.
func (c *Config) mapped(u string) string {
	if c.Rules == nil {
		return u
	}
	for n := len(u); n > 0; n-- {
		if n < len(u) && u[n-1] != '/' && strings.IndexByte("/?#", u[n]) < 0 {
			continue // no Old ends here
		}
		r, ok := c.Rules[folded(u[:n])]
		switch rest := u[n:]; {
		case !ok || !r.continues(rest):
		case r.New == r.Old: // an exception, which keeps the spelling
			return u
		default:
			return joined(r.New, r.Old, rest)
		}
	}
	if m := noPath().FindStringSubmatch(u); m != nil {
		if r, ok := c.Rules[folded(m[1]+"/")]; ok && r.continues(m[2]) {
			return joined(r.New, r.Old, m[2])
		}
	}
	return u
}

// moved returns the URL at which the new version of a page is read.
func (c *Config) moved(u string) string {
	if c.Unarchive {
		u = original(u)
	}
	return c.mapped(u)
}

func (r Rule) continues(rest string) bool {
	switch {
	case rest == "":
		return true
	case !strings.HasSuffix(r.Old, "/") && strings.IndexByte("/?#", rest[0]) < 0, strings.Contains(r.Old, "#"):
		return false
	}
	return !strings.Contains(r.Old, "?") || rest[0] == '#'
}

var (
	noPath = pattern(`^([A-Za-z][A-Za-z0-9+.\-]*://[^/?#]*)([?#].*)?$`)
	head   = pattern(`^([A-Za-z][A-Za-z0-9+.\-]*:)(?:(//(?:[^/?#]*@)?)([^/?#]*))?`)

	defaultPort = pattern(`^((?:http|ws):.*):80$|^((?:https|wss):.*):443$|^(ftp:.*):21$|^(.*):$`)
	unreserved  = pattern(`%(?:2[DEde]|3[0-9]|[46][1-9A-Fa-f]|[57][0-9Aa]|5[Ff]|7[Ee])`) // RFC 3986, 2.3
	special     = pattern(`^(?:http|https|ws|wss|ftp):$`)
)

// folded returns the common spelling of a URL: RFC 3986, 6.2.2 and 6.2.3, with the host in A-labels.
func folded(u string) string {
	m := head().FindStringSubmatch(u)
	if m == nil {
		return u
	}
	scheme, host, rest := strings.ToLower(m[1]), strings.ToLower(withoutEscapes(m[3])), u[len(m[0]):]
	if m[2] != "" && strings.Contains(host, ":") {
		host = strings.TrimPrefix(defaultPort().ReplaceAllString(scheme+host, "$1$2$3$4"), scheme)
	}
	if name, port, _ := strings.Cut(host, ":"); !ascii(name) && special().MatchString(scheme) {
		if w, err := whatwg.Parse("http://" + name); err == nil && w.Pathname() == "/" {
			host = w.Hostname() + strings.TrimSuffix(":"+port, ":")
		}
	}
	return scheme + withoutEscapes(m[2]) + host + withoutEscapes(rest)
}

func withoutEscapes(u string) string {
	if !strings.Contains(u, "%") {
		return u
	}
	return unreserved().ReplaceAllStringFunc(u, func(e string) string {
		c, _ := strconv.ParseUint(e[1:], 16, 8)
		return string(rune(c))
	})
}

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

// squeeze removes white space at the ends of a reference, and tabs and newlines inside it (HTML Standard; URL Standard,
// 4.4).
func squeeze(s string) string { return inside.Replace(strings.Trim(s, blanks)) }

var inside = strings.NewReplacer("\t", "", "\n", "", "\r", "")

// blanks is the white space of HTML.
const blanks = " \t\n\f\r"
