package extract

// This file has the table of formats, and detects which one a document has.

import (
	"bytes"
	"cmp"
	"mime"
	"path"
	"slices"
	"strings"
	"sync"

	"absolink/extract/internal/archive"
	"absolink/extract/internal/ascii"
	"absolink/extract/internal/css"
	"absolink/extract/internal/emlx"
	"absolink/extract/internal/header"
	"absolink/extract/internal/html"
	"absolink/extract/internal/http"
	"absolink/extract/internal/jsonfeed"
	"absolink/extract/internal/mail"
	"absolink/extract/internal/mark"
	"absolink/extract/internal/markdown"
	"absolink/extract/internal/pack"
	"absolink/extract/internal/text"
	"absolink/extract/internal/xml"
)

// formats is the table of formats, in the order in which they are detected. To add a format, add a row. sniff reports
// whether a document that begins with head, of mark.SniffLen bytes at most, has the format. It is nil if first bytes
// cannot tell.
var formats = []struct {
	*mark.Format
	sniff func(head []byte) bool
}{
	{archive.ARC, archive.SniffARC},
	{pack.Gzip, nil},
	{pack.Zstd, nil},
	{pack.Bzip2, nil},
	{css.Format, nil},
	{archive.ENEX, archive.SniffENEX},
	{jsonfeed.Format, jsonfeed.Sniff},
	{archive.HAR, archive.SniffHAR},
	{pack.EPUB, pack.SniffEPUB},
	{html.Format, sniffPage},
	{http.Format, http.SniffHTTP},
	{pack.WACZ, pack.SniffWACZ},
	{markdown.Format, nil},
	{emlx.Format, emlx.Sniff},
	{mail.Mbox, mail.SniffMbox},
	{mail.Message, mail.SniffMessage},
	{text.Plain, nil},
	{text.Shortcut, text.SniffShortcut},
	{pack.Tar, pack.SniffTar},
	{archive.WARC, archive.SniffWARC},
	{archive.Webarchive, archive.SniffWebarchive},
	{archive.Webloc, archive.SniffWebloc},
	{xml.XML, sniffsXML(xml.XML)},
	{xml.XHTML, sniffsXML(xml.XHTML)},
	{xml.SVG, sniffsXML(xml.SVG)},
	{xml.Atom, sniffsXML(xml.Atom)},
	{xml.RSS, sniffsXML(xml.RSS)},
	{xml.RDF, sniffsXML(xml.RDF)},
	{pack.Zip, pack.SniffZip},
}

// byType returns the format of a media type without parameters, or nil. For application/json and text/json it is
// jsonfeed.JSON, which is not in the table: only the JSON Feeds among such documents are read.
func byType(mediaType string) *mark.Format {
	for i := range formats {
		if f := formats[i].Format; f.Name == mediaType || slices.Contains(f.Types, mediaType) {
			return f
		}
	}
	if mediaType == "application/json" || mediaType == "text/json" {
		return jsonfeed.JSON
	}
	return nil
}

func byExt(ext string) *mark.Format {
	for i := range formats {
		if f := formats[i].Format; slices.Contains(f.Exts, ext) {
			return f
		}
	}
	return nil
}

// sniffPage reports whether a document that begins with head is an HTML page. An XML declaration does not make it
// XHTML, which only the namespace does. A feed or an SVG picture that begins with a comment is not HTML.
func sniffPage(head []byte) bool {
	head = html.SniffStart(head)
	if html.Sniff(head) {
		return true
	}
	t := xml.Sniff(head)
	return t == "text/html" || t == "" && bytes.HasPrefix(head, []byte("<!--"))
}

func sniffsXML(f *mark.Format) func(head []byte) bool {
	return func(head []byte) bool { return xml.Sniff(head) == f.Name }
}

// Format is a format that package extract reads.
type Format struct {
	Name  string   // the media type, such as "text/html"
	Types []string // other media types
	Exts  []string // file name extensions, such as ".html"

	Archive bool // has documents with URLs of their own, as zip or WARC
	HasURLs bool // records these URLs, as WARC; others need Document.MemberURL
	Records bool // can have many records, as mbox: see Extractor.Records

	embeds mark.Embedding
}

// Embeds reports whether the format can contain documents of a wanted media type.
func (f *Format) Embeds(wanted func(mediaType string) bool) bool { return embeds(f.embeds, wanted) }

func embeds(what mark.Embedding, wanted func(mediaType string) bool) bool {
	return what == mark.AnyDocuments || what == mark.OnlyPages && wanted(html.Format.Name)
}

// Formats returns all formats, in the order of detection. Change neither the slice nor a Format.
func Formats() []*Format { return public() }

