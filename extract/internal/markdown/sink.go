package markdown

import "absolink/extract/codec"

// Sink takes the spans that Extract finds, in the order of the bytes.
type Sink interface {
	// Link marks the source of a URL, at one of the Places.
	Link(place string, start, end int, c codec.Codec)
	// HTML marks a fragment of embedded HTML. The parts are sorted and not empty. Between two parts stand the
	// prefixes of block quotes or list items, which are no part of the HTML; Blanked replaces them by spaces.
	// parts is valid until HTML returns.
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
// part, it is a slice of src. An offset in the result is the offset in src less parts[0].Start. A value that crosses a
// gap reads otherwise in src.
func Blanked(src []byte, parts []codec.Span) []byte {
	first := parts[0].Start
	if len(parts) == 1 {
		return src[first:parts[0].End]
	}
	out := make([]byte, parts[len(parts)-1].End-first)
	for i := range out {
		out[i] = ' '
	}
	for _, p := range parts {
		copy(out[p.Start-first:], src[p.Start:p.End])
	}
	return out
}
