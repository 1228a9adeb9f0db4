package markdown

import (
	"bytes"
	"sort"

	"absolink/extract/internal/codec"
)

// Sink receives the spans that Scan finds, in the order of the bytes.
type Sink interface {
	// Link marks the span of a URL. place is one of the constants below.
	Link(place string, start, end int, c codec.Codec)
	// HTML marks a fragment of embedded HTML, which is a block, or adjacent tags in a text. The parts are sorted and not
	// empty. The bytes between two parts are not HTML, but the prefix of a block quote or a list item, or the backslash
	// before a pipe. Blanked replaces these bytes by spaces. parts is valid until HTML returns.
	HTML(parts []codec.Span)
}

// The places of links.
const (
	PlaceLink       = "link"
	PlaceImage      = "image"
	PlaceDefinition = "definition"
	PlaceAutolink   = "autolink"
)

// Blanked returns the bytes of src from the first part to the last part, with spaces instead of the bytes between the
// parts. If there is one part, the result is a slice of src. An offset in the result plus parts[0].Start is an offset in
// src.
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

// Whole reports whether a span is inside one part. The value of an attribute in several parts is not a link. Its bytes in
// src differ from its bytes in the result of Blanked.
func Whole(parts []codec.Span, span codec.Span) bool {
	i := sort.Search(len(parts), func(i int) bool { return span.End <= parts[i].End })
	return i < len(parts) && parts[i].Start <= span.Start
}
