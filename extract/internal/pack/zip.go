package pack

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"sort"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"

	"absolink/extract/internal/codec"
	"absolink/extract/internal/mark"
)

// Zip is an archive of files (PKWARE's APPNOTE 6.3), with the Zip64 extensions. It is one
// record: what is in it only the directory at its end tells, so one beyond the limit is
// passed through. WACZ is one with web archives in it, which are read. Names of files are
// names of entities, and nothing else. Archives that are documents of their own, such as
// those of office programs, are zip by name only: their links name what is in them.
var Zip = &mark.Format{
	Name:     "application/zip",
	Types:    []string{"application/x-zip", "application/x-zip-compressed", "application/wacz", "application/x-wacz"},
	Exts:     []string{".zip", ".wacz"},
	Extract:  extractZip,
	Holds:    mark.NamedFiles,
	Fragment: true,
}

// Signatures of what an archive is made of, in the order of APPNOTE 4.3.
const (
	zipLocal      = "PK\x03\x04"
	zipDescriptor = "PK\x07\x08"
	zipCentral    = "PK\x01\x02"
	zip64End      = "PK\x06\x06"
	zip64Locator  = "PK\x06\x07"
	zipEnd        = "PK\x05\x06"
)

// The lengths of those without what varies.
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
	zipStreamed  = 1 << 3 // sizes and CRC stand behind the data
	zipUTF8      = 1 << 11
	zipMasked    = 1 << 13 // the directory is encrypted, and header fields hold nothing

	zip64Extra     = 1
	zipUnicodePath = 0x7075

	// mostZip is half of what the fields of an archive without Zip64 can count, so that they
	// can still count it when it has grown.
	mostZip = 1<<31 - 1
)

// SniffZip tells an archive of files by the name of the first one from one that is a
// document of its own: EPUB and OpenDocument, Office Open XML, Java's.
func SniffZip(head []byte) bool {
	if bytes.HasPrefix(head, []byte(zipEnd)) {
		return true
	}
	if !bytes.HasPrefix(head, []byte(zipLocal)) || len(head) < zipLocalLen {
		return false
	}
	name := head[zipLocalLen:min(len(head), zipLocalLen+int(le16(head, 26)))]
	for _, own := range []string{"mimetype", "[Content_Types].xml", "_rels/", "META-INF/", "AndroidManifest.xml"} {
		if bytes.HasPrefix(name, []byte(own)) {
			return false
		}
	}
	return true
}

func extractZip(src []byte, f *mark.Marks) {
	z := &zipArchive{src: src}
	if p := z.read(); p != nil {
		f.Fault(p.Offset, p.Code, p.Detail+"; the archive is left as it is")
		return
	}
	if z.cut {
		f.Fault(len(src), mark.RecordTruncated, "the archive ends inside its comment")
	}
	f.Mends(z.mend)
	pages := z.savedPages(f)
	z.signed = z.signed || z.hashed()
	for i := range z.members {
		m := &z.members[i]
		if m.index || strings.HasSuffix(m.name, "/") {
			continue // a part of the directory, or a folder
		}
		if m.check(src, f); m.why != "" {
			f.Fault(m.central, m.code, mark.Quote([]byte(m.name))+": "+m.why)
			continue
		}
		p := mark.Part{Name: m.name, Signed: z.signed}
		scope := pages[m.name]
		if scope == 0 {
			scope = f.MemberScope(m.name, m.data.Start, m.data.End)
		} else {
			p.Beside = z.beside(m.name)
		}
		f.Part(scope, &mark.Place{Name: m.name}, m.data.Start, m.data.End, m.codec(), nil, p)
	}
}

// hashed says whether the archive has a list of its files with a hash of each, as WACZ has,
// which another file may sign. An index there finds the records of web archives by where they
// stand, too.
func (z *zipArchive) hashed() bool {
	list, archive := false, false
	for i := range z.members {
		list = list || z.members[i].name == "datapackage.json"
		archive = archive || strings.HasPrefix(z.members[i].name, "archive/")
	}
	return list && archive
}

