// Package codes has what the command knows about the codes of problems: codes of its own, and for each code its meaning and
// what to do.
package codes

import (
	"fmt"
	"strings"

	"absolink/extract"
)

// The codes of problems that only the command reports. They are about the file of a document.
const (
	URLIgnored     extract.Code = "url-ignored"     // a URL in --url-map for an archive
	URLUnknown     extract.Code = "url-unknown"     // a file without a URL from --mirror
	HardLinks      extract.Code = "hard-links"      // a rewritten file whose other hard links keep the old content
	AttributesLost extract.Code = "attributes-lost" // a rewritten file without the owner or an attribute of the old file
	VerifyFailed   extract.Code = "verify-failed"   // a change that is not that of a link, or a wrong link
	VerifyUnable   extract.Code = "verify-unable"   // a document or link that no other parser can check
)

// severities has the usual severities of these codes.
var severities = map[extract.Code]extract.Severity{
	URLIgnored: extract.SeverityWarning, URLUnknown: extract.SeverityWarning, HardLinks: extract.SeverityNote, AttributesLost: extract.SeverityNote,
	VerifyFailed: extract.SeverityError, VerifyUnable: extract.SeverityWarning,
}

// Severity returns the usual severity of a problem with the code.
func Severity(code extract.Code) extract.Severity {
	if AboutFile(code) {
		return severities[code]
	}
	return code.Severity()
}

// AboutFile reports whether problems of a code are about the file of a document, and not about a position in it. The detail of
// VerifyFailed has two positions, one in each version.
func AboutFile(code extract.Code) bool {
	_, own := severities[code]
	return own
}

// Advise adds what to type to the detail of a problem. alone reports whether the run has only one document. The command sums
// up the links without a base, so the problems of these links have no advice.
func Advise(p *extract.Problem, alone bool) {
	if advice := Advice(p.Setting, alone); advice != "" {
		p.Detail += " (" + advice + ")"
	}
}

// Advice returns what to type for a setting, or "". alone reports whether the run has only one document.
func Advice(setting string, alone bool) string {
	if setting == "Type" && !alone {
		return "--type sets the type, if you read the document alone"
	}
	return advice[setting]
}

var advice = map[string]string{
	"MaxDepth":        "use --max-depth to allow more",
	"MaxRecord":       "use --max-record to allow more",
	"MaxRatio":        "use --max-ratio to allow more",
	"Standard":        "--standard whatwg resolves as browsers do",
	"BaseURLs":        "--base keep always keeps it",
	"BreakSignatures": "use --break-signatures to rewrite signed parts",
	"KeepDKIM":        "see --keep-dkim",
	"Type":            "--type sets the type",
}

type help struct {
	code    extract.Code
	meaning string
	advice  string // what to do, or ""
}

