// Style sheets, read by the lexer of tdewolff/parse.

package verify

import (
	"bytes"
	"strconv"
	"strings"

	"github.com/tdewolff/parse/v2"
	"github.com/tdewolff/parse/v2/css"
)

func parseCSS(_ *checker, _ *entity, src []byte) *reading {
	r := &reading{src: src}
	text := string(src)
	refs, comments := cssRefs(text, 0)
	r.comments = comments
	r.add(spot{what: "css", text: text, plain: true, split: true}, text, refs)
	return r
}

// cssRefs returns the URLs in url() and src(), @import and image-set() of a style sheet, and its comments, at offsets
// from start.
func cssRefs(text string, start int) (refs []ref, comments []span) {
	l := css.NewLexer(parse.NewInputString(text))
	at := 0
	before := cssContext{}
	for {
		kind, token := l.Next()
		if kind == css.ErrorToken {
			return refs, comments
		}
		if kind == css.URLToken && !before.namespace || kind == css.StringToken && before.isURL() {
			if m := urlToken().FindSubmatchIndex(token); m != nil && m[4] < m[5] {
				if escaping := token[m[4]:m[5]]; (len(escaping)-len(bytes.TrimRight(escaping, `\\`)))%2 == 1 &&
					m[5] < len(token) {
					m[5]++ // the next character is escaped, even if it is a blank or a parenthesis
				}
				raw := string(token[m[4]:m[5]])
				f := ref{at + m[4], at + m[5], unescapeCSS(raw), plainURL(raw) && !strings.ContainsAny(raw, `\'()`)}
				f.plain = f.plain && !before.odd && len(before.open) < 2 && strings.IndexByte(text, 0) < 0 &&
					m[6] >= 0 && (kind == css.StringToken || plainToken().Match(token))
				refs = append(refs, f)
			}
		}
		if kind == css.CommentToken && strings.HasSuffix(string(token), "*/") && len(token) >= 4 {
			comments = append(comments, span{start + at, start + at + len(token)})
		}
		at += len(token)
		before.add(kind, token)
	}
}

// cssContext is what comes before a token and determines whether a string is a URL.
type cssContext struct {
	open      []string // the functions and parentheses around it
	at        bool     // directly after @import
	namespace bool     // in @namespace, whose URL is a name
	odd       bool     // some token before is not in the grammar of CSS
}

func (c *cssContext) add(kind css.TokenType, text []byte) {
	switch kind {
	case css.WhitespaceToken, css.CommentToken:
		return
	case css.BadStringToken, css.BadURLToken:
		c.odd = true
	case css.FunctionToken:
		c.open = append(c.open, strings.ToLower(unescapeCSS(strings.TrimSuffix(string(text), "("))))
	case css.LeftParenthesisToken:
		c.open = append(c.open, "(")
	case css.RightParenthesisToken:
		c.open = c.open[:max(0, len(c.open)-1)]
	case css.SemicolonToken, css.LeftBraceToken, css.RightBraceToken:
		c.open, c.namespace = nil, false
	case css.AtKeywordToken:
		c.namespace = strings.EqualFold(string(text), "@namespace")
	}
	c.at = kind == css.AtKeywordToken && strings.EqualFold(unescapeCSS(string(text)), "@import")
}

func (c *cssContext) isURL() bool {
	if len(c.open) == 0 {
		return c.at
	}
	return strings.Contains(" src url image-set -webkit-image-set ", " "+c.open[len(c.open)-1]+" ")
}

var (
	urlToken   = pattern(`(?is)^([^("']*\(\s*["']?|["'])(.*?)(["']?\s*\)|["'])?$`)
	plainToken = pattern(`^(?i:url)\((?:"[^"']*"|'[^"']*'|[^"']*)\)$`)
	cssEscape  = pattern(`(?s)\\(?:([0-9a-fA-F]{1,6})(?:\r\n|[ \t\n\f\r])?|(\r\n|[\n\f\r])|(.)|$)`)
)

// unescapeCSS decodes the escapes of CSS (CSS Syntax, 4.3.7).
func unescapeCSS(s string) string {
	s = strings.ReplaceAll(s, "\x00", "\uFFFD") // CSS Syntax, 3.3
	if strings.IndexByte(s, '\\') < 0 {
		return s
	}
	return cssEscape().ReplaceAllStringFunc(s, func(e string) string {
		m := cssEscape().FindStringSubmatch(e)
		if e == `\` {
			return "\uFFFD"
		}
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
