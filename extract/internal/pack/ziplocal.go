package pack

import (
	"bytes"
	"sort"

	"absolink/extract/internal/codec"
	"absolink/extract/internal/mark"
)

// readLocal reads the local header of each file, and sorts the files in the order of their bytes. Files that share bytes
// are not read, because an edit of one file would change the other file.
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

// local reads the local header of a file, and the descriptor after its data, if there is one. It returns the reason why the
// file cannot be read, or "".
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
	// Bit 3 counts only in the local header (APPNOTE 4.4.4). It means that the descriptor has the sizes. The directory always
	// has the sizes.
	if le16(src, at+8) != m.method || (flags^m.flags)&zipEncrypted != 0 {
		return "its local header and the central directory differ"
	}
	packed, text := field32(src, at+18), field32(src, at+22)
	if start, length := zipExtra(src, zip64Extra, at+zipLocalLen+name, extra); length >= 16 && (packed.value == 0xFFFFFFFF || text.value == 0xFFFFFFFF) {
		text, packed = field64(src, start), field64(src, start+8)
	}
	// Some programs write a descriptor, and also write some or all of its fields into the header.
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

// descriptor reads the data descriptor after the data of a file. It reports whether there is a descriptor with the right
// values. A descriptor may begin with a signature, and its sizes have 4 or 8 bytes (APPNOTE 4.3.9). No field names the
// form, so descriptor compares the values of each form with the central directory.
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