// zipArchive is the directory of an archive.
type zipArchive struct {
	src     []byte
	members []zipMember     // in the order of their bytes
	signed  bool            // it has a signature of what is in it
	names   map[string]bool // of the members, if there are saved pages
	base    int             // what stands before the archive proper, and is not counted
	cut     bool            // it ends inside its comment

	start   int        // of the central directory
	offsets []zipField // that count up to it
	locator zipField   // counts up to the Zip64 end; its width is 0 if there is none
}

// zipMember is one file.
type zipMember struct {
	name          string
	central       int // its header in the directory
	flags, method uint16
	crc           uint32
	local         int        // its own header
	data          codec.Span // what is packed
	end           int        // of all that is the file's

	offset, packed, text zipField   // in the directory: where the header is, and the sizes of the data and of its text
	sizes                []zipField // wherever the size of the data stands
	textSizes            []zipField // and that of its text
	crcs                 []int      // and the CRC

	index bool // it tells of a saved page, see savedPages

	code mark.Code // why it is left as it is
	why  string
}

// zipField is a number of 4 or 8 bytes.
type zipField struct {
	at, width int
	value     uint64
}

func le16(b []byte, at int) uint16 { return binary.LittleEndian.Uint16(b[at:]) }
func le32(b []byte, at int) uint32 { return binary.LittleEndian.Uint32(b[at:]) }

func field32(b []byte, at int) zipField { return zipField{at, 4, uint64(le32(b, at))} }
func field64(b []byte, at int) zipField { return zipField{at, 8, binary.LittleEndian.Uint64(b[at:])} }

// put gives the bytes of the field with another number.
func (n zipField) put(value uint64) []byte {
	return binary.LittleEndian.AppendUint64(nil, value)[:n.width]
}

// read reads the directory, and the headers of the files.
func (z *zipArchive) read() *mark.Fault {
	src := z.src
	if len(src) > mostZip {
		return &mark.Fault{Code: mark.SizeLimit, Detail: "longer than 2 GiB"}
	}
	end := zipEndOf(src)
	if end < 0 {
		return &mark.Fault{Offset: len(src), Code: mark.RecordTruncated, Detail: "there is no end of a central directory"}
	}
	z.cut = zipCommentEnd(src, end) > len(src)
	malformed := func(at int, detail string) *mark.Fault {
		return &mark.Fault{Offset: at, Code: mark.HeaderMalformed, Detail: detail}
	}
	if le16(src, end+4) != 0 && le16(src, end+4) != 0xFFFF {
		return malformed(end, "it is one of several disks")
	}
	// APPNOTE 4.3.16; of what Zip64 has the fields here are all ones.
	count, size, offset := uint64(le16(src, end+10)), field32(src, end+12), field32(src, end+16)
	z.offsets = append(z.offsets, offset)
	after := end // of the directory
	if at := end - zipLocatorLen; at >= 0 && bytes.HasPrefix(src[at:], []byte(zip64Locator)) {
		z.locator = field64(src, at+8)
		if after = zip64EndOf(src, at, z.locator.value); after < 0 {
			return malformed(at, "there is no Zip64 end of a central directory where it should be")
		}
		count, size, offset = binary.LittleEndian.Uint64(src[after+32:]), field64(src, after+40), field64(src, after+48)
		z.offsets = append(z.offsets, offset)
	}
	if size.value > uint64(after) {
		return malformed(end, "the central directory is longer than the file")
	}
	z.start = after - int(size.value)
	if offset.value > uint64(z.start) {
		return malformed(end, "the central directory is not where it should be")
	}
	z.base = z.start - int(offset.value)
	p := z.start
	for p < after && bytes.HasPrefix(src[p:after], []byte(zipCentral)) {
		n, ok := z.member(p, after)
		if !ok {
			return malformed(p, "a header in the central directory is not what it should be")
		}
		p += n
	}
	if uint64(len(z.members)) != count && uint64(len(z.members))&0xFFFF != count {
		return malformed(p, fmt.Sprintf("%d files are in the central directory where %d were to be", len(z.members), count))
	}
	z.readLocal()
	return nil
}

