// The values that have links: attributes, lists, and small grammars.

package verify

import (
	"encoding/json"
	"regexp"
	"strings"
)

// kind is the grammar of a value.
type kind uint8

const (
	kindNone kind = iota
	kindURL
	kindBase // of a declared base: it is not resolved against itself
	kindList
	kindCommas
	kindSrcset
	kindRefresh
	kindHeader
	kindCSS
	kindPage
	kindBase64 // a page in base64
	kindJSON   // an import map or speculation rules
)

// only has the elements of attributes that are links in these elements only.
var only = map[string]string{
	"action": "form isindex", "formaction": "button input", "data": "object", "code": "applet", "object": "applet", "archive": "object applet",
	"icon": "menuitem command", "profile": "head", "manifest": "html", "cite": "blockquote q ins del", "ping": "a area", "poster": "video",
	"codebase": "object applet", "classid": "object", "srcdoc": "iframe", "lowsrc": "img image", "dynsrc": "img image", "imagesrcset": "link", "usemap": "img image input object",
	"longdesc": "img image iframe frame", "background": "body table thead tbody tfoot tr td th layer", "srcset": "img source image",
	"src": "img source video audio track embed bgsound script iframe frame input layer ilayer image",
}

// styled are attributes of SVG that are CSS.
const styled = " style fill stroke filter mask clip-path cursor marker marker-start marker-mid marker-end "

// kindOf returns the grammar of an attribute, or kindNone if the attribute is not a link.
func kindOf(tag, key string, get func(string) string, extended bool) kind {
	if where, ok := only[key]; ok {
		if !strings.Contains(" "+where+" ", " "+tag+" ") {
			return kindNone
		}
		switch {
		case key == "archive" && tag == "applet":
			return kindCommas
		case key == "ping", key == "archive":
			return kindList
		case strings.HasSuffix(key, "srcset"):
			return kindSrcset
		case key == "srcdoc":
			return kindPage
		}
		return kindURL
	}
	switch {
	case tag == "base" && key == "href":
		return kindBase
	case key == "href", key == "xlink:href", key == "itemid", key == "xml:base", tag == "param" && key == "value" && strings.EqualFold(get("valuetype"), "ref"):
		return kindURL
	case strings.Contains(styled, " "+key+" "):
		return kindCSS
	case tag == "meta" && key == "content":
		switch strings.ToLower(strings.TrimSpace(get("http-equiv"))) {
		case "refresh":
			return kindRefresh
		case "link":
			return kindHeader
		case "base", "content-base":
			return kindBase
		}
		if extended && get("property")+get("name")+get("itemprop") != "" {
			return kindURL
		}
	case extended && strings.HasPrefix(key, "data-") && strings.HasSuffix(key, "set"):
		return kindSrcset
	case extended && strings.HasPrefix(key, "data-"):
		return kindURL
	}
	return kindNone
}

// value is a value in both versions. Both are decoded.
type value struct {
	*entity
	what         string // the place, such as "a@href"
	old, new     string
	bases        bases
	atOld, atNew int  // offsets in the entity
	header       bool // white space inside a URL is ignored: the field may be folded
	whole        bool // the value means the base itself, with its fragment
	scoped       bool // the page has xml:base, which this package does not follow in HTML
}

// with returns the value with other texts.
func (v value) with(old, new string) value {
	v.old, v.new = old, new
	return v
}

