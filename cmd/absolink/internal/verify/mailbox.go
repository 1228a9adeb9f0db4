package verify

import (
	"bytes"
	"io"
	"strconv"

	"github.com/emersion/go-mbox"
)

// mbox compares two mboxes, message by message.
func (k *checker) mbox(e entity) *Difference {
	e = withoutVoid(e)
	if !e.inLF() {
		return k.unable(e.path, "the header has CR as the line end, and a body has LF")
	}
	if batchLine().Match(e.old) {
		return k.batch(e)
	}
	var before, after int
	e.old, before = separated(e.old)
	if e.new, after = separated(e.new); before != after {
		return e.differ(0, 0, "the number of lines that begin with \"From \" in the text of messages changed from %d to %d", before, after)
	}
	old, err := messagesOf(e.old)
	if err != nil {
		return k.unable(e.path, "go-mbox cannot read the mbox", err.Error())
	}
	new, err := messagesOf(e.new)
	if err != nil || len(old) != len(new) {
		return e.differ(0, 0, "the number of messages changed from %d to %d", len(old), len(new))
	}
	if a, b := fromLines(e.old), fromLines(e.new); a != b {
		return e.differText(a, b, 0, 0, "a From_ line, or the empty line before it, changed")
	}
	for i := range old {
		if d := k.check(e.inner("message["+strconv.Itoa(i+1)+"]", "message/rfc822", old[i], new[i], e.bases)); d != nil {
			return d
		}
	}
	return nil
}

var (
	batchLine   = pattern(`^(?:\x01{4}\r?\n|#! rnews(?:[ \t]+\S*)?[ \t]*\r?\n)`)
	closingLine = pattern(`(?m)^\x01{4}\r?(?:\n|\z)`)
	newsLine    = pattern(`^((?:\r?\n)*#! rnews[ \t]+)(\d+)([ \t]*\r?\n)`)
)

// batch compares two files without From_ lines: MMDF, which has lines of four ^A, or a batch of rnews, which has lengths.
func (k *checker) batch(e entity) *Difference {
	around, old, ok := cutBatch(e.old)
	if !ok {
		return k.unable(e.path, "a length of the batch of rnews is wrong")
	}
	newAround, new, ok := cutBatch(e.new)
	if !ok || len(old) != len(new) || around != newAround {
		return e.differ(0, 0, "the lines around the messages changed, or a length does not fit the new message")
	}
	for i := range old {
		if d := k.check(e.inner("message["+strconv.Itoa(i+1)+"]", "message/rfc822", old[i], new[i], e.bases)); d != nil {
			return d
		}
	}
	return nil
}

// cutBatch returns the messages of a batch, and the text around them without lengths. It returns false if a length is wrong.
func cutBatch(src []byte) (around string, messages [][]byte, ok bool) {
	if bytes.HasPrefix(src, []byte("\x01")) {
		for at := 0; at < len(src); {
			line := closingLine().FindIndex(src[at:])
			if line == nil {
				line = []int{len(src) - at, len(src) - at}
			}
			if text := src[at : at+line[0]]; len(bytes.TrimSpace(text)) > 0 {
				messages = append(messages, text)
			} else {
				around += string(text)
			}
			around += string(src[at+line[0]:at+line[1]]) + strconv.Itoa(len(messages))
			at += line[1]
		}
		return around, messages, true
	}
	for len(bytes.TrimSpace(src)) > 0 {
		line := newsLine().FindSubmatch(src)
		if line == nil {
			return "", nil, false
		}
		n, err := strconv.Atoi(string(line[2]))
		if src = src[len(line[0]):]; err != nil || n > len(src) {
			return "", nil, false
		}
		around += string(line[1]) + string(line[3])
		messages, src = append(messages, src[:n]), src[n:]
	}
	return around + string(src), messages, true
}

var from = pattern(`(?m)^(?:\r?\n)*(?:From .*\n|\z)`)

// fromLines returns the lines that separate the messages of an mbox.
func fromLines(src []byte) string { return string(bytes.Join(from().FindAll(src, -1), nil)) }

