package pack_test

import (
	"bytes"
	"compress/flate"
	"encoding/binary"
	"hash/crc32"
	"io"
)

// zipEntry is a file of an archive that zipOf makes byte by byte.
type zipEntry struct {
	name, data string
	deflate    bool
	method     uint16 // if not 0, the headers have this method instead
	flags      uint16
	central    uint16 // the bits of flags that are different in the directory
	early      bool   // the size of the text is in the local header even if a descriptor follows
	signature  bool   // the descriptor begins with a signature
	wide       bool   // the sizes in the descriptor have 8 bytes
	zip64      bool   // sizes and offset in extra fields
	crc        uint32
	size       uint64 // if not 0, the headers have this size of the text instead
}

// zipOf returns an archive whose offsets start after the prefix.
func zipOf(prefix string, zip64 bool, comment string, entries ...zipEntry) string {
	le := binary.LittleEndian
	var b, central []byte
	for _, e := range entries {
		var packed bytes.Buffer
		packed.WriteString(e.data)
		method := uint16(0)
		if e.deflate {
			packed.Reset()
			w, _ := flate.NewWriter(&packed, 9)
			io.WriteString(w, e.data)
			w.Close()
			method = 8
		}
		if e.method != 0 {
			method = e.method
		}
		crc := crc32.ChecksumIEEE([]byte(e.data)) + e.crc
		size, text := uint64(packed.Len()), uint64(len(e.data))
		if e.size != 0 {
			text = e.size
		}
		offset := uint64(len(b))
		head := func(sizes bool, extra []byte, local bool) []byte {
			var h []byte
			h = le.AppendUint16(h, 45)
			if local {
				h = le.AppendUint16(h, e.flags)
			} else {
				h = le.AppendUint16(h, e.flags^e.central)
			}
			h = le.AppendUint16(h, method)
			h = append(h, "\x01\x02\x03\x04"...) // time and date
			if !sizes {
				h = append(h, make([]byte, 8)...)
				if e.early {
					h = le.AppendUint32(h, uint32(text))
				} else {
					h = append(h, 0, 0, 0, 0)
				}
			} else if e.zip64 {
				h = le.AppendUint32(h, crc)
				h = append(h, "\xff\xff\xff\xff\xff\xff\xff\xff"...)
			} else {
				h = le.AppendUint32(h, crc)
				h = le.AppendUint32(h, uint32(size))
				h = le.AppendUint32(h, uint32(text))
			}
			h = le.AppendUint16(h, uint16(len(e.name)))
			return le.AppendUint16(h, uint16(len(extra)))
		}
		extra := []byte("UT\x05\x00\x01abcd") // a time, which stays
		wide := le.AppendUint64(le.AppendUint64([]byte{1, 0, 16, 0}, text), size)
		local := extra
		if e.zip64 {
			local = append(bytes.Clone(extra), wide...)
		}
		b = append(b, "PK\x03\x04"...)
		b = append(b, head(e.flags&8 == 0, local, true)...)
		b = append(append(b, e.name...), local...)
		b = append(b, packed.Bytes()...)
		if e.flags&8 != 0 {
			if e.signature {
				b = append(b, "PK\x07\x08"...)
			}
			b = le.AppendUint32(b, crc)
			if e.wide {
				b = le.AppendUint64(le.AppendUint64(b, size), text)
			} else {
				b = le.AppendUint32(le.AppendUint32(b, uint32(size)), uint32(text))
			}
		}
		far := extra
		if e.zip64 {
			far = le.AppendUint64(append(bytes.Clone(extra), wide...), offset)
			far[len(extra)+2] = 24
		}
		central = append(central, "PK\x01\x02\x14\x03"...)
		central = append(central, head(true, far, false)...)
		central = append(central, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0) // a comment of one byte; disk and attributes are 0
		if e.zip64 {
			central = append(central, "\xff\xff\xff\xff"...)
		} else {
			central = le.AppendUint32(central, uint32(offset))
		}
		central = append(append(append(central, e.name...), far...), '#')
	}
	start := uint64(len(b))
	b = append(b, central...)
	if zip64 {
		end := uint64(len(b))
		b = append(b, "PK\x06\x06\x2c\x00\x00\x00\x00\x00\x00\x00\x2d\x00\x2d\x00\x00\x00\x00\x00\x00\x00\x00\x00"...)
		for _, n := range []uint64{uint64(len(entries)), uint64(len(entries)), uint64(len(central)), start} {
			b = le.AppendUint64(b, n)
		}
		b = le.AppendUint64(append(b, "PK\x06\x07\x00\x00\x00\x00"...), end)
		b = append(b, "\x01\x00\x00\x00PK\x05\x06\x00\x00\x00\x00\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff"...)
	} else {
		b = append(b, "PK\x05\x06\x00\x00\x00\x00"...)
		b = le.AppendUint16(le.AppendUint16(b, uint16(len(entries))), uint16(len(entries)))
		b = le.AppendUint32(le.AppendUint32(b, uint32(len(central))), uint32(start))
	}
	b = le.AppendUint16(b, uint16(len(comment)))
	return prefix + string(b) + comment
}
