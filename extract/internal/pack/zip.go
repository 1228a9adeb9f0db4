package pack

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"strings"

	"absolink/extract/internal/codec"
	"absolink/extract/internal/codec/compress"
	"absolink/extract/internal/mark"
)

// Zip is the format of an archive of files (PKWARE APPNOTE 6.3), with the Zip64 extensions:
//
//	| local header | data | descriptor | local header | data | ... | central headers | Zip64 end, locator | end |
//	\______________ file _____________/\_______ file _______/      \___ directory ___/
//
// An archive is one record, because the central directory at its end is needed to read it. Documents that use zip as their
// file format, such as the documents of office programs, are not read: see SniffZip.
var Zip = &mark.Format{
	Name:     "application/zip",
	Types:    []string{"application/x-zip", "application/x-zip-compressed"},
	Exts:     []string{".zip"},
	Extract:  extractZip,
	Holds:    mark.NamedFiles,
	Fragment: true,
}

// WACZ is the format of a zip archive that contains web archives. Their records have the URLs of the documents.
var WACZ = &mark.Format{
	Name:     "application/wacz",
	Types:    []string{"application/x-wacz"},
	Exts:     []string{".wacz"},
	Extract:  extractZip,
	Holds:    mark.SavedFiles,
	Fragment: true,
}

// zipArchive is an archive, as its central directory describes it.
type zipArchive struct {
	src       []byte
	members   []zipMember     // in the order of their bytes
	signed    bool            // the archive has a signature of its files
	saved     []string        // the folders of saved pages, sorted; no folder is inside another one
	names     map[string]bool // of the members, false for an index; nil until beside needs them
	base      int             // the number of bytes before the archive; offsets in the archive count from here
	truncated bool            // the archive ends inside its comment

	start   int        // of the central directory
	offsets []zipField // all fields with the offset of the central directory
	locator zipField   // the offset of the Zip64 end; its width is 0 if there is none
}

// zipMember is one file of an archive.
type zipMember struct {
	name          string
	central       int // the index of its header in the directory
	flags, method uint16
	crc           uint32
	local         int        // the index of its local header; -1 if there is no local header
	data          codec.Span // its bytes, compressed or stored
	end           int        // of its data and data descriptor

	offset, packed, text zipField   // in the directory: the offset of the local header, and the sizes of data and text
	sizes                []zipField // all fields with the size of the data
	textSizes            []zipField // all fields with the size of the text
	crcs                 []int      // the indexes of all fields with the CRC

	index bool // the file is the index of a saved page, see savedFiles

	code  mark.Code // the code of the problem, if why is not ""
	limit string    // the limit that the file exceeds, or ""
	why   string    // the reason why the file cannot be read; "" if it can be read
}

// zipField is a field of an archive with a little-endian number of 4 or 8 bytes.
type zipField struct {
	at, width int
	value     uint64
}

func le16(b []byte, at int) uint16 { return binary.LittleEndian.Uint16(b[at:]) }
func le32(b []byte, at int) uint32 { return binary.LittleEndian.Uint32(b[at:]) }

func field32(b []byte, at int) zipField { return zipField{at, 4, uint64(le32(b, at))} }
func field64(b []byte, at int) zipField { return zipField{at, 8, binary.LittleEndian.Uint64(b[at:])} }

// put returns the bytes of the field with another value.
func (n zipField) put(value uint64) []byte {
	return binary.LittleEndian.AppendUint64(nil, value)[:n.width]
}

// SniffZip reports whether head begins an archive of files. It returns false for documents that use zip as their file
// format: EPUB, OpenDocument, Office Open XML, and Java archives. The links in such a document name the files inside it.
// SniffZip detects them by the name of the first file.
func SniffZip(head []byte) bool {
	if bytes.HasPrefix(head, []byte(zipEnd)) {
		return true
	}
	name := firstName(head)
	if name == nil {
		return false
	}
	for _, own := range []string{"mimetype", "[Content_Types].xml", "_rels/", "META-INF/", "AndroidManifest.xml"} {
		if bytes.HasPrefix(name, []byte(own)) {
			return false
		}
	}
	return true
}

