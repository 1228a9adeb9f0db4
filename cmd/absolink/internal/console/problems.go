// Problems on standard error: the first problems of each code, and the number of the others.

package console

import (
	"context"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync"

	"absolink/cmd/absolink/internal/codes"
	"absolink/cmd/absolink/internal/files"
	"absolink/cmd/absolink/internal/rows"
	"absolink/extract"
)

// A page with 5,000 relative links and no base is one finding, and so is a folder of such pages. So each document shows
// at most ShownPerCode problems of one code, and each code or message is shown for at most shownDocuments documents.
const (
	ShownPerCode   = 3
	shownDocuments = 10

	manyProblems = 20 // of one code in a document; -v shows their number after them
)

// Problems shows the problems of a run: the first problems of each code on standard error, and all problems in the file
// of --problems.
type Problems struct {
	Log   *slog.Logger
	All   bool          // -v: show every problem, even notes
	Quiet bool          // -q: show no problem on standard error
	File  *files.Output // nil without --problems
	Sums  bool          // the last lines say what was not looked into
	Each  extract.Code  // all problems of this code in one document are shown; "" for none

	// NoBase returns the advice for documents without a base, or "". setting is that of the problem, which is "" for a
	// redirect.
	NoBase func(setting string) string
	// KeptTold means that links without a base stay relative because the user wants it, and that another line has their
	// number.
	KeptTold bool
	Empty    bool // show what was not read of a document without links, because it may be all of it
	Resumed  bool // earlier runs have done documents, which the numbers do not have

	codes    counts            // by code
	relative counts            // of links without a base, by advice
	advice   map[string]string // by setting

	differ  count           // of StandardDiffers, even if these problems are not shown
	example extract.Problem // the first of them

	unread unread
	unseen map[string][]extract.Problem // what was not read of the documents that have not ended, if it is not shown

	mu        sync.Mutex
	messages  []message // in the order of the first document with each
	documents map[message]int
}

type message struct {
	level slog.Level
	text  string
}

// otherReasons stands for all texts after the first shownDocuments: a text may name a file, so that every document has
// its own.
const otherReasons = "other reasons"

// Document shows a message about a whole document, for example that it is missing, for the first documents, and counts
// the others. Several goroutines may call it.
func (r *Problems) Document(level slog.Level, document, text string) {
	if r.Log.Enabled(context.Background(), level) && (r.All || r.countMessage(level, text) <= shownDocuments) {
		r.Log.Log(context.Background(), level, text, slog.String("document", document))
	}
}

func (r *Problems) countMessage(level slog.Level, text string) int {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.documents == nil {
		r.documents = map[message]int{}
	}
	m := message{level, text}
	if r.documents[m] == 0 && len(r.messages) >= shownDocuments {
		m.text = otherReasons
	}
	if r.documents[m]++; r.documents[m] == 1 {
		r.messages = append(r.messages, m)
	}
	return r.documents[m]
}

var levels = map[extract.Severity]slog.Level{extract.SeverityNote: slog.LevelInfo,
	extract.SeverityWarning: slog.LevelWarn, extract.SeverityError: slog.LevelError}

type counts []*count

func (c *counts) of(key string) *count {
	i := slices.IndexFunc(*c, func(n *count) bool { return n.key == key })
	if i < 0 {
		i, *c = len(*c), append(*c, &count{key: key})
	}
	return (*c)[i]
}

// count counts problems that have a code or an advice in common. Those of several documents may be interleaved.
type count struct {
	key          string
	n, documents int
	open         map[string]*inDocument // the documents with such problems that have not ended
}

// inDocument counts such problems in one document.
type inDocument struct {
	n     int
	shown bool // the document is one of the first, so its first problems are shown
}

func (c *count) add(document string) *inDocument {
	in := c.open[document]
	if in == nil {
		if c.open == nil {
			c.open = map[string]*inDocument{}
		}
		c.documents++
		in = &inDocument{shown: c.documents <= shownDocuments}
		c.open[document] = in
	}
	c.n++
	in.n++
	return in
}

// end ends a document, and returns the number of its problems, and whether the first ones were shown.
func (c *count) end(document string) (n int, shown bool) {
	in := c.open[document]
	delete(c.open, document)
	if in == nil {
		return 0, false
	}
	return in.n, in.shown
}

