// Package jsonfeed marks the links of a JSON Feed (version 1.1, https://jsonfeed.org/version/1.1).
//
//	{
//	  "version": "https://jsonfeed.org/version/1.1",
//	  "home_page_url": "/",                          a link: the text of the string
//	  "items": [{
//	    "url": "posts/1",                            a link
//	    "content_html": "<a href=\"x\">x</a>"        an embedded document
//	  }]
//	}
//
// No member declares a base: the base is the URL that the feed was retrieved from.
package jsonfeed

import (
	"bytes"
	"strings"
	"sync"

	"absolink/extract/internal/ascii"
	"absolink/extract/internal/codec"
	"absolink/extract/internal/codec/charsets"
	"absolink/extract/internal/codec/spell"
	"absolink/extract/internal/json"
	"absolink/extract/internal/mark"
)

// Format is a JSON Feed.
var Format = &mark.Format{
	Name:   "application/feed+json",
	Embeds: mark.OnlyPages,
	Places: func() []string { return feed().places() },
	Mark:   extract,
}

// JSON is like Format, for a document whose type is application/json or text/json: it is a JSON Feed only if it has the
// version URL.
var JSON = &mark.Format{
	Name:   Format.Name,
	Embeds: Format.Embeds,
	Mark:   Format.Mark,
	Is:     hasVersion,
}

// Sniff reports whether a document that begins with head is a JSON Feed. Some programs sort the members by name, so the
// version may be after head. Then a member whose name only feeds use is enough.
func Sniff(head []byte) bool {
	version, named, broken := members(head)
	return version || named && broken
}

func hasVersion(src []byte) bool {
	if !bytes.Contains(src, []byte(site)) {
		return false
	}
	version, _, _ := members(src)
	return version
}

// site is the host of a version URL.
const site = "jsonfeed.org"

// members reports whether an object has the version URL of a JSON Feed, and whether a member before it has a name that
// only feeds use. broken reports that the object has no end.
func members(src []byte) (version, named, broken bool) {
	r := json.Reader{Src: src}
	r.Members(r.SkipSpace(charsets.BOMLen(src)), func(key codec.Span, p int) (end int) {
		switch {
		case r.Is(key, "version"):
			var s codec.Span
			s, end = r.Text(p)
			url, _ := spell.JSONString.Decode(src[s.Start:s.End])
			if version = isVersion(string(url)); version {
				return len(src)
			}
			return end
		case r.Is(key, "home_page_url"), r.Is(key, "feed_url"):
			named = true
		}
		return r.Skip(p)
	})
	return version, named, r.Broken
}

func isVersion(url string) bool {
	scheme, rest, _ := strings.Cut(ascii.Lower(url), "://")
	return (scheme == "http" || scheme == "https") &&
		strings.HasPrefix(strings.TrimPrefix(rest, "www."), site+"/version/")
}

// object has the members of an object that are links or contain links.
type object map[string]member

// member is a link, an embedded document, an object, or a list of objects.
type member struct {
	place  *mark.Place
	html   bool   // the text is HTML
	object object // not nil for an object and for a list of objects
}

func link(name string) member { return member{place: &mark.Place{Name: name}} }

// authors returns the member for one author or several, at a path.
func authors(path string) member {
	return member{object: object{"url": link(path + ".url"), "avatar": link(path + ".avatar")}}
}

// feed has the members of a feed; "author" is from version 1. The name of a place is the path of the member.
var feed = sync.OnceValue(func() object {
	return object{
		"home_page_url": link("home_page_url"),
		"feed_url":      link("feed_url"),
		"next_url":      link("next_url"),
		"icon":          link("icon"),
		"favicon":       link("favicon"),
		"author":        authors("author"),
		"authors":       authors("authors"),
		"hubs":          {object: object{"url": link("hubs.url")}},
		"items": {object: object{
			"url":          link("items.url"),
			"external_url": link("items.external_url"),
			"image":        link("items.image"),
			"banner_image": link("items.banner_image"),
			"content_html": {place: &mark.Place{Name: "items.content_html"}, html: true},
			"author":       authors("items.author"),
			"authors":      authors("items.authors"),
			"attachments":  {object: object{"url": link("items.attachments.url")}},
		}},
	}
})

func (o object) places() (names []string) {
	for _, m := range o {
		if m.place != nil && !m.html {
			names = append(names, m.place.Name)
		}
		names = append(names, m.object.places()...)
	}
	return names
}

func extract(src []byte, m *mark.Marks) {
	if !hasVersion(src) {
		m.Fault(0, mark.RecordTruncated, "the document is not a JSON Feed: it has no version URL")
		return
	}
	m.Notes.Feed = true
	r := &reader{json.Reader{Src: src}, m}
	if end := r.read(feed(), r.SkipSpace(0)); r.Broken {
		m.Fault(end, mark.RecordTruncated, "the JSON is truncated or not valid here; the rest of the feed is not read")
	}
}

type reader struct {
	json.Reader
	marks *mark.Marks
}

func (r *reader) read(o object, p int) int {
	return r.Members(p, func(key codec.Span, p int) int {
		member, ok := o[string(r.Src[key.Start+1:max(key.End-1, key.Start+1)])]
		switch {
		case !ok:
			return r.Skip(p)
		case member.object == nil:
			s, end := r.Text(p)
			r.mark(&member, s)
			return end
		case p < len(r.Src) && r.Src[p] == '[':
			return r.Elements(p, func(p int) int { return r.read(member.object, p) })
		}
		return r.read(member.object, p)
	})
}

func (r *reader) mark(member *member, s codec.Span) {
	switch {
	case s.Len() == 0:
	case member.html:
		r.marks.Nested(0, member.place, s.Start, s.End, spell.JSONString, r.marks.FormatOf("text/html"))
	default:
		r.marks.Link(member.place, s.Start, s.End, spell.JSONString)
	}
}
