// This peer is the Tokenizer of x/net/html with net/url, as a careful Go programmer uses them.
//
//	xnethtml links SITE < names > urls
//	xnethtml rewrite SITE FOLDER [sync] < names
package main

import (
	"bufio"
	"bytes"
	"net/url"
	"os"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"absolink/bench/pages"
)

func main() {
	switch site := os.Args[2]; os.Args[1] {
	case "links":
		out := bufio.NewWriterSize(os.Stdout, 1<<16)
		var l lister
		pages.Each(site, func(_, url string, page []byte) { l.list(out, url, page) })
		out.Flush()
	case "rewrite":
		tree := pages.Tree{Root: os.Args[3], Sync: len(os.Args) > 4}
		var out []byte
		pages.Each(site, func(name, url string, page []byte) {
			out = rewrite(out[:0], url, page)
			tree.Write(name, out)
		})
		tree.Done()
	}
}

type kind int

const (
	none kind = iota
	one
	srcset
)

// kindOf returns the kind of an attribute. It compares the name of the attribute first, because most never have links.
func kindOf(tag, attr []byte) kind {
	switch string(attr) {
	case "href":
		switch atom.Lookup(tag) {
		case atom.A, atom.Area, atom.Link:
			return one
		}
	case "src":
		switch atom.Lookup(tag) {
		case atom.Img, atom.Script, atom.Iframe, atom.Source, atom.Video, atom.Audio, atom.Track, atom.Embed,
			atom.Input, atom.Frame:
			return one
		}
	case "action":
		if atom.Lookup(tag) == atom.Form {
			return one
		}
	case "formaction":
		switch atom.Lookup(tag) {
		case atom.Button, atom.Input:
			return one
		}
	case "cite":
		switch atom.Lookup(tag) {
		case atom.Blockquote, atom.Q, atom.Ins, atom.Del:
			return one
		}
	case "data":
		if atom.Lookup(tag) == atom.Object {
			return one
		}
	case "poster":
		if atom.Lookup(tag) == atom.Video {
			return one
		}
	case "background":
		switch atom.Lookup(tag) {
		case atom.Body, atom.Table, atom.Td:
			return one
		}
	case "srcset":
		switch atom.Lookup(tag) {
		case atom.Img, atom.Source:
			return srcset
		}
	}
	return none
}

// A lister keeps the references of a page until its end, because the base may come late.
type lister struct{ refs []string }

func (l *lister) list(out *bufio.Writer, from string, page []byte) {
	base, err := url.Parse(from)
	if err != nil {
		return
	}
	l.refs = l.refs[:0]
	based := false
	for z := html.NewTokenizer(bytes.NewReader(page)); ; {
		switch z.Next() {
		case html.ErrorToken:
			for _, r := range l.refs {
				if u, err := url.Parse(r); err == nil {
					out.WriteString(base.ResolveReference(u).String())
					out.WriteByte('\n')
				}
			}
			return
		case html.StartTagToken, html.SelfClosingTagToken:
			tag, more := z.TagName()
			for more {
				var key, value []byte
				key, value, more = z.TagAttr()
				switch kindOf(tag, key) {
				case one:
					l.refs = append(l.refs, string(bytes.TrimSpace(value)))
				case srcset:
					for candidate := range strings.SplitSeq(string(value), ", ") {
						if f := strings.Fields(candidate); len(f) > 0 {
							l.refs = append(l.refs, f[0])
						}
					}
				case none:
					if !based && string(key) == "href" && string(tag) == "base" {
						base, based = join(base, value), true
					}
				}
			}
		}
	}
}

func join(base *url.URL, ref []byte) *url.URL {
	if u, err := url.Parse(string(bytes.TrimSpace(ref))); err == nil {
		return base.ResolveReference(u)
	}
	return base
}

// baseOf returns the base of a page, which rewrite needs before it writes. A page without a BASE element is not read
// twice.
func baseOf(from string, page []byte) *url.URL {
	base, err := url.Parse(from)
	if err != nil || !bytes.Contains(page, []byte("<base")) && !bytes.Contains(page, []byte("<BASE")) {
		return base
	}
	for z := html.NewTokenizer(bytes.NewReader(page)); ; {
		switch z.Next() {
		case html.ErrorToken:
			return base
		case html.StartTagToken, html.SelfClosingTagToken:
			tag, more := z.TagName()
			for found := string(tag) == "base"; found && more; {
				var key, value []byte
				if key, value, more = z.TagAttr(); string(key) == "href" {
					return join(base, value)
				}
			}
		}
	}
}

type attr struct{ key, value []byte }

// rewrite copies the Raw() of each token that has no link to change, and prints the other tags.
func rewrite(out []byte, from string, page []byte) []byte {
	base := baseOf(from, page)
	var attrs []attr
	for z := html.NewTokenizer(bytes.NewReader(page)); ; {
		token := z.Next()
		if token == html.ErrorToken {
			return append(out, z.Raw()...)
		}
		mark := len(out)
		out = append(out, z.Raw()...) // before TagName, which changes Raw to lower case
		if token != html.StartTagToken && token != html.SelfClosingTagToken {
			continue
		}
		tag, more := z.TagName()
		changed := false
		attrs = attrs[:0]
		for more {
			var key, value []byte
			key, value, more = z.TagAttr()
			switch kindOf(tag, key) {
			case one:
				if u, err := url.Parse(string(bytes.TrimSpace(value))); err == nil && !u.IsAbs() {
					value, changed = []byte(base.ResolveReference(u).String()), true
				}
			case srcset:
				candidates := strings.Split(string(value), ", ")
				for i, c := range candidates {
					if ref, rest, _ := strings.Cut(strings.TrimSpace(c), " "); ref != "" {
						if u, err := url.Parse(ref); err == nil {
							candidates[i] = base.ResolveReference(u).String() + " " + rest
						}
					}
				}
				value, changed = []byte(strings.Join(candidates, ", ")), true
			case none:
				if string(key) == "href" && string(tag) == "base" {
					value, changed = []byte(base.String()), true
				}
			}
			attrs = append(attrs, attr{key, value})
		}
		if !changed {
			continue
		}
		out = append(append(out[:mark], '<'), tag...)
		for _, a := range attrs {
			out = append(append(append(out, ' '), a.key...), `="`...)
			out = append(append(out, html.EscapeString(string(a.value))...), '"')
		}
		if token == html.SelfClosingTagToken {
			out = append(out, " /"...)
		}
		out = append(out, '>')
	}
}