// link compares a value that is one reference.
func (k *checker) link(v value) *Difference {
	old, new := squeeze(v.old), squeeze(v.new)
	if v.header {
		old, new = strings.Join(strings.Fields(old), ""), strings.Join(strings.Fields(new), "")
	}
	same := old == new
	if same && v.old != v.new {
		return v.differText(v.old, v.new, v.atOld, v.atNew, v.what+": the white space changed, and the link did not")
	}
	if same && (v.bases.old == v.bases.new || strings.HasPrefix(old, "#") || k.isAbsolute(old)) {
		return nil
	}
	if k.KeepFragments && strings.HasPrefix(old, "#") && !same {
		return v.differText(v.old, v.new, v.atOld, v.atNew, v.what+" is only a fragment, and changed")
	}
	want, err := k.means(old, v.bases.old)
	if v.whole && err == nil {
		want, err = k.means(v.bases.old.url, v.bases.old) // whatwg changes the spelling
	}
	if k.inArchive(old, v.bases.old) {
		want, err = k.means(waybackHost+old, v.bases.old)
	}
	got, err2 := new, error(nil)
	if err == nil && (k.Relative || same) {
		got, err2 = k.resolve(new, v.bases.new)
	}
	if k.Unarchive {
		want, got = withoutPort(want), withoutPort(got)
	}
	switch {
	case err == errUnable || err2 == errUnable:
		return k.unable(v.path, errUnable.Error(), v.what+" "+excerpt(old, 0))
	case same && err == errNone:
		return nil
	case v.legacy && k.Standard == "whatwg" && !ascii(old), v.legacy && k.Standard != "whatwg" && !ascii(old+new) && got != want && likeness(got) == likeness(want):
		return k.unable(v.path, "a link has characters that are not ASCII, and the charset is not UTF-8", v.what+" "+excerpt(old, 0))
	case err != nil:
		return v.unbased()
	case err2 == nil && got == want:
		k.result.Links++
		return nil
	case v.scoped:
		return k.unable(v.path, "xml:base around HTML in SVG is not followed", v.what+" "+excerpt(old, 0))
	}
	return v.differ(v.atOld, v.atNew, "%s: %q must become %q, and is %q", v.what, old, want, new)
}

// unbased returns the difference of a link that has no base, and changed.
func (v value) unbased() *Difference {
	return v.differText(v.old, v.new, v.atOld, v.atNew, v.what+" has no base, and changed")
}

// waybackPath matches a path of the Wayback Machine.
var waybackPath = pattern(`^/(?:web|save|details|_static|__wb)(?:[/?#]|$)`)

// inArchive reports whether a reference is a path of the Wayback Machine, whatever the base is.
func (k *checker) inArchive(ref string, b base) bool {
	return waybackPath().MatchString(ref) && (k.wayback && !archived().MatchString(b.url) || k.Unarchive && b.isCopy())
}

// likeness returns a text with "?" for each character that is not ASCII, and for each byte that is not UTF-8.
func likeness(s string) string {
	return strings.Map(func(r rune) rune {
		if r >= 0x80 {
			return '?'
		}
		return r
	}, s)
}

// ascii reports whether a text has only ASCII characters.
func ascii(s string) bool {
	for i := range len(s) {
		if s[i] >= 0x80 {
			return false
		}
	}
	return true
}

// list compares references with separators between them.
func (k *checker) list(v value, separators string) *Difference {
	return k.each(v, func(s string) (urls []span) {
		r := tagReader{[]byte(s), 0}
		for r.skip(separators); r.at < len(s); r.skip(separators) {
			start := r.at
			urls = append(urls, span{start, r.until(separators)})
		}
		return urls
	})
}

// each compares the references that find finds in a value. The text between them must be the same.
func (k *checker) each(v value, find func(string) []span) *Difference {
	old, new := find(v.old), find(v.new)
	if len(old) != len(new) {
		return v.differText(v.old, v.new, v.atOld, v.atNew, v.what+" has another number of links")
	}
	a, b := 0, 0 // the ends of the last references
	for i, o := range old {
		n := new[i]
		if v.old[a:o.start] != v.new[b:n.start] {
			break
		}
		if d := k.link(v.with(v.old[o.start:o.end], v.new[n.start:n.end])); d != nil {
			return d
		}
		a, b = o.end, n.end
	}
	if v.old[a:] == v.new[b:] {
		return nil
	}
	return v.differText(v.old, v.new, v.atOld, v.atNew, v.what+" changed outside its links")
}

// srcset compares image candidates (HTML Standard, 4.8.4.2.2).
func (k *checker) srcset(v value) *Difference {
	return k.each(v, candidates)
}

