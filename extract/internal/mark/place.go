package mark

import (
	"strconv"
	"strings"

	"absolink/extract/internal/ascii"
)

// Place is where a link is, by a name like "a@href", with the rules for references there. Places are shared, and never
// change.
type Place struct {
	Name string

	// Within is the number of the multipart around the body parts at the place, with a dot: "1.2.". Their numbers begin
	// with it.
	Within string

	// Names is set where a fragment-only reference names something inside the same document by every standard: in
	// usemap, CSS and SVG. Its URL is that of the document, whatever the base is, and it is never made absolute.
	Names bool

	// Own is set where the URL Standard takes an empty reference as the URL of the document, not the base URL, as in
	// form@action.
	Own bool

	// Inert is set where an empty reference is not a link under the URL Standard, as in img@src.
	Inert bool

	// Permanent is set where an absolute URL is the name of something, which must not change even if the thing moves
	// (RFC 4287 4.2.6): the id of an Atom entry, the guid of an RSS item.
	Permanent bool

	// Absolute is set where other programs read only absolute URLs: in sitemaps, bookmarks, and LINK rel=canonical. See
	// also Notes.Feed.
	Absolute bool

	// Hyperlink is set where a reader leaves the document, in the href of a and area. Only there a book may name what
	// is not in it (EPUB 3.3, 3.6).
	Hyperlink bool

	// Served is set where browsers load a file only from a server: module scripts, and what crossorigin is for.
	Served bool

	// Other is the place of the same name with other rules: in a nav, which lists the files of a book, in a LINK that
	// tells other programs a URL, and where Served is set. It is nil at most places.
	Other *Place

	// Srcdoc is set where the value is a document with a URL of its own (HTML 4.8.5).
	Srcdoc bool

	// Reads reports whether a parser reads bytes at this place as a link. If it is nil, the codec of the link is check
	// enough, because it spells any text or returns an error.
	Reads func(spelled []byte) bool

	// Describe returns the rel and the title of a link, from the text after it. It is nil where the element has them.
	Describe func(after []byte) (rel, title []byte)
}

// Numbered returns the name of a place with its number n, like "img@srcset[2]".
func Numbered(name string, n int) string { return name + "[" + strconv.Itoa(n) + "]" }

// Fits reports whether a place, with its number or 0, fits a pattern. A "*" in the pattern matches any characters, a
// pattern without a number every number, and the name of an element alone every attribute of it. The case of ASCII
// letters is ignored.
func Fits(pattern, name string, number int) bool {
	pattern, name = ascii.Lower(pattern), ascii.Lower(name)
	element, _, attribute := strings.Cut(name, "@")
	return fits(pattern, name) || number > 0 && fits(pattern, Numbered(name, number)) || attribute && pattern == element
}

func fits(pattern, name string) bool {
	first, rest, star := strings.Cut(pattern, "*")
	if !star {
		return pattern == name
	}
	name, found := strings.CutPrefix(name, first)
	for found {
		if first, rest, star = strings.Cut(rest, "*"); !star {
			return strings.HasSuffix(name, first)
		}
		_, name, found = strings.Cut(name, first)
	}
	return false
}

// MayFit reports whether some place of a form fits a pattern. A "*" in the form stands for any characters except "@",
// so "*@href" is the form of the attribute href of any element.
func MayFit(pattern, form string) bool {
	pattern = ascii.Lower(pattern)
	if open := strings.LastIndexByte(pattern, '['); open >= 0 && strings.Trim(pattern[open:], "[0123456789*]") == "" {
		pattern = pattern[:open] // a number
	}
	form = ascii.Lower(form)
	after := make([]bool, len(form)+1) // after[j] reports whether the rest of the pattern may fit form[j:]
	for i := len(pattern); i >= 0; i-- {
		here := make([]bool, len(form)+1)
		for j := len(form); j >= 0; j-- {
			inPattern, inForm := i < len(pattern) && pattern[i] == '*', j < len(form) && form[j] == '*'
			switch {
			case i == len(pattern) && j == len(form):
				here[j] = true
			case inPattern || inForm:
				here[j] = inPattern && (after[j] || j < len(form) && here[j+1]) ||
					inForm && (here[j+1] || i < len(pattern) && pattern[i] != '@' && after[j])
			case i < len(pattern) && j < len(form):
				here[j] = pattern[i] == form[j] && after[j+1]
			}
		}
		after = here
	}
	return after[0]
}
