package header

import (
	"absolink/extract/internal/ascii"
	"absolink/extract/internal/codec"
	"absolink/extract/internal/mark"
)

// baseField is a field that declares a base. Its entity is the one that the header belongs to.
type baseField struct {
	place    *mark.Place // named "Base", "Content-Base" or "Content-Location"
	url      codec.Span  // inside the field's value; it may be empty
	codec    codec.Codec // of the URL
	repeated bool        // not the first field of this name: it is ignored
}

// baseNames lists the fields that declare a base, in order of priority: Base (RFC 1808 3.1), Content-Base (RFC 2110 4.2),
// Content-Location (RFC 2557 4.2). If a header has several of them, the first in this list counts.
var baseNames = []struct {
	folded string
	place  *mark.Place
}{
	{"base", &mark.Place{Name: "Base"}},
	{"content-base", &mark.Place{Name: "Content-Base"}},
	{"content-location", &mark.Place{Name: "Content-Location"}},
}

// baseFields returns the fields of a header that declare a base, in the order of baseNames. Fields of the same name are
// in the order of the bytes.
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
