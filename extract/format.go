package extract

import (
	"bytes"
	"mime"
	"path"
	"strings"
)

// sniffed is a format, and what tells it by the first bytes of a document, sniffLen at the most; nil if
// nothing does.
type sniffed struct {
	*Format
	sniff func(head []byte) bool
}

// formats is the table of formats, in the order in which documents are asked. To add a format, add a row.
var formats = []sniffed{
	{ARC, sniffARC},
	{gzipFormat, nil},
	{zstdFormat, nil},
	{bzip2Format, nil},
	{CSS, nil},
	{ENEX, sniffENEX},
	{HAR, sniffHAR},
	{HTML, sniffPage},
	{HTTP, sniffHTTP},
	{MAFF, nil},
	{Mbox, sniffMbox},
	{Message, sniffMessage},
	{Plain, nil},
	{Tar, sniffTar},
	{WARC, isWARCLine},
	{Webarchive, sniffWebarchive},
	{XML, sniffsXML(XML)},
	{XHTML, sniffsXML(XHTML)},
	{SVG, sniffsXML(SVG)},
	{Atom, sniffsXML(Atom)},
	{RSS, sniffsXML(RSS)},
	{RDF, sniffsXML(RDF)},
	{Zip, sniffZip},
}

var byType, byExt = indexed(formats)

// indexed gives the formats by their media types and their extensions. Two formats for one of these are a
// mistake in the table.
func indexed(formats []sniffed) (byType, byExt map[string]*Format) {
	byType, byExt = map[string]*Format{}, map[string]*Format{}
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
	head = sniffStart(head)
	if sniffHTML(head) {
		return true
	}
	t := sniffXML(head)
	return t == "text/html" || t == "" && bytes.HasPrefix(head, []byte("<!--"))
}

// sniffsXML gives what tells one of the formats of XML.
func sniffsXML(f *Format) func(head []byte) bool {
	return func(head []byte) bool { return sniffXML(head) == f.Name }
}

// Formats lists the formats of documents, not those of the small grammars.
func Formats() []*Format {
	all := make([]*Format, len(formats))
	for i, f := range formats {
		all[i] = f.Format
	}
	return all
}

// FormatOf finds the format of a media type, parameters and case aside; nil if unknown.
func FormatOf(mediaType string) *Format {
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
	return XML // RFC 7303 4.2: any type of that suffix can be read as XML
}

// Detect finds the format of a document: by its type if one is given, else by the
// extension of its name, else by its first bytes, of which 1024 are enough. nil means that
// none claims it. A saved response often has the name of the page in it: if the first bytes
// are those of a response, the format is HTTP whatever the extension says. And what programs
// save as .mht is at times the page alone.
func Detect(mediaType, name string, head []byte) *Format {
	if mediaType != "" {
		return FormatOf(mediaType)
	}
	if f := formatByName(name); f != nil {
		switch {
		case isResponse(head):
			return HTTP
		case f == Message && sniffPage(head):
			return HTML
		}
		return f
	}
	head = head[:min(len(head), sniffLen)]
	for _, archives := range [...]bool{true, false} { // first, for the first file of one is in what is shown
		for _, f := range formats {
			if (f.holds == namedFiles) == archives && f.sniff != nil && f.sniff(head) {
				return f.Format
			}
		}
	}
	return nil
}

// formatByName finds the format of a file's extension, which may stand before the query that wget
// leaves in the name, behind a "?", or an "@" on Windows; nil if none has it.
func formatByName(name string) *Format {
	if f := byExt[lower(path.Ext(name))]; f != nil {
		return f
	}
	file := path.Base(name)
	if i := strings.IndexAny(file, "?@"); i >= 0 {
		return byExt[lower(path.Ext(file[:i]))]
	}
	return nil
}

// charsetOf is the charset parameter of a media type, "" if there is none.
func charsetOf(mediaType string) string {
	if strings.IndexByte(mediaType, '=') < 0 {
		return ""
	}
	_, params := contentType([]byte(mediaType))
	return params["charset"]
}
