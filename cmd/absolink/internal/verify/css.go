package verify

import (
	"bytes"
	"strconv"
	"strings"

	"github.com/tdewolff/parse/v2"
	"github.com/tdewolff/parse/v2/css"
)

// styleSheet compares two style sheets.
func (k *checker) styleSheet(e entity) *Difference {
	for _, bom := range []string{"\xFE\xFF", "\xFF\xFE"} {
		if bytes.HasPrefix(e.old, []byte(bom)) {
			return k.unable(e.path, "the style sheet is in UTF-16")
		}
	}
	if why := e.setLegacy(); why != "" {
		return k.unable(e.path, why)
	}
	return k.css(value{entity: &e, what: "css", old: string(e.old), new: string(e.new), bases: e.bases})
}

// css compares the tokens of two texts of CSS. Only URLs may differ: those of url() and src(), of @import, and of image-set().
func (k *checker) css(v value) *Difference {
	a, b := css.NewLexer(parse.NewInputBytes([]byte(v.old))), css.NewLexer(parse.NewInputBytes([]byte(v.new)))
	atOld, atNew := v.atOld, v.atNew
	before := cssContext{}
	for {
		kindOld, old := a.Next()
		kindNew, new := b.Next()
		if kindOld == css.ErrorToken && kindNew == css.ErrorToken {
			if rest := atOld - v.atOld; rest < len(v.old) && v.old[rest:] != v.new[atNew-v.atNew:] {
				return k.unable(v.path, "tdewolff/parse stops before the end of the style sheet")
			}
			return nil
		}
		if !bytes.Equal(old, new) || v.bases.old != v.bases.new {
			x, y := cssURL(kindOld, old), cssURL(kindNew, new)
			switch {
			case kindOld == kindNew && (kindOld == css.URLToken || kindOld == css.StringToken && before.isURL()) && x.same(y):
				in := v.with(x.url, y.url)
				in.atOld, in.atNew = atOld, atNew
				if d := k.link(in); d != nil {
					return d
				}
			case !bytes.Equal(old, new):
				return v.differText(string(old), string(new), atOld, atNew, v.what+": CSS changed outside a URL")
			}
		}
		atOld, atNew = atOld+len(old), atNew+len(new)
		before.add(kindOld, old)
	}
}

// cssContext is the context of a token: an open function, or @import.
type cssContext struct {
	open []string
	at   bool // directly after @import
}

// add adds a token.
func (c *cssContext) add(kind css.TokenType, text []byte) {
	switch kind {
	case css.WhitespaceToken, css.CommentToken:
		return
	case css.FunctionToken:
		c.open = append(c.open, strings.ToLower(unescapeCSS(strings.TrimSuffix(string(text), "("))))
	case css.LeftParenthesisToken:
		c.open = append(c.open, "(")
	case css.RightParenthesisToken:
		if len(c.open) > 0 {
			c.open = c.open[:len(c.open)-1]
		}
	case css.SemicolonToken, css.LeftBraceToken, css.RightBraceToken:
		c.open = nil
	}
	c.at = kind == css.AtKeywordToken && strings.EqualFold(unescapeCSS(string(text)), "@import")
}

// isURL reports whether a string here is a URL.
func (c *cssContext) isURL() bool {
	if len(c.open) == 0 {
		return c.at
	}
	switch c.open[len(c.open)-1] {
	case "src", "url", "image-set", "-webkit-image-set":
		return true
	}
	return false
}

// cssText is a token: the URL, and the text around it.
type cssText struct{ before, url, after string }

// same reports whether the text around both URLs is the same.
func (t cssText) same(o cssText) bool { return t.before == o.before && t.after == o.after }

var urlToken = pattern(`(?is)^([^("']*\(\s*["']?|["'])(.*?)(["']?\s*\)|["'])?$`)

// cssURL cuts a token.
func cssURL(kind css.TokenType, text []byte) cssText {
	m := urlToken().FindStringSubmatch(string(text))
	if m == nil || kind != css.URLToken && kind != css.StringToken {
		return cssText{before: string(text)}
	}
	return cssText{m[1], unescapeCSS(m[2]), m[3]}
}

var cssEscape = pattern(`(?s)\\(?:([0-9a-fA-F]{1,6})(?:\r\n|[ \t\n\f\r])?|(\r\n|[\n\f\r])|(.))`)

// unescapeCSS decodes the escapes of CSS (CSS Syntax, 4.3.7).
func unescapeCSS(s string) string {
	return cssEscape().ReplaceAllStringFunc(s, func(e string) string {
		m := cssEscape().FindStringSubmatch(e)
		if m[1] == "" {
			return m[3]
		}
		n, _ := strconv.ParseInt(m[1], 16, 32)
		if n == 0 || n > 0x10FFFF || 0xD800 <= n && n < 0xE000 {
			n = 0xFFFD
		}
		return string(rune(n))
	})
}
