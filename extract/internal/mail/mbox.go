package mail

import (
	"bytes"
	"encoding/binary"
	"iter"
	"strconv"

	"absolink/extract/internal/ascii"
	"absolink/extract/internal/codec"
	"absolink/extract/internal/header"
	"absolink/extract/internal/mark"
	"absolink/extract/internal/window"
)

// Mbox is a file of messages, each behind a From_ line (RFC 4155). There are four flavours,
// which differ in what keeps a line of a message from being taken for a From_ line. Mbox
// tells them apart message by message: a Content-Length that ends where a From_ line or the
// end of the file follows is followed, as mboxcl and mboxcl2 have it; if the body then has
// From_ lines of its own nothing in it is quoted (mboxcl2); else quoting is read as mboxrd
// has it. The other formats are one flavour each, for those who know.
var (
	Mbox = &mark.Format{
		Name:  mboxType,
		Exts:  []string{".mbox"},
		Split: mboxFlavour{quoting: codec.FromQuoteRD, lengths: true, told: true}.split,
	}
	MboxO   = &mark.Format{Name: "mboxo", Split: mboxFlavour{quoting: codec.FromQuoteO}.split}
	MboxRD  = &mark.Format{Name: "mboxrd", Split: mboxFlavour{quoting: codec.FromQuoteRD}.split}
	MboxCL  = &mark.Format{Name: "mboxcl", Split: mboxFlavour{quoting: codec.FromQuoteO, lengths: true}.split}
	MboxCL2 = &mark.Format{Name: "mboxcl2", Split: mboxFlavour{quoting: codec.Identity, lengths: true}.split}
)

const mboxType = "application/mbox"

// SniffMbox reports whether a file begins with a From_ line.
func SniffMbox(head []byte) bool { return isFromLine(head[:max(0, bytes.IndexByte(head, '\n'))]) }

// mboxFlavour is how messages are kept apart.
type mboxFlavour struct {
	lengths bool        // a Content-Length that is right ends the message
	quoting codec.Codec // of lines that begin with "From "
	told    bool        // a message with such lines that a length ends has no quoting
}

// split gives the messages one by one, each with its From_ line and the empty lines behind
// it. A message beyond the limit comes in pieces.
func (m mboxFlavour) split(in window.Window, limit int) iter.Seq2[mark.Chunk, error] {
	return func(yield func(mark.Chunk, error) bool) {
		s := mboxSplitter{mboxFlavour: m, Window: in, limit: limit}
		for n := 1; ; n++ {
			for whole := false; !whole; {
				var end int
				end, whole = s.next()
				if s.Err != nil {
					yield(mark.Chunk{}, s.Err)
					return
				}
				if end == 0 {
					return
				}
				rec := mark.Chunk{Offset: s.Offset, Bytes: s.Buf[:end:end], More: !whole}
				if whole && !s.long && end <= limit {
					rec.Format = s.entry(n, rec.Bytes)
				} else {
					rec.Entity = mark.Numbered("message", n)
				}
				if !yield(rec, nil) {
					return
				}
				s.Drop(end)
				s.long = !whole
			}
		}
	}
}

// mboxSplitter looks for the end of the message that the window begins with.
type mboxSplitter struct {
	mboxFlavour
	window.Window
	limit  int
	at     int  // how far a long message was searched
	long   bool // a part of the message has been given
	quoted bool // a line in it may be quoted
	bare   bool // it has From_ lines that are not
}

// next gives the end of the message, or with whole false that of a piece of one that is
// too long. It is 0 when there is no more.
func (s *mboxSplitter) next() (end int, whole bool) {
	if !s.long {
		s.quoted, s.bare = false, false
		s.at = s.firstLine()
		if s.lengths {
			if end = s.byLength(); end > 0 {
				i, _, quoted := nextFromLine(s.Buf[:end], s.at, true)
				s.quoted, s.bare = quoted || i >= 0, i >= 0
				return end, true
			}
		}
	}
	for {
		i, sure, quoted := nextFromLine(s.Buf, s.at, s.EOF)
		s.quoted = s.quoted || quoted
		switch {
		case sure && i < 0:
			return len(s.Buf), true
		case sure:
			return i, true
		}
		s.at = max(s.at, i)
		if len(s.Buf) > s.limit && s.at > fromLineReach {
			end = s.at - fromLineReach
			s.at = fromLineReach
			return end, false
		}
		s.More()
	}
}

// firstLine gives the end of the From_ line, before which empty lines may stand.
func (s *mboxSplitter) firstLine() int {
	i := 0
	for ; s.Fill(i+1) && (s.Buf[i] == '\n' || s.Buf[i] == '\r'); i++ {
	}
	for {
		if n := bytes.IndexByte(s.Buf[i:], '\n'); n >= 0 {
			return i + n + 1
		}
		i = len(s.Buf)
		if i > s.limit || !s.Fill(i+1) {
			return i
		}
	}
}

