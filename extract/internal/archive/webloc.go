package archive

import (
	"bytes"

	"absolink/extract/internal/ascii"
	"absolink/extract/internal/codec"
	"absolink/extract/internal/mark"
)

// Webloc is the format of macOS bookmarks: a property list, binary or in XML, with a URL.
var Webloc = &mark.Format{
	Name:   "application/x-webloc",
	Exts:   []string{".webloc"},
	Mark:   extractWebloc,
	Embeds: mark.NoDocuments,
	Places: func() []string { return []string{weblocPlace.Name} },
}

var weblocPlace = &mark.Place{Name: "URL", Absolute: true}

// SniffWebloc reports whether a file begins like a webloc.
func SniffWebloc(head []byte) bool {
	// a string of 3 bytes
	return bytes.HasPrefix(head, []byte(plistMagic)) && bytes.Contains(head, []byte("\x53URL")) ||
		bytes.Contains(head, []byte("<plist")) && bytes.Contains(head, []byte("<key>URL</key>"))
}

func extractWebloc(src []byte, m *mark.Marks) {
	a := webarchive{src: src, marks: m}
	top := -1
	if b, ok := readBinaryPlist(src); ok && bytes.HasPrefix(src, []byte(plistMagic)) {
		a.plist, top = b, b.top
		m.Mends(func(_ []byte, edits []codec.Edit) []codec.Edit { return b.mend(edits, a.resources) })
	} else if x, _ := readXMLPlist(src); len(x.nodes) > 0 && len(x.within[0]) > 0 { // in the element plist
		a.plist, top = x, x.within[0][0]
	}
	if top < 0 {
		m.Fault(0, mark.RecordTruncated, "the file is not a property list, or it is damaged; it is not read")
		return
	}
	object := a.value(top, "URL")
	url := a.plist.node(object)
	if url.kind != plistString || url.content.Len() == 0 {
		m.Fault(0, mark.RecordTruncated, "the property list has no URL")
		return
	}
	if a.resources = []webResource{{object: object, data: url}}; url.spelled == codec.Identity {
		m.Guard(url.content, func(e codec.Edit) (why string) {
			if ascii.NextWide(e.New, 0) < len(e.New) {
				why = " has characters that are not ASCII, which the string of the property list cannot have"
			}
			return why
		})
	}
	m.Link(weblocPlace, url.content.Start, url.content.End, url.spelled)
}
