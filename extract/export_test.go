package extract

import (
	"sync"

	"absolink/extract/internal/codec/codectest"
	"absolink/extract/internal/codec/compress"
	"absolink/extract/internal/mark"
)

// HideFastWays makes the formats mark regions whose codecs have only their duties. The returned function restores the
// formats.
func HideFastWays() (restore func()) {
	var was []func([]byte, *mark.Marks)
	for _, f := range formats {
		was = append(was, f.Extract)
		f.Extract = hidden(f.Extract)
	}
	return func() {
		for i, f := range formats {
			f.Extract = was[i]
		}
	}
}

// hidden returns the method Extract of a format with the codecs of HideFastWays.
func hidden(extract func([]byte, *mark.Marks)) func([]byte, *mark.Marks) {
	if extract == nil {
		return nil
	}
	return func(src []byte, m *mark.Marks) {
		extract(src, m)
		hide := func(at *mark.Mark) {
			if !compress.Unpacks(at.Codec) { // the engine limits the length of a compressed text
				at.Codec = codectest.Duties{Codec: at.Codec}
			}
			if at.Kind == mark.IsInline {
				small := *at.Format
				small.Extract = hidden(small.Extract)
				at.Format = &small
			}
		}
		for i := range m.Rest() {
			hide(&m.Rest()[i])
		}
		for i := range m.Scopes() {
			hide(m.ScopeMark(i + 1))
		}
	}
}

// Poison runs read with new walkers, and then overwrites the memory that the walkers reuse.
func Poison(read func()) {
	var used []*walker
	add := idle.New
	idle = sync.Pool{New: func() any {
		w := add().(*walker)
		used = append(used, w)
		return w
	}}
	defer func() { idle = sync.Pool{New: add} }()
	read()
	for _, w := range used {
		for _, b := range [][]byte{w.url, w.text, w.buffer} {
			b = b[:cap(b)]
			for i := range b {
				b[i] = 'P'
			}
		}
	}
}