// total returns the line with the number of all problems of a code, for which codes.Total has words.
func total(n int, code extract.Code) string {
	return string(AppendCount(nil, int64(n), codes.Total(code)))
}

// Problem shows a problem, and writes it to the file of --problems.
func (r *Problems) Problem(p extract.Problem) {
	if isSkipped(&p) && IsMedia(p.Document) {
		return
	}
	if r.File != nil {
		r.File.Buf = rows.AppendProblem(r.File.Buf, p)
		_ = r.File.Spill()
	}
	if p.Code == extract.CodeStandardDiffers {
		if r.differ.add(p.Document); r.differ.n == 1 {
			r.example = p
		}
	}
	if r.unread.add(&p); isSkipped(&p) {
		return // Document shows it
	}
	if p.Code == extract.CodeNoBase && p.Setting != "" && !r.Quiet { // not a redirect
		r.relative.of(r.noBaseAdvice(p.Setting)).add(p.Document)
	}
	if r.All && p.Unread != "" || r.Empty && !r.All && p.Code == extract.CodeNotRead {
		r.hold(p)
	}
	// the command sums up what was not verified
	if r.Quiet || r.All && p.Unread != "" ||
		!r.All && (p.Severity == extract.SeverityNote || p.Code == codes.VerifyUnable) {
		return
	}
	if in := r.codes.of(string(p.Code)).add(p.Document); (in.n > ShownPerCode && p.Code != r.Each || !in.shown) &&
		!r.All {
		return
	}
	r.show(levels[p.Severity], &p)
}

// hold keeps a problem until its document ends. -v has one note for each kind, with the number of all records.
func (r *Problems) hold(p extract.Problem) {
	if r.unseen == nil {
		r.unseen = map[string][]extract.Problem{}
	}
	held := r.unseen[p.Document]
	i := slices.IndexFunc(held, func(q extract.Problem) bool { return r.All && q.Unread == p.Unread })
	switch {
	case i >= 0:
		held[i].N += p.N
		_, why, _ := strings.Cut(p.Detail, "; ")
		held[i].Detail = fmt.Sprintf("%s: %d; %s", p.Unread, held[i].N, why)
	case r.All || len(held) < ShownPerCode:
		r.unseen[p.Document] = append(held, p)
	}
}

func (r *Problems) show(level slog.Level, p *extract.Problem) {
	attrs := []slog.Attr{slog.String("code", string(p.Code)), slog.String("document", p.Document),
		slog.String("entity", p.Entity), slog.Int("offset", p.Offset)}
	if codes.AboutFile(p.Code) {
		attrs = attrs[:2]
	}
	r.Log.LogAttrs(context.Background(), level, p.Detail, attrs...)
}

// noBaseAdvice returns the advice for a setting, and asks NoBase only once.
func (r *Problems) noBaseAdvice(setting string) string {
	advice, known := r.advice[setting]
	if !known {
		if r.advice == nil {
			r.advice = map[string]string{}
		}
		advice = r.NoBase(setting)
		r.advice[setting] = advice
	}
	return advice
}

// EndDocument prints the number of problems of the document that were not shown. links reports whether it has links.
func (r *Problems) EndDocument(document string, links bool) {
	for _, p := range r.unseen[document] {
		if r.All {
			r.show(slog.LevelInfo, &p)
		} else if !links && r.codes.of(string(p.Code)).add(document).shown {
			r.show(slog.LevelWarn, &p)
		}
	}
	delete(r.unseen, document)
	r.differ.end(document)
	for _, c := range r.relative {
		c.end(document)
	}
	for _, c := range r.codes {
		of := []any{slog.String("code", c.key), slog.String("document", document)}
		switch n, shown := c.end(document); {
		case n <= ShownPerCode || c.key == string(r.Each) || !shown && !r.All:
		case codes.Total(extract.Code(c.key)) != "":
			r.Log.Warn(total(n, extract.Code(c.key)), of...)
		case r.All && n >= manyProblems:
			r.Log.Info(fmt.Sprintf("%d problems in all", n), of...)
		case !r.All:
			r.Log.Warn(fmt.Sprintf("%d more; -v shows them all", n-ShownPerCode), of...)
		}
	}
}

