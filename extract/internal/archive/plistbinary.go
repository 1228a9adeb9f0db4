package archive

import (
	"bytes"
	"sort"

	"absolink/extract/internal/codec"
	"absolink/extract/internal/codec/charsets"
	"absolink/extract/internal/mark"
)

// plistMagic begins a binary property list. The version follows it. The comments of CFBinaryPList.c describe the format:
//
//	bplist00 | object | object | object ... | table | trailer
//
//	object   a marker with the type and the length; then bytes, or the numbers of other objects
//	table    the offset of each object
//	trailer  32 bytes: the sizes of an offset and of a number, the count of objects, the number of the top object,
//	         the offset of the table
const (
	plistMagic   = "bplist0"
	plistTrailer = 32

	// mostKeys limits the search in a dictionary. The dictionaries of a web archive have fewer keys.
	mostKeys = 64
)

// binaryPlist is a binary property list. Each object has a number.
type binaryPlist struct {
	src                 []byte
	offsetSize, refSize int
	count, top, table   int
	blobs               []plistBlob // the objects that data has returned
}

// plistBlob is an object of data: the marker with the length, and the data.
type plistBlob struct{ head, data codec.Span }

// readBinaryPlist reads the trailer of a property list.
func readBinaryPlist(src []byte) (*binaryPlist, *mark.Fault) {
	if len(src) < len(plistMagic)+1+plistTrailer {
		return nil, &mark.Fault{Offset: len(src), Code: mark.RecordTruncated, Detail: "the property list has no trailer"}
	}
	t := src[len(src)-plistTrailer:]
	b := &binaryPlist{src: src, offsetSize: int(t[6]), refSize: int(t[7])}
	count, top, table := bigEndian(t[8:16]), bigEndian(t[16:24]), bigEndian(t[24:32])
	room := uint64(len(src) - plistTrailer)
	if b.offsetSize < 1 || b.offsetSize > 8 || b.refSize < 1 || b.refSize > 8 || table > room || count > (room-table)/uint64(b.offsetSize) || top >= count {
		return nil, &mark.Fault{Offset: len(src) - plistTrailer, Code: mark.RecordTruncated, Detail: "the trailer of the property list is damaged"}
	}
	b.count, b.top, b.table = int(count), int(top), int(table)
	return b, nil
}

// bigEndian returns the big-endian number in b. b has at most 8 bytes.
func bigEndian(b []byte) (n uint64) {
	for _, c := range b {
		n = n<<8 | uint64(c)
	}
	return n
}

// object returns the kind and the length of an object, and the index of its content. kind is 0 if there is no object with
// this number, or if it does not end before the table.
func (b *binaryPlist) object(i int) (kind byte, length, at int) {
	if i < 0 || i >= b.count {
		return 0, 0, 0
	}
	offset := bigEndian(b.src[b.table+i*b.offsetSize:][:b.offsetSize])
	if offset < uint64(len(plistMagic)+1) || offset >= uint64(b.table) {
		return 0, 0, 0
	}
	at = int(offset)
	kind, length = b.src[at]>>4, int(b.src[at]&0xF)
	at++
	if length == 0xF { // the length is in an integer, which has 1, 2, 4 or 8 bytes
		if at >= b.table || b.src[at]>>4 != 1 {
			return 0, 0, 0
		}
		size := 1 << (b.src[at] & 0xF)
		if at++; size > 8 || b.table-at < size {
			return 0, 0, 0
		}
		n := bigEndian(b.src[at : at+size])
		if n > uint64(b.table) {
			return 0, 0, 0
		}
		at, length = at+size, int(n)
	}
	size := 1
	switch kind {
	case 0x6:
		size = 2
	case 0xA:
		size = b.refSize
	case 0xD:
		size = 2 * b.refSize
	}
	if length > (b.table-at)/size {
		return 0, 0, 0
	}
	return kind, length, at
}

// ref returns the number of an object at an index. It returns -1 if there is no object with this number.
func (b *binaryPlist) ref(at int) int {
	n := bigEndian(b.src[at : at+b.refSize])
	if n >= uint64(b.count) {
		return -1
	}
	return int(n)
}

func (b *binaryPlist) member(dict int, key string) int {
	kind, n, at := b.object(dict)
	if kind != 0xD || n > mostKeys {
		return -1
	}
	for i := range n {
		if b.is(b.ref(at+i*b.refSize), key) {
			return b.ref(at + (n+i)*b.refSize)
		}
	}
	return -1
}

