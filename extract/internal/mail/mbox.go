package mail

import (
	"bytes"
	"iter"
	"slices"
	"strconv"
	"strings"
	"time"

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
	if endsInCR(head) {
		head = bytes.Clone(head)
		spell.SwapLines(head)
	}
	return bytes.IndexByte(head, '\n') >= 0 && isFromLine(head)
}

// isFromLine reports whether a From_ line that can start a message is at the start of src.
func isFromLine(src []byte) bool {
	kind, end := fromLineAt(src, 0)
	follow, _ := beginsFields(src, end, evidence[kind].asFirst.afterEmpty, true)
	return follow
}

type mboxFlavour struct {
	lengths bool        // a valid Content-Length ends the message
	quoting codec.Codec // of lines that begin with "From "
	detects bool        // a message with a valid Content-Length and unquoted From_ lines has no quoting
}

// split yields the messages, each with its From_ line and the empty lines after it. A message longer than limit is yielded
// in pieces.
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
	message *mark.Format // of the messages
	limit   int
	cr      bool // the lines of the file end in CR, and in the window they end in LF
	at      int  // the search continues here
	joined  bool // no empty line is before the From_ line of the message
	joins   bool // no empty line is before the From_ line of the next message
	long    bool // a piece of the message was yielded
	quoted  bool // the message may have a quoted From_ line
	bare    bool // the message has From_ lines that are not quoted
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

// void returns the length of the empty lines, white space or byte order mark before the From_ line.
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
		rec.Fault = &mark.Fault{Code: mark.EmptyLineMissing, Detail: "no empty line is before this From_ line; " + joinedBy(rec.Bytes)}
	}
	if start := header.SkipVoid(rec.Bytes, 0); s.Offset == 0 && start > 0 && bytes.HasPrefix(rec.Bytes[start:], []byte(fromSpace)) {
		rec.Fault = &mark.Fault{Code: mark.HeaderMalformed, Read: true, Detail: "white space or a byte order mark is before the first From_ line; it was skipped"}
	}
	if s.cr {
		spell.SwapLines(rec.Bytes)
	}
	return rec
}

