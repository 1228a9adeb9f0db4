package header

import (
	"absolink/extract/internal/ascii"
	"absolink/extract/internal/codec"
	"absolink/extract/internal/mark"
)

// baseField is a field that declares the base of the entity whose header it is in.
type baseField struct {
	place    *mark.Place // named "Base", "Content-Base" or "Content-Location"
	url      codec.Span  // inside the field's value; it may be empty
	codec    codec.Codec // how the URL is spelled there
	repeated bool        // not the first field of this name, and so no base
}

// baseNames are the fields that declare a base. The first one that is in a header counts: Base (RFC 1808 3.1),
// Content-Base (RFC 2110 4.2), Content-Location (RFC 2557 4.2).
var baseNames = []struct {
	folded string
	place  *mark.Place
}{
	{"base", &mark.Place{Name: "Base"}},
	{"content-base", &mark.Place{Name: "Content-Base"}},
	{"content-location", &mark.Place{Name: "Content-Location"}},
}

// baseFields returns the fields of a header that declare a base, in the order of baseNames. Repeated fields follow the
// first one of their name.
func baseFields(src []byte, fields []Field) (bases []baseField) {
	for _, n := range baseNames {
		repeated := false
		for i := range fields {
			f := &fields[i]
			if !ascii.FoldEqual(src[f.Name.Start:f.Name.End], n.folded) {
				continue
			}
			url, c := FieldURL(src, f.Value)
			bases = append(bases, baseField{place: n.place, url: url, codec: c, repeated: repeated})
			repeated = true
		}
	}
	return bases
}
