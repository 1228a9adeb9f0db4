package pack

import (
	"hash/crc32"

	"absolink/extract/internal/codec"
	"absolink/extract/internal/codec/compress"
	"absolink/extract/internal/mark"
)

// mend is a mark.Mender. It updates the sizes and the CRC of the files that change, and the offsets of all structures after
// these files.
func (z *zipArchive) mend(src []byte, edits []codec.Edit) []codec.Edit {
	var out []codec.Edit
	put := func(at zipField, value uint64) { out = mark.Changed(out, src, at.at, at.put(value)) }
	next, grown := 0, 0 // the edits before a file, and the number of bytes by which they move it
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
