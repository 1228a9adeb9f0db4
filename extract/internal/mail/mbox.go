package mail

import (
	"bytes"
	"iter"
	"strconv"

	"absolink/extract/internal/ascii"
	"absolink/extract/internal/codec"
	"absolink/extract/internal/codec/spell"
	"absolink/extract/internal/header"
	"absolink/extract/internal/mark"
	"absolink/extract/internal/window"
)

// Mbox is the format of files of messages. Most have a From_ line before each message (RFC 4155); the table separators
// lists the other ways. A line in a body may look like a From_ line, and four flavours differ in how they write it:
//
//	mboxo    the line "From " is quoted as ">From "; the line ">From " is not quoted
//	mboxrd   both lines are quoted with one more ">"
//	mboxcl   as mboxo, and Content-Length has the length of the body
//	mboxcl2  nothing is quoted, and Content-Length has the length of the body
//
// Mbox detects the flavour of each message. A message ends at its Content-Length if a From_ line or the end of the file
// is there (mboxcl, mboxcl2), and if its body then has unquoted From_ lines, nothing in it is quoted (mboxcl2). All
// other messages are read as mboxrd. Each of the other formats reads only one flavour.
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

// BeginsDated reports whether a file begins with a From_ line with a complete date, followed by a header field. Such a
// file is an mbox even if its name is that of a text, as in the archives of Pipermail.
func BeginsDated(head []byte) bool {
	kind, end := fromLineAt(head, 0)
	follows, _ := beginsFields(head, end, 1, true)
	return kind == datedLine && follows
}

// SniffMbox reports whether a file begins with a separator of messages, perhaps after empty lines, white space or a
// byte order mark.
func SniffMbox(head []byte) bool {
	head = head[header.SkipVoid(head, 0):]
	_, ok := separatorOf(head)
	return ok && bytes.IndexByte(head, '\n') >= 0
}

type mboxFlavour struct {
	lengths bool        // a valid Content-Length ends the message
	quoting codec.Codec // of lines that begin with "From "
	detects bool        // a message with a valid Content-Length and unquoted From_ lines has no quoting
}

