package xml

import (
	"bytes"

	"absolink/extract/internal/ascii"
	"absolink/extract/internal/codec/charsets"
	"absolink/extract/internal/mark"
)

// All formats of XML are read alike, because the namespace of an element determines its meaning. They differ only in
// their media types and file names.
var (
	XML = &mark.Format{
		Name:    "application/xml",
		Embeds:  mark.OnlyPages,
		Types:   []string{"text/xml", "text/xsl", "text/x-opml"},
		Exts:    []string{".xml", ".xsl", ".xslt", ".opml", ".mml", ".xspf", ".opf", ".ncx"},
		Charset: charset,
		Mark:    scan,
		Places:  placeNames,
	}
	XHTML = &mark.Format{Name: "application/xhtml+xml", Exts: []string{".xhtml", ".xht"}, Charset: charset,
		Embeds: mark.OnlyPages, Mark: scan}
	SVG = &mark.Format{Name: "image/svg+xml", Exts: []string{".svg"}, Charset: charset, Embeds: mark.OnlyPages,
		Mark: scan}
	Atom = &mark.Format{Name: "application/atom+xml", Exts: []string{".atom"}, Charset: charset,
		Embeds: mark.OnlyPages, Mark: scan}
	RSS = &mark.Format{Name: "application/rss+xml", Exts: []string{".rss"}, Charset: charset, Embeds: mark.OnlyPages,
		Mark: scan}
	RDF = &mark.Format{Name: "application/rdf+xml", Exts: []string{".rdf"}, Charset: charset, Embeds: mark.OnlyPages,
		Mark: scan}
)

// Sniff returns the media type of a document that begins with an XML declaration or with a root that has a rootType, or
// "". A page with an XML declaration is XHTML only if its root is in the namespace of XHTML. If it is not, the type is
// "text/html", because in XML its elements would not be elements of HTML.
func Sniff(head []byte) string {
	head = head[charsets.BOMLen(head):]
	if wide := wideCharset(head); wide != "" {
		head = bytes.ReplaceAll(bytes.TrimLeft(head, "\xFE\xFF"), []byte{0}, nil)
	}
	head = head[ascii.SkipSpace(head, 0):]
	declared := len(head) > 5 && bytes.HasPrefix(head, []byte("<?xml")) && ascii.IsSpace(head[5])
	s := scanner{src: head}
	for p := 0; p < len(head); {
		switch rest := head[p:]; {
		case ascii.IsSpace(rest[0]):
			p++
		case bytes.HasPrefix(rest, []byte("<?")):
			p = s.instruction(p)
		case bytes.HasPrefix(rest, []byte("<!")):
			p = s.markup(p)
		case len(rest) > 1 && rest[0] == '<' && class[rest[1]]&nameStart != 0:
			end := s.name(p + 1)
			s.attributes(end)
			name := head[p+1 : end]
			root := name[bytes.IndexByte(name, ':')+1:]
			switch t := rootType(root); {
			case !declared && ascii.FoldEqual(root, "html"):
				return "" // html.Sniff decides
			case ascii.FoldEqual(root, "html") && (t == "" || !s.declares(xhtmlNamespace)):
				return "text/html"
			case t != "":
				return t
			}
			p = len(head)
		default:
			p = len(head)
		}
	}
	if declared {
		return "application/xml"
	}
	return ""
}

// wideCharset returns the charset of a document in UTF-16, or "", by its byte order mark or its first character (XML
// 1.0, appendix F.1).
func wideCharset(raw []byte) string {
	switch {
	case len(raw) < 4:
	case raw[0] == 0xFF && raw[1] == 0xFE, raw[0] == '<' && raw[1] == 0 && raw[2] != 0 && raw[3] == 0:
		return "utf-16le"
	case raw[0] == 0xFE && raw[1] == 0xFF, raw[0] == 0 && raw[1] == '<' && raw[2] == 0 && raw[3] != 0:
		return "utf-16be"
	}
	return ""
}

// charset returns a label of a document's encoding, by RFC 7303 3. The first of these wins: the byte order mark, the
// label from the transport layer, the XML declaration, UTF-8.
func charset(raw []byte, transport string) string {
	wide := wideCharset(raw)
	switch {
	case charsets.BOMLen(raw) > 0:
		return "utf-8"
	case wide != "" && (raw[0] >= 0xFE || transport == ""):
		return wide
	case transport != "":
		return transport
	case !bytes.HasPrefix(raw, []byte("<?xml")) || len(raw) < 6 || !ascii.IsSpace(raw[5]):
		return "utf-8"
	}
	s := scanner{src: raw[:min(len(raw), mark.SniffLen)]}
	s.attributes(len("<?xml"))
	a, ok := s.attr("encoding")
	if !ok {
		return "utf-8"
	}
	label := string(s.src[a.Start:a.End])
	if _, name, _ := charsets.Of(label); name == "UTF-16LE" || name == "UTF-16BE" {
		return "utf-8" // the declaration was read as ASCII, so the document is not in UTF-16
	}
	return label
}
