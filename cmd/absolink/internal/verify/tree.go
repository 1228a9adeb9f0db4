package verify

import (
	"regexp"
	"strings"

	"golang.org/x/net/html"
)

// attribute is a changed attribute in the trees.
type attribute struct {
	at         int // its number among the changed attributes
	key, owner string
}

// trees compares the trees of both versions. Only values, which it collects in p.changed, and texts that the tokens compare may
// differ.
func (p *page) trees(a, b *html.Node) *Difference {
	if a.Type != b.Type || a.Data != b.Data && !mayDiffer(a) || a.Namespace != b.Namespace || len(a.Attr) != len(b.Attr) {
		return p.differ(0, 0, "the trees differ: %s became %s", nodeName(a), nodeName(b))
	}
	for i, x := range a.Attr {
		y := b.Attr[i]
		if x.Key != y.Key || x.Namespace != y.Namespace {
			return p.differ(0, 0, "the trees differ: the attribute %s of %s became %s", x.Key, nodeName(a), y.Key)
		}
		if pair := x.Val + "\x00" + y.Val; x.Val != y.Val {
			if _, ok := p.changed[pair]; !ok {
				p.changed[pair] = attribute{len(p.changed), x.Key, nodeName(a)}
			}
		}
	}
	x, y := a.FirstChild, b.FirstChild
	for ; x != nil && y != nil; x, y = x.NextSibling, y.NextSibling {
		if d := p.trees(x, y); d != nil {
			return d
		}
	}
	if x != nil || y != nil {
		return p.differ(0, 0, "the trees differ: the children of %s are not as many", nodeName(a))
	}
	return nil
}

// unapproved returns the first change in the trees that the tokens have not approved.
func (p *page) unapproved() (d *Difference) {
	first := len(p.changed)
	for _, a := range p.changed {
		if d == nil || a.at < first {
			first, d = a.at, p.differ(0, 0, "the trees differ: %s of %s changed, and is not a link", a.key, a.owner)
		}
	}
	return d
}

// mayDiffer reports whether the data of a node may change: the tokens compare the text of these elements.
func mayDiffer(a *html.Node) bool {
	if a.Type != html.TextNode || a.Parent == nil {
		return false
	}
	switch a.Parent.Data {
	case "style", "noscript", "script":
		return true
	}
	return false
}

func nodeName(n *html.Node) string {
	if n.Type == html.ElementNode {
		return "<" + n.Data + ">"
	}
	return excerpt(n.Data, 0)
}

// each calls visit for each node of a tree that is not in a template, until it returns false.
func each(n *html.Node, visit func(*html.Node) bool) bool {
	if !visit(n) {
		return false
	}
	if n.Type == html.ElementNode && n.Data == "template" && n.Namespace == "" {
		return true
	}
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		if !each(c, visit) {
			return false
		}
	}
	return true
}

// attr returns the value of an attribute, and reports whether the element has it.
func attr(n *html.Node, key string) (string, bool) {
	for _, a := range n.Attr {
		if a.Key == key && a.Namespace == "" {
			return a.Val, true
		}
	}
	return "", false
}

// baseOf returns the base URL of a page: that of the first BASE element with an href, then of META elements, then the
// outer base.
func (p *page) baseOf(tree *html.Node, outer base) base {
	var declared, meta, content string
	found := false
	each(tree, func(n *html.Node) bool {
		if n.Type != html.ElementNode || n.Namespace != "" {
			return true
		}
		switch n.Data {
		case "base":
			if href, ok := attr(n, "href"); ok && !found {
				declared, found = href, true
			}
		case "meta":
			name, _ := attr(n, "http-equiv")
			value, _ := attr(n, "content")
			switch name = strings.ToLower(strings.TrimSpace(name)); {
			case name == "base" && meta == "":
				meta = unbracketed(value)
			case name == "content-base" && content == "":
				content = unbracketed(value)
			}
		}
		return true
	})
	if p.Standard != "whatwg" {
		outer = p.under(meta, p.under(content, outer))
	}
	return p.declaredIn(&p.entity, declared, outer)
}

// The comments and scripts in which programs record the URL of a saved page.
var (
	comments = []func() *regexp.Regexp{
		pattern(`^\s*saved from url=\(\d+\)\s*(\S+)`),
		pattern(`^\s*Page saved with SingleFile\s+url:\s*(\S+)`),
		pattern(`^\s*Saved from (\S+) at .* using monolith`),
		pattern(`^\s*Mirrored from (\S+) by HTTrack Website Copier`),
	}
	wombat = pattern(`__wm\.wombat\("([^"]+)"`)
	today  = pattern(`^https?://archive\.[a-z]+/\d+/(.+)$`)
)

// retrieval returns the outer base. If there is none, it returns the URL that the page records, or else the evidence.
func (p *page) retrieval(tree *html.Node, outer base) base {
	url, canonical := "", ""
	use := func(s string) {
		if !strings.Contains(s, "://") && strings.Contains(s, ".") {
			s = "http://" + s
		}
		if s = squeeze(s); url == "" && p.isAbsolute(s) && p.usable(s) {
			url = s
		}
	}
	each(tree, func(n *html.Node) bool {
		if !p.NoEvidence || p.Canonical {
			p.recorded(n, use, &canonical)
		}
		return true
	})
	if outer.url != "" || outer.unsure {
		return outer
	}
	if url == "" {
		url = p.entity.evidence
	}
	if url == "" && p.Canonical {
		url = canonical
	}
	return base{url: url}
}

// recorded calls use with the URL that a node records, and sets the canonical URL.
func (p *page) recorded(n *html.Node, use func(string), canonical *string) {
	switch {
	case n.Type == html.CommentNode:
		for _, c := range comments {
			if m := c().FindStringSubmatch(n.Data); m != nil {
				use(m[1])
			}
		}
		return
	case n.Type == html.TextNode && n.Parent.Data == "script":
		if m := wombat().FindStringSubmatch(n.Data); m != nil {
			p.wayback = true
			use(withoutPort(m[1]))
		}
		return
	case n.Type != html.ElementNode:
		return
	}
	switch n.Data {
	case "html":
		if v, ok := attr(n, "data-scrapbook-source"); ok {
			use(v)
		}
	case "meta":
		if name, _ := attr(n, "name"); name == "savepage-url" {
			v, _ := attr(n, "content")
			use(v)
		}
	case "link":
		rel, _ := attr(n, "rel")
		href, _ := attr(n, "href")
		if m := today().FindStringSubmatch(href); rel == "bookmark" && m != nil {
			use(m[1])
		}
		if strings.EqualFold(strings.TrimSpace(rel), "canonical") && *canonical == "" && p.isAbsolute(squeeze(href)) {
			*canonical = squeeze(href)
		}
	}
}