// zipEndOf finds the record that ends an archive: the last one with a comment that has room
// behind it. One right behind a directory is no chance: its comment is cut short, and no other
// reader looks for an end before it.
func zipEndOf(src []byte) int {
	low := max(0, len(src)-zipEndLen-longestComment)
	for tail := src[low:]; ; {
		i := bytes.LastIndex(tail, []byte(zipEnd))
		if i < 0 {
			return -1
		}
		if at := low + i; at+zipEndLen <= len(src) && (zipCommentEnd(src, at) <= len(src) || behindZipCentral(src, at)) {
			return at
		}
		tail = tail[:i]
	}
}

func zipCommentEnd(src []byte, at int) int { return at + zipEndLen + int(le16(src, at+20)) }

// behindZipCentral says whether a directory as long as the record at src[at] says stands before it.
func behindZipCentral(src []byte, at int) bool {
	size := uint64(le32(src, at+12))
	return size >= zipCentralLen && size <= uint64(at) && bytes.HasPrefix(src[at-int(size):], []byte(zipCentral))
}

// zip64EndOf finds the record before its locator: right before it, or if there are further
// fields in it where the locator says.
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

// member reads the header at src[p] of the directory, and gives its length.
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
	if dir, file, _ := strings.Cut(m.name, "/"); dir == "META-INF" && (strings.HasSuffix(file, ".SF") || file == "signatures.xml") {
		z.signed = true // of a Java archive, and of EPUB's
	}
	extras := p + zipCentralLen + name
	if at, length := zipExtra(src, zipUnicodePath, extras, extra); length > 5 && src[at] == 1 && le32(src, at+1) == crc32.ChecksumIEEE(raw) {
		m.name = string(src[at+5 : at+length]) // APPNOTE 4.6.9; the CRC is that of the name that it stands for
	}
	// APPNOTE 4.5.3: what is all ones stands there, in this order.
	at, length := zipExtra(src, zip64Extra, extras, extra)
	for _, field := range []*zipField{&m.text, &m.packed, &m.offset} {
		if field.value != 0xFFFFFFFF {
			continue
		}
		if length < 8 {
			break // all ones, then
		}
		*field = field64(src, at)
		at, length = at+8, length-8
	}
	m.sizes, m.textSizes = []zipField{m.packed}, []zipField{m.text}
	z.members = append(z.members, m)
	return n, true
}

// zipExtra finds an extra field.
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

// zipName reads the name of a file: in code page 437 unless a flag or the bytes tell UTF-8
// (APPNOTE appendix D).
func zipName(raw []byte, flags uint16) string {
	if flags&zipUTF8 == 0 && !utf8.Valid(raw) {
		if name, err := charmap.CodePage437.NewDecoder().Bytes(raw); err == nil {
			return string(name)
		}
	}
	return string(raw)
}