// split yields the messages, each with its separators and the empty lines after it. A message longer than limit comes
// in pieces.
func (flavour mboxFlavour) split(in window.Window, limit int) iter.Seq2[mark.Chunk, error] {
	return func(yield func(mark.Chunk, error) bool) {
		s := mboxSplitter{mboxFlavour: flavour, Window: in, limit: limit}
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
	message *mark.Format // reads the messages
	limit   int
	at      int  // the search continues here
	joined  bool // the message's From_ line has no empty line before it
	joins   bool // the same of the next message
	long    bool // a piece of the message was yielded
	quoted  bool // the message may have a quoted From_ line
	bare    bool // the message has From_ lines that are not quoted
}

// void returns the length of the empty lines, white space or byte order mark before the separator.
func (s *mboxSplitter) void() (n int) {
	const bom = len("\uFEFF")
	for {
		if n = header.SkipVoid(s.Buf, n); len(s.Buf)-n >= bom || !s.Fill(n+bom) {
			return header.SkipVoid(s.Buf, n)
		}
	}
}

// chunk returns the n-th message or a piece of it, which ends at end.
func (s *mboxSplitter) chunk(n, end int, whole bool) mark.Chunk {
	rec := mark.Chunk{Offset: s.Offset, Bytes: s.Buf[:end:end], More: !whole}
	if whole && !s.long && end <= s.limit {
		rec.Format = s.entry(n)
	} else {
		rec.Entity = mark.Numbered("message", n)
	}
	if s.joined && !s.long {
		rec.Fault = &mark.Fault{Code: mark.EmptyLineMissing,
			Detail: "no empty line is before this From_ line; " + joinedBy(rec.Bytes)}
	}
	if start := header.SkipVoid(rec.Bytes, 0); s.Offset == 0 && start > 0 && s.sep.isLine(rec.Bytes[start:]) {
		rec.Fault = &mark.Fault{Code: mark.HeaderMalformed, Read: true,
			Detail: "white space or a byte order mark is before the first " + s.sep.name() + "; it was skipped"}
	}
	return rec
}

// joinedBy says why the From_ line of a message starts it without an empty line before.
func joinedBy(message []byte) string {
	switch kind, _ := fromLineAt(message, 0); kind {
	case stampLine:
		return "it is like the first line of the file, and the header field after it starts a message"
	case bareLine, addressLine:
		return "it is like the first line of the file, and the two header fields after it start a message"
	}
	return "its date and the header field after it start a message"
}

// next returns the end of the message, or 0 at the end of the file. If whole is false, the message is too long, and end
// is that of a piece of it.
func (s *mboxSplitter) next() (end int, whole bool) {
	if !s.long {
		s.quoted, s.bare, s.joins = false, false, false
		s.at = s.firstLine()
		s.inBody, s.header = false, max(s.at-1, 0)
		if s.sep == fromLine && s.lengths {
			if end = s.byLength(); end > 0 {
				unquoted := messageStart{first: patchLine, inBody: true, body: s.body}
				i, _, quoted := unquoted.next(s.Buf[:end], s.at-1, true)
				s.quoted, s.bare = quoted || i >= 0, i >= 0
				return end, true
			}
		}
		s.at = max(s.at-1, 0) // from the newline on, because the header's first line may be a quoted From_ line
	}
	for {
		if s.sep == fromLine { // no other separator needs the body, and the search may read far beyond each message
			s.findBody(s.Buf, s.EOF)
		}
		i, sure, quoted := s.messageStart.next(s.Buf, s.at, s.EOF)
		s.quoted = s.quoted || quoted
		switch {
		case sure && i < 0:
			return len(s.Buf), true
		case sure && s.sep == closingLine:
			return s.afterLine(i), true
		case sure:
			s.joins = s.sep == fromLine && !afterEmptyLine(s.Buf, i)
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

// lineEnd returns the end of the line at i. ok is false if there is none within the limit.
func (s *mboxSplitter) lineEnd(i int) (end int, ok bool) {
	for {
		if n := bytes.IndexByte(s.Buf[i:], '\n'); n >= 0 {
			return i + n + 1, true
		}
		if i = len(s.Buf); i > s.limit || !s.Fill(i+1) {
			return len(s.Buf), false
		}
	}
}

// afterLine returns the end of the line at i and of the empty lines after it.
func (s *mboxSplitter) afterLine(i int) int {
	i, _ = s.lineEnd(i)
	for {
		s.Fill(i + len("\r\n"))
		n := ascii.NewlineLen(s.Buf[i:])
		if n == 0 || i > s.limit {
			return i
		}
		i += n
	}
}

// firstLine returns the end of the message's separator, which empty lines, white space or a byte order mark may
// precede. In the first message it also sets sep, first and message.
func (s *mboxSplitter) firstLine() int {
	start := s.void()
	i, _ := s.lineEnd(start)
	if s.Offset == 0 {
		s.sep, _ = separatorOf(s.Buf[start:])
		s.first, _ = fromLineAt(s.Buf[:i], start)
		s.message = s.sep.messageFormat(s.first)
	}
	if s.sep != fromLine && !s.sep.isLine(s.Buf[start:i]) {
		return start
	}
	return i
}

// byLength returns the end of the message by its Content-Length, or 0 if there is none. A length is trusted only if a
// From_ line or the end of the file follows.
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
	if from == len(s.Buf) && s.EOF || s.Buf[from-1] == '\n' && s.sep.begins(s.Buf[from:]) {
		return from
	}
	return 0
}

// contentLength returns the first Content-Length of the message that is a number, and the index of the body. length is
// -1 without such a number, or if the header does not end.
func (s *mboxSplitter) contentLength() (length, body int) {
	length, body = -1, s.at
	for {
		end, ok := s.lineEnd(body)
		if !ok {
			return -1, body
		}
		line := s.Buf[body:end]
		body = end
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

func (s *mboxSplitter) entry(n int) *mark.Format {
	quoting, quoted, message, sep := s.quoting, s.quoted, s.message, s.sep
	switch {
	case sep != fromLine:
		quoting, quoted = codec.Identity, false
	case s.bare && s.detects:
		quoting = codec.Identity
	case !quoted && quoting != codec.Identity:
		quoting = spell.FromUnquoted // it is faster to read
	}
	format := &mark.Format{Name: mboxType, Fragment: true}
	format.Mark = func(src []byte, m *mark.Marks) {
		if inCR(src, m) {
			return
		}
		start, end := sep.message(src)
		m.Part(0, &mark.Place{Name: mark.Numbered("message", n)}, start, end, quoting, message, mark.Part{})
		if quoted {
			// Content-Length counts the quoted bytes. If no line is quoted, Message marks the field.
			fields, body := header.Read(src, start)
			r := header.Reader{Src: src, Marks: m}
			r.Counts(fields, "content-length", codec.Span{Start: body, End: len(src)}, mark.CountBytes)
		}
	}
	return format
}
