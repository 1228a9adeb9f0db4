package extracttest

import (
	"strconv"
	"strings"

	"absolink/extract"
)

// MadeURL is a retrieval URL for messages.
const MadeURL = "http://base.example/d/m?q"

// InLines returns a text with other line ends.
func InLines(text, newline string) string { return strings.ReplaceAll(text, "\n", newline) }

// MboxFlavours are the flavours of a mailbox that the tests write and read.
var MboxFlavours = []struct {
	Name   string
	Format extract.Mbox
}{{"mboxo", extract.MboxO}, {"mboxrd", extract.MboxRD}, {"mboxcl", extract.MboxCL}, {"mboxcl2", extract.MboxCL2}}

// MadeFrom is a From_ line without its line end.
const MadeFrom = "From a@b Mon Jan  1 00:00:00 2024"

// Mboxed writes messages, which end with a newline, as a mailbox of a flavour.
func Mboxed(flavour, newline string, messages ...string) string {
	var b strings.Builder
	for _, m := range messages {
		header, body, _ := strings.Cut(quotedFrom(flavour, m), newline+newline)
		if strings.HasPrefix(flavour, "mboxcl") {
			header += newline + "Content-Length: " + strconv.Itoa(len(body))
		}
		b.WriteString(MadeFrom + newline + header + newline + newline + body + newline)
	}
	return b.String()
}

// quotedFrom quotes the lines of a message that would be From_ lines in the flavour.
func quotedFrom(flavour, m string) string {
	lines := strings.SplitAfter(m, "\n")
	for i, line := range lines {
		from := line
		if flavour == "mboxrd" {
			from = strings.TrimLeft(line, ">")
		}
		if flavour != "mboxcl2" && strings.HasPrefix(from, "From ") {
			lines[i] = ">" + line
		}
	}
	return strings.Join(lines, "")
}

// Mixed is the header of a multipart/mixed with the boundary b.
const Mixed = "Content-Type: multipart/mixed; boundary=b\n\n"

// Mailbox returns an mbox without a URL.
func Mailbox(src string) extract.Document {
	return extract.Document{Name: "m.mbox", Bytes: []byte(src)}
}

// Message returns a message without a URL.
func Message(src string) extract.Document {
	return extract.Document{Name: "m.eml", Bytes: []byte(src)}
}

// Related returns a multipart/related of parts, each with its header.
func Related(boundary, parameters string, parts ...string) string {
	var b strings.Builder
	b.WriteString("Content-Type: multipart/related; boundary=\"" + boundary + "\";\n        type=\"text/html\"" +
		parameters + "\n\n")
	for _, part := range parts {
		b.WriteString("--" + boundary + "\n" + part)
	}
	return b.String() + "--" + boundary + "--\n"
}
