package pack

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"slices"
	"sort"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"

	"absolink/extract/internal/ascii"
	"absolink/extract/internal/codec"
	"absolink/extract/internal/codec/compress"
	"absolink/extract/internal/mark"
)

// Zip is the format of an archive of files (PKWARE APPNOTE 6.3), with the Zip64 extensions:
//
//	| local header | data | descriptor | local header | data | ... | central headers | Zip64 end, locator | end |
//	\______________ file _____________/\_______ file _______/      \___ directory ___/
//
// An archive is one record, because it can be read only by the central directory at its end. Documents that use zip as
// their file format, like those of office programs, are not read: see SniffZip.
var Zip = &mark.Format{
	Name:     "application/zip",
	Types:    []string{"application/x-zip", "application/x-zip-compressed"},
	Exts:     []string{".zip"},
	Mark:     extractZip,
	Holds:    mark.NamedFiles,
	Fragment: true,
}

// WACZ is the format of a zip archive of web archives, whose records have the URLs of the documents.
var WACZ = &mark.Format{
	Name:     "application/wacz",
	Types:    []string{"application/x-wacz"},
	Exts:     []string{".wacz"},
	Mark:     extractZip,
	Holds:    mark.SavedFiles,
	Fragment: true,
}

// EPUB is the format of a book (EPUB 3.3). Its first file, which is stored, has the media type of the book. Its
// references lead to files of the book.
var EPUB = &mark.Format{
	Name:     "application/epub+zip",
	Exts:     []string{".epub"},
	Mark:     extractZip,
	Holds:    mark.NamedFiles,
	Fragment: true,
}

