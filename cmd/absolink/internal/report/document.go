package report

import (
	"bytes"
	"fmt"
	"strings"

	"absolink/base"
	"absolink/cmd/absolink/internal/console"
	"absolink/cmd/absolink/internal/explain"
	"absolink/extract"
)

// The limits for a page about one document.
const (
	entitiesShown = 300
	linksShown    = 2000
	sourceShown   = 128 << 10 // bytes of one entity
	sourcesShown  = 512 << 10 // bytes of all entities
	boxesShown    = 256 << 10 // bytes of the texts in the boxes of all entities
	textShown     = 512 << 10 // bytes of the texts in the table of links
	problemsShown = 50
	basesShown    = 100 // declared bases in the source of one entity
	layerShown    = 10  // candidates in one layer of one entity
)

// Document collects the entities and the links of one document. First call Entity for each entity, then Link for each
// link, in the order in which package extract yields them.
type Document struct {
	Name     string
	Entities []*entity // in the order in which the page shows their sources
	Boxes    []*entity // the outermost entities
	Links    []*link
	Problems []Example

	byPath map[string]*entity

	AllLinks                 int64
	ByLayer                  map[base.Layer]int64
	allEntities, allProblems int64

	// The bytes that may still be shown.
	sourceRoom, boxRoom, textRoom int
}

// entity is a document, or a document inside the document.
type entity struct {
	Anchor     int    // the number of its anchor, from 1
	Name       string // in the document
	Type       string
	Length     int // of the whole source
	start, end int64
	inPlace    bool   // the file has its bytes unchanged
	path       string // Entity.Path
	source     []byte // a copy of the first bytes
	bases      []mark
	links      []*link
	hidden     int64 // links after the end of the copy
	parent     *entity

	// The box of the entity: its layers as nested boxes, and the boxes inside it.
	Outer       *box   // nil for a part without a base of its own
	Inside      string // its name in its parent
	Base, Layer string
	Inner       []*entity
}

type box struct {
	Title, Layer string
	Used         bool // the base is from this layer
	Candidates   []candidate
	More         int64 // candidates that are left out
	Inner        *box
}

type candidate struct {
	Source, Value, URL, Verdict, Class, Trouble string
}

type link struct {
	Number                    int
	Place, Ref, URL, Base, By string
	Layer                     base.Layer
	Status                    extract.Status
	Problem                   extract.Code
	Start, End                int64 // its span in the file
	offset, length            int
}

func NewDocument(name string) *Document {
	return &Document{Name: shown(name, longName), byPath: map[string]*entity{}, ByLayer: map[base.Layer]int64{},
		sourceRoom: sourcesShown, boxRoom: boxesShown, textRoom: textShown}
}

// Entity adds an entity. It copies the bytes of the entity that the page shows.
func (d *Document) Entity(e *extract.Entity) {
	d.allEntities++
	if d.boxRoom <= 0 {
		return
	}
	at := d.add(e)
	if at == nil || at.Outer != nil {
		return
	}
	d.boxRoom -= at.explain(e)
	if at.parent == nil {
		d.Boxes = append(d.Boxes, at)
	} else {
		at.parent.Inner = append(at.parent.Inner, at)
	}
}

// add adds an entity unless it is there, and returns it. It returns nil if there are too many entities.
func (d *Document) add(e *extract.Entity) *entity {
	if at := d.byPath[e.Path]; at != nil || len(d.Entities) >= entitiesShown {
		return at
	}
	n := min(len(e.Bytes), sourceShown, d.sourceRoom)
	d.sourceRoom -= n
	whole := extract.Link{Entity: e, Raw: e.Bytes}
	at := &entity{Anchor: len(d.Entities) + 1, Name: d.Name, Inside: d.Name, Type: shown(e.Type, longName),
		Length:  len(e.Bytes),
		inPlace: whole.InPlace(), path: e.Path, source: append([]byte(nil), e.Bytes[:n]...), parent: d.around(e.Path)}
	at.start, at.end = whole.DocumentSpan()
	inside := e.Path
	if at.parent != nil {
		inside = strings.TrimPrefix(strings.TrimPrefix(e.Path, at.parent.path), "/")
	}
	if e.Path != "" {
		at.Name = shown(e.Path, longName)
	}
	if inside != "" {
		at.Inside = shown(inside, longName)
	}
	for _, c := range e.Scope.Own() {
		if end := endOfBase(at.source, c); end > 0 && len(at.bases) < basesShown {
			view := newCandidate(explain.NewCandidate(c))
			at.bases = append(at.bases, mark{c.Offset, end,
				piece{Class: "base " + view.Class, Label: view.Source + ", " + view.Verdict}})
		}
	}
	d.Entities = append(d.Entities, at)
	d.byPath[e.Path] = at
	return at
}

func (d *Document) around(path string) *entity {
	for path != "" {
		path = path[:max(strings.LastIndexByte(path, '/'), 0)]
		if e := d.byPath[path]; e != nil {
			return e
		}
	}
	return nil
}

