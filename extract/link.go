package extract

import (
	"bytes"
	"strings"

	"absolink/base"
	"absolink/extract/internal/anchor"
	"absolink/extract/internal/codec"
	"absolink/extract/internal/mark"
)

// Link is one reference, and the URL that it means.
type Link struct {
	Entity  *Entity
	Offset  int    // of Raw in Entity.Bytes
	Raw     []byte // as written, such as "a?b&amp;c"
	Ref     []byte // decoded, such as "a?b&c"
	URL     []byte // absolute; empty if StatusUnresolved
	Status  Status
	Problem Code        // why there is no URL, or ""
	Scope   *base.Scope // has the base
	Part    string      // the Path of the body part that Ref names (RFC 2557), or ""

	place    *mark.Place
	number   int     // in a list, from 1; else 0
	absolute bool    // see NeedsAbsolute
	frozen   *frozen // of a clone

	// Set if Entity.index is.
	at    int                                    // the offset in Entity.text, of the whole list if it is in one
	after []byte                                 // the text after the link
	tells func(after []byte) (rel, title []byte) // mark.Place.Describe
}

// Status is what became of a reference.
type Status uint8

const (
	StatusAbsolute   Status = 1 + iota // absolute already
	StatusResolved                     // relative, and resolved
	StatusUnresolved                   // without a URL: see Link.Problem
)

// String returns "absolute", "resolved", "unresolved" or "".
func (s Status) String() string {
	if s > StatusUnresolved {
		return ""
	}
	return [...]string{"", "absolute", "resolved", "unresolved"}[s]
}

// Place returns the element and the attribute of the link, such as "a@href", its header field, or a name that the
// format defines. In a list it has the number of the link: "img@srcset[2]".
func (l *Link) Place() string {
	if l.number == 0 {
		return l.place.Name
	}
	return mark.Numbered(l.place.Name, l.number)
}

// NeedsAbsolute reports whether only an absolute URL is read at this place, as in plain text, feeds, sitemaps, a
// declared base, and a LINK with rel=canonical.
func (l *Link) NeedsAbsolute() bool {
	return l.absolute || strings.HasSuffix(l.place.Name, mark.XMLBase)
}

// Rel returns the decoded rel attribute or parameter of the link, if Extractor.DescribeLinks is set. It is valid as
// long as the Link.
func (l *Link) Rel() []byte { return l.element().Rel }

// Title returns the title attribute or parameter. See Rel.
func (l *Link) Title() []byte { return l.element().Title }

// Text returns the text of the anchor, or the alternative text of an image, cut after 256 characters. See Rel.
func (l *Link) Text() []byte { return l.element().Text }

func (l *Link) element() *anchor.Element {
	if l.frozen != nil {
		return &l.frozen.element
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

// PageURL returns Entity.PageURL or, after redirects, the URL of the response with the link.
func (l *Link) PageURL() string {
	if l.Entity.redirected {
		return l.Scope.RetrievalURL()
	}
	return l.Entity.PageURL()
}

// Position returns the line and the column of Raw in the entity, from 1; columns count bytes.
func (l *Link) Position() (line, column int) {
	if l.frozen != nil {
		return l.frozen.line, l.frozen.column
	}
	return l.Entity.lines.At(l.Entity.Bytes, l.Offset)
}

// DocumentSpan returns the offsets [start, end) in the decompressed document of the bytes that spell the link, in all
// encodings around it.
func (l *Link) DocumentSpan() (start, end int64) {
	if l.frozen != nil {
		return l.frozen.start, l.frozen.end
	}
	e, at := l.Entity, codec.Span{Start: l.Offset, End: l.Offset + len(l.Raw)}
	for ; e.parent != nil; e = e.parent {
		at = e.regionText.Span(at)
	}
	return e.start + int64(at.Start), e.start + int64(at.End)
}

// InPlace reports whether the bytes at DocumentSpan spell the link itself, and not base64 or compressed data around
// it.
func (l *Link) InPlace() bool {
	if l.frozen != nil {
		return l.frozen.inPlace
	}
	e := l.Entity
	for ; e.parent != nil; e = e.parent {
		for fr := e.regionText; fr != nil; fr = fr.Parent {
			if fr.Codec != nil && !codec.InPlace(fr.Codec) {
				return false
			}
		}
	}
	return !e.compressed
}

// frozen has what the methods of a clone return, which its Entity cannot tell any more.
type frozen struct {
	element      anchor.Element
	line, column int
	start, end   int64
	inPlace      bool
}

// Clone returns a copy that stays valid. Its Entity has no Bytes.
func (l *Link) Clone() *Link {
	if l.frozen != nil {
		return l
	}
	c, e := *l, l.Entity
	c.Raw, c.Ref, c.URL = bytes.Clone(l.Raw), bytes.Clone(l.Ref), bytes.Clone(l.URL)
	at := l.element()
	c.frozen = &frozen{inPlace: l.InPlace(), element: anchor.Element{Rel: bytes.Clone(at.Rel),
		Title: bytes.Clone(at.Title), Text: bytes.Clone(at.Text)}}
	c.frozen.line, c.frozen.column = l.Position()
	c.frozen.start, c.frozen.end = l.DocumentSpan()
	c.Entity = &Entity{Document: e.Document, Path: e.Path, Type: e.Type, Scope: e.Scope, page: e.PageURL(),
		pageDone: true}
	c.Entity.redirected, c.Entity.envelope, c.after = e.redirected, e.message(), nil
	return &c
}
