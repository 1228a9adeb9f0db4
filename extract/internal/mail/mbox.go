package mail

import (
	"bytes"
	"iter"
	"slices"
	"strconv"

	"absolink/extract/internal/ascii"
	"absolink/extract/internal/codec"
	"absolink/extract/internal/codec/spell"
	"absolink/extract/internal/header"
	"absolink/extract/internal/mark"
	"absolink/extract/internal/window"
)

// Mbox is the format of files of messages, each after a From_ line (RFC 4155). In the body of a message, a line may look
// like a From_ line. There are four flavours, which write such a line in different ways:
//
//	mboxo    the line "From " is quoted as ">From "; the line ">From " is not quoted
//	mboxrd   both lines are quoted with one more ">"
//	mboxcl   as mboxo, and Content-Length has the length of the body
//	mboxcl2  nothing is quoted, and Content-Length has the length of the body
//
// Mbox detects the flavour of each message. If a From_ line or the end of the file is at the Content-Length of a message,
// the message ends there (mboxcl, mboxcl2). If its body then has unquoted From_ lines, nothing is quoted (mboxcl2). In all
// other messages the quoting is that of mboxrd. Each of the other formats reads only one flavour.
var (
	Mbox = &mark.Format{
		Name:  mboxType,
		Exts:  []string{".mbox"},
		Split: mboxFlavour{quoting: spell.FromQuoteRD, lengths: true, detects: true}.split,
	}
	MboxO   = &mark.Format{Name: "mboxo", Split: mboxFlavour{quoting: spell.FromQuoteO}.split}
	MboxRD  = &mark.Format{Name: "mboxrd", Split: mboxFlavour{quoting: spell.FromQuoteRD}.split}
	MboxCL  = &mark.Format{Name: "mboxcl", Split: mboxFlavour{quoting: spell.FromQuoteO, lengths: true}.split}
	MboxCL2 = &mark.Format{Name: "mboxcl2", Split: mboxFlavour{quoting: codec.Identity, lengths: true}.split}
)

const mboxType = "application/mbox"

// SniffMbox reports whether a file begins with a From_ line. Empty lines, white space or a byte order mark may be before it.
func SniffMbox(head []byte) bool {
	head = head[header.SkipVoid(head, 0):]
	return bytes.IndexByte(head, '\n') >= 0 && isFromLine(head) || endsInCR(head)
}

// isFromLine reports whether a From_ line that can start a message is at the start of src.
func isFromLine(src []byte) bool {
	kind, end := fromLineAt(src, 0)
	if kind != partialLine {
		return kind != notFromLine
	}
	begins, _ := beginsField(src, end, true)
	return begins
}

// mboxFlavour has the rules of one flavour.
type mboxFlavour struct {
	lengths bool        // a valid Content-Length ends the message
	quoting codec.Codec // of lines that begin with "From "
	detects bool        // a message with a valid Content-Length and unquoted From_ lines has no quoting
}

// split yields the messages, each with its From_ line and the empty lines after it. A message longer than limit is
// divided into pieces.
func (flavour mboxFlavour) split(in window.Window, limit int) iter.Seq2[mark.Chunk, error] {
	return func(yield func(mark.Chunk, error) bool) {
		s := mboxSplitter{mboxFlavour: flavour, Window: in, limit: limit}
		s.swapLines()
		for n := 1; ; {
			end, whole := s.next()
			switch {
			case s.Err != nil:
				yield(mark.Chunk{}, s.Err)
				return
			case end == 0 || !yield(s.chunk(n, end, whole), nil):
				return
			}
			s.Drop(end)
			s.drop(end)
			if s.long, s.joined = !whole, s.joins; whole {
				n++
			}
		}
	}
}

// mboxSplitter finds the end of the message at the start of the window.
type mboxSplitter struct {
	mboxFlavour
	window.Window
	messageStart
	limit  int
	cr     bool // the lines of the file end in CR, and in the window they end in LF
	at     int  // the search continues here
	joined bool // no empty line is before the From_ line of the message
	joins  bool // no empty line is before the From_ line of the next message
	long   bool // a piece of the message was yielded
	quoted bool // the message may have a quoted From_ line
	bare   bool // the message has From_ lines that are not quoted
}

