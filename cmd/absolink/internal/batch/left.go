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
	"unicode"
	"unicode/utf8"

	"absolink/cmd/absolink/internal/codes"
	"absolink/cmd/absolink/internal/console"
	"absolink/extract"
)

// left is what is left for one cause, in a document or in a run. In a run, the causes of a host follow each other.
type left struct {
	host, origin string // origin is "" unless a rule for it is missing
	cause        extract.Cause
	n, documents int64

	first   extract.Problem // without its detail
	excerpt string
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

// leave counts an old URL of the document.
func (k *Worker) leave(l extract.Left) {
	origin, host := k.run.Left.Origin(l.Text)
	if l.Cause != extract.LeftNoRule {
		origin = ""
	}
	one := left{host: host, origin: origin, cause: l.Cause, n: 1, documents: 1}
	if !addLeft(&k.left, one) {
		return
	}
	last := &k.left[len(k.left)-1]
	last.first = extract.Problem{Document: k.src.Name, Entity: l.Entity, Offset: l.Offset, Code: codes.OldURLLeft,
		Severity: extract.SeverityNote}
	last.excerpt = excerpt(l.Text)
}

// addLeft adds to a list of causes, and reports whether the cause is new in it.
func addLeft(all *[]left, one left) bool {
	i := slices.IndexFunc(*all, func(l left) bool {
		return l.host == one.host && l.origin == one.origin && l.cause == one.cause
	})
	if i >= 0 {
		(*all)[i].n += one.n
		(*all)[i].documents += one.documents
		return false
	}
	*all = append(*all, one)
	return true
}

// excerpt returns the first line of a text, up to 60 characters.
func excerpt(text []byte) string {
	text, _, _ = bytes.Cut(text[:min(len(text), 60*utf8.UTFMax)], []byte("\n"))
	clean := []rune(strings.TrimSpace(strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(string(text), " "))))
	return string(clean[:min(len(clean), 60)])
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
	var hosts []string
	for _, l := range in.old {
		l.first.Detail = l.words() + "; the first: " + l.excerpt
		r.problem(in, l.first)
		addLeft(&r.left, left{host: l.host, origin: l.origin, cause: l.cause, n: l.n, documents: l.documents})
		if !slices.Contains(hosts, l.host) {
			hosts = append(hosts, l.host)
			addLeft(&r.leftHosts, left{host: l.host, documents: 1})
		}
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
			more := console.AppendCount(nil, int64(len(r.leftHosts)-i), "more hosts")
			log.Warn(here + string(more) + " with old URLs; -v shows them")
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
		line = console.AppendCount(append(line, " of "...), h.documents, "files")
		line = append(append(line, ": "...), strings.Join(parts, ", ")...)
		if !verbose {
			line = append(line, "; -v shows them"...)
		}
		log.Warn(string(line))
	}
}