// messagesOf returns the messages of an mbox.
func messagesOf(src []byte) (all [][]byte, err error) {
	in, crlf := mbox.NewReader(bytes.NewReader(src)), bytes.Contains(src, []byte("\r\n"))
	for {
		r, err := in.NextMessage()
		if err == io.EOF {
			return all, nil
		}
		if err != nil {
			return nil, err
		}
		text, err := io.ReadAll(r)
		if err != nil {
			return nil, err
		}
		if !crlf {
			text = bytes.ReplaceAll(text, []byte("\r\n"), []byte("\n")) // go-mbox writes CRLF
		}
		all = append(all, text)
	}
}

// separated returns an mbox in which the lines that begin with "From " and start no message are quoted. go-mbox starts a
// message at each line that is not quoted, and removes the quotes that separated adds. See docs/formats.md for the rules.
// texts has the number of these lines.
func separated(src []byte) (out []byte, texts int) {
	var m mailbox
	at := 0
	for line := range bytes.Lines(src) {
		rest := src[at+len(line):]
		switch {
		case !bytes.HasPrefix(line, []byte("From ")):
		case len(bytes.TrimSpace(src[:at])) == 0:
			m = mailbox{patches: patchLine().Match(line), stamps: stampLine().Match(line), bares: bareLine().Match(line)}
			m.end = at + len(line) + lengthOf(rest)
		case at >= m.end && m.starts(line, rest):
			m.body, m.begun, m.end = false, false, at+len(line)+lengthOf(rest)
		case m.begun:
			out = append(out, '>')
			texts++
		}
		out = append(out, line...)
		m.begun = m.begun || !bytes.HasPrefix(line, []byte("From "))
		m.empty = len(bytes.TrimRight(line, "\r\n")) == 0
		m.body = m.body || m.empty
		at += len(line)
	}
	return out, texts
}

var crHeader = pattern(`^[^\r\n]+\r[^\r\n][^\n]*\r\r[^\n]|^From [^\r\n]*\r[^\n]`)

// inLF replaces CR by LF in both versions of a message or mbox without LF, because the other parsers do not read these lines.
// It returns false if only the header has lines that end in CR.
func (e *entity) inLF() bool {
	if bytes.IndexByte(e.old, '\n') < 0 && bytes.IndexByte(e.new, '\n') < 0 {
		e.old, e.new = bytes.ReplaceAll(e.old, []byte("\r"), []byte("\n")), bytes.ReplaceAll(e.new, []byte("\r"), []byte("\n"))
		return true
	}
	return !crHeader().Match(e.old)
}

// mailbox is the state of separated before a line.
type mailbox struct {
	patches bool // the mbox begins with a line of git format-patch
	stamps  bool // the mbox begins with a line that has only a number, or an address and a date in digits
	bares   bool // the mbox begins with a line that has neither
	empty   bool // the line before is empty
	begun   bool // a line that is not a From_ line is before it in the message; before such a line, a message may have several From_ lines
	body    bool // the line is in the body of a message
	end     int  // the end of the message by its Content-Length, or the end of its From_ line
}