// FormatOf returns the format of a media type, or nil. Any type in "+xml" is XML (RFC 7303 4.2).
func FormatOf(mediaType string) *Format { return publicOf(formatOf(mediaType)) }

// Detect returns the format of a document, or nil. The media type decides, or, if it is "", the extension of name
// together with head, the first 1024 bytes.
func Detect(mediaType, name string, head []byte) *Format {
	return publicOf(detect(mediaType, name, head))
}

// DetectUnpacked is Detect for what is in a file that may be compressed, as packed tells.
func DetectUnpacked(mediaType, name string, head []byte) (f *Format, packed bool) {
	format, packed := detectUnpacked(mediaType, name, head)
	return publicOf(format), packed
}

// isArchive reports whether a document is an archive, by its media type, or by its name if that is "".
func isArchive(mediaType, name string) bool {
	f := detect(mediaType, pack.UnpackedName(name), nil)
	return f != nil && f.Holds != mark.NoFiles
}

// public returns the Format of each row of formats, in the same order.
var public = sync.OnceValue(func() (list []*Format) {
	for _, f := range formats {
		list = append(list, &Format{Name: f.Name, Types: f.Types, Exts: f.Exts, Archive: f.Holds != mark.NoFiles,
			Records: f.Split != nil, HasURLs: f.Holds.HasURLs(), embeds: f.Embeds})
	}
	return list
})

// publicOf returns the Format of a row of formats, or nil for nil.
func publicOf(f *mark.Format) *Format {
	if f == jsonfeed.JSON {
		f = jsonfeed.Format
	}
	for i := range formats {
		if formats[i].Format == f {
			return public()[i]
		}
	}
	return nil
}

func formatOf(mediaType string) *mark.Format {
	if f := byType(mediaType); f != nil {
		return f
	}
	t, _, _ := strings.Cut(mediaType, ";") // the parameters may be malformed: some servers send "text/html; charset="
	t, _, err := mime.ParseMediaType(t)
	if err != nil {
		return nil
	}
	if f := byType(t); f != nil || !strings.HasSuffix(t, "+xml") || !strings.Contains(t, "/") {
		return f
	}
	return xml.XML // RFC 7303 4.2: any type of that suffix can be read as XML
}

// detect implements Detect. First bytes override the extension of a file that often has the wrong one: a saved HTTP
// response with the name of its page, a page or an emlx file named like a message, a feed named like a page, an mbox
// named like a text.
func detect(mediaType, name string, head []byte) *mark.Format {
	if mediaType != "" {
		return formatOf(mediaType)
	}
	if f := formatByName(name); f != nil {
		switch {
		case http.IsResponse(head):
			return http.Format
		case f == mail.Message && sniffPage(head):
			return html.Format
		case f == mail.Message && emlx.Sniff(head):
			return emlx.Format
		case f == text.Plain && mail.BeginsDated(head):
			return mail.Mbox
		case f == html.Format:
			return cmp.Or(feedOf(head), f)
		case f == pack.Zip && pack.SniffEPUB(head):
			return pack.EPUB
		}
		return f
	}
	head = headOf(head)
	// archives first, because the first file of an archive may be in head
	for _, archives := range [...]bool{true, false} {
		for _, f := range formats {
			if f.Holds.HasPaths() == archives && f.sniff != nil && f.sniff(head) {
				return f.Format
			}
		}
	}
	return nil
}

// formatByName returns the format for the extension of a file name, or nil. The extension may stand before a query,
// which wget keeps in the name, after a "?", or on Windows after an "@".
func formatByName(name string) *mark.Format {
	if f := byExt(ascii.Lower(path.Ext(name))); f != nil {
		return f
	}
	file := path.Base(name)
	if i := strings.IndexAny(file, "?@"); i >= 0 {
		return byExt(ascii.Lower(path.Ext(file[:i])))
	}
	return nil
}

// isNamed reports whether the extension of a file name is known, as that of a format or of a compression.
func isNamed(name string) bool { return formatByName(name) != nil || pack.UnpackedName(name) != name }

// unknownKind says why no format is known for a document that begins with head.
func unknownKind(name string, head []byte) string {
	switch ext := ascii.Lower(path.Ext(name)); {
	case len(head) == 0:
		return "the file is empty"
	case bytes.HasPrefix(head, []byte("%PDF-")):
		return "not read: it is a PDF document"
	case bytes.HasPrefix(head, []byte("\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1")), bytes.HasPrefix(head, []byte("PK")) &&
		(slices.Contains(officeNames, ext) || bytes.Contains(head, []byte("[Content_Types].xml")) ||
			bytes.Contains(head, []byte("application/vnd.oasis.opendocument"))):
		return "not read: it is an office document"
	case bytes.HasPrefix(head, []byte("PK\x03\x04")), bytes.HasPrefix(head, []byte("PK\x05\x06")):
		return "it is a zip archive by its content, but not by its name"
	}
	return "unknown type: neither the name nor the first bytes match a format"
}

