package batch

import (
	"fmt"

	"absolink/extract"
)

// Repeats limits the bytes of long values that the rows of one document repeat. Without it, a long base URL and many
// short links would make the output grow with the square of the document's size.
type Repeats struct {
	long  int   // the number of bytes of the longest value that is not counted
	left  int64 // the number of bytes that are left; negative after the limit
	limit int64
	rows  int             // rows after the limit without a value
	first extract.Problem // the place of the first of them
}

// Repeats returns the limit for the rows of one document: --max-record. It counts values with more than long bytes.
func (k *Worker) Repeats(long int) Repeats {
	limit := int64(k.Extractor.MaxRecord)
	return Repeats{long: long, left: limit, limit: limit}
}

// Allows counts a value of n bytes, and reports whether a row may have it.
func (r *Repeats) Allows(n int) bool {
	if n <= r.long {
		return true
	}
	if r.left >= 0 {
		r.left -= int64(n)
	}
	return r.left >= 0
}

// Cut counts a row that may not have its value, and keeps the place of the first one.
func (r *Repeats) Cut(document, entity string, offset int) {
	if r.rows == 0 {
		r.first = extract.Problem{Document: document, Entity: entity, Offset: offset}
	}
	r.rows++
}

// Report reports the rows that Cut has counted, as one problem. missing says what became of them, like "have empty
// fields".
func (r *Repeats) Report(k *Worker, missing string) {
	if r.rows == 0 || k.Extractor.OnProblem == nil {
		return
	}
	p := r.first
	p.Severity, p.Code, p.Setting = extract.CodeLinkLimit.Severity(), extract.CodeLinkLimit, "MaxRecord"
	p.Detail = fmt.Sprintf("the rows of the document would repeat long values of more than %d bytes together; %d "+
		"rows from here on %s", r.limit, r.rows, missing)
	k.Extractor.OnProblem(p)
}