var (
	patchLine   = pattern(`^From (?:[0-9A-Fa-f]{40}|[0-9A-Fa-f]{64}) Mon Sep 17 00:00:00 2001\s*$`)
	bareLine    = pattern(`^From\s+(?:-\s*)?$`)
	addressLine = pattern(`^From\s+[^\s@]\S*@\S+\s*$|^From .*\d:\d\d`)
	stampLine   = pattern(`^From\s+(?:[+-]?\d+|[^\s@]\S*@\S+\s+(?:\d{8,10}|\d{4}-\d\d-\d\d(?:[Tt]\S*)?(?:\s+\d+:\d\d.*)?))\s*$`)
	fieldLine   = pattern(`^(?:>From |[A-Za-z][\w.-]*[ \t]*:(?:[^/]|$))`)
	secondField = pattern(`^.*\n(?:[ \t].*\n)*(?:>From |[A-Za-z][\w.-]*[ \t]*:(?:[^/]|$))`)
	lengthField = pattern(`(?mi)^Content-Length[ \t]*:[ \t]*(\d+)[ \t]*\r?$`)
	emptyLine   = pattern(`(?m)^\r?\n`)
	newlines    = pattern(`^(?:\r?\n)*`)
	datedLine   = pattern(`(?i)^From (?:.*[ \t])?` +
		`(?:mon(?:day)?|tue(?:sday)?|wed(?:nesday)?|thu(?:rsday)?|fri(?:day)?|sat(?:urday)?|sun(?:day)?),?[ \t]+` +
		`(?:` + monthName + `[ \t]+\d\d?,?|\d\d?,?[ \t]+` + monthName + `)[ \t]+` +
		`(?:\d\d?:\d\d\S*(?:[ \t]+[a-z+(-]\S*){0,2}[ \t]+(?:\d\d|\d{4}),?|(?:\d\d|\d{4}),?[ \t]+\d\d?:\d\d\S*)(?:\s|$)`)
)

const monthName = `(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sep(?:tember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?),?`

// starts reports whether a line that begins with "From " starts a message. next is the text after the line.
func (m mailbox) starts(line, next []byte) bool {
	patch, stamp, bare := patchLine().Match(line), stampLine().Match(line), bareLine().Match(line)
	dated, field := !patch && datedLine().Match(line) || patch && m.patches, fieldLine().Match(next[:min(len(next), 256)])
	switch {
	case !m.empty:
		enough := dated || stamp && m.stamps || bare && m.bares && secondField().Match(next[:min(len(next), 4096+256)])
		return enough && field && m.body
	case dated || bare:
		return true
	}
	return !patch && field && (stamp || addressLine().Match(line))
}

// lengthOf returns the length of the header and the body of a message by its Content-Length. It returns 0 if the field is
// missing, or if no From_ line and no end of the file is at that length.
func lengthOf(src []byte) int {
	body := emptyLine().FindIndex(src)
	if body == nil {
		return 0
	}
	field := lengthField().FindSubmatch(src[:body[0]])
	if field == nil {
		return 0
	}
	n, err := strconv.Atoi(string(field[1]))
	if err != nil || n > len(src)-body[1] {
		return 0
	}
	end := body[1] + n
	next := src[end+len(newlines().Find(src[end:])):]
	if len(next) > 0 && !bytes.HasPrefix(next, []byte("From ")) {
		return 0
	}
	return end
}

var (
	appleLength = pattern(`^(\d+)[ \t]*(\r?\n)`)
	appleList   = pattern(`^\s*(?:<\?xml|<!DOCTYPE plist|<plist|bplist0|$)`)
)

// emlx compares two files of Apple Mail: the lengths in their first lines, the messages, and the property lists.
func (k *checker) emlx(e entity) *Difference {
	before, old, list := appleMail(e.old)
	if !appleList().Match(list) || before == "" {
		return k.unable(e.path, "the first line does not have the length of the message")
	}
	after, new, newList := appleMail(e.new)
	if string(list) != string(newList) {
		return e.differText(string(list), string(newList), len(e.old)-len(list), len(e.new)-len(newList), "the length does not fit the new message, or the text after it changed")
	}
	if digits := len(strconv.Itoa(len(new))); len(after) != max(len(before), digits) {
		return e.differText(before, after, 0, 0, "the first line has another width")
	}
	return k.check(e.inner("message", "message/rfc822", old, new, e.bases))
}

// appleMail returns the length in the first line with the blanks after it, the message, and the text after the message. It
// returns "" for a file without a length.
func appleMail(src []byte) (length string, message, list []byte) {
	line := appleLength().FindSubmatchIndex(src)
	if line == nil {
		return "", nil, src
	}
	n, err := strconv.Atoi(string(src[:line[3]]))
	if err != nil || n > len(src)-line[1] {
		return "", nil, src
	}
	return string(src[:line[4]]), src[line[1] : line[1]+n], src[line[1]+n:]
}
