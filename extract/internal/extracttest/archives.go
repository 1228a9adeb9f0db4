package extracttest

import (
	"archive/zip"
	"crypto/sha1"
	"encoding/base32"
	"fmt"
	"io"
	"strings"

	"absolink/extract"
)

// ENEX returns an export of Evernote.
func ENEX(notes ...string) string {
	return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n" +
		"<!DOCTYPE en-export SYSTEM \"http://xml.evernote.com/pub/evernote-export4.dtd\">\n" +
		"<!-- <note> --><en-export application=\"Evernote\" version=\"10\">\n" + strings.Join(notes,
		"") + "</en-export>\n"
}

// ENEXNote returns a note for ENEX. content is the XML in its content element.
func ENEXNote(url, content string) string {
	return "  <note>\n    <title>t &amp; t</title>\n    <created>20240101T000000Z</created>\n" +
		"    <note-attributes>\n      <source-url>" + url + "</source-url>\n    </note-attributes>\n    <content>\n" +
		"      " + content + "</content>\n" +
		"    <resource><data " +
		"encoding=\"base64\">QUJD</data>" +
		"<resource-attributes><source-url>http://other/</source-url></resource-attributes></resource>\n  </note>\n"
}

// ENML returns the text of a note, for ENEXNote.
func ENML(body string) string {
	return "<![CDATA[<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"no\"?><!DOCTYPE en-note SYSTEM " +
		"\"http://xml.evernote.com/pub/enml2.dtd\"><en-note>" + body + "</en-note>]]>"
}

// TarHead returns the header of a file.
func TarHead(name, size string, flag byte) string {
	b := make([]byte, 512)
	copy(b, name)
	copy(b[100:], "0000644\x000000000\x000000000\x00")
	copy(b[124:], size)
	copy(b[136:], "00000000000\x00        ")
	b[156] = flag
	copy(b[257:], "ustar\x0000")
	sum := 0
	for _, c := range b {
		sum += int(c)
	}
	copy(b[148:], fmt.Sprintf("%06o\x00 ", sum))
	return string(b)
}

// TarFile returns a file of a tar archive: its header and its data.
func TarFile(name, data string) string {
	return TarHead(name, fmt.Sprintf("%011o\x00", len(data)), '0') + TarData(data)
}

// TarData returns data padded with zeros to a whole block.
func TarData(data string) string { return data + strings.Repeat("\x00", -len(data)&511) }

// TarEnd is the end of a tar archive.
var TarEnd = strings.Repeat("\x00", 1024)

// Tar returns a tar archive as a document.
func Tar(src string) extract.Document {
	return extract.Document{Name: "t.tar", Bytes: []byte(src), URL: "http://h/p/"}
}

// Zip returns a zip archive of files, each a name and its data.
func Zip(files ...string) string {
	var b strings.Builder
	w := zip.NewWriter(&b)
	for i := 0; i < len(files); i += 2 {
		f, err := w.Create(files[i])
		if err == nil {
			_, err = io.WriteString(f, files[i+1])
		}
		if err != nil {
			panic(err)
		}
	}
	if err := w.Close(); err != nil {
		panic(err)
	}
	return b.String()
}

// SHA1 returns a digest as WARC writes it.
func SHA1(s string) string {
	sum := sha1.Sum([]byte(s))
	return "sha1:" + base32.StdEncoding.EncodeToString(sum[:])
}

// WARCRecord returns a record with the digests of its block and payload.
func WARCRecord(kind, uri, contentType, block, payload string) string {
	return fmt.Sprintf("WARC/1.1\r\nWARC-Type: %s\r\nWARC-Target-URI: %s\r\nWARC-Block-Digest: %s\r\n"+
		"WARC-Payload-Digest: %s\r\nContent-Type: %s\r\nContent-Length: %d\r\n\r\n%s\r\n\r\n",
		kind, uri, SHA1(block), SHA1(payload), contentType, len(block), block)
}

// WARCResponse returns the record of a response with a page.
func WARCResponse(uri, body string) string {
	return WARCRecord("response", uri, "application/http; msgtype=response",
		fmt.Sprintf("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: %d\r\n\r\n%s", len(body),
			body), body)
}
