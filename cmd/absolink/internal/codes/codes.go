// Package codes has what the command knows about the codes of problems: what each means and what to do about it, and
// the codes that only the command reports.
package codes

import (
	"fmt"
	"strings"

	"absolink/extract"
)

// The codes of problems that only the command reports, which are about the file of a document.
const (
	URLIgnored extract.Code = "url-ignored" // a URL in --url-map for an archive
	URLUnknown extract.Code = "url-unknown" // a file without a URL from --mirror
	HardLinks  extract.Code = "hard-links"  // a rewritten file whose other hard links keep the old content
	// a rewritten file without the owner or an attribute of the old file
	AttributesLost extract.Code = "attributes-lost"
	OldURLLeft     extract.Code = "old-url-left"  // URLs under an OLD of --map that were not changed
	VerifyFailed   extract.Code = "verify-failed" // a change that is not that of a link, or a wrong link
	VerifyUnable   extract.Code = "verify-unable" // a document or link that no other parser can check
)

// severities are the usual severities of these codes.
var severities = map[extract.Code]extract.Severity{
	URLIgnored: extract.SeverityWarning, URLUnknown: extract.SeverityWarning, HardLinks: extract.SeverityNote,
	AttributesLost: extract.SeverityNote,
	OldURLLeft:     extract.SeverityNote, VerifyFailed: extract.SeverityError, VerifyUnable: extract.SeverityWarning,
}

// Severity returns the usual severity of a problem with the code.
func Severity(code extract.Code) extract.Severity {
	if severity, own := severities[code]; own {
		return severity
	}
	return code.Severity()
}

// AboutFile reports whether problems of a code are about the file of a document, and not about a position in it.
// VerifyFailed has a position in each version, and names both in its detail.
func AboutFile(code extract.Code) bool {
	_, own := severities[code]
	return own && code != OldURLLeft
}

// Advise adds what to type to the detail of a problem. alone reports whether the run has only one document. The problem
// of a link without a base gets no advice here, because the command gives it once for all such links.
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
	"MaxRecord":       "use --max-record to allow more",
	"MaxRatio":        "use --max-ratio to allow more",
	"Standard":        "--standard whatwg resolves as browsers do",
	"BaseURLs":        "--base keep always keeps it",
	"BreakSignatures": "use --break-signatures to rewrite it",
	"KeepDKIM":        "see --keep-dkim",
	"NoEvidence":      "--no-evidence makes them absolute",
	"Type":            "--type sets the type",
}

// Total returns the words that follow the number of all problems of a code in a message, or "". They begin with a
// plural noun.
func Total(code extract.Code) string {
	if code == extract.CodeDKIMBroken {
		return "messages lose their DKIM signature; --keep-dkim leaves them unchanged"
	}
	return ""
}

type help struct {
	code    extract.Code
	meaning string
	advice  string // what to do, or ""
}

