package extract

import "absolink/extract/codec"

// memberFormat tells what a file inside another is, by its name and its bytes; nil if it
// cannot be read. Packed files are opened here as they are when they stand alone.
func memberFormat(name string, text []byte) *Format {
	if c := packedBy(text); c != nil {
		if f := c.packedFile(name); f != nil {
			return f
		}
	}
	return Detect("", name, text)
}

// packedFile is the format of a packed file with a name, which without the extension of
// the packing tells what is inside; nil for a packing that no codec has.
func (c *compression) packedFile(name string) *Format {
	if codec.Packed(c.name, 0) == nil {
		return nil
	}
	place := &Place{Name: c.name}
	return &Format{Name: "application/" + c.name, fragment: true, Extract: func(src []byte, f *Finder) {
		f.Part(0, place, 0, len(src), codec.Packed(c.name, f.maxRatio), nil, part{name: c.unpackedName(name)})
	}}
}
