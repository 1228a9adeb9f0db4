package extract

import (
	"bufio"
	"bytes"
	"io"
	"iter"
	"sort"
	"strconv"

	"absolink/extract/codec"
)

// Mbox is a file of messages, each behind a From_ line (RFC 4155). Lines of a message that
// would be taken for such are quoted: ">From ", in any number of ">" as mboxrd has it.
var Mbox = &Format{
	Name:  "application/mbox",
	Exts:  []string{".mbox"},
	Sniff: func(head []byte) bool { return isFromLine(head[:max(0, bytes.IndexByte(head, '\n'))]) },
	Split: splitMbox,
}

func init() { register(Mbox) }

// splitMbox gives the messages one by one, each with its From_ line. A From_ line counts at
// the start and behind an empty line, and only if it looks like one: "From here on" in a
// message that nobody quoted does not.
func splitMbox(r *bufio.Reader, limit int) iter.Seq2[Record, error] {
	return func(yield func(Record, error) bool) {
		in := bufio.NewReaderSize(r, 1<<16)
		var buf []byte
		var offset int64
		n, long := 1, false
		give := func() bool {
			rec := Record{Offset: offset, Bytes: buf, Entity: numbered("message", n)}
			if !long {
				rec.Entity, rec.Format, rec.Mend = "", mboxEntry(n), mendLength
			}
			offset += int64(len(buf))
			ok := yield(rec, nil)
			buf = buf[:0]
			return ok
		}
		lineStart, blank := true, true
		for {
			line, err := in.ReadSlice('\n')
			if err != nil && err != bufio.ErrBufferFull && err != io.EOF {
				yield(Record{}, err)
				return
			}
			if lineStart && blank && offset+int64(len(buf)) > 0 && isFromLine(line) {
				if !give() {
					return
				}
				n, long = n+1, false
			}
			if len(buf)+len(line) > limit && len(buf) > 0 {
				long = true
				if !give() {
					return
				}
			}
			blank = lineStart && (string(line) == "\n" || string(line) == "\r\n")
			lineStart = len(line) > 0 && line[len(line)-1] == '\n'
			buf = append(buf, line...)
			if err == io.EOF {
				if len(buf) > 0 {
					give()
				}
				return
			}
		}
	}
}

// isFromLine says whether a line is "From sender date": a time of day is in it.
func isFromLine(line []byte) bool {
	if !bytes.HasPrefix(line, []byte("From ")) {
		return false
	}
	digit := func(i int) bool { return i < len(line) && '0' <= line[i] && line[i] <= '9' }
	for i := len("From "); i < len(line); i++ {
		if line[i] == ':' && digit(i-1) && digit(i+1) && digit(i+2) {
			return true
		}
	}
	return false
}

// mboxEntry is the format of the n-th message with its From_ line.
func mboxEntry(n int) *Format {
	return &Format{Name: "application/mbox", fragment: true, Extract: func(src []byte, f *Finder) {
		start := 0
		if bytes.HasPrefix(src, []byte("From ")) {
			start = lineEndAfter(src)
		}
		f.Part(0, &Place{Name: numbered("message", n)}, start, len(src), codec.FromQuoteRD, Message, part{})
	}}
}

// lineEndAfter is the index behind the first line.
func lineEndAfter(src []byte) int {
	if i := bytes.IndexByte(src, '\n'); i >= 0 {
		return i + 1
	}
	return len(src)
}

// mendLength keeps a message's Content-Length true, as the flavours mboxcl and mboxcl2
// need it. One that was not true before stays. It counts the body as it is in the file,
// without the empty line that ends the message.
func mendLength(rec Record, edits []codec.Edit) []codec.Edit {
	fields, body := readHeader(nil, rec.Bytes, lineEndAfter(rec.Bytes))
	for _, f := range fields {
		if !foldEqual(rec.Bytes[f.name.Start:f.name.End], "content-length") {
			continue
		}
		start, end := trimSpace(rec.Bytes, f.value.Start, f.value.End)
		was, err := strconv.Atoi(string(rec.Bytes[start:end]))
		full := len(rec.Bytes) - body
		if err != nil || was > full || len(bytes.Trim(rec.Bytes[body+was:], "\r\n")) > 0 {
			continue
		}
		for _, e := range edits {
			if e.Start >= body && e.Start <= body+was {
				was += len(e.New) - e.Len()
			}
		}
		edits = append(edits, codec.Edit{Span: codec.Span{Start: start, End: end}, New: strconv.AppendInt(nil, int64(was), 10)})
		sort.SliceStable(edits, func(i, j int) bool { return edits[i].Start < edits[j].Start })
		break
	}
	return edits
}