// swapLines changes CR to LF in the window, if the lines of the file end in CR.
func (s *mboxSplitter) swapLines() {
	start := s.void()
	for !s.EOF && len(s.Buf)-start < longestFromLine && (len(s.Buf) == start || !bytes.ContainsAny(s.Buf[start:len(s.Buf)-1], "\r\n")) {
		s.More() // up to the byte after the first line
	}
	if s.cr = endsInCR(s.Buf[start:]); s.cr {
		s.Window = s.Through(spell.SwapLines)
	}
}

// void returns the number of bytes before the From_ line: empty lines, white space or a byte order mark.
func (s *mboxSplitter) void() (n int) {
	const bom = len("\uFEFF")
	for {
		if n = header.SkipVoid(s.Buf, n); len(s.Buf)-n >= bom || !s.Fill(n+bom) {
			return header.SkipVoid(s.Buf, n)
		}
	}
}

// chunk returns the n-th message, or a piece of it. It ends at end.
func (s *mboxSplitter) chunk(n, end int, whole bool) mark.Chunk {
	rec := mark.Chunk{Offset: s.Offset, Bytes: s.Buf[:end:end], More: !whole}
	if whole && !s.long && end <= s.limit {
		rec.Format = s.entry(n)
	} else {
		rec.Entity = mark.Numbered("message", n)
	}
	if s.joined && !s.long {
		rec.Fault = &mark.Fault{Code: mark.EmptyLineMissing, Detail: "no empty line is before this From_ line; its date and the header field after it start a message"}
	}
	if start := header.SkipVoid(rec.Bytes, 0); s.Offset == 0 && start > 0 && bytes.HasPrefix(rec.Bytes[start:], []byte(fromSpace)) {
		rec.Fault = &mark.Fault{Code: mark.HeaderMalformed, Read: true, Detail: "white space or a byte order mark is before the first From_ line; it was skipped"}
	}
	if s.cr {
		spell.SwapLines(rec.Bytes)
	}
	return rec
}

