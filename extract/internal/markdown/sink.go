package markdown

import (
	"bytes"
	"sort"

	"absolink/extract/internal/codec"
)

// Sink takes the spans that Scan finds, in the order of the bytes.
type Sink interface {
	// Link marks the source of a URL, at one of the Places.
	Link(place string, start, end int, c codec.Codec)
	// HTML marks a fragment of embedded HTML: a block, or tags that follow one another in a text. The parts are sorted and
	// not empty. The bytes between two parts are the prefix of a block quote or a list item, or the backslash before a
	// pipe. They are not HTML; Blanked replaces them by spaces. parts is valid until HTML returns.
	HTML(parts []codec.Span)
}

// The places of links.
const (
	PlaceLink       = "link"
	PlaceImage      = "image"
	PlaceDefinition = "definition"
	PlaceAutolink   = "autolink"
)

// Blanked returns the bytes of src from the first part to the last, with spaces between the parts. If there is one
// part, the result is a slice of src. An offset in the result is an offset in src, less parts[0].Start.
func Blanked(src []byte, parts []codec.Span) []byte {
	first := parts[0].Start
	if len(parts) == 1 {
		return src[first:parts[0].End]
	}
	out := bytes.Repeat([]byte{' '}, parts[len(parts)-1].End-first)
	for _, p := range parts {
		copy(out[p.Start-first:], src[p.Start:p.End])
	}
	return out
}

// Whole reports whether a span lies in one part. The value of an attribute that does not reads otherwise in the source
// than in the result of Blanked, so it is no link.
func Whole(parts []codec.Span, span codec.Span) bool {
	i := sort.Search(len(parts), func(i int) bool { return span.End <= parts[i].End })
	return i < len(parts) && parts[i].Start <= span.Start
}