// zipArchive is an archive as its central directory describes it.
type zipArchive struct {
	src       []byte
	members   []zipMember     // in the order of their bytes
	signed    bool            // the archive has a signature of its files
	saved     []string        // the folders of saved pages, sorted; none is inside another
	names     map[string]bool // of the members, false for an index; nil until reachable needs them
	base      int             // the number of bytes before the archive, from which its offsets start
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

	index bool // the file is the index of a saved page: see savedFiles

	code  mark.Code // the code of the problem, if why is not ""
	limit string    // the limit that the file exceeds, or ""
	why   string    // why the file cannot be read, or ""
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
// format (EPUB, OpenDocument, Office Open XML and Java archives), because their links name the files inside them. The
// name of the first file tells them apart.
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

// SniffEPUB reports whether head begins a book.
func SniffEPUB(head []byte) bool {
	const name = "mimetype"
	return string(firstName(head)) == name &&
		bytes.HasPrefix(head[min(len(head), zipLocalLen+len(name)+int(le16(head, 28))):], []byte(EPUB.Name))
}

// SniffWACZ reports whether head begins a WACZ archive (WACZ 1.1.1). Its first file is a web archive in the folder
// "archive", or the list of pages.
func SniffWACZ(head []byte) bool {
	name := firstName(head)
	file, ok := bytes.CutPrefix(name, []byte("archive/"))
	return ok && (bytes.HasSuffix(file, []byte(".warc.gz")) || bytes.HasSuffix(file, []byte(".warc"))) ||
		string(name) == "pages/pages.jsonl"
}

// firstName returns the name of the first file, or nil if head does not begin an archive with files.
func firstName(head []byte) []byte {
	if !bytes.HasPrefix(head, []byte(zipLocal)) || len(head) < zipLocalLen {
		return nil
	}
	return head[zipLocalLen:min(len(head), zipLocalLen+int(le16(head, 26)))]
}

func extractZip(src []byte, m *mark.Marks) {
	z := &zipArchive{src: src}
	if !z.mark(m) {
		return
	}
	if what := z.around(); what != "" {
		z.seal(m, what)
	}
}

// around returns the kind of document that the archive is inside, or "" if it is a file of its own, perhaps after other
// bytes, for example a program that unpacks it.
func (z *zipArchive) around() string {
	start := z.start
	if i := slices.IndexFunc(z.members, func(m zipMember) bool { return m.local >= 0 }); i >= 0 {
		start = z.members[i].local
	}
	head := ascii.Lower(string(z.src[:min(start, mark.SniffLen)]))
	switch {
	case strings.Contains(head, "<html"), strings.Contains(head, "<!doctype html"):
		return "page"
	case strings.HasPrefix(head, "\x89png\r\n"):
		return "picture"
	}
	return ""
}

// seal reports that only the files of the archive are read, and that none is rewritten.
func (z *zipArchive) seal(m *mark.Marks, what string) {
	m.Note(0, mark.NotRead, "the "+what+" is also a zip archive: the files in the archive are read, and the "+what+
		" around it is not read")
	m.Seal("not rewritten: the files are in a zip archive inside a " + what +
		", which has offsets or checksums of the archive (unpack the archive, and rewrite its files)")
}

// mark marks the files of the archive, and reports whether the archive can be read.
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
	m.Notes.Files = z.files
	saved := z.savedFiles(m)
	hashed := z.hashed()
	z.signed = z.signed || hashed
	for i := range z.members {
		file := &z.members[i]
		if file.index || strings.HasSuffix(file.name, "/") {
			continue // a folder, or the index of a saved page
		}
		if file.check(src, &m.Settings); file.why != "" {
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
		p := mark.Part{Name: file.name, Signed: z.signed, Hashed: hashed,
			Files: z.reachable(file.name, hasURL && own.place != resourcesPlace)}
		m.Part(scope, placeOf(file.name), file.data.Start, file.data.End, file.codec(), nil, p)
	}
	return true
}

// files yields the names of all files.
func (z *zipArchive) files(yield func(string) bool) {
	for i := range z.members {
		if name := z.members[i].name; !strings.HasSuffix(name, "/") && !yield(name) {
			return
		}
	}
}

// check sets code, limit and why if the file cannot be read. It does not decompress.
func (m *zipMember) check(src []byte, limits *mark.Settings) {
	switch size := m.text.value; {
	case m.why != "":
	case m.flags&(zipEncrypted|zipMasked) != 0:
		m.code, m.why = mark.Undecodable, "it is encrypted"
	case m.method != zipStored && m.method != zipDeflated:
		m.code, m.why = mark.Undecodable, fmt.Sprintf("its compression method, %d, is not supported", m.method)
	case size > uint64(limits.MaxRecord):
		m.code, m.limit, m.why = mark.SizeLimit, mark.MaxRecord, fmt.Sprintf("it is larger than %d bytes",
			limits.MaxRecord)
	case size > mark.RatioFree && size/uint64(limits.MaxRatio) > m.packed.value:
		m.code, m.limit, m.why = mark.RatioLimit, mark.MaxRatio, fmt.Sprintf("it is more than %d times as large as "+
			"its compressed data", limits.MaxRatio)
	case m.method == zipStored && (m.packed.value != size || crc32.ChecksumIEEE(src[m.data.Start:m.data.End]) != m.crc):
		m.code, m.why = mark.Undecodable, "its size or its CRC-32 is wrong"
	}
}

func (m *zipMember) codec() codec.Codec {
	if m.method == zipDeflated {
		return compress.Deflated(int(m.text.value), m.crc)
	}
	return codec.Identity
}

// hashed reports whether the archive has a list of its files with their hashes, as WACZ does. Another file may sign the
// list, and a WACZ has an index with the offsets of the records in its web archives.
func (z *zipArchive) hashed() bool {
	list, archive := false, false
	for i := range z.members {
		list = list || z.members[i].name == "datapackage.json"
		archive = archive || strings.HasPrefix(z.members[i].name, "archive/")
	}
	return list && archive
}

// The signatures of the structures in an archive (APPNOTE 4.3).
const (
	zipLocal      = "PK\x03\x04"
	zipDescriptor = "PK\x07\x08"
	zipCentral    = "PK\x01\x02"
	zip64End      = "PK\x06\x06"
	zip64Locator  = "PK\x06\x07"
	zipEnd        = "PK\x05\x06"
)

// The lengths of the structures, without the fields of variable length.
const (
	zipLocalLen    = 30
	zipCentralLen  = 46
	zip64EndLen    = 56
	zipLocatorLen  = 20
	zipEndLen      = 22
	longestComment = 0xFFFF
)

const (
	zipStored   = 0
	zipDeflated = 8

	zipEncrypted = 1 << 0
	zipStreamed  = 1 << 3 // a descriptor after the data has the sizes and the CRC
	zipUTF8      = 1 << 11
	zipMasked    = 1 << 13 // the directory is encrypted, and header fields are masked

	zip64Extra     = 1
	zipUnicodePath = 0x7075

	// mostZip is the length of the longest archive that is read: half of the largest offset without Zip64, so that the
	// archive has room to grow.
	mostZip = 1<<31 - 1
)

// read reads the central directory, and then the local header of each file. It returns why the archive cannot be read,
// or nil.
func (z *zipArchive) read() *mark.Fault {
	src := z.src
	if len(src) > mostZip {
		return &mark.Fault{Code: mark.SizeLimit, Detail: "the archive is larger than 2 GiB"}
	}
	end := zipEndOf(src)
	if end < 0 {
		return &mark.Fault{Offset: len(src), Code: mark.RecordTruncated,
			Detail: "the archive is truncated: the end of the central directory is missing"}
	}
	z.truncated = zipCommentEnd(src, end) > len(src)
	malformed := func(at int, detail string) *mark.Fault {
		return &mark.Fault{Offset: at, Code: mark.HeaderMalformed, Detail: detail}
	}
	if le16(src, end+4) != 0 && le16(src, end+4) != 0xFFFF {
		return malformed(end, "the archive is one of several disks")
	}
	// APPNOTE 4.3.16. All bits of a field are set if Zip64 has its value.
	count, size, offset := uint64(le16(src, end+10)), field32(src, end+12), field32(src, end+16)
	z.offsets = append(z.offsets, offset)
	after := end // of the directory
	if at := end - zipLocatorLen; at >= 0 && bytes.HasPrefix(src[at:], []byte(zip64Locator)) {
		z.locator = field64(src, at+8)
		if after = zip64EndOf(src, at, z.locator.value); after < 0 {
			return malformed(at, "the Zip64 end of the central directory is not at its offset")
		}
		count, size, offset = binary.LittleEndian.Uint64(src[after+32:]), field64(src, after+40), field64(src, after+48)
		z.offsets = append(z.offsets, offset)
	}
	if size.value > uint64(after) {
		return malformed(end, "the central directory is longer than the file")
	}
	z.start = after - int(size.value)
	if offset.value > uint64(z.start) {
		return malformed(end, "the central directory is not at its offset")
	}
	z.base = z.start - int(offset.value)
	p := z.start
	for p < after && bytes.HasPrefix(src[p:after], []byte(zipCentral)) {
		n, ok := z.member(p, after)
		if !ok {
			return malformed(p, "a header in the central directory is damaged")
		}
		p += n
	}
	if uint64(len(z.members)) != count && uint64(len(z.members))&0xFFFF != count {
		return malformed(p, fmt.Sprintf("the central directory has %d files, but should have %d", len(z.members),
			count))
	}
	z.readLocal()
	return nil
}

// zipEndOf returns the index of the end of central directory record, or -1. It is the last one whose comment fits into
// src, or that follows a central directory: there a comment that does not fit means that the archive is truncated.
// Other programs do not look for an earlier record either.
func zipEndOf(src []byte) int {
	low := max(0, len(src)-zipEndLen-longestComment)
	for tail := src[low:]; ; {
		i := bytes.LastIndex(tail, []byte(zipEnd))
		if i < 0 {
			return -1
		}
		if at := low + i; at+zipEndLen <= len(src) &&
			(zipCommentEnd(src, at) <= len(src) || followsZipCentral(src, at)) {
			return at
		}
		tail = tail[:i]
	}
}

// zipCommentEnd returns the index after the comment of the end record at src[at], which may be beyond src.
func zipCommentEnd(src []byte, at int) int { return at + zipEndLen + int(le16(src, at+20)) }

// followsZipCentral reports whether a central directory of the declared size is right before the end record at src[at].
func followsZipCentral(src []byte, at int) bool {
	size := uint64(le32(src, at+12))
	return size >= zipCentralLen && size <= uint64(at) && bytes.HasPrefix(src[at-int(size):], []byte(zipCentral))
}

// zip64EndOf returns the index of the Zip64 end of central directory record, or -1. It is right before its locator, or,
// if it has more fields, at the offset in the locator.
func zip64EndOf(src []byte, locator int, offset uint64) int {
	at := locator - zip64EndLen
	switch {
	case at >= 0 && bytes.HasPrefix(src[at:], []byte(zip64End)):
		return at
	case at >= 0 && offset < uint64(at) && bytes.HasPrefix(src[offset:], []byte(zip64End)):
		return int(offset)
	}
	return -1
}

// member adds the file with the central header at src[p], and returns the length of the header. ok is false if the
// header does not end before end.
func (z *zipArchive) member(p, end int) (n int, ok bool) {
	src := z.src
	if end-p < zipCentralLen {
		return 0, false
	}
	name, extra, comment := int(le16(src, p+28)), int(le16(src, p+30)), int(le16(src, p+32))
	n = zipCentralLen + name + extra + comment
	if end-p < n {
		return 0, false
	}
	m := zipMember{central: p, flags: le16(src, p+8), method: le16(src, p+10), crc: le32(src, p+16),
		packed: field32(src, p+20), text: field32(src, p+24), offset: field32(src, p+42), crcs: []int{p + 16}}
	raw := src[p+zipCentralLen : p+zipCentralLen+name]
	m.name = zipName(raw, m.flags)
	extras := p + zipCentralLen + name
	if at, length := zipExtra(src, zipUnicodePath, extras, extra); length > 5 && src[at] == 1 &&
		le32(src, at+1) == crc32.ChecksumIEEE(raw) {
		m.name = string(src[at+5 : at+length]) // APPNOTE 4.6.9; the field has the CRC of the name that it replaces
	}
	if src[p+5] == 0 && !strings.Contains(m.name, "/") { // made on Windows, as by PowerShell 5.1
		m.name = strings.ReplaceAll(m.name, `\`, "/")
	}
	if dir, file, _ := strings.Cut(m.name, "/"); dir == "META-INF" &&
		(strings.HasSuffix(file, ".SF") || file == "signatures.xml") {
		z.signed = true // Java archives and EPUB have such files
	}
	// APPNOTE 4.5.3: the values of fields with all bits set are in the extra field, in this order.
	at, length := zipExtra(src, zip64Extra, extras, extra)
	for _, field := range []*zipField{&m.text, &m.packed, &m.offset} {
		if field.value != 0xFFFFFFFF {
			continue
		}
		if length < 8 {
			break // the extra field has no value for it
		}
		*field = field64(src, at)
		at, length = at+8, length-8
	}
	m.sizes, m.textSizes = []zipField{m.packed}, []zipField{m.text}
	z.members = append(z.members, m)
	return n, true
}

// zipExtra returns the index and the length of the data of the extra field with this id in src[at:at+n]. The length is
// 0 if there is none.
func zipExtra(src []byte, id uint16, at, n int) (start, length int) {
	for end := at + n; end-at >= 4; {
		is, size := le16(src, at), int(le16(src, at+2))
		if at += 4; size > end-at {
			return at, 0
		}
		if is == id {
			return at, size
		}
		at += size
	}
	return at, 0
}

// zipName returns the name of a file in UTF-8. raw is in code page 437 (APPNOTE appendix D) unless the flag for UTF-8
// is set, or it is valid UTF-8.
func zipName(raw []byte, flags uint16) string {
	if flags&zipUTF8 == 0 && !utf8.Valid(raw) {
		if name, err := charmap.CodePage437.NewDecoder().Bytes(raw); err == nil {
			return string(name)
		}
	}
	return string(raw)
}

// readLocal reads the local header of each file, and sorts the files by the order of their bytes. Files that share
// bytes are not read, because an edit of one would change the other.
func (z *zipArchive) readLocal() {
	for i := range z.members {
		m := &z.members[i]
		m.local, m.end = -1, -1
		if why := z.local(m); why != "" {
			m.code, m.why = mark.HeaderMalformed, why
		}
	}
	sort.SliceStable(z.members, func(i, j int) bool { return z.members[i].local < z.members[j].local })
	last := -1 // the file that ends last
	for i := range z.members {
		m := &z.members[i]
		if m.local < 0 {
			continue
		}
		if last >= 0 && m.local < z.members[last].end {
			const why = "it shares bytes with another file"
			m.code, m.why = mark.HeaderMalformed, why
			z.members[last].code, z.members[last].why = mark.HeaderMalformed, why
		}
		if last < 0 || m.end > z.members[last].end {
			last = i
		}
	}
}

// local reads a file's local header, and the descriptor after its data if there is one. It returns why the file cannot
// be read, or "".
func (z *zipArchive) local(m *zipMember) string {
	src := z.src[:z.start]
	if m.offset.value > uint64(len(src)-z.base) {
		return "the offset of its local header is outside of the archive"
	}
	at := z.base + int(m.offset.value)
	if len(src)-at < zipLocalLen || !bytes.HasPrefix(src[at:], []byte(zipLocal)) {
		return "there is no local header at its offset"
	}
	m.local, m.end = at, at+zipLocalLen
	name, extra := int(le16(src, at+26)), int(le16(src, at+28))
	data := at + zipLocalLen + name + extra
	if data > len(src) || m.packed.value > uint64(len(src)-data) {
		return "its data ends after the end of the archive"
	}
	m.data = codec.Span{Start: data, End: data + int(m.packed.value)}
	m.end = m.data.End
	flags := le16(src, at+6)
	// Bit 3 applies only in the local header (APPNOTE 4.4.4), and means that a descriptor has the sizes. The directory
	// always has them.
	if le16(src, at+8) != m.method || (flags^m.flags)&zipEncrypted != 0 {
		return "its local header and the central directory differ"
	}
	packed, text := field32(src, at+18), field32(src, at+22)
	if start, length := zipExtra(src, zip64Extra, at+zipLocalLen+name, extra); length >= 16 &&
		(packed.value == 0xFFFFFFFF || text.value == 0xFFFFFFFF) {
		text, packed = field64(src, start), field64(src, start+8)
	}
	// Some programs write a descriptor, and some or all of its fields into the header as well.
	agree := 0
	if le32(src, at+14) == m.crc {
		m.crcs = append(m.crcs, at+14)
		agree++
	}
	if packed.value == m.packed.value {
		m.sizes = append(m.sizes, packed)
		agree++
	}
	if text.value == m.text.value {
		m.textSizes = append(m.textSizes, text)
		agree++
	}
	switch {
	case flags&zipStreamed != 0:
		if !m.descriptor(src) {
			return "its data descriptor is missing or wrong"
		}
	case agree < 3:
		return "its local header and the central directory differ"
	}
	return ""
}

// descriptor reads the data descriptor after a file's data, and reports whether there is one with the right values. It
// may begin with a signature, and its sizes have 4 or 8 bytes (APPNOTE 4.3.9). Nothing tells which, so the values of
// each form are compared with the central directory.
func (m *zipMember) descriptor(src []byte) bool {
	for _, signature := range []string{zipDescriptor, ""} {
		for _, width := range []int{4, 8} {
			at := m.data.End + len(signature)
			end := at + 4 + 2*width
			if end > len(src) || !bytes.HasPrefix(src[m.data.End:], []byte(signature)) || le32(src, at) != m.crc {
				continue
			}
			packed, text := field32(src, at+4), field32(src, at+8)
			if width == 8 {
				packed, text = field64(src, at+4), field64(src, at+12)
			}
			if packed.value == m.packed.value && text.value == m.text.value {
				m.crcs, m.sizes, m.textSizes, m.end = append(m.crcs, at), append(m.sizes, packed), append(m.textSizes,
					text), end
				return true
			}
		}
	}
	return false
}

// mend is a mark.Mender. It updates the sizes and the CRCs of files that change, and the offsets of all that comes
// after them.
func (z *zipArchive) mend(src []byte, edits []codec.Edit) []codec.Edit {
	var out []codec.Edit
	put := func(at zipField, value uint64) { out = mark.Changed(out, src, at.at, at.put(value)) }
	next, grown := 0, 0 // the edits before a file, and by how many bytes they move it
	before := func(at int) uint64 {
		for next < len(edits) && edits[next].End <= at {
			grown += len(edits[next].New) - edits[next].Len()
			next++
		}
		return uint64(grown)
	}
	for i := range z.members {
		m := &z.members[i]
		if m.local >= 0 {
			put(m.offset, m.offset.value+before(m.local))
		}
		if m.why != "" || len(mark.Within(edits, m.data)) == 0 {
			continue
		}
		size := m.data.Len() + mark.Growth(edits, m.data)
		textSize, sum := size, crc32.NewIEEE()
		if m.method == zipDeflated {
			text, _ := compress.Deflated(int(m.text.value), 0).Decode(mark.Edited(src, m.data, edits))
			textSize = len(text)
			sum.Write(text)
		} else {
			mark.WriteEdited(sum, src, m.data, edits)
		}
		for _, at := range m.crcs {
			put(zipField{at: at, width: 4}, uint64(sum.Sum32()))
		}
		for _, at := range m.sizes {
			put(at, uint64(size))
		}
		for _, at := range m.textSizes {
			put(at, uint64(textSize))
		}
	}
	moved := before(z.start)
	for _, at := range z.offsets {
		if at.width == 8 || at.value != 0xFFFFFFFF {
			put(at, at.value+moved)
		}
	}
	if z.locator.width > 0 {
		put(z.locator, z.locator.value+moved)
	}
	return out
}