// next returns the end of the message, or 0 at the end of the file. If whole is false, the message is too long, and end is
// the end of a piece of it.
func (s *mboxSplitter) next() (end int, whole bool) {
	if !s.long {
		s.quoted, s.bare, s.joins = false, false, false
		s.at = s.firstLine()
		s.inBody, s.header = false, max(s.at-1, 0)
		if s.lengths {
			if end = s.byLength(); end > 0 {
				unquoted := messageStart{patches: true, inBody: true, body: s.body}
				i, _, quoted := unquoted.next(s.Buf[:end], s.at-1, true)
				s.quoted, s.bare = quoted || i >= 0, i >= 0
				return end, true
			}
		}
		s.at = max(s.at-1, 0) // the first line of the header may be quoted
	}
	for {
		s.findBody(s.Buf, s.EOF)
		i, sure, quoted := s.messageStart.next(s.Buf, s.at, s.EOF)
		s.quoted = s.quoted || quoted
		switch {
		case sure && i < 0:
			return len(s.Buf), true
		case sure:
			s.joins = !afterEmptyLine(s.Buf, i)
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

// firstLine returns the end of the From_ line. It skips the void before it. In the first message it sets patches.
func (s *mboxSplitter) firstLine() int {
	start := s.void()
	i := start
	for {
		if n := bytes.IndexByte(s.Buf[i:], '\n'); n >= 0 {
			i += n + 1
			break
		}
		i = len(s.Buf)
		if i > s.limit || !s.Fill(i+1) {
			break
		}
	}
	if s.Offset == 0 {
		kind, _ := fromLineAt(s.Buf[:i], start)
		s.patches = kind == patchLine
	}
	return i
}

// byLength returns the end of the message by its Content-Length. It returns 0 if the field is missing or not valid. It is
// valid only if a From_ line or the end of the file follows.
func (s *mboxSplitter) byLength() int {
	length, body := s.contentLength()
	if length < 0 || length > s.limit-body {
		return 0
	}
	end := body + length
	s.Fill(end + fromLineAhead)
	if end > len(s.Buf) {
		return 0
	}
	from := s.AfterNewlines(end)
	if from == len(s.Buf) && s.EOF || s.Buf[from-1] == '\n' && isFromLine(s.Buf[from:]) {
		return from
	}
	return 0
}

// contentLength returns the first Content-Length in the header of the message that is a number, and the index of the body.
// length is -1 if there is no number, or if the header has no end.
func (s *mboxSplitter) contentLength() (length, body int) {
	length, body = -1, s.at
	for searched := body; ; {
		n := bytes.IndexByte(s.Buf[searched:], '\n')
		if n < 0 {
			if searched = len(s.Buf); searched > s.limit || !s.Fill(searched+1) {
				return -1, body
			}
			continue
		}
		line := s.Buf[body : searched+n+1]
		body += len(line)
		searched = body
		if ascii.NewlineLen(line) > 0 {
			s.inBody, s.body = true, body
			return length, body
		}
		if name, value := header.FieldName(line, 0); length < 0 && ascii.FoldEqual(line[:name.End], "content-length") {
			if n, err := strconv.Atoi(string(ascii.Trimmed(line[value:]))); err == nil && n >= 0 {
				length = n
			}
		}
	}
}

// messageIn returns the start of the message in the text of an entry of an mbox, after the From_ line.
func messageIn(entry []byte) int {
	if start := header.SkipVoid(entry, 0); bytes.HasPrefix(entry[start:], []byte(fromSpace)) {
		return ascii.LineEnd(entry, start)
	}
	return 0
}

// entry returns the format of the n-th message.
func (s *mboxSplitter) entry(n int) *mark.Format {
	quoting, quoted := s.quoting, s.quoted
	switch {
	case s.bare && s.detects:
		quoting = codec.Identity
	case !quoted && quoting != codec.Identity:
		quoting = spell.FromUnquoted // it is faster to read
	}
	format := &mark.Format{Name: mboxType, Fragment: true}
	if s.cr {
		format.Lines = swapped
	}
	format.Extract = func(src []byte, m *mark.Marks) {
		start := messageIn(src)
		m.Part(0, &mark.Place{Name: mark.Numbered("message", n)}, start, len(src), quoting, mboxMessage, mark.Part{})
		if quoted {
			// Content-Length counts the quoted bytes. If no line is quoted, Message marks the field.
			countLength(src, m, start)
		}
	}
	return format
}

// mboxMessage is Message in an mbox. No edit may make a From_ line of a line that begins with "From ".
var mboxMessage = func() *mark.Format {
	f := *Message
	f.Extract = func(src []byte, m *mark.Marks) {
		m.Guard(codec.Span{End: len(src)}, func(e codec.Edit) (why string) { return makesFromLine(src, e) })
		extractMessage(src, m)
	}
	return &f
}()

// makesFromLine returns the reason to refuse an edit of a message in an mbox, or "".
func makesFromLine(src []byte, e codec.Edit) (why string) {
	line := max(0, e.Start-longestFromLine)
	line += bytes.LastIndexByte(src[line:e.Start], '\n') + 1
	if !bytes.HasPrefix(src[line:], []byte(fromSpace)) {
		return ""
	}
	before := max(0, line-fromLineReach)
	edited := slices.Concat(src[before:e.Start], e.New, src[e.End:min(len(src), e.End+fromLineAhead)])
	body := messageStart{inBody: true}
	if was, _ := body.starts(src, line, true); was {
		return ""
	}
	if starts, _ := body.starts(edited, line-before, true); starts {
		return " would make a From_ line, which begins the next message of the mbox"
	}
	return ""
}

// countLength marks the Content-Length of the message at src[start:].
func countLength(src []byte, m *mark.Marks, start int) {
	r := header.Reader{Src: src, Marks: m}
	fields, body := header.Read(src, start)
	r.Counts(fields, "content-length", codec.Span{Start: body, End: len(src)}, mark.CountBytes)
}