// candidates returns the URLs in a srcset.
func candidates(s string) (urls []span) {
	r := tagReader{[]byte(s), 0}
	for {
		if r.skip(blanks + ","); r.at >= len(s) {
			return urls
		}
		start := r.at
		end := r.until(blanks)
		if n := len(strings.TrimRight(s[start:end], ",")); start+n < end {
			urls = append(urls, span{start, start + n})
			continue
		}
		urls = append(urls, span{start, end})
		for depth := 0; r.at < len(s) && (s[r.at] != ',' || depth > 0); r.at++ {
			switch s[r.at] {
			case '(':
				depth = 1
			case ')':
				depth = 0
			}
		}
	}
}

var refreshed = pattern(`(?is)^(\s*[\d.]*[\s;,]*(?:url\s*=\s*)?)(?:"([^"]*)|'([^']*)|([^"'].*))`)

// refresh compares the content of a refresh (HTML Standard, 4.2.5.3).
func (k *checker) refresh(v value) *Difference {
	return k.each(v, func(s string) []span {
		m := refreshed().FindStringSubmatchIndex(s)
		for i := 4; m != nil && i < len(m); i += 2 {
			if m[i] >= 0 && strings.TrimSpace(s[m[i]:m[i+1]]) != "" {
				return []span{trimmed(s, span{m[i], m[i+1]}, strings.TrimSpace)}
			}
		}
		return nil
	})
}

// trimmed returns the part of a span that trim leaves.
func trimmed(s string, in span, trim func(string) string) span {
	text := s[in.start:in.end]
	left := trim(text)
	in.start += strings.Index(text, left)
	return span{in.start, in.start + len(left)}
}

var angles = pattern(`(?s)<\s*(?:[Uu][Rr][Ll]:)?\s*([^<>]*?)\s*>`)

// bracketed compares a value with URLs in brackets, such as that of Link. Without brackets, the whole value is the URL.
func (k *checker) bracketed(v value) *Difference {
	return k.each(v, func(s string) (urls []span) {
		if urls = groups(angles(), s); urls == nil {
			urls = []span{trimmed(s, span{0, len(s)}, func(s string) string { return strings.Trim(strings.TrimSpace(s), `"`) })}
		}
		return urls
	})
}

// groups returns the first groups of all matches.
func groups(re *regexp.Regexp, s string) (all []span) {
	for _, m := range re.FindAllStringSubmatchIndex(s, -1) {
		all = append(all, span{m[2], m[3]})
	}
	return all
}

// unbracketed returns the URL of a base header: "<URL:...>", "<...>", a quoted string, or the URL alone.
func unbracketed(s string) string {
	if m := angles().FindStringSubmatch(s); m != nil {
		return strings.Join(strings.Fields(m[1]), "")
	}
	return strings.Trim(strings.TrimSpace(s), `"`)
}

// jsonStrings returns the strings in a JSON text with their quotes, and the text without them.
func jsonStrings(s string) (all []string, outside string) {
	var out strings.Builder
	at := 0
	for i := 0; i < len(s); i++ {
		if s[i] != '"' {
			continue
		}
		start := i
		for i++; i < len(s) && s[i] != '"'; i++ {
			if s[i] == '\\' {
				i++
			}
		}
		if i >= len(s) {
			break // the string has no end
		}
		out.WriteString(s[at:start] + `""`)
		at = i + 1
		all = append(all, s[start:at])
	}
	return all, out.String() + s[at:]
}

// json compares the strings of two JSON texts. Everything outside strings must be the same.
func (k *checker) json(v value) *Difference {
	old, outsideOld := jsonStrings(v.old)
	new, outsideNew := jsonStrings(v.new)
	if len(old) != len(new) || outsideOld != outsideNew {
		return v.differText(v.old, v.new, v.atOld, v.atNew, v.what+" changed outside its strings")
	}
	for i := range old {
		var x, y string
		if old[i] == new[i] && v.bases.old == v.bases.new {
			continue
		}
		if json.Unmarshal([]byte(old[i]), &x) != nil || json.Unmarshal([]byte(new[i]), &y) != nil {
			return v.differText(v.old, v.new, v.atOld, v.atNew, v.what+" is no longer JSON")
		}
		d := k.link(v.with(x, y))
		if d != nil && x == y {
			d = k.unable(v.path, "whether a string is a URL is not known, and the base changed", v.what+" "+excerpt(v.old, 0))
		}
		if d != nil {
			return d
		}
	}
	return nil
}
