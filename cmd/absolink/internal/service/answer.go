package service

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"io"
	"strconv"

	"absolink/cmd/absolink/internal/batch"
	"absolink/cmd/absolink/internal/rows"
	"absolink/extract"
)

// answer is the answer to a request while it is made.
type answer struct {
	*request
	*Settings
	head, body []byte
	problems   []byte // elements of a JSON array, each with a comma before it
	appendBase func(dst []byte, e *extract.Entity) []byte
}

// answer answers a request.
func (s *server) answer(r *request) frame {
	a := &answer{request: r, appendBase: s.AppendBase, head: appendID(nil, r.ID)}
	err := cmp.Or(r.err, r.misplaced())
	if err == nil {
		a.Settings, err = s.settings(r)
	}
	if err == nil {
		err = a.do()
	}
	if err == nil {
		err = frame{a.head, a.body}.checkLength()
	}
	if err != nil {
		return frame{head: appendError(appendID(nil, r.ID), err)}
	}
	return frame{append(a.head, '}'), a.body}
}

// do does the work of a request. It appends members to the head, and makes the body.
func (a *answer) do() (err error) {
	if a.Do == "resolve" {
		url, err := a.resolve(a.Extractor.Standard)
		a.head = rows.JSONL.Word(append(a.head, `,"url":`...), url)
		return err
	}
	verb := map[string]func(*extract.Extractor, extract.Document) error{"links": a.links, "bases": a.bases, "rewrite": a.rewrite}[a.Do]
	if verb == nil {
		return fmt.Errorf("there is no request %q; use links, bases, rewrite or resolve", a.Do)
	}
	x := a.Extractor
	var unknown error
	x.OnProblem = func(p extract.Problem) {
		if p.Code == extract.CodeTypeUnknown {
			unknown = batch.UnknownType(p.Detail)
			return
		}
		a.problems = bytes.TrimSuffix(rows.AppendProblem(append(a.problems, ','), p), []byte{'\n'})
	}
	d, closes, err := a.open(a.Settings, x.OnProblem)
	defer closes()
	if err == nil {
		err = verb(&x, d)
	}
	if err = batch.WithAdvice(cmp.Or(err, unknown)); err != nil && d.Name != "" {
		err = fmt.Errorf("%s: %w", d.Name, err)
	}
	if len(a.problems) > 0 {
		a.head = append(append(append(a.head, `,"problems":[`...), a.problems[1:]...), ']')
	}
	return err
}

// links lists the links of a document.
func (a *answer) links(x *extract.Extractor, d extract.Document) error {
	table := &linkTable{described: a.Described}
	x.Described = a.Described
	err := a.eachLink(x, d, func(l *extract.Link) {
		if a.Chooses == nil || a.Chooses(l) {
			table.add(l)
		}
	})
	a.body = table.json()
	return err
}

// eachLink calls list for each link of a document, or for each link and base that a rewriting can write.
func (a *answer) eachLink(x *extract.Extractor, d extract.Document, list func(*extract.Link)) error {
	if !a.Writable {
		for l, err := range x.Links(context.Background(), d) {
			if err != nil {
				return err
			}
			list(l)
		}
		return nil
	}
	x.Map = func(l *extract.Link) (string, bool) {
		list(l)
		return string(l.URL), true
	}
	_, err := x.Rewrite(context.Background(), io.Discard, d)
	return err
}

// bases lists the entities of a document, with their bases.
func (a *answer) bases(x *extract.Extractor, d extract.Document) error {
	for e, err := range x.Bases(context.Background(), d) {
		if err != nil {
			return err
		}
		a.body = a.appendBase(a.body, e)
	}
	return nil
}

// rewrite rewrites a document.
func (a *answer) rewrite(x *extract.Extractor, d extract.Document) error {
	used := 0 // of the URLs
	switch {
	case a.URLs != nil && a.Maps:
		return fmt.Errorf("urls cannot be combined with --map and --relative; use only one of them")
	case a.URLs != nil:
		entity, offset, n := "", -1, 0 // of the last link, and its number among the links with this offset
		x.Map = func(l *extract.Link) (url string, ok bool) {
			if n++; l.Offset != offset || l.Entity.Path != entity {
				entity, offset, n = l.Entity.Path, l.Offset, 1
			}
			key := strconv.Itoa(offset)
			if n > 1 {
				key += "/" + strconv.Itoa(n)
			}
			if url, ok = a.URLs[entity][key]; ok {
				used++
			}
			return url, ok
		}
	case a.Map != nil:
		x.Map = a.Map()
	}
	out := bytes.NewBuffer(make([]byte, 0, len(a.request.body)+len(a.request.body)/4))
	n, err := x.Rewrite(context.Background(), out, d)
	a.body = out.Bytes()
	for _, count := range []struct {
		name string
		n    int
	}{{"links", n.Links}, {"changed", n.Changed}, {"unresolved", n.Unresolved}, {"refused", n.Refused}} {
		a.head = append(append(append(a.head, `,"`...), count.name...), `":`...)
		a.head = strconv.AppendInt(a.head, int64(count.n), 10)
	}
	if a.URLs != nil {
		unused := -used
		for _, urls := range a.URLs {
			unused += len(urls)
		}
		a.head = strconv.AppendInt(append(a.head, `,"unused":`...), int64(unused), 10)
	}
	return err
}

// appendError ends the head of an answer that is only an error.
func appendError(dst []byte, err error) []byte {
	sep := append(dst, ',')
	if len(dst) == 0 {
		sep = append(dst, '{')
	}
	return append(rows.JSONL.Word(append(sep, `"error":`...), err.Error()), '}')
}