// joinedBy returns the reason why the From_ line of a message starts it without an empty line before.
func joinedBy(message []byte) string {
	switch kind, _ := fromLineAt(message, 0); kind {
	case stampLine:
		return "it is like the first line of the file, and the header field after it starts a message"
	case bareLine:
		return "it is like the first line of the file, and the two header fields after it start a message"
	}
	return "its date and the header field after it start a message"
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
				unquoted := messageStart{first: patchLine, inBody: true, body: s.body}
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

// lineEnd returns the end of the line at i. If there is none, or if it is beyond the limit, ok is false.
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

// firstLine returns the end of the From_ line. It skips the void before it. In the first message it sets first.
func (s *mboxSplitter) firstLine() int {
	start := s.void()
	i, _ := s.lineEnd(start)
	if s.Offset == 0 {
		s.first, _ = fromLineAt(s.Buf[:i], start)
		s.message = mboxMessage(s.first)
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

// messageIn returns the offset after the From_ line of an entry of an mbox.
func messageIn(entry []byte) int {
	if start := header.SkipVoid(entry, 0); bytes.HasPrefix(entry[start:], []byte(fromSpace)) {
		return ascii.LineEnd(entry, start)
	}
	return 0
}

func (s *mboxSplitter) entry(n int) *mark.Format {
	quoting, quoted, message := s.quoting, s.quoted, s.message
	switch {
	case s.bare && s.detects:
		quoting = codec.Identity
	case !quoted && quoting != codec.Identity:
		quoting = spell.FromUnquoted // it is faster to read
	}
	format := &mark.Format{Name: mboxType, Fragment: true}
	if s.cr {
		format.Lines = func([]byte) codec.Codec { return spell.SwappedLines }
	}
	format.Extract = func(src []byte, m *mark.Marks) {
		start := messageIn(src)
		m.Part(0, &mark.Place{Name: mark.Numbered("message", n)}, start, len(src), quoting, message, mark.Part{})
		if quoted {
			// Content-Length counts the quoted bytes. If no line is quoted, Message marks the field.
			fields, body := header.Read(src, start)
			r := header.Reader{Src: src, Marks: m}
			r.Counts(fields, "content-length", codec.Span{Start: body, End: len(src)}, mark.CountBytes)
		}
	}
	return format
}

// mboxMessage returns Message for an mbox that begins with a From_ line of a kind. No edit may make a From_ line that starts a
// message.
func mboxMessage(first fromLineKind) *mark.Format {
	f := *Message
	f.Extract = func(src []byte, m *mark.Marks) {
		g := fromLineGuard{src: src, messageStart: messageStart{first: first, inBody: true}, line: -1}
		m.Guard(codec.Span{End: len(src)}, g.refuses)
		extractMessage(src, m)
	}
	return &f
}

// fromLineGuard refuses edits that make a From_ line that starts a message. An edit may be in the From_ line, in the fields after it,
// or in the line before it.
type fromLineGuard struct {
	messageStart
	src  []byte
	line int // the last line that begins with "From " and starts before src[seen], or -1
	seen int
}

// refuses returns the reason to refuse an edit of a message in an mbox, or "".
func (g *fromLineGuard) refuses(e codec.Edit) (why string) {
	if g.seen > e.Start { // an edit that removes the element of the last edits
		g.line, g.seen = -1, 0
	}
	if g.seen == 0 && bytes.HasPrefix(g.src, []byte(fromSpace)) {
		g.line = 0
	}
	const newline = len("\n")
	if i := bytes.LastIndex(g.src[max(0, g.seen-newline):e.Start], []byte("\n"+fromSpace)); i >= 0 {
		g.line = max(0, g.seen-newline) + i + newline
	}
	g.seen = max(g.seen, e.Start-len(fromSpace))
	next := e.End + ascii.NewlineLen(g.src[e.End:])
	switch {
	case g.line >= 0 && e.Start-g.line < fromLineAhead && g.makes(e, g.line),
		next > e.End && (len(e.New) == 0 || e.New[len(e.New)-1] == '\n') && g.makes(e, next):
		return " would make a From_ line, which begins the next message of the mbox"
	}
	return ""
}

// makes reports whether a line starts a message after an edit, and does not without it. The line may be before or after the edit.
func (g *fromLineGuard) makes(e codec.Edit, line int) bool {
	if was, _ := g.starts(g.src, line, true); was || !bytes.HasPrefix(g.src[line:], []byte(fromSpace)) {
		return false
	}
	before := max(0, min(line, e.Start)-fromLineReach)
	edited := slices.Concat(g.src[before:e.Start], e.New, g.src[e.End:min(len(g.src), e.End+fromLineAhead)])
	at := line - before
	if line >= e.End {
		at += len(e.New) - e.Len()
	}
	starts, _ := g.starts(edited, at, true)
	return starts
}

const (
	longestFromLine  = 1024
	longestFieldName = 256
	longestField     = 4096          // of a field after which another one is searched
	fromLineReach    = len("\n\r\n") // the number of bytes before a From_ line that decide whether it counts
	fromLineAhead    = longestFromLine + longestField + longestFieldName
)

// messageStart finds From_ lines that start a message. It depends on the position of the body of the message before.
type messageStart struct {
	first  fromLineKind // of the line that the file begins with
	inBody bool         // body is known
	body   int          // the start of the body
	header int          // the search for the body continues here
}

// findBody searches for the empty line that ends the header. It is called again when more of the file was read.
func (m *messageStart) findBody(src []byte, eof bool) {
	for !m.inBody {
		n := bytes.IndexByte(src[m.header:], '\n')
		if n < 0 {
			m.header = len(src)
			return
		}
		m.header += n
		after := src[m.header+1:]
		newline := ascii.NewlineLen(after)
		if newline == 0 && !eof && len(after) < 2 && (len(after) == 0 || after[0] == '\r') {
			return
		}
		m.inBody, m.body = newline > 0, m.header+1+newline
		m.header++
	}
}

func (m *messageStart) drop(n int) { m.body, m.header = m.body-n, m.header-n }

// next returns the index of the first From_ line after src[p] that starts a message, or -1. quoted reports whether a quoted
// From_ line is before it.
//
// eof reports whether src ends at the end of the file. If it does not, sure may be false. Then the caller reads more bytes
// and continues at i.
//
// It searches for the letter F and not for newlines, because F is rare in most texts.
func (m *messageStart) next(src []byte, p int, eof bool) (i int, sure, quoted bool) {
	for at := p + 1; ; {
		n := bytes.IndexByte(src[min(at, len(src)):], 'F')
		switch {
		case n >= 0:
		case eof:
			return -1, true, quoted
		default:
			if line := beforeQuotes(src, p, len(src)); startsLine(src, p, line) {
				return line - 1, false, quoted
			}
			return len(src), false, quoted
		}
		from := at + n
		if line := beforeQuotes(src, p, from); startsLine(src, p, line) {
			if !eof && len(src)-line < longestFromLine && bytes.IndexByte(src[line:], '\n') < 0 {
				return line - 1, false, quoted
			}
			if line < from {
				quoted = quoted || isQuotedFromLine(src[line:])
			} else if starts, sure := m.starts(src, line, eof); starts || !sure {
				if !sure {
					line--
				}
				return line, sure, quoted
			}
		}
		at = spaceless(src, from+1)
	}
}

// starts reports whether the line at i starts a message. sure is false if more bytes must be read to decide that.
func (m *messageStart) starts(src []byte, i int, eof bool) (starts, sure bool) {
	if !bytes.HasPrefix(src[i:], []byte(fromSpace)) {
		return false, true
	}
	empty := afterEmptyLine(src, i)
	if !empty && (!m.inBody || i < m.body) {
		return false, true
	}
	kind, end := fromLineAt(src, i)
	needed := evidence[kind].other
	if kind == m.first {
		needed = evidence[kind].asFirst
	}
	if empty {
		return beginsFields(src, end, needed.afterEmpty, eof)
	}
	return beginsFields(src, end, needed.inBody, eof)
}

// beforeQuotes returns the index of the first ">" directly before i and after src[p], or i. It reads at most longestFromLine
// bytes.
func beforeQuotes(src []byte, p, i int) int {
	line := i
	for line > p+1 && i-line < longestFromLine && src[line-1] == '>' {
		line--
	}
	return line
}

// startsLine reports whether a newline from p on is directly before i.
func startsLine(src []byte, p, i int) bool { return i > p && src[i-1] == '\n' }

// spaceless skips bytes at p that have no space, such as base64. A From_ line has a space after "From", so its F is at most four
// bytes before a space.
func spaceless(src []byte, p int) int {
	end := len(src)
	if i := bytes.IndexByte(src[p:], ' '); i >= 0 {
		end = p + i
	}
	return max(p, end-len("From"))
}

// afterEmptyLine reports whether the line before p is empty, or p is 0.
func afterEmptyLine(src []byte, p int) bool {
	before := withoutNewline(src, p)
	return before == 0 || src[before-1] == '\n'
}

func isQuotedFromLine(line []byte) bool {
	line = line[:min(len(line), longestFromLine)]
	return bytes.HasPrefix(bytes.TrimLeft(line, ">"), []byte("From "))
}

const fromSpace = "From "

// fromLineKind is the kind of a From_ line.
type fromLineKind uint8

const (
	notFromLine fromLineKind = iota
	partialLine              // it has only an address, or a time of day without a complete date
	stampLine                // it has only a number, or an address and the seconds since 1970 or an ISO date
	bareLine                 // it has no sender and no date, as Thunderbird writes it
	patchLine                // git format-patch writes it
	datedLine                // it has a complete date
)

// fields is the number of header fields that must follow a From_ line that starts a message.
type fields struct{ afterEmpty, inBody int }

const never = -1

// evidence is the table of From_ lines. docs/formats.md has it, too. asFirst is for a kind with which the file begins.
var evidence = [...]struct{ asFirst, other fields }{
	notFromLine: {fields{never, never}, fields{never, never}},
	partialLine: {fields{1, never}, fields{1, never}},
	stampLine:   {fields{1, 1}, fields{1, never}},
	bareLine:    {fields{0, 2}, fields{0, never}},
	patchLine:   {fields{0, 1}, fields{never, never}},
	datedLine:   {fields{0, 1}, fields{0, 1}},
}

// fromLineAt returns the kind of the From_ line at i, and the start of the next line. A From_ line is shorter than
// longestFromLine, or has this length with its newline.
func fromLineAt(src []byte, i int) (kind fromLineKind, end int) {
	line := src[i:min(len(src), i+longestFromLine)]
	line = line[:ascii.LineEnd(line, 0)]
	end = i + len(line)
	if !bytes.HasPrefix(line, []byte(fromSpace)) || len(line) == longestFromLine && line[len(line)-1] != '\n' {
		return notFromLine, end
	}
	rest := ascii.Trimmed(line[len(fromSpace):])
	switch {
	case len(rest) == 0 || string(rest) == "-":
		kind = bareLine
	case isPatch(rest):
		kind = patchLine
	case hasDate(rest):
		kind = datedLine
	case isStamp(rest):
		kind = stampLine
	case hasTime(rest) || isAddress(rest):
		kind = partialLine
	}
	return kind, end
}

// patchDate is the date in each From_ line that git format-patch writes, after the name of the commit.
const patchDate = " Mon Sep 17 00:00:00 2001"

// isPatch reports whether a From_ line without its "From " is that of git format-patch.
func isPatch(rest []byte) bool {
	commit, ok := bytes.CutSuffix(rest, []byte(patchDate))
	if !ok || len(commit) != 40 && len(commit) != 64 {
		return false
	}
	for _, c := range commit {
		if ascii.HexValue(c) < 0 {
			return false
		}
	}
	return true
}

var (
	weekdays = ascii.Words("mon tue wed thu fri sat sun monday tuesday wednesday thursday friday saturday sunday")
	months   = ascii.Words("jan feb mar apr may jun jul aug sep oct nov dec " +
		"january february march april june july august sept september october november december")
)

// hasDate reports whether a From_ line has a complete date after the sender. The date begins with the day of the week. The
// name of the sender may look like a day of the week.
func hasDate(rest []byte) bool {
	for len(rest) > 0 {
		var word []byte
		if word, rest = nextWord(rest); weekdays()[ascii.Lower(string(word))] && isDate(rest) {
			return true
		}
	}
	return false
}

// mostZones is the largest number of words in the name of a time zone, such as "MET DST".
const mostZones = 2

// isDate reports whether text begins with the rest of a complete date, after the day of the week. The day and the month
// come first, in any order. Then come the time, which a time zone may follow, and the year, in any order.
//
//	Jan  1 00:00:00 2024        Jan  1 00:00 MET DST 2024        1 Jan 2024 00:00:00 +0000
func isDate(text []byte) bool {
	day, month, year, time, zones := false, false, false, false, 0
	for !year || !time {
		var word []byte
		word, text = nextWord(text)
		switch {
		case len(word) == 0:
			return false
		case !day && len(word) <= 2 && ascii.IsDigits(word):
			day = true
		case !month && months()[ascii.Lower(string(word))]:
			month = true
		case !day || !month:
			return false
		case !year && (len(word) == 2 || len(word) == 4) && ascii.IsDigits(word):
			year = true
		case !time && ascii.IsDigit(word[0]) && hasTime(word[:min(len(word), len("00:00"))]):
			time = true
		case !time || zones == mostZones || !ascii.IsLetter(word[0]) && bytes.IndexByte([]byte("+-("), word[0]) < 0:
			return false
		default:
			zones++
		}
	}
	return true
}

// nextWord cuts the first word from a text, without a comma after it.
func nextWord(text []byte) (word, rest []byte) {
	text = ascii.Trimmed(text)
	end := bytes.IndexAny(text, " \t")
	if end < 0 {
		end = len(text)
	}
	return bytes.TrimSuffix(text[:end], []byte(",")), text[end:]
}

func hasTime(text []byte) bool {
	digit := func(i int) bool { return 0 <= i && i < len(text) && ascii.IsDigit(text[i]) }
	for i, c := range text {
		if c == ':' && digit(i-1) && digit(i+1) && digit(i+2) {
			return true
		}
	}
	return false
}

func isAddress(text []byte) bool {
	at := bytes.IndexByte(text, '@')
	return at > 0 && at < len(text)-1 && !bytes.ContainsAny(text, " \t")
}

// isStamp reports whether a From_ line has only a number, as in the archives of Usenet by Google, or an address and a date in
// digits. The date is the seconds since 1970, or an ISO date, which a time and a time zone may follow.
func isStamp(rest []byte) bool {
	if len(rest) > 0 && ascii.IsDigits(rest[signLen(rest[0]):]) {
		return true
	}
	sender, rest := nextWord(rest)
	date, rest := nextWord(rest)
	if !isAddress(sender) {
		return false
	}
	if ascii.IsDigits(date) {
		return 8 <= len(date) && len(date) <= 10 && len(ascii.Trimmed(rest)) == 0
	}
	day, at := date, []byte(nil)
	if n := len(time.DateOnly); len(date) > n {
		day, at = date[:n], date[n:]
	}
	_, err := time.Parse(time.DateOnly, string(day))
	return err == nil && (len(at) == 0 || ascii.Lower(string(at[:1])) == "t") && (len(ascii.Trimmed(rest)) == 0 || hasTime(rest))
}

func signLen(c byte) int {
	if c == '-' || c == '+' {
		return 1
	}
	return 0
}

// beginsField reports whether the line at i begins like a header field. sure is false if more bytes must be read to
// decide that. The name of the field begins with a letter, and has letters, digits and "-_.". A URL such as http://h/ is not
// a field.
func beginsField(src []byte, i int, eof bool) (begins, sure bool) {
	name := i
	for i < len(src) && (ascii.IsLetter(src[i]) || i > name && (ascii.IsDigit(src[i]) || bytes.IndexByte([]byte("-_."), src[i]) >= 0)) {
		i++
	}
	for named := i > name; named && i < len(src) && ascii.IsBlank(src[i]); {
		i++
	}
	switch {
	case i-name >= longestFieldName || i < len(src) && src[i] != ':':
		return false, true
	case i+1 < len(src):
		return i > name && src[i+1] != '/', true
	}
	return i < len(src) && eof && i > name, eof
}

// beginsFields reports whether the next lines from i on begin like n header fields. A line that begins with ">From " counts as a
// field: UUCP wrote such lines at the start of a header. sure is false if more bytes must be read to decide that.
func beginsFields(src []byte, i, n int, eof bool) (begin, sure bool) {
	const uucp = ">" + fromSpace
	for ; n > 0; n-- {
		line := src[i:min(len(src), i+len(uucp))]
		if len(line) < len(uucp) && strings.HasPrefix(uucp, string(line)) {
			return false, eof
		}
		if string(line) != uucp {
			if begin, sure = beginsField(src, i, eof); !begin {
				return false, sure
			}
		}
		if n == 1 {
			break
		}
		field := src[:min(len(src), i+longestField)]
		for i = ascii.LineEnd(field, i); i < len(field) && ascii.IsBlank(field[i]); {
			i = ascii.LineEnd(field, i)
		}
		if i == len(field) {
			return false, eof || len(field) < len(src)
		}
	}
	return n >= 0, true
}
