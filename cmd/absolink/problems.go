package main

import (
	"fmt"
	"log/slog"
	"strconv"

	"absolink/extract"
)

// shownPerCode is how many problems of one code are shown of one document. A page with
// 5,000 relative links and no base is one finding, not 5,000.
const shownPerCode = 3

// reporter takes down the problems of a run: all of them in the file of --problems, the
// first ones of each kind and document on standard error.
type reporter struct {
	session *session
	all     bool    // -v
	file    *output // nil without --problems
	stats   *stats  // nil without --stats

	counts []codeCount // of this document, in the order in which they came
}

type codeCount struct {
	code extract.Code
	n    int
}

// problem is the Walker's OnProblem. An error of writing is found again by end.
func (r *reporter) problem(p extract.Problem) {
	r.session.wrong.Add(1)
	r.stats.problem(p.Code)
	if r.file != nil {
		r.file.buf = appendProblem(r.file.buf, p)
		_ = r.file.spill()
	}
	if r.count(p.Code) > shownPerCode && !r.all {
		return
	}
	r.session.log.Warn(p.Detail, slog.String("code", string(p.Code)),
		slog.String("document", p.Document), slog.String("entity", p.Entity), slog.Int("offset", p.Offset))
}

func (r *reporter) count(code extract.Code) int {
	for i := range r.counts {
		if c := &r.counts[i]; c.code == code {
			c.n++
			return c.n
		}
	}
	r.counts = append(r.counts, codeCount{code, 1})
	return 1
}

// end tells how many problems of the document were not shown.
func (r *reporter) end(document string) {
	for _, c := range r.counts {
		if c.n > shownPerCode && !r.all {
			r.session.log.Warn(fmt.Sprintf("%d more; -v shows them all", c.n-shownPerCode),
				slog.String("code", string(c.code)), slog.String("document", document))
		}
	}
	r.counts = r.counts[:0]
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
