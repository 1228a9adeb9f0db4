package extract

import (
	"bytes"

	"absolink/extract/codec"
)

// HoldsFiles says whether a document is an archive of files, or of what was retrieved one by
// one, as far as its type or else its name tells. Its URL is not that of what is in it, and
// is left out of the Document: MemberURL gives that of the files, and a record tells its own.
func HoldsFiles(mediaType, name string) bool {
	for i := range compressions {
		name = compressions[i].unpackedName(name)
	}
	f := Detect(mediaType, name, nil)
	return f != nil && f.holds != noFiles
}

// memberURL is Document.MemberURL.
type memberURL func(name string) (url, by string)

// membersOf is memberURL for what a file in e holds: an archive in an archive is a folder of
// it, and what is packed by itself holds one file of its own name.
func (e *Entity) membersOf(name string) memberURL {
	if f := byType[e.Type]; e.members == nil || f == nil || f.holds != namedFiles {
		return e.members
	}
	return func(inner string) (url, by string) { return e.members(name + "/" + inner) }
}

// memberScope opens the scope of a file in an archive, whose bytes are given, if it is known
// what it was retrieved from; else it is 0.
func (f *Finder) memberScope(name string, start, end int) int32 {
	if f.members == nil || HoldsFiles("", name) {
		return 0
	}
	url, by := f.members(name)
	if url == "" {
		return 0
	}
	return f.Scope(0, memberPlace, start, end, told(url), retrievedFrom(by))
}

var memberPlace = &Place{Name: "name"}

// memberFormat tells what a file inside another is, by its name and its bytes; nil if it
// cannot be read. Packed files are opened here as they are when they stand alone.
func memberFormat(name string, text []byte) *Format {
	if c := packedBy(text); c != nil {
		return c.packedFile(name)
	}
	if bytes.HasPrefix(text, []byte(appleDouble)) {
		return nil
	}
	return Detect("", name, text)
}

// appleDouble begins a file in which macOS keeps the attributes of another (RFC 1740,
// appendix B). Its name in an archive, __MACOSX/._page.html, tells the type of that one.
const appleDouble = "\x00\x05\x16\x07"

// packedFile is the format of a packed file with a name, which without the extension of
// the packing tells what is inside.
func (c *compression) packedFile(name string) *Format {
	place := &Place{Name: c.name}
	return &Format{Name: "application/" + c.name, fragment: true, Extract: func(src []byte, f *Finder) {
		f.Part(0, place, 0, len(src), codec.Packed(c.name, f.maxRatio), nil, part{name: c.unpackedName(name)})
	}}
}
