package header

import (
	"absolink/extract/internal/ascii"
	"absolink/extract/internal/codec"
	"absolink/extract/internal/mark"
)

// BaseHeader is a field that declares the base of the entity whose header it is in.
type BaseHeader struct {
	Place    *mark.Place // named "Base", "Content-Base" or "Content-Location"
	URL      codec.Span  // inside the field's value; it may be empty
	Codec    codec.Codec // how the URL is spelled there
	Repeated bool        // not the first field of this name, and so not asked
}

// baseNames are the fields that declare a base, in the order in which they are asked: Base
// (RFC 1808 3.1), Content-Base (RFC 2110 4.2), Content-Location (RFC 2557 4.2).
var baseNames = []struct {
	folded string
	place  *mark.Place
}{
	{"base", &mark.Place{Name: "Base"}}, {"content-base", &mark.Place{Name: "Content-Base"}}, {"content-location", &mark.Place{Name: "Content-Location"}},
}

// BaseHeaders gives the base headers of a header in the order in which they are asked, the
// further ones of a name right behind the first.
func BaseHeaders(src []byte, fields []Field) (bases []BaseHeader) {
	for _, n := range baseNames {
		repeated := false
		for i := range fields {
			f := &fields[i]
			if !ascii.FoldEqual(src[f.Name.Start:f.Name.End], n.folded) {
				continue
			}
			url, c := FieldURL(src, f.Value)
			bases = append(bases, BaseHeader{Place: n.place, URL: url, Codec: c, Repeated: repeated})
			repeated = true
		}
	}
	return bases
}
