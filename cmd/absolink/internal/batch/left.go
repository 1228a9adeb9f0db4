// The account of a move: the old URLs that it leaves.

package batch

import (
	"bytes"
	"cmp"
	"fmt"
	"log/slog"
	"os"
	"slices"
	"strings"
	"unicode/utf8"

	"absolink/cmd/absolink/internal/codes"
	"absolink/cmd/absolink/internal/console"
	"absolink/cmd/absolink/internal/mapping"
	"absolink/extract"
)

// left is the number of URLs that are left for one cause, in a document or in a run.
type left struct {
	host, origin string // origin is "" unless a rule for it is missing
	cause        extract.Cause
	n            int64
	first        extract.Problem // the first of them; its detail is an excerpt
}

// causes are the words for the causes. The verb is for several URLs.
var causes = [...]string{
	extract.LeftInText:   "in scripts and text",
	extract.LeftNoBase:   "relative, without a base (use --site or --url)",
	extract.LeftExtended: "need --extended",
	extract.LeftFiltered: "left out by --place or another filter",
	extract.LeftVisible:  "in the visible text of changed links",
	extract.LeftInside:   "inside another URL",
	extract.LeftKept:     "signed, kept, permanent or refused",
	extract.LeftSource:   "where an archive says what it holds",
	extract.LeftUnread:   "in what is not read",
}

func (l *left) words() string {
	number := console.Number(l.n)
	if l.cause == extract.LeftNoRule {
		return fmt.Sprintf("%s %s (add --map %s/=...)", number, l.origin, l.origin)
	}
	if l.cause == extract.LeftExtended && l.n == 1 {
		return number + " needs --extended"
	}
	return number + " " + causes[l.cause]
}

// Leaving makes an Extractor find what a move leaves in a document. It returns a function that reports this.
func Leaving(x *extract.Extractor, by *mapping.Left, document string) (report func()) {
	var all []left
	x.Old, x.OnLeft = by.In, func(l extract.Left) { leave(&all, by, document, l) }
	return func() {
		for i := range all {
			x.OnProblem(all[i].problem())
		}
	}
}

// leave counts an old URL of a document.
func leave(all *[]left, by *mapping.Left, document string, l extract.Left) {
	origin, host := by.Origin(l.Text)
	if l.Cause != extract.LeftNoRule {
		origin = ""
	}
	if sum := addLeft(all, left{host: host, origin: origin, cause: l.Cause, n: 1}); sum.first.Code == "" {
		sum.first = extract.Problem{Document: document, Entity: l.Entity, Offset: l.Offset, Code: codes.OldURLLeft,
			Severity: extract.SeverityNote, Detail: excerpt(l.Text)}
	}
}

func (k *Worker) leave(l extract.Left) { leave(&k.left, k.run.Left, k.src.Name, l) }

func (l *left) problem() extract.Problem {
	p := l.first
	p.Detail = l.words() + "; the first: " + p.Detail
	return p
}

// addLeft adds to a list of causes, and returns the sum.
func addLeft(all *[]left, one left) *left {
	i := slices.IndexFunc(*all, func(l left) bool {
		return l.host == one.host && l.origin == one.origin && l.cause == one.cause
	})
	if i < 0 {
		*all = append(*all, one)
		return &(*all)[len(*all)-1]
	}
	(*all)[i].n += one.n
	return &(*all)[i]
}

// excerpt returns the first line of a text, up to 60 characters.
func excerpt(text []byte) string {
	text, _, _ = bytes.Cut(text[:min(len(text), 60*utf8.UTFMax)], []byte("\n"))
	line := []rune(strings.ToValidUTF8(string(text), ""))
	return string(console.Printable([]byte(strings.TrimSpace(string(line[:min(len(line), 60)])))))
}

// leaveUnread counts the old URLs in a file of unknown type, unless it is data.
func (k *Worker) leaveUnread(name string) {
	info, err := os.Stat(name)
	most := int64(cmp.Or(k.Extractor.MaxRecord, 256<<20))
	if err != nil || !info.Mode().IsRegular() || info.Size() > most || console.IsMedia(name) {
		return
	}
	text, err := os.ReadFile(name)
	if err != nil || bytes.IndexByte(text[:min(len(text), 1024)], 0) >= 0 {
		return
	}
	find := k.run.Left.In(text)
	for start, end := find(0); start < len(text); start, end = find(end) {
		k.leave(extract.Left{Offset: start, Text: text[start:], Cause: extract.LeftUnread})
	}
}

// endLeft reports what is left in a document, and adds it to the account of the run.
func (r *Run) endLeft(in *document) {
	var hosts []left
	for _, l := range in.old {
		addLeft(&r.left, l)
		addLeft(&hosts, left{host: l.host})
		r.problem(in, l.problem())
	}
	for _, h := range hosts {
		addLeft(&r.leftHosts, h).n++
	}
	in.old = nil
}

// mostHosts is how many hosts ReportLeft names.
const mostHosts = 10

// ReportLeft prints a line for each host with URLs that are left in the documents of this run.
func (r *Run) ReportLeft(log *slog.Logger, verbose bool) {
	here := ""
	if r.Journal.Before() > 0 {
		here = "in this run, "
	}
	slices.SortStableFunc(r.left, func(a, b left) int {
		return cmp.Or(cmp.Compare(a.host, b.host), cmp.Compare(a.cause, b.cause), cmp.Compare(b.n, a.n))
	})
	for i, h := range r.leftHosts {
		if i == mostHosts && !verbose {
			log.Warn(fmt.Sprintf("%s%d more old hosts are still in the documents; -v shows them", here,
				len(r.leftHosts)-i))
			return
		}
		total, parts := int64(0), []string(nil)
		for _, l := range r.left {
			if l.host == h.host {
				total += l.n
				parts = append(parts, l.words())
			}
		}
		line := console.AppendCount(fmt.Appendf(nil, "%s%s is still in ", here, r.Left.Name(h.host)), total, "places")
		line = console.AppendCount(append(line, " of "...), h.n, "files")
		line = append(append(line, ": "...), strings.Join(parts, ", ")...)
		if !verbose {
			line = append(line, "; -v shows them"...)
		}
		log.Warn(string(line))
	}
}
