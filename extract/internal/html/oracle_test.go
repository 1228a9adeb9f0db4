package html_test

import (
	"bytes"
	"sort"
	"strconv"
	"strings"

	. "absolink/extract/internal/extracttest"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// The oracle walks the tree of html.Parse, which follows the rules of the tree builder and shares no code with the scanner.

// oracleLists are the attributes that contain several URLs.
var oracleLists = map[string]string{
	"ping": "a area", "srcset": "img source", "imagesrcset": "link", "archive": "object applet",
}

type oracle struct {
	links   map[string]bool // place, value
	base    string
	hasBase bool
	refused error // html.Parse has returned an error
}

func (o *oracle) add(place, value string) { o.links[place+" "+value] = true }

func readTree(doc []byte) *oracle {
	o := &oracle{links: map[string]bool{}}
	root, err := html.Parse(bytes.NewReader(doc))
	if err != nil {
		o.refused = err
		return o
	}
	o.walk(root, "", false)
	return o
}

func (o *oracle) walk(n *html.Node, path string, template bool) {
	for ; n != nil; n = n.NextSibling {
		if n.Type == html.ElementNode {
			o.element(n, path, template)
		}
		if n.Type == html.ElementNode && n.Data == "noscript" && n.Namespace == "" && n.FirstChild != nil {
			body := &html.Node{Type: html.ElementNode, Data: "body", DataAtom: atom.Body}
			inner, _ := html.ParseFragment(strings.NewReader(n.FirstChild.Data), body)
			for _, in := range inner {
				in.NextSibling = nil
				o.walk(in, path+"noscript/", true)
			}
			continue
		}
		o.walk(n.FirstChild, path, template || n.Data == "template" && n.Namespace == "")
	}
}

func (o *oracle) element(n *html.Node, path string, template bool) {
	name := n.Data
	get := func(key string) (string, bool) {
		for _, a := range n.Attr {
			if a.Namespace == "" && a.Key == key {
				return a.Val, true
			}
		}
		return "", false
	}
	if n.Namespace != "" {
		for _, a := range n.Attr {
			if a.Key == "href" && (a.Namespace == "" || a.Namespace == "xlink") {
				attr := "href"
				if a.Namespace != "" {
					attr = "xlink:href"
				}
				o.add(path+strings.ToLower(name)+"@"+attr, asURL(a.Val))
			}
			if a.Key == "itemid" {
				o.add(path+strings.ToLower(name)+"@itemid", asURL(a.Val))
			}
		}
		return
	}
	if name == "base" {
		if v, ok := get("href"); ok && !template && !o.hasBase && path == "" {
			o.base, o.hasBase = asURL(v), true
		}
	}
	for _, a := range n.Attr {
		if In(URLAttributes[a.Key], name) {
			o.add(path+name+"@"+a.Key, asURL(a.Val))
		}
		if In(oracleLists[a.Key], name) {
			var urls []string
			switch {
			case a.Key == "srcset" || a.Key == "imagesrcset":
				urls = candidates(a.Val)
			case name == "applet":
				urls = strings.Split(a.Val, ",")
			default:
				urls = strings.Fields(a.Val)
			}
			for _, u := range urls {
				if u = strings.Trim(u, " \t\n\r\f"); u != "" {
					o.add(path+name+"@"+a.Key, u)
				}
			}
		}
	}
	if v, ok := get("srcdoc"); ok && name == "iframe" {
		inner := readTree([]byte(v))
		for l := range inner.links {
			o.links[path+"iframe@srcdoc/"+l] = true
		}
	}
	if v, ok := get("value"); ok && name == "param" {
		if t, _ := get("valuetype"); strings.EqualFold(t, "ref") {
			o.add(path+"param@value", asURL(v))
		}
	}
}

// candidates splits a srcset at white space, and where a descriptor ends with a comma. It leaves out candidates with invalid
// descriptors.
func candidates(v string) (urls []string) {
	for {
		v = strings.TrimLeft(v, " \t\n\r\f,")
		if v == "" {
			return urls
		}
		end := strings.IndexAny(v, " \t\n\r\f")
		if end < 0 {
			end = len(v)
		}
		url := v[:end]
		v = v[end:]
		if strings.HasSuffix(url, ",") {
			urls = append(urls, strings.TrimRight(url, ","))
			continue
		}
		depth := 0
		i := 0
		for ; i < len(v); i++ {
			if v[i] == '(' {
				depth = 1
			} else if v[i] == ')' {
				depth = 0
			} else if v[i] == ',' && depth == 0 {
				break
			}
		}
		if described(strings.Fields(v[:i])) {
			urls = append(urls, url)
		}
		v = v[i:]
	}
}

// described reports whether the descriptors of a candidate are valid: none, "2x", "640w", or "640w 480h".
func described(descriptors []string) bool {
	units := ""
	for _, d := range descriptors {
		number, unit := d[:len(d)-1], d[len(d)-1:]
		digits := strings.Trim(number, "0123456789") == ""
		value, err := strconv.ParseFloat(number, 64)
		ok := unit == "x" && err == nil && value >= 0 && strings.Trim(number, "-.eE0123456789") == "" && !strings.HasSuffix(number, ".") ||
			(unit == "w" || unit == "h") && err == nil && value > 0 && digits
		if !ok {
			return false
		}
		units += unit
	}
	return units == "" || units == "x" || units == "w" || units == "wh" || units == "hw"
}

// asURL returns a value as HTML reads a URL.
func asURL(v string) string {
	return strings.NewReplacer("\t", "", "\n", "", "\r", "").Replace(strings.Trim(v, " \t\n\r\f"))
}

func keys(m map[string]bool) []string {
	var out []string
	for k := range m {
		out = append(out, k)
	}
	sort.Strings(out)
	return out
}
