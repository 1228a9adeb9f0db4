package xml_test

import (
	"encoding/xml"
	"fmt"
	"io"
	"math/rand"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"absolink/extract"
	. "absolink/extract/internal/extracttest"
	"absolink/internal/longtest"
	"absolink/resolve"
)

// TestRandomXML compares the links and URLs of random well-formed documents with those of readTokens. RANDOM=n makes n
// documents.
func TestRandomXML(t *testing.T) {
	n := longtest.Or(500, 3000)
	if v, err := strconv.Atoi(os.Getenv("RANDOM")); err == nil {
		n = v
	}
	found := 0
	for seed := range n {
		g := xmlMaker{r: rand.New(rand.NewSource(int64(seed)))}
		doc := g.document()
		w := Walker{Extractor: extract.Extractor{Standard: resolve.RFC3986}}
		d := feed(doc)
		var got []string
		require.NoError(t, w.Links(d, func(l *extract.Link) error {
			if l.Entity.Path == "" && l.Place() != "xml-stylesheet@href" {
				got = append(got, fmt.Sprintf("%s %s", l.Ref, l.URL))
			}
			return nil
		}))
		want := readTokens(t, doc, d.URL)
		require.Equal(t, want, got, "seed %d: %s", seed, doc)
		found += len(want)
	}
	t.Logf("%d links", found)
}

type xmlMaker struct {
	r *rand.Rand
	b strings.Builder
}

func (g *xmlMaker) pick(of string) string {
	list := strings.Split(of, "|")
	return list[g.r.Intn(len(list))]
}

func (g *xmlMaker) document() string {
	g.b.WriteString(g.pick(`|<?xml version="1.0"?>|<?xml-stylesheet href="s.css"?>|<!-- <a href="no"/> -->|<!DOCTYPE r [ <!ENTITY e "<a href='no'/>]>"> <!-- ]> ' --> ]>`))
	g.element(g.pick("r|rss|a:feed|h:html|s:svg"), ` xmlns:a="http://www.w3.org/2005/Atom" xmlns:h='http://www.w3.org/1999/xhtml' xmlns:s="http://www.w3.org/2000/svg" xmlns:x="http://www.w3.org/1999/xlink"`, 0)
	g.b.WriteString(g.pick("|\n|<!-- x -->"))
	return g.b.String()
}

func (g *xmlMaker) element(name, attributes string, depth int) {
	g.b.WriteString("<" + name + attributes)
	seen := map[string]bool{}
	for g.r.Intn(3) > 0 {
		a := g.pick("href|src|url|cite|x:href|h:href|title|xml:base|isPermaLink|data|action|xmlns|xmlns:x|xmlns:h|xml:lang")
		if seen[a] || attributes != "" && (strings.HasPrefix(a, "xmlns:") || name == "rss" && a == "xmlns") {
			continue // an rss in another namespace is RSS, which readTokens does not support
		}
		seen[a] = true
		value := g.pick("x|../y?a&amp;b|&#x78;/z|http://a/b/c|/d/|e>f|;g|?h|#i|j/| k |//l/m|")
		switch {
		case strings.HasPrefix(a, "xmlns"):
			value = g.pick("http://www.w3.org/1999/xhtml|http://www.w3.org/2005/Atom|http://www.w3.org/2000/svg|http://other/")
		case a == "isPermaLink":
			value = g.pick("true|false|False")
		}
		quote := g.pick(`"|'`)
		g.b.WriteString(g.pick(" |\n\t") + a + g.pick("=| = ") + quote + value + quote)
	}
	if g.r.Intn(4) == 0 {
		g.b.WriteString("/>")
		return
	}
	g.b.WriteString(">")
	for g.r.Intn(4) > 0 {
		if depth < 6 && g.r.Intn(2) == 0 {
			g.element(g.pick("a|link|guid|img|q|h:a|h:q|h:base|h:img|h:A|a:id|a:link|a:icon|s:a|s:use|id|comments"), "", depth+1)
			continue
		}
		g.b.WriteString(g.pick("text| \n|&lt;a href='no'&gt;|&#65;&amp;|<![CDATA[<a href='no'/>&amp;]]>|<![CDATA[]]]]><![CDATA[>]]>|<!-- <b/> -->|<?p <c/> ?>|http://t/|u/v"))
	}
	g.b.WriteString("</" + name + g.pick("| ") + ">")
}