// readLocal reads what stands at each file, and puts the files in the order of their bytes.
// Those that share bytes are left as they are: a change of one would change the other.
func (z *zipArchive) readLocal() {
	for i := range z.members {
		m := &z.members[i]
		m.local, m.end = -1, -1
		if why := z.local(m); why != "" {
			m.code, m.why = mark.HeaderMalformed, why
		}
	}
	sort.SliceStable(z.members, func(i, j int) bool { return z.members[i].local < z.members[j].local })
	last := -1 // the one that reaches farthest
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

// local reads the header of a file, and what may stand behind its data. It gives what is
// wrong there, "" if nothing is.
func (z *zipArchive) local(m *zipMember) string {
	src := z.src[:z.start]
	if m.offset.value > uint64(len(src)-z.base) {
		return "its header is not in the archive"
	}
	at := z.base + int(m.offset.value)
	if len(src)-at < zipLocalLen || !bytes.HasPrefix(src[at:], []byte(zipLocal)) {
		return "there is no header where it should be"
	}
	m.local, m.end = at, at+zipLocalLen
	name, extra := int(le16(src, at+26)), int(le16(src, at+28))
	data := at + zipLocalLen + name + extra
	if data > len(src) || m.packed.value > uint64(len(src)-data) {
		return "it is longer than the archive"
	}
	m.data = codec.Span{Start: data, End: data + int(m.packed.value)}
	m.end = m.data.End
	flags := le16(src, at+6)
	// The directory has the sizes in any case: bit 3 is asked of the header that it speaks of (APPNOTE 4.4.4).
	if le16(src, at+8) != m.method || (flags^m.flags)&zipEncrypted != 0 {
		return "its header and the central directory do not agree"
	}
	packed, text := field32(src, at+18), field32(src, at+22)
	if start, length := zipExtra(src, zip64Extra, at+zipLocalLen+name, extra); length >= 16 && (packed.value == 0xFFFFFFFF || text.value == 0xFFFFFFFF) {
		text, packed = field64(src, start), field64(src, start+8)
	}
	// Of what stands behind the data some writers have a part, or all, in the header as well.
	here := 0
	if le32(src, at+14) == m.crc {
		m.crcs = append(m.crcs, at+14)
		here++
	}
	if packed.value == m.packed.value {
		m.sizes = append(m.sizes, packed)
		here++
	}
	if text.value == m.text.value {
		m.textSizes = append(m.textSizes, text)
		here++
	}
	switch {
	case flags&zipStreamed != 0:
		if !m.descriptor(src) {
			return "no sizes stand behind its data"
		}
	case here < 3:
		return "its header and the central directory do not agree"
	}
	return ""
}

// descriptor reads the CRC and the sizes behind the data of a file: with a signature or
// without, in 4 bytes or in 8 (APPNOTE 4.3.9). Only the numbers tell which.
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
				m.crcs, m.sizes, m.textSizes, m.end = append(m.crcs, at), append(m.sizes, packed), append(m.textSizes, text), end
				return true
			}
		}
	}
	return false
}

// codec is how the bytes of a file are packed.
func (m *zipMember) codec() codec.Codec {
	if m.method == zipDeflated {
		return codec.Deflated(int(m.text.value), m.crc)
	}
	return codec.Identity
}

// check finds why a file is left as it is, in what it says of itself.
func (m *zipMember) check(src []byte, f *mark.Marks) {
	switch size := m.text.value; {
	case m.why != "":
	case m.flags&(zipEncrypted|zipMasked) != 0:
		m.code, m.why = mark.Undecodable, "it is encrypted"
	case m.method != zipStored && m.method != zipDeflated:
		m.code, m.why = mark.Undecodable, fmt.Sprintf("it is packed by a method that cannot be read, %d", m.method)
	case size > uint64(f.Limits.Record):
		m.code, m.why = mark.SizeLimit, fmt.Sprintf("longer than %d bytes, passed through unread; raise --max-record if it is to be read", f.Limits.Record)
	case size > mark.RatioFree && size/uint64(f.Limits.Ratio) > m.packed.value:
		m.code, m.why = mark.RatioLimit, fmt.Sprintf("more than %d times as long unpacked; raise --max-ratio if it is to be read", f.Limits.Ratio)
	case m.method == zipStored && (m.packed.value != size || crc32.ChecksumIEEE(src[m.data.Start:m.data.End]) != m.crc):
		m.code, m.why = mark.Undecodable, "its CRC-32 or its size is another"
	}
}

// mend keeps true what the archive says of files that change, and where the others stand.
func (z *zipArchive) mend(src []byte, edits []codec.Edit) []codec.Edit {
	var out []codec.Edit
	put := func(at zipField, value uint64) { out = mark.Changed(out, src, at.at, at.put(value)) }
	next, grown := 0, 0 // edits that lie before the member at hand, and by how much they move it
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
		data := mark.Edited(src, m.data, edits)
		text := data
		if m.method == zipDeflated {
			text, _ = codec.Deflated(int(m.text.value), 0).Decode(data)
		}
		for _, at := range m.crcs {
			put(zipField{at: at, width: 4}, uint64(crc32.ChecksumIEEE(text)))
		}
		for _, at := range m.sizes {
			put(at, uint64(len(data)))
		}
		for _, at := range m.textSizes {
			put(at, uint64(len(text)))
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
