package extract

import (
	"bytes"
	"fmt"
	"net/url"

	"absolink/base"
	"absolink/extract/internal/anchor"
	"absolink/extract/internal/codec"
	"absolink/extract/internal/mark"
)

// Link is one reference, its position, and the URL that it means.
//
// The Link, its Entity and its slices are valid until the body of the loop ends, or until the function that received
// the Link returns. Clone returns a copy that stays valid. The caller must not write to the slices. The caller may keep
// the Scope.
type Link struct {
	Entity  *Entity
	Offset  int    // the offset of Raw in Entity.Bytes
	Raw     []byte // the bytes of the reference in the entity, such as "a?b&amp;c"
	Ref     []byte // the reference: Raw, decoded, such as "a?b&c"
	URL     []byte // the absolute URL; empty if Status is StatusUnresolved
	Status  Status
	Problem Code        // why there is no URL; "" if there is a URL
	Scope   *base.Scope // the scope that Ref is resolved in
	Part    string      // in a message: the Path of the body part that Ref names, by Content-ID or Content-Location (RFC 2557); else ""

	place  *mark.Place
	number int   // its number in a list, from 1; 0 outside lists
	kept   *kept // of a clone
	at     int   // its offset in Entity.text, or that of the list; set if Entity.index is, as the next two
	after  []byte
	tells  func(after []byte) (rel, title []byte) // mark.Place.Describe
}

// Status is the result of resolving a reference.
type Status uint8

const (
	StatusAbsolute   Status = 1 + iota // the reference is absolute already
	StatusResolved                     // the reference was resolved to an absolute URL
	StatusUnresolved                   // the reference has no base, is one of a template, cannot be parsed by the standard, or is after the limit of MaxRecord
)

// String returns the name of the status: "absolute", "resolved" or "unresolved". The zero Status has the name "".
func (s Status) String() string { return [...]string{"", "absolute", "resolved", "unresolved"}[s] }

// Place returns the name of the place of the link. It is the element and the attribute, such as "a@href", the name of a
// header field, or a name that the format defines. In a list, it has the number of the link from 1, such as
// "img@srcset[2]".
func (l *Link) Place() string {
	if l.number == 0 {
		return l.place.Name
	}
	return mark.Numbered(l.place.Name, l.number)
}

// Rel returns the decoded value of the rel attribute of the element that has the link, in HTML, XHTML and other XML, or of
// the parameter rel in a field Link. It returns an empty slice if there is no such value, or if Extractor.Described is not
// set. The slice is valid as long as the Link.
func (l *Link) Rel() []byte { return l.element().Rel }

// Title returns the decoded value of the title attribute, or of the parameter title, in the same way as Rel. It does not
// read the parameter "title*".
func (l *Link) Title() []byte { return l.element().Title }

// Text returns the text of the anchor that has the link, or the alternative text of an img, area or input, in the same
// way as Rel. Text collapses white space, and cuts the text after 256 characters. The text of an anchor ends at its end
// tag, at the next anchor, or at the end of the entity. For an anchor without text, Text returns the alternative texts
// of the pictures in the anchor. The title, desc and text elements of an SVG are text.
func (l *Link) Text() []byte { return l.element().Text }

func (l *Link) element() *anchor.Element {
	if l.kept != nil {
		return &l.kept.element
	}
	if l.Entity.index == nil {
		return &anchor.Element{}
	}
	if l.tells != nil {
		rel, title := l.tells(l.after)
		return &anchor.Element{Rel: rel, Title: title}
	}
	return l.Entity.index.At(l.Entity.text.Bytes, l.at)
}

// Parse returns the absolute URL, parsed by package net/url. It returns an error if the link has no URL, or if
// url.Parse returns an error: url.Parse rejects some URLs that the standards allow. url.URL.String may escape the URL in
// another way: "http://h/é" becomes "http://h/%C3%A9".
func (l *Link) Parse() (*url.URL, error) {
	if l.Status == StatusUnresolved {
		return nil, fmt.Errorf("%q has no absolute URL: %s", l.Ref, l.Problem)
	}
	return url.Parse(string(l.URL))
}

// PageURL returns the URL of the page that the link is in, or "" if it is unknown: see Entity.PageURL. After a
// redirect, this is the URL of the response that has the link.
func (l *Link) PageURL() string {
	if l.Entity.redirected {
		return l.Scope.RetrievalURL()
	}
	return l.Entity.PageURL()
}

// Position returns the line and the column of the first byte of Raw in the entity. Both start at 1. The column counts
// bytes. For the line in the whole document, count the newlines before the start of DocumentSpan: the lines of an
// embedded document, such as a srcdoc, are not those of the document.
func (l *Link) Position() (line, column int) {
	if l.kept != nil {
		return l.kept.line, l.kept.column
	}
	return l.Entity.lines.At(l.Entity.Bytes, l.Offset)
}

// DocumentSpan returns the offsets [start, end) of the bytes in the whole document that spell the link, through all
// encodings around the link. If the document is compressed as a whole, the offsets count decompressed bytes.
//
// An edit of the link begins inside the span. In base64, the edit may continue to the end of the data. In
// quoted-printable, one edit may change several links.
func (l *Link) DocumentSpan() (start, end int64) {
	if l.kept != nil {
		return l.kept.start, l.kept.end
	}
	e, at := l.Entity, codec.Span{Start: l.Offset, End: l.Offset + len(l.Raw)}
	for ; e.outer != nil; e = e.outer {
		at = e.region.Span(at)
	}
	return e.start + int64(at.Start), e.start + int64(at.End)
}

// InPlace reports whether the document contains the bytes of Raw unchanged at DocumentSpan. InPlace returns false if
// the document, or an entity around the link, is compressed or in base64.
func (l *Link) InPlace() bool {
	if l.kept != nil {
		return l.kept.inPlace
	}
	e := l.Entity
	for ; e.outer != nil; e = e.outer {
		for fr := e.region; fr != nil; fr = fr.Parent {
			if fr.Codec != nil && !codec.InPlace(fr.Codec) {
				return false
			}
		}
	}
	return !e.compressed
}

// kept has the results of the methods of a clone.
type kept struct {
	element      anchor.Element
	line, column int
	start, end   int64
	inPlace      bool
}

// Clone returns a copy of the link that stays valid. The Entity of the copy has no Bytes. All methods of the copy
// return the same results.
func (l *Link) Clone() *Link {
	if l.kept != nil {
		return l
	}
	c, e := *l, l.Entity
	c.Raw, c.Ref, c.URL = bytes.Clone(l.Raw), bytes.Clone(l.Ref), bytes.Clone(l.URL)
	at := l.element()
	c.kept = &kept{inPlace: l.InPlace(), element: anchor.Element{Rel: bytes.Clone(at.Rel), Title: bytes.Clone(at.Title), Text: bytes.Clone(at.Text)}}
	c.kept.line, c.kept.column = l.Position()
	c.kept.start, c.kept.end = l.DocumentSpan()
	c.Entity = &Entity{Document: e.Document, Path: e.Path, Type: e.Type, Scope: e.Scope, page: e.PageURL(), pageDone: true}
	c.Entity.redirected, c.Entity.envelope, c.after = e.redirected, e.message(), nil
	return &c
}