// byLength gives where the message ends by its Content-Length, 0 if that does not tell: a
// From_ line, or nothing, has to follow.
func (s *mboxSplitter) byLength() int {
	length, body, searched := -1, s.at, s.at
	for {
		n := bytes.IndexByte(s.Buf[searched:], '\n')
		if n < 0 {
			if searched = len(s.Buf); searched > s.limit || !s.Fill(searched+1) {
				return 0
			}
			continue
		}
		line := s.Buf[body : searched+n+1]
		body += len(line)
		searched = body
		if ascii.NewlineLen(line) > 0 {
			break
		}
		if name, value := header.FieldName(line, 0); length < 0 && ascii.FoldEqual(line[:name.End], "content-length") {
			if n, err := strconv.Atoi(string(ascii.Trimmed(line[value:]))); err == nil && n >= 0 {
				length = n
			}
		}
	}
	if length < 0 || length > s.limit-body {
		return 0
	}
	end := body + length
	s.Fill(end + longestFromLine)
	if end > len(s.Buf) {
		return 0
	}
	from := s.AfterNewlines(end)
	if from == len(s.Buf) && s.EOF || s.Buf[from-1] == '\n' && isFromLine(s.Buf[from:]) {
		return from
	}
	return 0
}

const (
	longestFromLine = 1024
	fromLineReach   = len("\n\r\n") // what is looked at before a From_ line
)

// nextFromLine gives the index of the first From_ line behind src[p]. One counts behind an
// empty line, and only if it looks like one: "From here on" in a message that nobody
// quoted does not. Without one it is -1, for sure if src ends with the file, else not: then
// it is where to go on when there is more. quoted says whether it passed a quoted one.
func nextFromLine(src []byte, p int, eof bool) (i int, sure, quoted bool) {
	for {
		n := bytes.IndexByte(src[p:], '\n')
		if n < 0 {
			if eof {
				return -1, true, quoted
			}
			return len(src), false, quoted
		}
		line := p + n + 1
		if line == len(src) {
			if eof {
				return -1, true, quoted
			}
			return line - 1, false, quoted
		}
		switch src[line] {
		case 'F':
			if !eof && len(src)-line < longestFromLine && bytes.IndexByte(src[line:], '\n') < 0 {
				return line - 1, false, quoted
			}
			if isFromLine(src[line:]) && behindEmptyLine(src, line) {
				return line, true, quoted
			}
		case '>':
			if !eof && len(src)-line < longestFromLine && bytes.IndexByte(src[line:], '\n') < 0 {
				return line - 1, false, quoted
			}
			quoted = quoted || bytes.HasPrefix(bytes.TrimLeft(src[line:min(len(src), line+longestFromLine)], ">"), []byte("From "))
		}
		p = spaceless(src, line)
	}
}

// spaceless passes over lines without a space, such as those of base64: a From_ line has one, and
// so has a quoted one. p is where a line begins; so is what is given, or it is where one ends.
func spaceless(src []byte, p int) int {
	if hasByte(src[p:], ' ') {
		return p
	}
	end := len(src)
	if i := bytes.IndexByte(src[p:], ' '); i >= 0 {
		end = p + i
	}
	return p + max(bytes.LastIndexByte(src[p:end], '\n'), 0)
}

// hasByte says whether one of the first eight bytes is c; if there are not as many it may be.
func hasByte(b []byte, c byte) bool {
	const ones, highs = 0x0101010101010101, 0x8080808080808080
	if len(b) < 8 {
		return true
	}
	w := binary.LittleEndian.Uint64(b) ^ uint64(c)*ones
	return (w-ones)&^w&highs != 0
}

func behindEmptyLine(src []byte, p int) bool {
	before := WithoutNewline(src, p)
	return before == 0 || src[before-1] == '\n'
}

// isFromLine says whether a line is "From sender date": a time of day is in it. Thunderbird has also
// written "From - " and "From " alone.
func isFromLine(line []byte) bool {
	if !bytes.HasPrefix(line, []byte("From ")) {
		return false
	}
	line = line[:min(len(line), longestFromLine)]
	line = line[:ascii.LineEnd(line, 0)]
	if rest := ascii.Trimmed(line[len("From "):]); len(rest) == 0 || string(rest) == "-" {
		return true
	}
	digit := func(i int) bool { return i < len(line) && ascii.IsDigit(line[i]) }
	for i := len("From "); i < len(line); i++ {
		if line[i] == ':' && digit(i-1) && digit(i+1) && digit(i+2) {
			return true
		}
	}
	return false
}

// entry is the format of the n-th message with its From_ line.
func (s *mboxSplitter) entry(n int, entry []byte) *mark.Format {
	start := 0
	for newline := ascii.NewlineLen(entry); newline > 0; newline = ascii.NewlineLen(entry[start:]) {
		start += newline
	}
	if bytes.HasPrefix(entry[start:], []byte("From ")) {
		start = ascii.LineEnd(entry, start)
	}
	quoting, quoted := s.quoting, s.quoted
	switch {
	case s.bare && s.told:
		quoting = codec.Identity
	case !quoted && quoting != codec.Identity:
		quoting = codec.FromUnquoted // which is quicker to read
	}
	return &mark.Format{Name: mboxType, Fragment: true, Extract: func(src []byte, f *mark.Marks) {
		f.Part(0, &mark.Place{Name: mark.Numbered("message", n)}, start, len(src), quoting, Message, mark.Part{})
		if quoted {
			// What Content-Length counts is the message as it is spelled here; where nothing
			// is quoted the message itself tells.
			countLength(f, src, start)
		}
	}}
}

// countLength marks the Content-Length of the message at src[start:].
func countLength(f *mark.Marks, src []byte, start int) {
	m := &MimeReader{Src: src, F: f}
	fields, body := header.ReadHeader(src, start)
	f.Counts(m.Field(fields, "content-length"), codec.Span{Start: body, End: len(src)}, mark.CountBytes)
}