// Last prints the lines at the end of a run: how many documents have problems that were not shown, and advice for
// documents without a base. The last line, which -q does not silence, says how many documents are incomplete; if none
// is, it says how many warnings --strict counts and -q hides.
func (r *Problems) Last(incomplete, earlier, strict int64) {
	if !r.All {
		r.more()
	}
	r.noBase()
	if r.differ.n > 0 {
		documents := string(AppendCount([]byte(" in "), int64(r.differ.documents), "documents"))
		where := rows.Where(r.example.Document, r.example.Entity)
		r.Log.Warn(Differing(int64(r.differ.n), documents, "; the first, in "+where+": "+r.example.Detail))
	}
	listed := func(without string) string {
		if r.File != nil {
			return "see " + r.File.Name
		}
		return without
	}
	if text := r.unread.String(); text != "" && r.Sums {
		r.Log.Warn(r.here("not looked into: ") + text + "; " + listed("--problems FILE lists them"))
	}
	switch {
	case incomplete > 0 && earlier == incomplete:
		r.Log.Error("earlier runs did not read or rewrite everything in " +
			string(AppendCount(nil, incomplete, "documents")) + "; a run without --resume reports the reasons")
	case incomplete > 0:
		r.Log.Error("errors in " + string(AppendCount(nil, incomplete, "documents")) + "; " +
			listed("--problems FILE lists them"))
	case strict > 0 && r.Quiet:
		r.Log.Error("--strict: the exit status is 1, because there " + agree(strict, "was",
			"were") + " " + string(AppendCount(nil, strict, "warnings")) + "; leave out -q to see " +
			agree(strict, "it", "them"))
	}
}

// Unread returns what the run did not look into, or "".
func (r *Problems) Unread() string { return r.unread.String() }

// here returns a text about the documents of this run, which says so if earlier runs have done others.
func (r *Problems) here(text string) string {
	if r.Resumed {
		return "in this run, " + text
	}
	return text
}

// more prints the number of documents after the first ones with a message or a code.
func (r *Problems) more() {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, m := range r.messages {
		if n := r.documents[m]; n > shownDocuments {
			r.Log.Log(context.Background(), m.level, moreDocuments(n)+": "+m.text+"; -v shows them all")
		}
	}
	for _, c := range r.codes {
		switch words := codes.Total(extract.Code(c.key)); {
		case c.documents <= shownDocuments:
		case words != "":
			r.Log.Warn(r.here(total(c.n, extract.Code(c.key))), slog.String("code", c.key))
		default:
			r.Log.Warn(moreDocuments(c.documents)+"; -v shows them all", slog.String("code", c.key))
		}
	}
}

// noBase prints a line for each advice about links that stay relative. If only redirects have no base, it prints the
// advice for them.
func (r *Problems) noBase() {
	if r.KeptTold {
		return
	}
	code := slog.String("code", string(extract.CodeNoBase))
	for _, c := range r.relative {
		text := append(AppendCount(nil, int64(c.n), "links"), " in "...)
		text = AppendCount(text, int64(c.documents), "documents")
		r.Log.Warn(r.here(strings.TrimSuffix(string(text)+agree(int64(c.n), " has", " have")+" no base URL; "+c.key,
			"; ")), code)
	}
	if len(r.relative) == 0 &&
		slices.ContainsFunc(r.codes, func(c *count) bool { return c.key == string(extract.CodeNoBase) }) {
		if advice := r.NoBase(""); advice != "" {
			r.Log.Warn(advice, code)
		}
	}
}

// Differing returns the message about n links that have another URL in a browser. in is the number of their documents,
// or "". example has one of the links.
func Differing(n int64, in, example string) string {
	return string(AppendCount(nil, n, "links")) + in + agree(n, " has", " have") + " another URL in a browser" + example
}

func agree(n int64, one, many string) string {
	if n == 1 {
		return one
	}
	return many
}

// moreDocuments returns the number of documents whose problems were not shown, as text. n is the number of all
// documents.
func moreDocuments(n int) string {
	return string(AppendCount(nil, int64(n-shownDocuments), "more documents"))
}
