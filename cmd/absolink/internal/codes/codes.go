// Package codes has what the command knows about the codes of problems: what each means and what to do about it, and
// the codes that only the command reports.
package codes

import (
	"fmt"
	"strings"
	"sync"

	"absolink/docs"
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
	advice  string // what to do
}

// all returns the help for each code, in the order of docs/problems.md, where the section of a code is
//
//	### `no-base`
//
//	*warning.* MEANING
//
//	**What to do:** ADVICE
//
// with other paragraphs between them and at the end.
var all = sync.OnceValue(func() (list []help) {
	oneLine := func(paragraph string) string { return strings.Join(strings.Fields(paragraph), " ") }
	for _, section := range strings.Split(docs.Problems, "\n### `")[1:] {
		code, text, _ := strings.Cut(section, "`")
		_, text, _ = strings.Cut(text, ".* ")
		meaning, text, _ := strings.Cut(text, "\n\n")
		_, text, _ = strings.Cut(text, "**What to do:** ")
		advice, _, _ := strings.Cut(text, "\n\n")
		list = append(list, help{extract.Code(code), oneLine(meaning), oneLine(advice)})
	}
	return list
})

// Meaning returns what a code means and what to do about it, with code and flags between backquotes, or "" if the code
// is unknown.
func Meaning(code extract.Code) (meaning, advice string) {
	for _, c := range all() {
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
	for _, c := range all() {
		fmt.Fprintf(&out, "    %s (%s)\n", c.code, Severity(c.code))
		for _, text := range []string{c.meaning, "What to do: " + c.advice} {
			for _, line := range wrap(strings.ReplaceAll(text, "`", ""), width-len(indent)) {
				out.WriteString(indent + line + "\n")
			}
		}
	}
	return out.String()
}
