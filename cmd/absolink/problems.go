package main

import (
	"fmt"
	"log/slog"
	"slices"
	"strconv"

	"absolink/extract"
)

// shownPerCode is how many problems of one code are shown of one document, and shownDocuments
// of how many documents. A page with 5,000 relative links and no base is one finding, not
// 5,000, and a folder of such pages is one, too.
const (
	shownPerCode   = 3
	shownDocuments = 10
)

// reporter takes down the problems of a run: all of them in the file of --problems, the
// first ones of each kind on standard error.
type reporter struct {
	session *session
	all     bool    // -v
	noBase  string  // what to do about a document without a base; "" if flags tell URLs already
	file    *output // nil without --problems
	stats   *stats  // nil without --stats

	counts []codeCount // in the order in which they first came
	strays int         // documents in no host's folder; they are told of by whoever opens documents
}

type codeCount struct {
	code      extract.Code
	n         int // of this document
	documents int
}

// shown says whether problems of this document are.
func (c *codeCount) shown() bool { return c.documents <= shownDocuments }

// problem is the Walker's OnProblem. An error of writing is found again by finish.
func (r *reporter) problem(p extract.Problem) {
	r.session.wrong.Add(1)
	r.stats.problem(p.Code)
	if r.file != nil {
		r.file.buf = appendProblem(r.file.buf, p)
		_ = r.file.spill()
	}
	if c := r.count(p.Code); (c.n > shownPerCode || !c.shown()) && !r.all {
		return
	}
	r.session.log.Warn(p.Detail, slog.String("code", string(p.Code)),
		slog.String("document", p.Document), slog.String("entity", p.Entity), slog.Int("offset", p.Offset))
}

func (r *reporter) count(code extract.Code) *codeCount {
	i := slices.IndexFunc(r.counts, func(c codeCount) bool { return c.code == code })
	if i < 0 {
		i, r.counts = len(r.counts), append(r.counts, codeCount{code: code})
	}
	c := &r.counts[i]
	if c.n++; c.n == 1 {
		c.documents++
	}
	return c
}

// end tells how many problems of the document were not shown.
func (r *reporter) end(document string) {
	for i := range r.counts {
		c := &r.counts[i]
		if c.n > shownPerCode && c.shown() && !r.all {
			r.session.log.Warn(fmt.Sprintf("%d more; -v shows them all", c.n-shownPerCode),
				slog.String("code", string(c.code)), slog.String("document", document))
		}
		c.n = 0
	}
}

// stray tells of a document that is in no host's folder, where --mirror looks for one.
func (r *reporter) stray(document string) {
	if r.strays++; r.strays <= shownDocuments || r.all {
		r.session.log.Warn("in no host's folder, so --mirror does not tell its URL", slog.String("document", document))
	}
}

// last tells of how many documents none were shown, and what to do if there was no base.
func (r *reporter) last() {
	if r.noBase != "" && slices.ContainsFunc(r.counts, func(c codeCount) bool { return c.code == extract.NoBase }) {
		defer r.session.log.Warn(r.noBase, slog.String("code", string(extract.NoBase)))
	}
	if r.all {
		return
	}
	if r.strays > shownDocuments {
		r.session.log.Warn(moreDocuments(r.strays) + " in no host's folder; -v shows them all")
	}
	for _, c := range r.counts {
		if !c.shown() {
			r.session.log.Warn(moreDocuments(c.documents)+"; -v shows them all", slog.String("code", string(c.code)))
		}
	}
}

// moreDocuments says how many documents there are beside those that were shown.
func moreDocuments(n int) string {
	return string(appendCount(nil, int64(n-shownDocuments), "more documents"))
}

// appendProblem appends a problem as a JSON line.
func appendProblem(dst []byte, p extract.Problem) []byte {
	dst = appendJSON(append(dst, `{"document":`...), p.Document)
	dst = appendJSON(append(dst, `,"entity":`...), p.Entity)
	dst = strconv.AppendInt(append(dst, `,"offset":`...), int64(p.Offset), 10)
	dst = appendJSON(append(dst, `,"code":`...), string(p.Code))
	dst = appendJSON(append(dst, `,"detail":`...), p.Detail)
	return append(dst, '}', '\n')
}
