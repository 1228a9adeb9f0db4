package extract

import "absolink/extract/internal/codec"

// baseHeader is a field that declares the base of the entity whose header it is in.
type baseHeader struct {
	place    *Place      // named "Base", "Content-Base" or "Content-Location"
	url      codec.Span  // inside the field's value; it may be empty
	codec    codec.Codec // how the URL is spelled there
	repeated bool        // not the first field of this name, and so not asked
}

// baseNames are the fields that declare a base, in the order in which they are asked: Base
// (RFC 1808 3.1), Content-Base (RFC 2110 4.2), Content-Location (RFC 2557 4.2).
var baseNames = []struct {
	folded string
	place  *Place
}{
	{"base", &Place{Name: "Base"}}, {"content-base", &Place{Name: "Content-Base"}}, {"content-location", &Place{Name: "Content-Location"}},
}

// baseHeaders gives the base headers of a header in the order in which they are asked, the
// further ones of a name right behind the first.
func baseHeaders(src []byte, fields []headerField) (bases []baseHeader) {
	for _, n := range baseNames {
		repeated := false
		for i := range fields {
			f := &fields[i]
			if !foldEqual(src[f.name.Start:f.name.End], n.folded) {
				continue
			}
			url, c := fieldURL(src, f.value)
			bases = append(bases, baseHeader{place: n.place, url: url, codec: c, repeated: repeated})
			repeated = true
		}
	}
	return bases
}
