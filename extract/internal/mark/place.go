package mark

import "strconv"

// Place is the name of the position of a link, such as "a@href", and the rules for references there. Places are shared,
// and never change.
type Place struct {
	Name string

	// Names is set where a reference that is only a fragment names something inside the same document,
	// by every standard: usemap, CSS, SVG. Such a reference is never made absolute.
	Names bool

	// Own is set where an empty reference is the document's own URL under the URL Standard, and not the
	// base URL: form@action.
	Own bool

	// Inert is set where an empty reference is no link under the URL Standard: img@src.
	Inert bool

	// Srcdoc is set where the value is a document with a URL of its own (HTML 4.8.5).
	Srcdoc bool
}

// Numbered returns the name of the n-th place of a name: "img@srcset[2]".
func Numbered(name string, n int) string { return name + "[" + strconv.Itoa(n) + "]" }
