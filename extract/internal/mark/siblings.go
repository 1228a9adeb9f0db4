package mark

import (
	"absolink/extract/internal/codec"
)

// Sibling is a body part that others may name (RFC 2557 8): by its Content-ID, or by its
// Content-Location from within the multipart/related that it stands in.
type Sibling struct {
	Path     string     // as it is named in the message: "2.1"
	Group    int        // the multipart/related; 0 is the message
	ID       codec.Span // the value of its Content-ID; empty if it has none
	Location *Mark      // the URL of its Content-Location; nil if it has none
	Based    bool       // its header declares a base
}