// is reports whether an object is a string with this ASCII text, in bytes or in UTF-16.
func (b *binaryPlist) is(object int, text string) bool {
	kind, n, at := b.object(object)
	if n != len(text) || kind != 0x6 {
		return kind == 0x5 && string(b.src[at:at+n]) == text
	}
	for i := range n {
		if b.src[at+2*i] != 0 || b.src[at+2*i+1] != text[i] {
			return false
		}
	}
	return true
}

func (b *binaryPlist) elements(array int) []int {
	kind, n, at := b.object(array)
	if kind != 0xA {
		return nil
	}
	out := make([]int, n)
	for i := range out {
		out[i] = b.ref(at + i*b.refSize)
	}
	return out
}

func (b *binaryPlist) text(object int) (codec.Span, codec.Codec) {
	switch kind, n, at := b.object(object); kind {
	case 0x5:
		return codec.Span{Start: at, End: at + n}, codec.Identity
	case 0x6:
		utf16, _, _ := charsets.Of("utf-16be")
		return codec.Span{Start: at, End: at + 2*n}, utf16
	}
	return codec.Span{}, nil
}

func (b *binaryPlist) data(object int) (codec.Span, codec.Codec) {
	kind, n, at := b.object(object)
	if kind != 0x4 {
		return codec.Span{}, nil
	}
	data := codec.Span{Start: at, End: at + n}
	offset := bigEndian(b.src[b.table+object*b.offsetSize:][:b.offsetSize])
	b.blobs = append(b.blobs, plistBlob{codec.Span{Start: int(offset), End: at}, data})
	return data, codec.Identity
}

func (b *binaryPlist) bytes(s codec.Span) []byte { return b.src[s.Start:s.End] }

// mend is a mark.Mender. It updates the lengths of the data that changes, the table of offsets, and the trailer.
func (b *binaryPlist) mend(src []byte, edits []codec.Edit) []codec.Edit {
	var out []codec.Edit
	done, seen := map[plistBlob]bool{}, map[int]bool{} // many resources may have the same data
	for _, blob := range b.blobs {
		if done[blob] {
			continue
		}
		done[blob] = true
		grown := mark.Growth(edits, blob.data)
		if grown == 0 || seen[blob.data.Start] {
			continue
		}
		seen[blob.data.Start] = true
		head := appendPlistHead(nil, blob.data.Len()+grown, blob.head.Len()-2)
		out = append(out, codec.Edit{Span: blob.head, New: head})
	}
	all := append(append([]codec.Edit(nil), edits...), out...)
	codec.SortEdits(all)
	moves := make([]int, len(all)+1) // the number of bytes by which the text after each edit moves
	for i, e := range all {
		moves[i+1] = moves[i] + len(e.New) - e.Len()
	}
	moved := func(at int) uint64 {
		return uint64(at + moves[sort.Search(len(all), func(i int) bool { return all[i].End > at })])
	}

	offsets, last := make([]uint64, b.count), moved(b.table)
	for i := range offsets {
		at := bigEndian(src[b.table+i*b.offsetSize:][:b.offsetSize])
		if at <= uint64(b.table) {
			at = moved(int(at))
		}
		offsets[i] = at
		last = max(last, at)
	}
	size := b.offsetSize
	for size < 8 && last>>(8*size) > 0 {
		size++
	}
	table := make([]byte, 0, b.count*size)
	for _, at := range offsets {
		table = appendBigEndian(table, at, size)
	}
	if end := b.table + b.count*b.offsetSize; !bytes.Equal(src[b.table:end], table) {
		out = append(out, codec.Edit{Span: codec.Span{Start: b.table, End: end}, New: table})
	}
	trailer := len(src) - plistTrailer
	out = mark.Changed(out, src, trailer+6, []byte{byte(size)})
	return mark.Changed(out, src, trailer+24, appendBigEndian(nil, moved(b.table), 8))
}

// appendPlistHead appends the marker of data, with its length. had is the number of bytes of the old length after the
// marker; it is negative if the marker itself had the length. The new length has at least as many bytes.
func appendPlistHead(dst []byte, length, had int) []byte {
	if length < 0xF && had < 0 {
		return append(dst, 0x40|byte(length))
	}
	log := 0
	for size := 1; size < 8 && (size < had || uint64(length)>>(8*size) > 0); size *= 2 {
		log++
	}
	return appendBigEndian(append(dst, 0x4F, 0x10|byte(log)), uint64(length), 1<<log)
}

// appendBigEndian appends a number in size bytes.
func appendBigEndian(dst []byte, n uint64, size int) []byte {
	for i := size - 1; i >= 0; i-- {
		dst = append(dst, byte(n>>(8*i)))
	}
	return dst
}
