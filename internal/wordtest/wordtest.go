// Package wordtest checks the English of the texts of this project: Markdown pages, comments and messages. A reader
// who is new to the project must understand each sentence at the first reading. The package finds what a program can
// find: sentences that are too long, and phrases that have a plainer form.
package wordtest

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"regexp"
	"strconv"
	"strings"
)

// maxWords is the limit for one sentence. Most sentences should have at most 15 words.
const maxWords = 30

// A Finding is one place to rewrite.
type Finding struct {
	File string
	Line int
	Text string // the fault, and how to avoid it
}

func (f Finding) String() string { return fmt.Sprintf("%s:%d: %s", f.File, f.Line, f.Text) }

// Markdown checks the sentences and the phrases of a Markdown page. It skips code, tables of links, and comments.
func Markdown(file, page string) []Finding {
	var found []Finding
	for _, p := range paragraphs(page) {
		for _, s := range sentences(p.text) {
			if n := len(strings.Fields(s.text)); n > maxWords {
				start, _, _ := strings.Cut(s.text, "\n")
				found = append(found, Finding{file, p.line + s.line, fmt.Sprintf("%d words in one sentence, more than %d: %.50s...", n, maxWords, start)})
			}
		}
		found = append(found, phrasesIn(file, p.line, p.text)...)
	}
	return found
}

// Go checks the phrases in the comments and messages of a Go file. A message is a string with white space, outside tests.
// The error is that of the parser.
func Go(file, src string) ([]Finding, error) {
	files := token.NewFileSet()
	f, err := parser.ParseFile(files, file, src, parser.ParseComments)
	if err != nil {
		return nil, err
	}
	line := func(n ast.Node) int { return files.Position(n.Pos()).Line }
	var found []Finding
	for _, group := range f.Comments {
		found = append(found, phrasesIn(file, line(group), withoutCode(group))...)
	}
	if strings.HasSuffix(file, "_test.go") {
		return found, nil
	}
	ast.Inspect(f, func(n ast.Node) bool {
		if lit, ok := n.(*ast.BasicLit); ok && lit.Kind == token.STRING {
			if text, _ := strconv.Unquote(lit.Value); strings.ContainsAny(text, " \n") {
				found = append(found, phrasesIn(file, line(lit), text)...)
			}
		}
		return true
	})
	return found, nil
}

// withoutCode returns the text of a comment, line by line. Drawings and code, which are indented, become empty lines.
func withoutCode(group *ast.CommentGroup) string {
	var b strings.Builder
	for _, c := range group.List {
		for text := range strings.Lines(c.Text + "\n") {
			text = strings.TrimPrefix(text, "//")
			if strings.HasPrefix(text, "\t") || strings.HasPrefix(text, "    ") {
				text = "\n"
			}
			b.WriteString(text)
		}
	}
	return b.String()
}

// phrasesIn returns the phrases in a text that starts at a line.
func phrasesIn(file string, line int, text string) []Finding {
	text = quoted.ReplaceAllStringFunc(text, blank)
	var found []Finding
	for _, p := range phrases {
		for _, at := range p.pattern.FindAllStringIndex(text, -1) {
			words := strings.Join(strings.Fields(text[at[0]:at[1]]), " ")
			found = append(found, Finding{file, line + strings.Count(text[:at[0]], "\n"), strconv.Quote(words) + ": write " + p.instead})
		}
	}
	return found
}

// quoted is code or a quotation, whose words are not those of the text.
var quoted = regexp.MustCompile("`[^`\n]*`" + `|"[^"\n]*"`)

// blank returns a text without words and with the same line ends.
func blank(text string) string { return "x" + strings.Repeat("\n", strings.Count(text, "\n")) }

// A paragraph is text without markup, whose first line is a line of the page.
type paragraph struct {
	line int
	text string
}

var (
	fence   = regexp.MustCompile("^ *(```+|~~~+)")
	item    = regexp.MustCompile(`^ *([-*+]|[0-9]+[.)]) +`)
	heading = regexp.MustCompile(`^#+ `)
	link    = regexp.MustCompile(`\]\([^)]*\)`)
)

// paragraphs returns the paragraphs, list items, headings and table cells of a page.
func paragraphs(page string) []paragraph {
	var all []paragraph
	var current []string
	start, fenced, after := 0, "", true // after an empty line: an indented line is code
	end := func() {
		if len(current) > 0 {
			all = append(all, paragraph{start, strings.Join(current, "\n")})
		}
		current = nil
	}
	for i, line := range strings.Split(page, "\n") {
		number := i + 1
		if f := fence.FindStringSubmatch(line); f != nil && strings.HasPrefix(f[1], fenced) {
			if fenced == "" {
				fenced = f[1]
			} else {
				fenced = ""
			}
			end()
			continue
		}
		switch {
		case fenced != "":
		case strings.TrimSpace(line) == "":
			end()
			after = true
			continue
		case after && (strings.HasPrefix(line, "    ") || strings.HasPrefix(line, "\t")), strings.HasPrefix(line, "<!--"):
			continue // code; a comment
		case strings.HasPrefix(line, "|"):
			end()
			for cell := range strings.SplitSeq(strings.ReplaceAll(line, `\|`, " "), "|") {
				all = append(all, paragraph{number, plain(cell)})
			}
		case heading.MatchString(line):
			end()
			all = append(all, paragraph{number, plain(heading.ReplaceAllString(line, ""))})
		default:
			if item.MatchString(line) {
				end()
				line = item.ReplaceAllString(line, "")
			}
			if len(current) == 0 {
				start = number
			}
			current = append(current, plain(line))
		}
		after = false
	}
	end()
	return all
}

// plain returns a line of Markdown without links, and with one word for each piece of code.
func plain(line string) string {
	return link.ReplaceAllString(regexp.MustCompile("`[^`]*`").ReplaceAllString(line, "`x`"), "]")
}

// A sentence is a part of a paragraph. Its first line is counted from the start of the paragraph.
type sentence struct {
	line int
	text string
}

// stop ends a sentence.
var stop = regexp.MustCompile(`[.!?:]["')*_\]]*(\s+|$)`)

// sentences returns the sentences of a paragraph.
func sentences(text string) []sentence {
	var all []sentence
	from := 0
	for _, at := range append(stop.FindAllStringIndex(text, -1), []int{len(text), len(text)}) {
		if s := text[from:at[1]]; strings.TrimSpace(s) != "" {
			all = append(all, sentence{strings.Count(text[:from], "\n"), s})
		}
		from = at[1]
	}
	return all
}
