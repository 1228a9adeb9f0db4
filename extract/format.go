package extract

import (
	"bytes"
	"mime"
	"path"
	"strings"

	"absolink/extract/internal/archive"
	"absolink/extract/internal/ascii"
	"absolink/extract/internal/css"
	"absolink/extract/internal/header"
	"absolink/extract/internal/html"
	"absolink/extract/internal/http"
	"absolink/extract/internal/mail"
	"absolink/extract/internal/mark"
	"absolink/extract/internal/markdown"
	"absolink/extract/internal/pack"
	"absolink/extract/internal/text"
	"absolink/extract/internal/xml"
)

// sniffed is a format, and what tells it by the first bytes of a document, sniffLen at the most; nil if
// nothing does.
type sniffed struct {
	*mark.Format
	sniff func(head []byte) bool
}

// formats is the table of formats, in the order in which documents are asked. To add a format, add a row.
var formats = []sniffed{
	{archive.ARC, archive.SniffARC},
	{pack.Gzip, nil},
	{pack.Zstd, nil},
	{pack.Bzip2, nil},
	{css.Format, nil},
	{archive.ENEX, archive.SniffENEX},
	{archive.HAR, archive.SniffHAR},
	{html.Format, sniffPage},
	{http.Format, http.SniffHTTP},
	{pack.MAFF, nil},
	{markdown.Format, nil},
	{mail.Mbox, mail.SniffMbox},
	{mail.Message, mail.SniffMessage},
	{text.Plain, nil},
	{pack.Tar, pack.SniffTar},
	{archive.WARC, archive.SniffWARC},
	{archive.Webarchive, archive.SniffWebarchive},
	{xml.XML, sniffsXML(xml.XML)},
	{xml.XHTML, sniffsXML(xml.XHTML)},
	{xml.SVG, sniffsXML(xml.SVG)},
	{xml.Atom, sniffsXML(xml.Atom)},
	{xml.RSS, sniffsXML(xml.RSS)},
	{xml.RDF, sniffsXML(xml.RDF)},
	{pack.Zip, pack.SniffZip},
}

var byType, byExt = indexed(formats)

// indexed gives the formats by their media types and their extensions. Two formats for one of these are a
// mistake in the table.
func indexed(formats []sniffed) (byType, byExt map[string]*mark.Format) {
	byType, byExt = map[string]*mark.Format{}, map[string]*mark.Format{}
	for _, f := range formats {
		for _, t := range append([]string{f.Name}, f.Types...) {
			if byType[t] != nil {
				panic("extract: two formats for the type " + t)
			}
			byType[t] = f.Format
		}
		for _, e := range f.Exts {
			if byExt[e] != nil {
				panic("extract: two formats for the extension " + e)
			}
			byExt[e] = f.Format
		}
	}
	return byType, byExt
}

// sniffPage tells HTML. A page that begins with an XML declaration, and is not in the namespace of XHTML, was
// meant as HTML, too; what has a comment and then the root of a feed or a picture was not.
func sniffPage(head []byte) bool {
	head = html.SniffStart(head)
	if html.Sniff(head) {
		return true
	}
	t := xml.Sniff(head)
	return t == "text/html" || t == "" && bytes.HasPrefix(head, []byte("<!--"))
}

// sniffsXML gives what tells one of the formats of XML.
func sniffsXML(f *mark.Format) func(head []byte) bool {
	return func(head []byte) bool { return xml.Sniff(head) == f.Name }
}

// Formats lists the formats of documents, not those of the small grammars.
func Formats() []*mark.Format {
	all := make([]*mark.Format, len(formats))
	for i, f := range formats {
		all[i] = f.Format
	}
	return all
}

// FormatOf finds the format of a media type, parameters and case aside; nil if unknown.
func FormatOf(mediaType string) *mark.Format {
	if f := byType[mediaType]; f != nil {
		return f
	}
	t, _, _ := strings.Cut(mediaType, ";") // whatever its parameters are: some servers send "text/html; charset="
	t, _, err := mime.ParseMediaType(t)
	if err != nil {
		return nil
	}
	if f := byType[t]; f != nil || !strings.HasSuffix(t, "+xml") {
		return f
	}
	return xml.XML // RFC 7303 4.2: any type of that suffix can be read as XML
}

// Detect finds the format of a document: by its type if one is given, else by the
// extension of its name, else by its first bytes, of which 1024 are enough. nil means that
// none claims it. A saved response often has the name of the page in it: if the first bytes
// are those of a response, the format is HTTP whatever the extension says. And what programs
// save as .mht is at times the page alone.
func Detect(mediaType, name string, head []byte) *mark.Format {
	if mediaType != "" {
		return FormatOf(mediaType)
	}
	if f := formatByName(name); f != nil {
		switch {
		case http.IsResponse(head):
			return http.Format
		case f == mail.Message && sniffPage(head):
			return html.Format
		}
		return f
	}
	head = head[:min(len(head), mark.SniffLen)]
	for _, archives := range [...]bool{true, false} { // first, for the first file of one is in what is shown
		for _, f := range formats {
			if (f.Holds == mark.NamedFiles) == archives && f.sniff != nil && f.sniff(head) {
				return f.Format
			}
		}
	}
	return nil
}

// formatByName finds the format of a file's extension, which may stand before the query that wget
// leaves in the name, behind a "?", or an "@" on Windows; nil if none has it.
func formatByName(name string) *mark.Format {
	if f := byExt[ascii.Lower(path.Ext(name))]; f != nil {
		return f
	}
	file := path.Base(name)
	if i := strings.IndexAny(file, "?@"); i >= 0 {
		return byExt[ascii.Lower(path.Ext(file[:i]))]
	}
	return nil
}

// charsetOf is the charset parameter of a media type, "" if there is none.
func charsetOf(mediaType string) string {
	if strings.IndexByte(mediaType, '=') < 0 {
		return ""
	}
	_, params := header.ContentType([]byte(mediaType))
	return params["charset"]
}

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