// tokenElement is an open element of readTokens.
type tokenElement struct {
	space, local string
	base         string
	text         string
	mixed, none  bool
}

// readTokens finds the links of a document by the tokens of encoding/xml, with a base for each open element. It returns
// them in order, as "reference URL".
func readTokens(t *testing.T, doc, docBase string) (links []string) {
	t.Helper()
	const ns, xhtmlNS, atomNS = "http://www.w3.org/XML/1998/namespace", "http://www.w3.org/1999/xhtml", "http://www.w3.org/2005/Atom"
	resolved := func(base, ref string) string {
		b, err := resolve.RFC3986.Base(base)
		require.NoError(t, err)
		out, err := b.AppendResolve(nil, []byte(ref))
		require.NoError(t, err)
		return string(out)
	}
	ownURL := docBase
	for pass := range 2 { // the second pass has the BASE element
		links = nil
		hasBase := false
		var open []tokenElement
		var rootSpace, rootLocal string
		d := xml.NewDecoder(strings.NewReader(doc))
		d.Strict = false // for the entity that no document uses
		for {
			token, err := d.Token()
			if err == io.EOF {
				break
			}
			require.NoError(t, err, doc)
			switch token := token.(type) {
			case xml.CharData:
				if n := len(open); n > 0 {
					open[n-1].text += string(token)
				}
			case xml.EndElement:
				e := open[len(open)-1]
				open = open[:len(open)-1]
				ref := strings.Trim(e.text, " \t\r\n")
				ref = strings.NewReplacer("\t", "", "\n", "", "\r", "").Replace(ref)
				plain := e.space == "" && rootSpace == "" && rootLocal == "rss" && In("link guid comments", e.local) && !e.none
				if !e.mixed && ref != "" && (plain || e.space == atomNS && In("id icon", e.local)) {
					links = append(links, ref+" "+resolved(e.base, ref))
				}
			case xml.StartElement:
				e := tokenElement{space: token.Name.Space, local: token.Name.Local, base: docBase}
				if n := len(open); n > 0 {
					open[n-1].mixed = true
					e.base = open[n-1].base
				} else {
					rootSpace, rootLocal = e.space, e.local
				}
				outer := e.base
				for _, a := range token.Attr {
					if a.Name.Space == ns && a.Name.Local == "base" && strings.Trim(a.Value, " ") != "" {
						e.base = resolved(outer, strings.Trim(a.Value, " "))
					}
					e.none = e.none || a.Name.Local == "isPermaLink" && a.Name.Space == "" && a.Value != "true" && e.local == "guid"
				}
				page := rootSpace == xhtmlNS || rootSpace == "http://www.w3.org/2000/svg"
				for _, a := range token.Attr {
					ref, key := strings.Trim(a.Value, " "), a.Name.Local
					is := false
					switch {
					case a.Name.Space == ns && key == "base" && a.Value != "":
						links = append(links, ref+" "+resolved(outer, ref))
					case a.Name.Space == "http://www.w3.org/1999/xlink" && key == "href":
						is = true
					case a.Name.Space != "":
					case e.space == xhtmlNS && e.local == "base" && key == "href":
						if page && !hasBase && pass == 0 {
							if ref != "" {
								docBase = resolved(docBase, ref)
							}
						}
						hasBase = hasBase || page
					case e.space == xhtmlNS:
						is = In(URLAttributes[key], e.local)
					case e.space == "http://www.w3.org/2000/svg":
						is = key == "href"
					default:
						rss := e.space == "" && rootSpace == "" && rootLocal == "rss"
						is = In("href src url", key) && (ref != "" || !rss)
					}
					if is {
						base := e.base
						if e.space == "http://www.w3.org/2000/svg" && e.local != "a" && strings.HasPrefix(ref, "#") {
							base = ownURL // SVG 2 16.1.3
						}
						links = append(links, ref+" "+resolved(base, ref))
					}
				}
				open = append(open, e)
			}
		}
	}
	return links
}
