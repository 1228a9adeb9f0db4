package extract

import (
	"bytes"

	"absolink/extract/internal/mark"
	"absolink/extract/internal/pack"
)

// HoldsFiles says whether a document is an archive of files, or of what was retrieved one by
// one, as far as its type or else its name tells. Its URL is not that of what is in it, and
// is left out of the Document: MemberURL gives that of the files, and a record tells its own.
func HoldsFiles(mediaType, name string) bool {
	f := Detect(mediaType, pack.UnpackedName(name), nil)
	return f != nil && f.Holds != mark.NoFiles
}

// membersOf is memberURL for what a file in e holds: an archive in an archive is a folder of
// it, and what is packed by itself holds one file of its own name.
func (e *Entity) membersOf(name string) mark.MemberURL {
	if f := byType[e.Type]; e.members == nil || f == nil || f.Holds != mark.NamedFiles {
		return e.members
	}
	return func(inner string) (url, by string) { return e.members(name + "/" + inner) }
}

// memberFormat tells what a file inside another is, by its name and its bytes; nil if it
// cannot be read. Packed files are opened here as they are when they stand alone.
func memberFormat(name string, text []byte) *mark.Format {
	if c := pack.PackedBy(text); c != nil {
		return c.PackedFile(name)
	}
	if bytes.HasPrefix(text, []byte(appleDouble)) {
		return nil
	}
	return Detect("", name, text)
}

// appleDouble begins a file in which macOS keeps the attributes of another (RFC 1740,
// appendix B). Its name in an archive, __MACOSX/._page.html, tells the type of that one.
const appleDouble = "\x00\x05\x16\x07"

// ofFiles is memberURL for the files that are no archives: what is in one has a URL of its own.
func ofFiles(m mark.MemberURL) mark.MemberURL {
	if m == nil {
		return nil
	}
	return func(name string) (url, by string) {
		if HoldsFiles("", name) {
			return "", ""
		}
		return m(name)
	}
}
