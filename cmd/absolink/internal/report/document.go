package report

import (
	"bytes"
	"strings"

	"absolink/base"
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

// Document collects the entities and the links of one document. First call Entity for each entity, then Link for each link,
// in the order in which package extract yields them.
type Document struct {
	Name string

	entities []*entity // in the order of their sources
	boxes    []*box    // of the outermost entities
	byPath   map[string]*entity
	links    []*link
	problems []Example

	allEntities, allLinks, allProblems int64
	byRung                             [base.RungDefault + 1]int64

	// The bytes that may still be shown.
	sourceRoom, boxRoom, textRoom int
}

// entity is a document, or a document inside the document.
type entity struct {
	path, kind string
	anchor     int    // the number of its anchor, from 1
	box        *box   // nil for a part without a base of its own
	source     []byte // a copy of the first bytes
	length     int    // of the whole source
	start, end int64  // its span in the file
	inPlace    bool   // the file has its bytes unchanged
	bases      []span
	links      []*link
	hidden     int64 // links after the end of the source
	parent     *entity
}

// span is a part of a source.
type span struct {
	start, end int
	candidate  *base.Candidate
}

// link is a link of an entity.
type link struct {
	number                    int
	offset, length            int
	start, end                int64 // its span in the file
	place, ref, url, base, by string
	rung                      base.Rung
	status                    extract.Status
	problem                   string
}

// NewDocument returns an empty Document.
func NewDocument(name string) *Document {
	return &Document{Name: name, byPath: map[string]*entity{}, sourceRoom: sourcesShown, boxRoom: boxesShown, textRoom: textShown}
}

// Entity adds an entity. It copies the bytes of the entity that the page shows.
func (d *Document) Entity(e *extract.Entity) {
	d.allEntities++
	if d.boxRoom <= 0 {
		return
	}
	at := d.add(e)
	if at == nil || at.box != nil {
		return
	}
	at.box = newBox(e, at.name(d.Name), at.anchor)
	d.boxRoom -= at.box.size
	if at.parent == nil {
		d.boxes = append(d.boxes, at.box)
	} else {
		at.parent.box.Inner = append(at.parent.box.Inner, at.box)
	}
}

// add adds an entity unless it is there, and returns it. It returns nil if there are too many entities.
func (d *Document) add(e *extract.Entity) *entity {
	if at := d.byPath[e.Path]; at != nil || len(d.entities) >= entitiesShown {
		return at
	}
	n := min(len(e.Bytes), sourceShown, d.sourceRoom)
	d.sourceRoom -= n
	whole := extract.Link{Entity: e, Raw: e.Bytes}
	at := &entity{path: e.Path, kind: e.Type, anchor: len(d.entities) + 1, source: append([]byte(nil), e.Bytes[:n]...),
		length: len(e.Bytes), inPlace: whole.InPlace(), parent: d.around(e.Path)}
	at.start, at.end = whole.DocumentSpan()
	for _, c := range e.Scope.Own() {
		if end := endOfBase(at.source, c); end > 0 && len(at.bases) < basesShown {
			at.bases = append(at.bases, span{c.Offset, end, &c})
		}
	}
	d.entities = append(d.entities, at)
	d.byPath[e.Path] = at
	return at
}

// around returns the entity around the entity with a path, or nil.
func (d *Document) around(path string) *entity {
	for path != "" {
		path = path[:max(strings.LastIndexByte(path, '/'), 0)]
		if e := d.byPath[path]; e != nil {
			return e
		}
	}
	return nil
}

// endOfBase returns the end of the value of a declared base in a source, or 0 if the value is not there. The value may be
// spelled with escapes, so its end is that of the quotes or of the word.
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

// Link adds a link.
func (d *Document) Link(l *extract.Link) {
	d.allLinks++
	d.byRung[l.Scope.Rung()]++
	if len(d.links) >= linksShown || d.textRoom <= 0 {
		return
	}
	at := &link{number: len(d.links) + 1, offset: l.Offset, length: len(l.Raw), place: shown(l.Place(), longName),
		ref: shown(string(l.Ref), longURL), url: shown(string(l.URL), longURL), base: shown(l.Scope.Base().String(), longURL),
		by: shown(l.Scope.By(), longName), rung: l.Scope.Rung(), status: l.Status, problem: string(l.Problem)}
	at.start, at.end = l.DocumentSpan()
	d.textRoom -= len(at.place) + len(at.ref) + len(at.url) + len(at.base) + len(at.by)
	d.links = append(d.links, at)
	e := d.holder(l, at)
	switch {
	case e == nil:
	case at.offset+at.length <= len(e.source):
		e.links = append(e.links, at)
	default:
		e.hidden++
	}
}

// holder returns the entity whose source shows the link, or nil if there is none. A link can be in a part of an entity that
// has no base of its own, such as NOSCRIPT. If the source of the entity has the link in plain text, holder sets its offset
// there. Otherwise the part gets a source of its own.
func (d *Document) holder(l *extract.Link, at *link) *entity {
	if e := d.byPath[l.Entity.Path]; e != nil {
		return e
	}
	if e := d.around(l.Entity.Path); e != nil && e.inPlace {
		if i := int(at.start - e.start); 0 <= i && i+len(l.Raw) <= len(e.source) && bytes.Equal(e.source[i:i+len(l.Raw)], l.Raw) {
			at.offset = i
			return e
		}
	}
	return d.add(l.Entity)
}

// Problem adds a problem.
func (d *Document) Problem(p extract.Problem) {
	if d.allProblems++; len(d.problems) < problemsShown {
		place := string(p.Code)
		if p.Entity != "" {
			place += ", " + shown(p.Entity, longName)
		}
		d.problems = append(d.problems, Example{Place: place, Detail: shown(p.Detail, longDetail), Offset: "byte " + number(int64(p.Offset))})
	}
}

// box is an entity for the page: its layers as nested boxes, and the boxes inside it.
type box struct {
	Name, Type, Base, Rung, By, Section string
	Anchor                              int
	Outer                               *layer
	Inner                               []*box

	size int // the bytes of the texts of the candidates
}

// layer is one box of RFC 1808 section 3.
type layer struct {
	Title, Rung string
	Used        bool // the base is from this layer
	None        bool // the layer has no candidate
	Candidates  []candidate
	More        string // the number of other candidates, or ""
	Inner       *layer
}

// candidate is a candidate for the base.
type candidate struct {
	By, Value, URL, Verdict, Class, Trouble string
}

// newBox returns the box of an entity, without the boxes inside it.
func newBox(e *extract.Entity, name string, anchor int) *box {
	s := e.Scope
	b := &box{Name: name, Type: shown(e.Type, longName), Base: shown(s.Base().String(), longURL), Rung: s.Rung().String(),
		By: shown(s.By(), longName), Section: s.Rung().Section(), Anchor: anchor}
	for _, l := range explain.Shown(explain.Layers(s)) {
		b.Outer = &layer{Title: l.Title, Rung: l.Rung.String(), Used: l.Rung == s.Rung(), None: l.Candidates == nil, Inner: b.Outer}
		if l.Rung == base.RungDefault {
			continue
		}
		hidden := int64(0)
		for i, c := range l.Candidates {
			if i >= layerShown && c.Verdict != base.VerdictUsed {
				hidden++
				continue
			}
			view := newCandidate(c)
			b.size += len(view.By) + len(view.Value) + len(view.URL) + len(view.Verdict) + len(view.Trouble)
			b.Outer.Candidates = append(b.Outer.Candidates, view)
		}
		if hidden > 0 {
			b.Outer.More = "and " + count(hidden, "more candidates")
		}
	}
	return b
}

// name returns the name of the entity for people.
func (e *entity) name(document string) string {
	name := e.path
	if e.parent != nil {
		name = strings.TrimPrefix(strings.TrimPrefix(name, e.parent.path), "/")
	}
	if name == "" {
		name = document
	}
	return shown(name, longName)
}

func newCandidate(c *base.Candidate) candidate {
	view := candidate{By: shown(c.By, longName), Value: shown(c.Value, longURL), Verdict: shown(c.String(), longDetail), Class: "shadowed"}
	switch c.Verdict {
	case base.VerdictUsed:
		view.Class = "used"
	case base.VerdictRejected:
		view.Class = "rejected"
		return view
	}
	if c.URL != c.Value {
		view.URL = shown(c.URL, longURL)
	}
	view.Trouble = shown(c.Trouble(), longDetail)
	return view
}