var all = []help{
	{extract.CodeBaseNotAbsolute, "A document declares a relative base. It is resolved against the next rung.",
		"Nothing: browsers do the same."},
	{extract.CodeBaseUnsuitable, "A relative link cannot be resolved against the declared base, such as a `mailto:` URL. The next rung is used. If a redirect leads to such a URL, the URL of the document is unknown.",
		"Do nothing, or set the URL with `--url`. In an archive, use `--override-base`."},
	{extract.CodeBaseMalformed, "The standard cannot parse the declared base. The next rung is used. If a redirect leads to such a URL, the URL of the document is unknown.",
		"Do nothing, or set the URL with `--url`."},
	{extract.CodeBaseRepeated, "A document declares a second base. Only the first one counts.",
		"Nothing: browsers do the same."},
	{extract.CodeBaseNeeded, "`--base remove` or `--base empty` left a BASE element, because links without an absolute URL, or relative URL patterns, need it. Or the document would be read in another format or charset without it.",
		"Correct the links, or use `--url`. To keep the format and the charset, use `--type`."},
	{extract.CodeNoBase, "A relative link has no base. It stays relative. Or a redirect is relative, and the URL before it is unknown.",
		"Use `--url`, `--site`, `--mirror` or `--url-map`. In an archive that has the URL of each document, use `--override-base`."},
	{extract.CodeLinkMalformed, "The standard cannot parse the link, or the size of a `srcset` image is not valid. It stays unchanged. As a note: a URL in a plain text ends with a hyphen at a line end, and the next line was not read.",
		"Correct the link in the document."},
	{extract.CodeScriptMalformed, "An import map or a set of speculation rules is not a JSON object, so browsers ignore it. Or JSON-LD is not JSON. Its links were not read.",
		"Correct the script in the document."},
	{extract.CodeLocalCopy, "The link leads to a file that was saved with the page, or names a part of its message. It stays unchanged.",
		"Use `--no-evidence` to ignore how the page was saved, and set the URL of the page or message with `--url`."},
	{extract.CodePlaceholder, "A template is not filled in yet: references begin with a placeholder, such as `{{ link }}`, or have one in their authority. They have no URL, and stay unchanged. Under `--standard whatwg` they are resolved, as browsers do.",
		"Fill in the template, and read the result. To resolve the references, use `--standard whatwg`."},
	{extract.CodeStandardDiffers, "The link has another URL in a browser.",
		"Use `--standard whatwg` to resolve as browsers do."},
	{extract.CodeTypeUnknown, "Nothing determines the type of the document. It was not read. As a note: so it is with a file in a folder.",
		"Use `--type`."},
	{extract.CodeCharsetUnknown, "The declared charset is unknown, so the charset is detected from the content.",
		"Set the charset of a document with `--type`, such as `--type 'html; charset=koi8-r'`. For a part of a message, correct its header."},
	{extract.CodeUndecodable, "A part cannot be decoded or decompressed, or is in an unknown encoding.",
		"Get the document again. If the original has the same damage, its links cannot be read."},
	{extract.CodeDepthLimit, "Documents are nested too deep. The deepest ones were not read.",
		"Raise `--max-depth`. Five limits are fixed. In nested XML elements, absolink reads the links in deeper elements, but ignores the bases that these elements declare. Nested documents that must be decoded, such as a `srcdoc` in a `srcdoc`, are together at most 3 times as long as the record, or 16 MiB. At most 8 documents in a transfer encoding, such as quoted-printable, and at most 8 compressed documents, are inside each other. The body of an HTTP response has at most 5 content codings."},
	{extract.CodeSizeLimit, "A record is too long, and was not read. Or it has more than one link or embedded document for each 64 bytes of `--max-record`: `rewrite` copies it, and `links` stops there. Or its absolute URLs are together longer than `--max-record`, and than 64 times the record: later links stay unchanged. Or many rows repeat a very long value, such as a base URL: later rows lack the value, or are left out. Or a reference is longer than 1 MiB.",
		"Raise `--max-record`. A reference may have 1 MiB with every setting."},
	{extract.CodeRatioLimit, "A compressed document becomes too long when it is decompressed. Its end was not read, and `rewrite` leaves it unchanged.",
		"Raise `--max-ratio`."},
	{extract.CodeRecordTruncated, "A document or record ends before its declared length, has another structure than declared, or was cut off when it was archived.",
		"Fetch or copy it again."},
	{extract.CodeHeaderMalformed, "A header is wrong, too long or in UTF-16. The rest was not read. As a warning, the header was read: white space or a byte order mark before it was skipped, or one of several values of a field counts. Or the lines of a message end in CR.",
		"Correct the header at the offset."},
	{extract.CodeBoundaryMissing, "A multipart has no boundary, or one that is longer than 998 bytes, so its parts were not read.",
		"Correct the Content-Type of the multipart."},
	{extract.CodeBoundaryUnterminated, "A multipart has no closing boundary. All parts were read.",
		"Check that the message is complete."},
	{extract.CodeEmptyLineMissing, "A message of an mbox begins without an empty line before its `From` line. The date of the line, or its likeness to the first line of the file, and the header fields after it separate the message.",
		"Nothing: mail programs do the same. If the line is text, put `>` before it."},
	{extract.CodeSignatureWouldBreak, "A link is in a signed part. It stays unchanged. As a note: with `--keep-dkim`, the links of a message with a DKIM signature or an ARC seal stay unchanged.",
		"Use `--break-signatures` to change a link in a signed part."},
	{extract.CodeDKIMBroken, "The message was changed, so its DKIM signature or its ARC seal is no longer valid.",
		"Sign the message again. Or use `--keep-dkim` to leave such messages unchanged."},
	{extract.CodeDigestBroken, "The content was changed, and a digest of it was not: absolink cannot compute it, or the header has a second one.",
		"Compute the digest again."},
	{extract.CodeLineTooLong, "A line of a message became longer than 998 bytes (RFC 5322 2.1.1). Mail servers break or cut such a line, which may be inside a link. A line that was as long before is not reported.",
		"Before you send the message, encode the part in quoted-printable, or fold the header field. A message that is only kept needs nothing."},
	{extract.CodeRewriteRefused, "The new URL cannot be written at this place, because of its charset or syntax. Or the text around the link would be read in another way. Or the new text of a compressed document is longer than `--max-ratio` or `--max-record` allows. The link stays unchanged. Or the links are in a zip archive inside a page or a picture.",
		"Change the link by hand, or use another base URL. Use the option that the message names. Unpack a zip archive, and rewrite its files."},
	{extract.CodeNotRead, "A document is not read, and stays unchanged. Its content is not of its media type, such as JSON that a server sent as HTML. Or it is in data that absolink does not open, such as encrypted mail, `winmail.dat` or RAR. Or it is in another file, as in Apple Mail. Or it is another message in a file with the name of a message. Or it is a part of a page or message whose links absolink does not read: a conditional comment, JSON-LD, a custom element, or a part of the type `text/calendar` or `text/x-amp-html`. Or it is a page that is also a zip archive: the files in the archive are read.",
		"Decrypt or extract the document with another program, and read the result. Read the files in the folder `Attachments` of Apple Mail, too. To read a file by another type, use `--type`."},
	{URLIgnored, "`--url-map` has a URL for an archive. It is ignored, because it is not the URL of the documents in the archive.",
		"For zip and tar, list the documents as `ARCHIVE/NAME`. For other archives, use `--override-base`."},
	{URLUnknown, "The document is not in a folder with the name of a host, so `--mirror` has no URL for it. The first document of each folder is reported.",
		"Use `--site` or `--url-map`."},
	{HardLinks, "`rewrite -i` replaced the file. Its other hard links keep the old version.",
		"Make the hard links again with `ln`."},
	{AttributesLost, "`rewrite -i` replaced the file. The new file does not have the owner, the group or an extended attribute of the old file, because the user may not set it.",
		"Run absolink as the owner of the file, or set the attribute again."},
	{VerifyFailed, "Another parser found a change that is not a right link. `rewrite --verify` leaves the document unchanged.",
		"Report it as a fault of absolink, with the document."},
	{VerifyUnable, "No other parser can check the document, or some of its links. The document is not counted as proved.",
		"`absolink help verify` lists what can be checked."},
}

// Meaning returns the meaning of a code, and what to do about it. advice is "" if there is nothing to do. Code and flags are
// between backquotes.
func Meaning(code extract.Code) (meaning, advice string) {
	for _, c := range all {
		if c.code == code {
			return c.meaning, c.advice
		}
	}
	return "", ""
}

// Help returns the list of codes for "absolink help problems". wrap returns the lines of a text, of n bytes at most.
func Help(wrap func(text string, n int) []string) string {
	const width, indent = 80, "\n        "
	var out strings.Builder
	for _, c := range all {
		text := strings.ReplaceAll(c.meaning+" "+c.advice, "`", "")
		fmt.Fprintf(&out, "    %s (%s)%s%s\n", c.code, Severity(c.code), indent, strings.Join(wrap(text, width-len(indent)+1), indent))
	}
	return out.String()
}
