package extract

// This file has the table of formats, and detects the format of a document.

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

// sniffed is a format, and a function that reports whether the first bytes of a document are those of the format. head
// has mark.SniffLen bytes at most. sniff is nil for a format that its bytes do not show.
type sniffed struct {
	*mark.Format
	sniff func(head []byte) bool
}

// formats is the table of formats, in the order in which they are detected. To add a format, add a row.
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
	{pack.WACZ, pack.SniffWACZ},
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

// indexed returns the formats by their media types and by their extensions. It panics if two formats in the table have
// the same media type or extension.
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

// sniffPage reports whether the first bytes are those of an HTML page. A page that begins with an XML declaration, and
// is not in the namespace of XHTML, is HTML, too. A comment before the root of a feed or of an SVG picture is not HTML.
func sniffPage(head []byte) bool {
	head = html.SniffStart(head)
	if html.Sniff(head) {
		return true
	}
	t := xml.Sniff(head)
	return t == "text/html" || t == "" && bytes.HasPrefix(head, []byte("<!--"))
}

// sniffsXML returns the sniff function of one of the XML formats.
func sniffsXML(f *mark.Format) func(head []byte) bool {
	return func(head []byte) bool { return xml.Sniff(head) == f.Name }
}

// Format is a media type that absolink reads.
type Format struct {
	Name  string   // the media type
	Types []string // further media types that mean the same
	Exts  []string // file name extensions, with the dot, in lower case

	// Archive is set for an archive: of files, such as zip, or of documents that were retrieved one by one, such as WARC.
	// The URL of an archive is not the URL of the documents in it. So leave Document.URL empty for an archive.
	// Document.MemberURL returns the URLs of files, and each record of a web archive has its own URL.
	Archive bool
	HasURLs bool // an archive that has the URLs of its documents, as WARC has

	embeds mark.Embedding
}

// Embeds reports whether a document of the format can contain a document of a type for which wanted is true. It can be true
// for a type that no document has.
func (f *Format) Embeds(wanted func(mediaType string) bool) bool { return embeds(f.embeds, wanted) }

// embeds is Embeds for the engine.
func embeds(what mark.Embedding, wanted func(mediaType string) bool) bool {
	return what == mark.AnyDocuments || what == mark.OnlyPages && wanted(html.Format.Name)
}

// Formats returns the formats of documents, in the order in which they are detected. The caller must not change them.
func Formats() []*Format { return public }

// FormatOf returns the format of a media type, or nil if the type is unknown. It ignores parameters and case.
func FormatOf(mediaType string) *Format { return publicOf[formatOf(mediaType)] }

// Detect returns the format of a document, or nil if it is unknown. The media type decides, if there is one. Else the
// extension of the name decides, and else the first bytes. 1024 bytes are enough.
//
// Two kinds of files are detected by their first bytes, whatever their extension is: saved HTTP responses, which often
// have the name of the page, and HTML pages that a program has saved as .mht.
func Detect(mediaType, name string, head []byte) *Format {
	return publicOf[detect(mediaType, name, head)]
}

// DetectUnpacked is Detect for a file that may be compressed. It returns the format of the decompressed document, and
// reports whether the file is compressed. It looks no deeper than the default limit, since there are files that
// decompress to themselves.
func DetectUnpacked(mediaType, name string, head []byte) (f *Format, packed bool) {
	format, packed := detectUnpacked(mediaType, name, head)
	return publicOf[format], packed
}

// isArchive reports whether a document is an archive, by its media type or else by its name.
func isArchive(mediaType, name string) bool {
	f := detect(mediaType, pack.UnpackedName(name), nil)
	return f != nil && f.Holds != mark.NoFiles
}

var public, publicOf = publish(formats)

// publish returns the formats as callers see them.
func publish(formats []sniffed) (list []*Format, of map[*mark.Format]*Format) {
	of = map[*mark.Format]*Format{}
	for _, f := range formats {
		p := &Format{Name: f.Name, Types: f.Types, Exts: f.Exts, Archive: f.Holds != mark.NoFiles, HasURLs: f.Holds.HasURLs(), embeds: f.Embeds}
		list, of[f.Format] = append(list, p), p
	}
	return list, of
}

// formatOf is FormatOf for the engine.
func formatOf(mediaType string) *mark.Format {
	if f := byType[mediaType]; f != nil {
		return f
	}
	t, _, _ := strings.Cut(mediaType, ";") // the parameters may be malformed: some servers send "text/html; charset="
	t, _, err := mime.ParseMediaType(t)
	if err != nil {
		return nil
	}
	if f := byType[t]; f != nil || !strings.HasSuffix(t, "+xml") {
		return f
	}
	return xml.XML // RFC 7303 4.2: any type of that suffix can be read as XML
}

// detect is Detect for the engine.
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
		}
		return f
	}
	head = head[:min(len(head), mark.SniffLen)]
	for _, archives := range [...]bool{true, false} { // archives first: head may also contain the first file of an archive
		for _, f := range formats {
			if f.Holds.HasPaths() == archives && f.sniff != nil && f.sniff(head) {
				return f.Format
			}
		}
	}
	return nil
}

// formatByName returns the format of a file's extension, or nil if no format has the extension. wget leaves the query of
// the URL in the name, after a "?", or after an "@" on Windows. The extension may stand before that query.
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

// detectUnpacked is DetectUnpacked for the engine.
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

// defaultDepth is the default of Extractor.MaxDepth.
const defaultDepth = 64

// unpackedType returns "" for the media type of the compression, and other media types unchanged.
func unpackedType(c *pack.Compression, mediaType string) string {
	if f := formatOf(mediaType); f != nil && f.Name == "application/"+c.Name {
		return ""
	}
	return mediaType
}

// charsetOf returns the charset parameter of a media type, or "" if there is none.
func charsetOf(mediaType string) string {
	if strings.IndexByte(mediaType, '=') < 0 {
		return ""
	}
	_, params := header.ContentType([]byte(mediaType))
	return params["charset"]
}

// memberFormat returns the format of a file inside another file, by its name and its bytes, or nil if the file cannot be
// read. A compressed file in an archive is decompressed, as it is when it is a document on its own.
func memberFormat(name string, text []byte) *mark.Format {
	if c := pack.PackedBy(text); c != nil {
		return c.PackedFile(name)
	}
	if bytes.HasPrefix(text, []byte(appleDouble)) {
		return nil
	}
	return detect("", name, text)
}

// appleDouble begins a file in which macOS stores the attributes of another file (RFC 1740, appendix B). Its name in an
// archive, such as __MACOSX/._page.html, has the extension of that other file.
const appleDouble = "\x00\x05\x16\x07"

// ofFiles returns a MemberURL that is m, but returns "" for archives: the documents in an archive have their own URLs.
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

// Mbox is the flavour of an mbox. Each flavour has its own way to distinguish a line of a message that begins with
// "From " from the beginning of the next message.
type Mbox uint8

// The flavours of mboxes. The value 0 means that the flavour is detected for each message.
const (
	MboxO   Mbox = 1 + iota // "From " is written as ">From "
	MboxRD                  // as MboxO, and ">From " is written as ">>From "
	MboxCL                  // as MboxO, and a Content-Length declares the length of the message
	MboxCL2                 // "From " is unchanged, and a Content-Length declares the length
)

// flavours are the formats of mboxes by their flavours.
var flavours = map[Mbox]*mark.Format{MboxO: mail.MboxO, MboxRD: mail.MboxRD, MboxCL: mail.MboxCL, MboxCL2: mail.MboxCL2}