// officeNames are the extensions of office documents, which are zip archives.
var officeNames = []string{".docx", ".xlsx", ".pptx", ".odt", ".ods", ".odp"}

// contentFormat returns the format of an embedded document, by its mark and its content, or nil if it is unknown.
func contentFormat(at *mark.Mark, content []byte) *mark.Format {
	switch {
	case at.Format == nil:
		return memberFormat(at.Part.Name, content)
	case mayBeFeed(at):
		return cmp.Or(feedOf(content), at.Format)
	case at.Format.Split != nil: // the type may be that of the decompressed file
		if c := pack.PackedBy(content); c != nil {
			return c.PackedFile("")
		}
	}
	return at.Format
}

// mayBeFeed reports whether an embedded document is a page by its type, which the content may correct to a feed.
func mayBeFeed(at *mark.Mark) bool {
	return at.Format == html.Format && at.Part != nil && !at.Part.Given
}

// feedOf returns the format of a feed by its first bytes, or nil. Servers send feeds as HTML, and feed readers read
// them all the same.
func feedOf(raw []byte) *mark.Format {
	switch t := rootOf(raw); t {
	case xml.RSS.Name, xml.Atom.Name, xml.RDF.Name:
		return byType(t)
	}
	return nil
}

// rootOf returns the media type of a document that begins like XML and not like HTML, or "".
func rootOf(raw []byte) string {
	head := headOf(raw)
	if start := html.SniffStart(head); html.Sniff(start) || !bytes.HasPrefix(start, []byte("<")) {
		return ""
	}
	return xml.Sniff(head)
}

// looksLike returns the kind of document with links that raw begins like: "HTML", "XML" or "a JSON Feed", or else "". A
// comment alone is not enough, because style sheets and scripts may begin with one.
func looksLike(raw []byte) string {
	switch t := rootOf(raw); {
	case html.Sniff(html.SniffStart(headOf(raw))), t == html.Format.Name, t == xml.XHTML.Name:
		return "HTML"
	case t != "":
		return "XML"
	case jsonfeed.Sniff(headOf(raw)):
		return "a JSON Feed"
	}
	return ""
}

func headOf(raw []byte) []byte { return raw[:min(len(raw), mark.SniffLen)] }

// detectUnpacked implements DetectUnpacked. It stops at 64 nested compressions, because some files decompress to
// themselves.
func detectUnpacked(mediaType, name string, head []byte) (f *mark.Format, packed bool) {
	for range defaultDepth {
		c := pack.PackedBy(head)
		if c == nil {
			break
		}
		name, head, packed = c.UnpackedName(name), c.UnpackedHead(head), true
		mediaType = unpackedType(c, mediaType)
	}
	return detect(mediaType, name, head), packed
}

// unpackedType returns "" for the media type of the compression, and other media types unchanged.
func unpackedType(c *pack.Compression, mediaType string) string {
	if f := formatOf(mediaType); f != nil && f.Name == "application/"+c.Name {
		return ""
	}
	return mediaType
}

// charsetOf returns the charset parameter of a media type, or "".
func charsetOf(mediaType string) string {
	if strings.IndexByte(mediaType, '=') < 0 {
		return ""
	}
	_, params := header.ContentType([]byte(mediaType))
	return header.Charset(params)
}

// memberFormat returns the format of a file inside another file, by its name and its bytes, or nil. That of a
// compressed file depends on the name of the decompressed one.
func memberFormat(name string, text []byte) *mark.Format {
	if c := pack.PackedBy(text); c != nil {
		return c.PackedFile(name)
	}
	if bytes.HasPrefix(text, []byte(appleDouble)) {
		return nil
	}
	return detect("", name, text)
}

// appleDouble begins a file in which macOS stores the attributes of another file (RFC 1740, appendix B). In an archive
// it has the extension of that file, as in __MACOSX/._page.html.
const appleDouble = "\x00\x05\x16\x07"

// ofFiles returns m, except that an archive has no URL, because the documents in it have their own. It returns nil for
// nil.
func ofFiles(m mark.MemberURL) mark.MemberURL {
	if m == nil {
		return nil
	}
	return func(name string) (url, by string) {
		if isArchive("", name) {
			return "", ""
		}
		return m(name)
	}
}
