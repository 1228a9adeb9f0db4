package service

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"io"
	"regexp"
	"strconv"

	"absolink/cmd/absolink/internal/batch"
	"absolink/cmd/absolink/internal/rows"
	"absolink/extract"
)

type head struct {
	ID    *uint64 `json:"id,omitempty"`    // nil if the answer is not to one request
	Error string  `json:"error,omitempty"` // then there is no other member
	URL   *string `json:"url,omitempty"`
	*rewritten
	Problems []extract.Problem `json:"problems,omitempty"`
}

type rewritten struct {
	Links      int  `json:"links"`
	Changed    int  `json:"changed"`
	Unresolved int  `json:"unresolved"`
	Refused    int  `json:"refused"`
	Unused     *int `json:"unused,omitempty"` // how many URLs of the request no link used
}

func (h *head) frame(body []byte) frame { return frame{rows.AppendJSON(nil, h), body} }

// answer is the answer to a request while it is made.
type answer struct {
	*request
	*Settings
	head       head
	body       []byte
	appendBase func(dst []byte, e *extract.Entity) []byte
}

func (s *server) answer(r *request) frame {
	a := &answer{request: r, appendBase: s.AppendBase, head: head{ID: &r.ID}}
	err := cmp.Or(r.err, r.misplaced())
	if err == nil {
		a.Settings, err = s.settings(r)
	}
	if err == nil {
		err = a.do()
	}
	f := a.head.frame(a.body)
	if err == nil {
		err = f.checkLength()
	}
	if err != nil {
		return (&head{ID: &r.ID, Error: flagNames.ReplaceAllString(err.Error(), "$1$2$3")}).frame(nil)
	}
	return f
}

// flagNames finds the flags in a message of the command, but not in quotes. The members of a request have their names,
// without the dashes.
var flagNames = regexp.MustCompile(`("(?:[^"\\]|\\.)*")|(^|[\s(])--([a-z][a-z-]*)`)

// do answers a request: it sets the members of the head, and makes the body.
func (a *answer) do() (err error) {
	if a.Do == "resolve" {
		url, err := a.resolve(a.Extractor.Standard)
		a.head.URL = &url
		return err
	}
	verb := map[string]func(*extract.Extractor, extract.Document) error{
		"links": a.links, "bases": a.bases, "rewrite": a.rewrite,
	}[a.Do]
	if verb == nil {
		return fmt.Errorf("there is no request %q; use links, bases, rewrite or resolve", a.Do)
	}
	x := a.Extractor
	var unknown error
	x.OnProblem = func(p extract.Problem) {
		if p.Code == extract.CodeTypeUnknown {
			if a.Path != "" || len(a.request.body) > 0 { // an empty document needs no type
				unknown = batch.UnknownType(p.Detail)
			}
			return
		}
		p.Setting = "" // a field of Extractor, which clients do not have
		a.head.Problems = append(a.head.Problems, p)
	}
	d, closes, err := a.open(a.Settings, x.OnProblem)
	defer closes()
	if err == nil {
		err = verb(&x, d)
	}
	if err = batch.WithAdvice(cmp.Or(err, unknown)); err != nil && d.Name != "" {
		err = fmt.Errorf("%s: %w", d.Name, err)
	}
	return err
}

func (a *answer) links(x *extract.Extractor, d extract.Document) error {
	table := &linkTable{described: a.Described, numbers: map[scope]int{}}
	x.DescribeLinks = a.Described
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

func (a *answer) bases(x *extract.Extractor, d extract.Document) error {
	for e, err := range x.Bases(context.Background(), d) {
		if err != nil {
			return err
		}
		a.body = a.appendBase(a.body, e)
	}
	return nil
}

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
	if a.Left != nil {
		defer batch.Leaving(x, a.Left, d.Name)()
	}
	out := bytes.NewBuffer(make([]byte, 0, len(a.request.body)+len(a.request.body)/4))
	n, err := x.Rewrite(context.Background(), out, d)
	a.body = out.Bytes()
	a.head.rewritten = &rewritten{Links: n.Links, Changed: n.Changed, Unresolved: n.Unresolved, Refused: n.Refused}
	if a.URLs != nil {
		unused := -used
		for _, urls := range a.URLs {
			unused += len(urls)
		}
		a.head.Unused = &unused
	}
	return err
}
