package extract

import (
	"absolink/extract/internal/mark"
)

// report notes a problem at an offset of a frame's text; a nil frame means the entity's bytes.
func (w *Walker) report(e *Entity, fr *frame, offset int, code mark.Code, detail string) {
	switch code {
	case mark.NoBase, mark.LinkMalformed, mark.RewriteRefused, mark.DepthLimit, mark.SizeLimit:
		w.left++
	}
	w.tell(e, fr, offset, code, detail)
}

// tell is report for what leaves no link as it is.
func (w *Walker) tell(e *Entity, fr *frame, offset int, code mark.Code, detail string) {
	if w.OnProblem != nil {
		at := fr.offset(offset)
		w.problem(mark.Problem{Document: e.Document, Entity: e.Path, Offset: int(e.start) + at, Code: code, Detail: detail})
	}
}

func (w *Walker) problem(p mark.Problem) {
	if w.OnProblem != nil {
		w.OnProblem(p)
	}
}
