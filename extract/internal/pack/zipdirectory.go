package pack

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"

	"absolink/extract/internal/mark"
)

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

	// mostZip is the length of the longest archive that is read. It is half of the largest offset without Zip64, so that
	// the archive has room to grow.
	mostZip = 1<<31 - 1
)

// read reads the central directory, and then the local header of each file. If the archive cannot be read, it returns the
// reason.
func (z *zipArchive) read() *mark.Fault {
	src := z.src
	if len(src) > mostZip {
		return &mark.Fault{Code: mark.SizeLimit, Detail: "the archive is larger than 2 GiB"}
	}
	end := zipEndOf(src)
	if end < 0 {
		return &mark.Fault{Offset: len(src), Code: mark.RecordTruncated, Detail: "the archive is truncated: the end of the central directory is missing"}
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
		return malformed(p, fmt.Sprintf("the central directory has %d files, but should have %d", len(z.members), count))
	}
	z.readLocal()
	return nil
}

// zipEndOf returns the index of the end of central directory record, or -1. It is the last such record whose comment fits
// into src, or that follows a central directory. If the comment of a record after a directory does not fit, the archive is
// truncated. Other programs do not search for an earlier record either.
func zipEndOf(src []byte) int {
	low := max(0, len(src)-zipEndLen-longestComment)
	for tail := src[low:]; ; {
		i := bytes.LastIndex(tail, []byte(zipEnd))
		if i < 0 {
			return -1
		}
		if at := low + i; at+zipEndLen <= len(src) && (zipCommentEnd(src, at) <= len(src) || followsZipCentral(src, at)) {
			return at
		}
		tail = tail[:i]
	}
}

// zipCommentEnd returns the index after the comment of the end record at src[at]. It may be greater than len(src).
func zipCommentEnd(src []byte, at int) int { return at + zipEndLen + int(le16(src, at+20)) }

// followsZipCentral reports whether a central directory is before the end record at src[at], at the size that the record
// declares.
func followsZipCentral(src []byte, at int) bool {
	size := uint64(le32(src, at+12))
	return size >= zipCentralLen && size <= uint64(at) && bytes.HasPrefix(src[at-int(size):], []byte(zipCentral))
}

// zip64EndOf returns the index of the Zip64 end of central directory record, or -1. The record is directly before its
// locator. If it has more fields, it is at the offset in the locator.
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

// member adds the file with the central header at src[p]. It returns the length of the header. ok is false if the
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
	if dir, file, _ := strings.Cut(m.name, "/"); dir == "META-INF" && (strings.HasSuffix(file, ".SF") || file == "signatures.xml") {
		z.signed = true // Java archives and EPUB have such files
	}
	extras := p + zipCentralLen + name
	if at, length := zipExtra(src, zipUnicodePath, extras, extra); length > 5 && src[at] == 1 && le32(src, at+1) == crc32.ChecksumIEEE(raw) {
		m.name = string(src[at+5 : at+length]) // APPNOTE 4.6.9; the field has the CRC of the name that it replaces
	}
	// APPNOTE 4.5.3: if all bits of a field are set, the extra field has the value. It has them in this order.
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

// zipExtra returns the index and the length of the data of the extra field with an id in src[at:at+n]. The length is 0 if
// there is no such field.
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

// zipName returns the name of a file as UTF-8. raw is UTF-8 if the flag for UTF-8 is set, or if it is valid UTF-8.
// Otherwise it is in code page 437 (APPNOTE appendix D).
func zipName(raw []byte, flags uint16) string {
	if flags&zipUTF8 == 0 && !utf8.Valid(raw) {
		if name, err := charmap.CodePage437.NewDecoder().Bytes(raw); err == nil {
			return string(name)
		}
	}
	return string(raw)
}