var all = []help{
	{extract.CodeBaseNotAbsolute, "The declared base is relative. The next layer completes it.",
		"Nothing. Browsers do the same."},
	{extract.CodeBaseUnsuitable, "The declared base cannot complete a relative link. The next layer is used.",
		"If the links are wrong, set the URL with `--url`, or in an archive `--override-base`."},
	{extract.CodeBaseMalformed, "The standard cannot parse the declared base. The next layer is used.",
		"If the links are wrong, set the URL with `--url`."},
	{extract.CodeBaseRepeated, "The document declares a second base. The first one is used.",
		"Nothing. Browsers do the same."},
	{extract.CodeBaseNeeded, "`--local`, `--base remove` or `--base empty` left a BASE element that is still needed.",
		"Correct the links, or use `--url`; to keep the format and the charset, `--type`."},
	{extract.CodeNoBase, "A relative link has no base URL, so it stays relative.",
		"Use `--url`, `--site`, `--mirror` or `--url-map`. In a web archive, use `--override-base`."},
	{extract.CodeLinkMalformed, "The link cannot be parsed, so absolink leaves it alone.",
		"Correct the link."},
	{extract.CodeScriptMalformed, "An import map, speculation rules or JSON-LD cannot be read.",
		"Correct the script. It must be a JSON object, or for JSON-LD also a list."},
	{extract.CodeLocalCopy, "The link leads to a file saved with the page, or to a part of the message, so absolink " +
		"leaves it alone.", "Nothing. For the URL on the web, use `--no-evidence` with `--url`."},
	{extract.CodePlaceholder, "References begin with a placeholder of a template. They have no URL yet, so absolink " +
		"leaves them alone.", "Fill in the template first. `--standard whatwg` resolves them, as browsers do."},
	{extract.CodeStandardDiffers, "A browser would use another URL for this link.",
		"Use `--standard whatwg` for the URLs of browsers."},
	{extract.CodeTypeUnknown, "Nothing tells the type of the document, so absolink did not read it.",
		"Use `--type`."},
	{extract.CodeContentMismatch, "The content does not match its declared type. absolink skipped it, or read it as " +
		"declared.", "Nothing, or set the type with `--type`."},
	{extract.CodeCharsetUnknown, "The declared charset is unknown, so absolink detects it.",
		"Use `--type`, such as `--type 'html; charset=koi8-r'`. In a message, correct the header of the part."},
	{extract.CodeUndecodable, "A part cannot be decoded or decompressed, or is in an unknown encoding.",
		"Get the document again. If the original is damaged, its links cannot be read."},
	{extract.CodeNotRead, "A document is in data that absolink does not open.",
		"Open it with another program, and run absolink on the result, or on the other file."},
	{extract.CodeLinksNotRead, "Parts of the document that are not read by default may have links.",
		"Use `--extended` for conditional comments, JSON-LD and data attributes, and `--add-place` for elements of " +
			"your own."},
	{extract.CodeRecordTruncated, "A document or record ends too early, was cut off when it was archived, or does " +
		"not have the declared structure.", "Fetch or copy it again."},
	{extract.CodeHeaderMalformed, "The header is wrong, too long, in UTF-16, or its lines end in CR alone. The rest " +
		"of it was not read.", "Correct the header at the offset, or convert it to UTF-8 and LF."},
	{extract.CodeBoundaryMissing, "A multipart has no boundary, or one of over 998 bytes, so its parts were not read.",
		"Correct its Content-Type."},
	{extract.CodeBoundaryUnterminated, "A multipart has no closing boundary, but all parts were read.",
		"Check that the message is complete."},
	{extract.CodeEmptyLineMissing, "A message of an mbox has no empty line before it. Its `From` line and header " +
		"separate it.", "Nothing. If the line is text, put `>` before it."},
	{extract.CodeDepthLimit, "Documents are nested too deep, and the deepest ones were not read.",
		"Nothing, or unpack the inner documents and read them alone. In Go, `MaxDepth` can be raised."},
	{extract.CodeSizeLimit, "A record is longer than `--max-record`, so it was not read.",
		"Raise `--max-record`."},
	{extract.CodeLinkLimit, "A record has too many links, or too long ones. Some were not read, or not changed.",
		"Raise `--max-record`. The limit of one reference is fixed."},
	{extract.CodeRatioLimit, "A document becomes too long when it is decompressed. Its end was not read, and " +
		"`rewrite` leaves it unchanged.", "Raise `--max-ratio`, if you trust it."},
	{extract.CodeRewriteRefused, "The new URL cannot be written safely at this place, so absolink leaves the link " +
		"alone.",
		"Use the option that the message names, change the link by hand, or unpack the archive."},
	{extract.CodeSignatureWouldBreak, "A link is in a signed part, so absolink leaves it alone.",
		"Use `--break-signatures` to rewrite the part."},
	{extract.CodeDKIMBroken, "The message was changed, so its DKIM signature or ARC seal is probably invalid.",
		"Nothing for an archive. Sign other messages again, or leave them unchanged with `--keep-dkim`."},
	{extract.CodeDigestBroken, "The content was changed, and a digest of it was not.",
		"Compute the digest again."},
	{extract.CodeLineTooLong, "A line of a message is now longer than 998 bytes, and mail servers may break or cut it.",
		"Nothing for an archive. Before sending, encode the part in quoted-printable, or fold the field."},
	{URLIgnored, "`--url-map` has a URL for an archive, which is ignored: the documents in it have their own.",
		"For zip and tar, list them as `ARCHIVE/NAME`. For other archives, use `--override-base`."},
	{URLUnknown, "The file is not in a folder named after a host, so `--mirror` has no URL for it.",
		"Use `--site` or `--url-map`."},
	{HardLinks, "`rewrite -i` replaced the file, and its other hard links keep the old version.",
		"Make the hard links again with `ln`."},
	{AttributesLost,
		"The new file lacks the owner or group of the old one (a warning), or an extended attribute, because you " +
			"lack the permission to set them.", "Run absolink as the owner of the file, or set them again."},
	{VerifyFailed, "Another parser disagrees with a change. `rewrite --verify` leaves the document unchanged, or " +
		"only the message, record or file in it.", "If `verify` says so, check that it has the flags with which NEW " +
		"was written. Otherwise report the fault, with the document."},
	{OldURLLeft, "URLs under an OLD of `--map` are left in the document. The detail has their number, the cause and " +
		"the first of them.", "Use the flag that the detail names, or change them by hand."},
	{VerifyUnable, "No other parser can check the document, or some of its links, so it is not proved.",
		"Nothing. `absolink help verify` lists what can be checked."},
}

// Meaning returns what a code means and what to do about it, with code and flags between backquotes, or "" if the code
// is unknown.
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
	const width, indent = 80, "        "
	var out strings.Builder
	for _, c := range all {
		fmt.Fprintf(&out, "    %s (%s)\n", c.code, Severity(c.code))
		for _, text := range []string{c.meaning, "What to do: " + c.advice} {
			for _, line := range wrap(strings.ReplaceAll(text, "`", ""), width-len(indent)) {
				out.WriteString(indent + line + "\n")
			}
		}
	}
	return out.String()
}