// SniffWACZ reports whether head begins a WACZ archive (WACZ 1.1.1). The first file of a WACZ is a web archive in the folder
// "archive", or the list of pages.
func SniffWACZ(head []byte) bool {
	name := firstName(head)
	file, ok := bytes.CutPrefix(name, []byte("archive/"))
	return ok && (bytes.HasSuffix(file, []byte(".warc.gz")) || bytes.HasSuffix(file, []byte(".warc"))) || string(name) == "pages/pages.jsonl"
}

// firstName returns the name of the first file of an archive. It returns nil if head does not begin an archive with files.
func firstName(head []byte) []byte {
	if !bytes.HasPrefix(head, []byte(zipLocal)) || len(head) < zipLocalLen {
		return nil
	}
	return head[zipLocalLen:min(len(head), zipLocalLen+int(le16(head, 26)))]
}

// extractZip marks the files of an archive.
func extractZip(src []byte, m *mark.Marks) {
	z := &zipArchive{src: src}
	if !z.mark(m) {
		return
	}
	if what := z.around(); what != "" {
		z.seal(m, what)
	}
}

// mark reads the archive, and marks its files. It reports whether it can read the archive.
func (z *zipArchive) mark(m *mark.Marks) bool {
	src := z.src
	if p := z.read(); p != nil {
		m.Fault(p.Offset, p.Code, p.Detail+"; the archive is not read")
		return false
	}
	if z.truncated {
		m.Warn(len(src), mark.RecordTruncated, "the archive ends inside its comment")
	}
	m.Mends(z.mend)
	saved := z.savedFiles(m)
	z.signed = z.signed || z.hashed()
	for i := range z.members {
		file := &z.members[i]
		if file.index || strings.HasSuffix(file.name, "/") {
			continue // a folder, or the index of a saved page
		}
		if file.check(src, &m.Limits); file.why != "" {
			m.Avoidable(file.central, file.code, file.limit, mark.Quote([]byte(file.name))+" is not read: "+file.why)
			continue
		}
		scope := int32(0)
		own, hasURL := saved[file.name]
		if hasURL {
			scope = m.Retrieved(own.place, own.index, codec.Constant(own.url))
		} else {
			scope = m.MemberScope(file.name, file.data.Start, file.data.End)
		}
		p := mark.Part{Name: file.name, Signed: z.signed, Beside: z.beside(file.name, hasURL && own.place != resourcesPlace)}
		m.Part(scope, placeOf(file.name), file.data.Start, file.data.End, file.codec(), nil, p)
	}
	return true
}

// check sets code, limit and why if the file cannot be read. It does not decompress.
func (m *zipMember) check(src []byte, limits *mark.Limits) {
	switch size := m.text.value; {
	case m.why != "":
	case m.flags&(zipEncrypted|zipMasked) != 0:
		m.code, m.why = mark.Undecodable, "it is encrypted"
	case m.method != zipStored && m.method != zipDeflated:
		m.code, m.why = mark.Undecodable, fmt.Sprintf("its compression method, %d, is not supported", m.method)
	case size > uint64(limits.Record):
		m.code, m.limit, m.why = mark.SizeLimit, mark.MaxRecord, fmt.Sprintf("it is larger than %d bytes", limits.Record)
	case size > mark.RatioFree && size/uint64(limits.Ratio) > m.packed.value:
		m.code, m.limit, m.why = mark.RatioLimit, mark.MaxRatio, fmt.Sprintf("it is more than %d times as large as its compressed data", limits.Ratio)
	case m.method == zipStored && (m.packed.value != size || crc32.ChecksumIEEE(src[m.data.Start:m.data.End]) != m.crc):
		m.code, m.why = mark.Undecodable, "its size or its CRC-32 is wrong"
	}
}

// codec returns the codec of the data.
func (m *zipMember) codec() codec.Codec {
	if m.method == zipDeflated {
		return compress.Deflated(int(m.text.value), m.crc)
	}
	return codec.Identity
}

// hashed reports whether the archive has a list of its files with a hash of each file, as in WACZ. Another file may sign
// the list. A WACZ also has an index with the offsets of the records in its web archives.
func (z *zipArchive) hashed() bool {
	list, archive := false, false
	for i := range z.members {
		list = list || z.members[i].name == "datapackage.json"
		archive = archive || strings.HasPrefix(z.members[i].name, "archive/")
	}
	return list && archive
}