// explain makes the box of an entity, without the boxes inside it. It returns the number of bytes of the texts of the
// candidates.
func (at *entity) explain(e *extract.Entity) (size int) {
	x := explain.Explain(e)
	at.Base, at.Layer = shown(x.Base, longURL), x.Layer
	for _, l := range x.Shown() {
		at.Outer = &box{Title: l.Title, Layer: l.Layer, Used: l.Layer == x.Layer, Inner: at.Outer}
		if l.Layer == base.LayerDefault.String() {
			continue
		}
		for i, c := range l.Candidates {
			if i >= layerShown && c.Verdict != explain.Used {
				at.Outer.More++
				continue
			}
			view := newCandidate(c)
			size += len(view.Source) + len(view.Value) + len(view.URL) + len(view.Verdict) + len(view.Trouble)
			at.Outer.Candidates = append(at.Outer.Candidates, view)
		}
	}
	return size
}

func newCandidate(c explain.Candidate) candidate {
	verdict, url, trouble := c.Said()
	return candidate{Source: shown(c.Source, longName), Value: shown(c.Value, longURL), URL: shown(url, longURL),
		Verdict: shown(verdict, longDetail), Class: c.Verdict, Trouble: shown(trouble, longDetail)}
}

// endOfBase returns the end of the value of a declared base in a source, or 0 if the value is not there. A value that
// is spelled with escapes ends before a quote, white space, or a tag.
func endOfBase(source []byte, c base.Candidate) int {
	if c.Offset < 0 || c.Offset >= len(source) || c.Value == "" || source[c.Offset] != c.Value[0] {
		return 0
	}
	end, matched := c.Offset, 0
	for end < len(source) && matched < len(c.Value) {
		switch source[end] {
		case c.Value[matched]:
			matched++
		case ' ', '\t', '\r', '\n': // a header field can be folded
		default:
			matched = len(c.Value) + 1
		}
		end++
	}
	if matched == len(c.Value) {
		return end
	}
	end = c.Offset
	for end < len(source) && strings.IndexByte("\"' \t\r\n<>", source[end]) < 0 {
		end++
	}
	return end
}

func (d *Document) Link(l *extract.Link) {
	d.AllLinks++
	d.ByLayer[l.Scope.Layer()]++
	if len(d.Links) >= linksShown || d.textRoom <= 0 {
		return
	}
	at := &link{Number: len(d.Links) + 1, Place: shown(l.Place(), longName), Ref: shown(string(l.Ref), longURL),
		URL:  shown(string(l.URL), longURL),
		Base: shown(l.Scope.Base().String(), longURL), By: shown(l.Scope.By(), longName), Layer: l.Scope.Layer(),
		Status: l.Status, Problem: l.Problem,
		offset: l.Offset, length: len(l.Raw)}
	at.Start, at.End = l.DocumentSpan()
	d.textRoom -= len(at.Place) + len(at.Ref) + len(at.URL) + len(at.Base) + len(at.By)
	d.Links = append(d.Links, at)
	e := d.holder(l, at)
	switch {
	case e == nil:
	case at.offset+at.length <= len(e.source):
		e.links = append(e.links, at)
	default:
		e.hidden++
	}
}

// holder returns the entity whose source shows the link, or nil if there is none. A link can be in a part of an entity
// that has no base of its own, like NOSCRIPT. If the source of the entity has the link in plain text, holder sets its
// offset there. Failing that, the part gets a source of its own.
func (d *Document) holder(l *extract.Link, at *link) *entity {
	if e := d.byPath[l.Entity.Path]; e != nil {
		return e
	}
	if e := d.around(l.Entity.Path); e != nil && e.inPlace {
		if i := int(at.Start - e.start); 0 <= i && i+len(l.Raw) <= len(e.source) &&
			bytes.Equal(e.source[i:i+len(l.Raw)], l.Raw) {
			at.offset = i
			return e
		}
	}
	return d.add(l.Entity)
}

func (d *Document) Problem(p extract.Problem) {
	if d.allProblems++; len(d.Problems) < problemsShown {
		place := string(p.Code)
		if p.Entity != "" {
			place += ", " + shown(p.Entity, longName)
		}
		d.Problems = append(d.Problems, Example{Place: place, Detail: shown(p.Detail, longDetail),
			Offset: "byte " + console.Number(int64(p.Offset))})
	}
}

type documentPage struct {
	*Document
	Title, Program string
}

func (d *Document) Append(dst []byte, program string) ([]byte, error) {
	return render(dst, "document", &documentPage{d, "absolink explain: " + d.Name, program})
}

// Left returns what the page leaves out, and where to find all of it.
func (d *Document) Left() (all []string) {
	boxes, shown, whole := int64(0), 0, 0
	for _, e := range d.Entities {
		if e.Outer != nil {
			boxes++
		}
		shown, whole = shown+len(e.source), whole+e.Length
	}
	for _, list := range []struct {
		shown, all int64
		things     string
		where      string
	}{
		{boxes, d.allEntities, "entities", "absolink explain -f json lists all of them."},
		{int64(len(d.Links)), d.AllLinks, "links", "absolink links -f jsonl lists all of them."},
		{int64(len(d.Problems)), d.allProblems, "problems", "The flag --problems FILE writes all of them."},
	} {
		if list.shown < list.all {
			all = append(all, fmt.Sprintf("The page has %s of %s. %s", console.Number(list.shown),
				count(list.all, list.things), list.where))
		}
	}
	if shown < whole {
		all = append(all, fmt.Sprintf("The page shows at most %s of the source of an entity, and %s of all sources.",
			bytesText(sourceShown), bytesText(sourcesShown)))
	}
	return all
}
