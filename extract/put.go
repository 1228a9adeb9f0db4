package extract

// This file writes a record with its edits.

import (
	"io"

	"absolink/extract/internal/codec"
	"absolink/extract/internal/pack"
	"absolink/extract/internal/window"
)

// recordWriter copies a record to the output with its edits. Without an output, it does nothing.
type recordWriter struct {
	w    *walker
	dst  io.Writer
	rec  Record
	at   int    // the record is copied up to this offset
	room []byte // what is gathered for one write

	single  bool // the record is compressed on its own, by members
	members pack.Memberwise
	begun   int // the start of the current member

	whole window.FullWriter // the writer of the caller
}

func (o *recordWriter) begin(rec Record, dst io.Writer) {
	if o.room == nil && dst != nil {
		o.room = make([]byte, 0, gathered)
	}
	o.dst, o.rec, o.at = dst, rec, min(len(rec.of.header), len(rec.Bytes))
	o.room, o.single, o.begun = o.room[:0], false, 0
	if in := rec.of.memberwise; in != nil && rec.format != nil && !rec.packed.Shared() && dst != nil {
		o.members.Begin(in, rec.packed, dst)
		o.single, o.dst = true, &o.members
	}
}

// put writes the record up to the end of the last edit, counts the changed links, and calls OnChange and OnEdit.
func (o *recordWriter) put(edits []codec.Edit) {
	if o.dst == nil {
		return
	}
	for _, e := range edits {
		for c := e.Changes; c != nil; c = c.Next {
			o.w.call.result.Changed += c.N
			switch change := c.Of.(type) {
			case nowRelative:
				o.w.call.result.Relative++
			case *Change:
				if isRelative(change.NewRef) {
					o.w.call.result.Relative++
				}
				if o.w.x.OnChange != nil {
					o.w.x.OnChange(*change)
				}
				change.written = true
			}
		}
		if o.w.x.OnEdit != nil {
			o.w.x.OnEdit(Edit{o.rec.Offset + int64(e.Start), o.rec.Bytes[e.Start:e.End], e.New})
		}
		o.copy(e.Start, false)
		o.write(e.New)
		o.at = e.End
	}
	o.w.buf.replacer.Clear()
}

// copy writes the record up to an offset, which is the end of the record if last is set, and else the start of an edit.
// A record that is compressed in members keeps them, and a member without an edit is copied as it is. An edit between
// two members goes to the later.
func (o *recordWriter) copy(to int, last bool) {
	for o.single && o.w.call.failed == nil {
		end, ok := o.members.Part()
		if !ok || !last && (end > to || to == len(o.rec.Bytes)) {
			break
		}
		if end < o.at { // an edit spans the end of the member
			o.members.Join()
			continue
		}
		if o.at == o.begun && len(o.room) == 0 && !o.members.Written() {
			o.w.fail(o.members.Copy())
		} else {
			o.write(o.rec.Bytes[o.at:end])
			o.flush()
			o.w.fail(o.members.EndPart())
		}
		o.at, o.begun = end, end
	}
	o.write(o.rec.Bytes[o.at:max(to, o.at)])
}

// end writes the rest of the record.
func (o *recordWriter) end() {
	if o.dst == nil {
		return
	}
	o.copy(len(o.rec.Bytes), true)
	o.flush()
	if o.rec.Rest != nil && o.w.call.failed == nil {
		_, err := io.Copy(o.dst, o.rec.Rest)
		o.w.fail(err)
	}
	if o.single && o.w.call.failed == nil {
		o.w.fail(o.members.Close())
	}
}

// gathered is the number of bytes that are gathered for one write, because there are only a few between two edits.
const gathered = 64 << 10

func (o *recordWriter) write(b []byte) {
	if len(b) > cap(o.room)-len(o.room) {
		o.flush()
		if len(b) > cap(o.room) {
			o.pass(b)
			return
		}
	}
	o.room = append(o.room, b...)
}

func (o *recordWriter) flush() {
	o.pass(o.room)
	o.room = o.room[:0]
}

func (o *recordWriter) pass(b []byte) {
	if len(b) > 0 && o.w.call.failed == nil {
		_, err := o.dst.Write(b)
		o.w.fail(err)
	}
}
