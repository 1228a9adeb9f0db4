// The comparison of the spots of both versions with each other, and with absolink's links in the old one.

package verify

import (
	"bytes"
	"cmp"
	"encoding/json"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"golang.org/x/net/html"
)

// parser reads one version of an entity. If it cannot read all of it, reading.failed says why.
type parser func(k *checker, e *entity, src []byte) *reading

// reading is what a parser finds in one version of an entity.
type reading struct {
	src      []byte // the text that was parsed
	spots    []spot // in the order of the bytes
	comments []span // where plainly no link is: comments, texts, and values of other attributes
	scope    *scope // the base that the whole entity declares
	sole     *scope // the scope of the first BASE element
	bases    int    // how many BASE elements have an href
	failed   string // why the text was not read to its end, or ""
	counts   map[string]int
}

// parseNone is for an entity that only absolink reads: what is between its links must stay.
func parseNone(_ *checker, e *entity, src []byte) *reading {
	return &reading{src: src, failed: "there is no independent parser for " + cmp.Or(e.kind, "an unknown type")}
}

type span struct{ start, end int }

// spot is a place whose bytes may change.
type spot struct {
	kind       kind
	start, end int    // the bytes of the value, without its quotes
	what       string // the place, like "a@href"; of a document its name in the path
	text       string // the value, decoded
	refs       []ref  // the references in text
	plain      bool   // no parser could read the bytes differently
	split      bool   // the bytes are the text, so each reference becomes a spot of its own
	loose      bool   // whether the text is a link is up to absolink
	declares   bool   // the value declares a base, which absolink may not list as a link
	folded     bool   // the field may be folded, so white space inside a URL is ignored
	own        bool   // of a link: it means the base itself, with its fragment; of a document: it is a fragment
	bare       bool   // the value has no quotes
	outside    bool   // the base that the entity itself declares does not apply
	scope      *scope // the declarations of a base around it; nil for the base of the entity
	*content
}

// content is what only a few spots have. The others share noContent, because a page may have millions of links.
type content struct {
	tag span // the BASE element
	// what must stay the same in the value: its comments, or the number of quoted From_ lines
	markup string
	in     string                  // the media type of a document
	body   []byte                  // its content, decoded
	why    string                  // why the other parser does not decode the bytes, or not all of them; "" if it does
	fits   func(value string) bool // whether a count is right for its version; nil for any other value
}

var noContent = &content{}

type kind uint8

const (
	isLinks  kind = iota
	isNested      // a document
	isOpaque      // bytes that the other parser does not decode
	isCount       // a length or a digest
	isEnd         // the end of the text
)

type ref struct {
	start, end int
	value      string
	plain      bool
}

// scope is a declaration of a base inside another one.
type scope struct {
	outer  *scope
	decl   string
	unsure bool
	inside *base
}

// baseIn returns the base in a scope. root is the base around the outermost scope.
func (k *checker) baseIn(s *scope, root base) base {
	if s == nil {
		return root
	}
	if s.inside == nil {
		b := k.under(s.decl, k.baseIn(s.outer, root))
		b.unsure = b.unsure || s.unsure
		s.inside = &b
	}
	return *s.inside
}

func (r *reading) add(s spot, raw string, refs []ref) {
	if s.end = s.start + len(raw); s.content == nil {
		s.content = noContent
	}
	if !s.split {
		for _, f := range refs {
			s.plain = s.plain && f.plain
		}
		if s.refs = refs; len(refs) > 0 {
			r.spots = append(r.spots, s)
		}
		return
	}
	for _, f := range refs {
		one := s
		one.start, one.end = s.start+f.start, s.start+f.end
		one.text, one.plain = raw[f.start:f.end], s.plain && f.plain
		one.refs = []ref{{0, f.end - f.start, f.value, f.plain}}
		r.spots = append(r.spots, one)
	}
}

// opaque adds a spot that the parser does not decode, and returns the reading.
func (r *reading) opaque(what string, start, end int, why string) *reading {
	r.spots = append(r.spots, spot{kind: isOpaque, what: what, start: start, end: end, content: &content{why: why}})
	return r
}

func (r *reading) number(name string) string {
	if r.counts == nil {
		r.counts = map[string]int{}
	}
	r.counts[name]++
	return name + "[" + strconv.Itoa(r.counts[name]) + "]"
}

type comparison struct {
	*checker
	e       *entity
	a, b    *reading
	links   []Link // those that are not compared yet
	outer   bases  // around the entity
	root    bases  // in the entity
	differs bool   // absolink and the other parser differ somewhere
	records bool   // the entity is the document, perhaps decompressed, and its spots are records
	at      span   // how far both versions were compared
}

// compare compares both versions of an entity, as a parser reads them.
func (k *checker) compare(e entity, parse parser) *Difference {
	slices.SortStableFunc(e.links, func(a, b Link) int { return a.Start - b.Start })
	// absolink may pass a link twice
	e.links = slices.CompactFunc(e.links, func(a, b Link) bool { return a.Start == b.Start && a.End == b.End })
	k.doc.Links[e.path] = e.links
	if strings.HasPrefix(e.kind, "text/") || strings.HasSuffix(e.kind, "xml") || strings.HasSuffix(e.kind, "mswinurl") {
		if d := k.decode(&e); d != nil {
			return d
		}
	}
	if e.file && e.kind == "text/html" && !k.NoEvidence {
		saved := toFiles().FindSubmatch(append(bytes.Clone(e.old[:min(len(e.old), 4096)]),
			e.old[max(0, len(e.old)-512):]...))
		e.toFiles, e.hashes = saved != nil, saved != nil && saved[1] != nil
	}
	c := &comparison{checker: k, e: &e, a: parse(k, &e, e.old), b: parse(k, &e, e.new), links: e.links}
	if e.damaged {
		c.a.failed = cmp.Or(c.a.failed, "the charset does not fit")
	}
	c.outer = bases{k.outer(c.a, &e, e.bases.old), k.outer(c.b, &e, e.bases.new)}
	if k.Relative && e.bases.new.url == "" {
		c.outer.new.url = k.moved(c.outer.old.url)
	}
	c.root = bases{k.baseIn(c.a.scope, c.outer.old), k.baseIn(c.b.scope, c.outer.new)}
	if e.local != nil && e.file {
		if e.local.home = c.outer.old.url; k.Override != "" {
			e.local.home = k.doc.URL
		}
	}
	if unit := records[e.kind]; unit != "" && e.file && !e.member {
		c.records, k.result.All, k.result.Unit = true, c.a.counts[unit], unit+"s"
	}
	before, unable, why := k.result.Links, len(k.result.Unable), c.a.failed
	d := c.run()
	c.differs = c.differs || why != "" || len(k.result.Unable) > unable
	switch {
	case d == nil || d.sure:
		return d
	case why != "" && (d.Entity != e.path || c.nested(c.at.start)):
	case c.nested(len(e.old) + 1):
		why = cmp.Or(why, "only absolink reads a document inside another one")
	case c.alignAll():
		why = cmp.Or(why, "absolink and the other parser read the old version differently")
	default:
		return d
	}
	k.result.Links = before
	return k.unable(e.path, why, d.What)
}

// nested reports whether absolink has found a link in an entity inside this one that is not among the documents that
// the other parser has found up to an offset.
func (c *comparison) nested(end int) bool {
	known := map[string]bool{}
	for _, s := range c.a.spots {
		known[s.what] = s.kind == isNested && s.start < end
	}
	for path := range c.doc.Links {
		rest, ok := strings.CutPrefix(path, strings.TrimPrefix(c.e.path+"/", "/"))
		if name, _, _ := strings.Cut(rest, "/"); ok && rest != "" && !known[name] {
			return true
		}
	}
	return false
}

// outer returns the base around an entity, or failing that the URL that the page records, or the evidence.
func (k *checker) outer(r *reading, e *entity, around base) base {
	if around.url != "" || around.unsure {
		return around
	}
	url := e.evidence
	if e.kind == "text/html" && (e.file || e.member) {
		url = cmp.Or(k.recordedIn(r.src, url), url)
	}
	return base{url: url, unsure: url != ""}
}

// run compares the spots of both versions, and the texts between them.
func (c *comparison) run() *Difference {
	old, new := 0, 0
	spots := append(c.a.spots, spot{kind: isEnd, start: len(c.a.src), content: noContent})
	others := append(c.b.spots, spot{kind: isEnd, start: len(c.b.src), content: noContent})
	for i, j := 0, 0; ; i, j = i+1, j+1 {
		s, t := &spots[i], &others[j]
		gapEnd, next := t.start, t.end
		c.at = span{old, new}
		switch {
		case s.tag.end > 0 && (c.Base == "remove" || c.e.local != nil) &&
			(t.tag.end == 0 || len(c.a.src[old:s.tag.start]) < t.tag.start-new): // t is a later element
			gap := c.a.src[old:s.tag.start]
			if !bytes.HasPrefix(c.b.src[new:], gap) {
				return c.e.differText(string(gap), string(c.b.src[new:t.start]), old, new, "the text changed")
			}
			old, new, j = s.tag.end, new+len(gap), j-1
			c.before(old)
			continue
		// an unquoted value gets quotes
		case s.bare && !t.bare && (s.start == s.end || t.start == t.end) && t.start > 0 && c.b.src[t.start-1] == '"':
			if gapEnd, next = t.start-1, t.end+1; !bytes.HasSuffix(bytes.TrimRight(c.a.src[:s.start], blanks),
				[]byte("=")) {
				gapEnd--
			}
		}
		if s.kind == isOpaque && s.end == len(c.a.src) && !s.isLike(t) &&
			bytes.HasPrefix(c.b.src[new:], c.a.src[old:s.start]) {
			return c.unable(c.e.path, s.why, s.what)
		}
		switch d := c.gap(old, s, new, max(gapEnd, new)); {
		case d != nil:
			return d
		case s.kind == isEnd && t.kind == isEnd:
			return nil
		case s.kind == isEnd || t.kind == isEnd:
			return c.e.differ(s.start, t.start, "the number of links changed: %s%s", s.what, t.what)
		}
		if d := c.spot(s, t); d != nil && !c.noted(c.recordAt(spots[i:]), d) {
			return d
		}
		old, new = s.end, next
	}
}

// recordAt returns the path of the record at the first of some spots, or "". Its lengths and digests are before it.
func (c *comparison) recordAt(spots []spot) string {
	for i := 0; c.records && i < len(spots); i++ {
		if spots[i].kind == isNested {
			return strings.TrimPrefix(c.e.path+"/"+spots[i].what, "/")
		}
	}
	return ""
}

// noted notes the first difference in each record. It reports whether there is one, so that the others are compared.
func (k *checker) noted(record string, d *Difference) bool {
	if all := k.result.Wrong; record != "" && (len(all) == 0 || all[len(all)-1].Record != record) {
		d.Record, k.result.Wrong = record, append(all, d)
	}
	return record != ""
}

// take removes links from the list, up to the first that is not wanted, and returns them.
func (c *comparison) take(wanted func(l Link) bool) (links []Link) {
	n := 0
	for n < len(c.links) && wanted(c.links[n]) {
		n++
	}
	links, c.links = c.links[:n], c.links[n:]
	return links
}

func (c *comparison) before(end int) []Link {
	return c.take(func(l Link) bool { return l.Start < end })
}

// gap compares the texts before a spot. If absolink has links there, the other parser does not know their places.
func (c *comparison) gap(old int, s *spot, new, newEnd int) *Difference {
	links := c.take(func(l Link) bool { return l.End < s.start || s.kind == isEnd })
	for _, l := range links {
		for len(c.a.comments) > 0 && c.a.comments[0].end <= l.Start {
			c.a.comments = c.a.comments[1:]
		}
		if len(c.a.comments) > 0 && c.a.comments[0].start <= l.Start && l.End <= c.a.comments[0].end {
			d := c.e.differ(l.Start, new, "absolink reads the link %s where no link is, as in a comment",
				excerpt(l.Ref, 0))
			d.sure = c.e.plain
			return d
		}
	}
	a, b := c.a.src[old:s.start], c.b.src[new:newEnd]
	if bytes.Equal(a, b) {
		return nil
	}
	if c.differs = c.differs || len(links) > 0; len(links) > 0 && c.align(a, old, b, links) {
		return c.unable(c.e.path, cmp.Or(c.a.failed, "only absolink finds a link"), links[0].Place+" "+
			excerpt(links[0].Ref, 0))
	}
	d := c.e.differText(string(a), string(b), old, new, "the text outside links changed")
	d.sure = slices.ContainsFunc(c.a.comments, func(s span) bool { return s.start <= d.Old && d.Old < s.end })
	return d
}

func (c *comparison) spot(s, t *spot) *Difference {
	raw, now := c.a.src[s.start:s.end], c.b.src[t.start:t.end]
	if !s.isLike(t) {
		return c.changed(s, t, s.what+" became "+t.what)
	}
	switch s.kind {
	case isNested:
		return c.document(s, t, raw, now)
	case isOpaque:
		if c.before(s.end); !bytes.Equal(raw, now) {
			c.unable(c.e.path, s.why, s.what)
		}
		return nil
	case isCount:
		same := bytes.Equal(raw, now)
		if t.fits(string(now)) || same && !s.fits(string(raw)) {
			return nil
		}
		if !s.plain || !c.e.plain {
			return c.unable(c.e.path, "a header field does not fit the old body as other parsers read it", s.what)
		}
		return c.e.differ(s.start, t.start, "%s is %s, which does not fit the new version", s.what,
			excerpt(string(now), 0))
	}
	return c.value(s, t, raw, now)
}

// document compares a document inside the entity.
func (c *comparison) document(s, t *spot, raw, now []byte) *Difference {
	c.before(s.end)
	if s.why != "" && !bytes.Equal(raw, now) {
		c.unable(c.e.path, s.why, s.what)
	}
	s.plain = s.plain && c.e.level < 7 // absolink has lower limits for some documents
	in := c.e.inner(s.what, s.in, s.body, t.body, c.basesOf(s, t))
	in.plain, in.fragment, in.file = in.plain && s.plain, s.own, false
	if in.legacy = c.e.legacy; in.legacy && !ascii(string(s.body)) { // absolink may count its bytes otherwise
		s.plain, in.plain = false, false
	}
	if isUnknown().MatchString(in.kind) {
		in.setType(c.doc.TypeOf("", in.old[:min(len(in.old), 1024)]))
	}
	links := c.result.Links
	switch d := c.check(in); {
	case d != nil && !d.sure && c.e.plain && !s.plain:
		c.result.Links = links
		return c.unable(in.path, "a part is not encoded plainly, and absolink reads it differently", d.What)
	case d != nil:
		return d
	}
	if s.why == "" && bytes.Equal(s.body, t.body) && !bytes.Equal(raw, now) {
		return c.changed(s, t, "the encoding of "+s.what+" changed")
	}
	return nil
}

// isLike reports whether t can be what became of s.
func (s *spot) isLike(t *spot) bool {
	doubt := s.why == t.why || s.why != "" && (s.kind == isNested || s.kind == isOpaque)
	return (s.kind == t.kind || s.kind == isOpaque) && s.what == t.what && s.in == t.in && s.markup == t.markup &&
		doubt && (len(s.refs) == len(t.refs) || !s.plain)
}

func (c *comparison) changed(s, t *spot, what string) *Difference {
	return c.e.differText(string(c.a.src[s.start:s.end]), string(c.b.src[t.start:t.end]), s.start, t.start, what)
}

func (c *comparison) basesOf(s, t *spot) bases {
	in := c.root
	if s.outside {
		in = c.outer
	}
	return bases{c.baseIn(s.scope, in.old), c.baseIn(t.scope, in.new)}
}

func (c *comparison) value(s, t *spot, raw, now []byte) *Difference {
	// an empty link may be at the end
	links := c.take(func(l Link) bool { return l.Start < s.end || l.Start == s.end && l.End == s.end })
	d := c.valueOf(s, t, raw, now, links)
	if d != nil && !d.sure && !s.plain &&
		(s.declares && len(links) == 0 && c.declares(string(raw), string(now), c.basesOf(s, t).old) ||
			c.align(raw, s.start, now, links)) {
		return c.unable(c.e.path, "absolink and the other parser read a value differently",
			s.what+" "+excerpt(s.text, 0))
	}
	return d
}

// declares reports whether a value that declares a base, which absolink need not list as a link, became absolute.
func (c *comparison) declares(old, now string, b base) bool {
	bare := func(s string) string { return markers().ReplaceAllString(unescape(noBlanks.Replace(s)), "") }
	for _, ref := range []string{noBlanks.Replace(old), bare(old), squeeze(old)} {
		for _, b := range []base{b, {url: c.e.url}} { // the second is for --override-base
			if url, ok := c.meaning(ref, false, b); ok && bare(url) == bare(now) &&
				strings.Count(old, ">") == strings.Count(unescape(now), ">") {
				return true
			}
		}
	}
	return false
}

var markers = pattern(`^<?(?i:URL:)|[<>\s]|\([^()]*\)$`)

func (c *comparison) valueOf(s, t *spot, raw, now []byte, links []Link) *Difference {
	if !s.declares && !agree(s, links) {
		what := s.what + " " + excerpt(s.text, 0)
		switch {
		case s.plain && c.e.plain && !s.loose:
			return certain(c.e.differ(s.start, t.start, "absolink does not read the link %s, or reads it otherwise",
				what))
		case bytes.Equal(raw, now) && s.loose:
			return nil
		case bytes.Equal(raw, now) || c.align(raw, s.start, now, links):
			return c.unable(c.e.path, "absolink and the other parser read a value differently", what)
		}
		return c.changed(s, t, s.what+" changed outside the links that absolink reads")
	}
	switch {
	case s.tag.end > 0 && squeeze(t.text) == "" && (c.Base != "keep" || c.e.local != nil):
		return nil
	case strings.HasSuffix(c.e.kind, "xml") && !bytes.Contains(now, []byte("<![")) &&
		bareAmpersands(now) > bareAmpersands(raw):
		return certain(c.changed(s, t, s.what+" has a bare &"))
	case s.text == t.text && !bytes.Equal(raw, now):
		return c.changed(s, t, "another spelling of "+s.what)
	}
	a, b := 0, 0
	for i := range min(len(s.refs), len(t.refs)) {
		f, g := &s.refs[i], &t.refs[i]
		if s.text[a:f.start] != t.text[b:g.start] {
			break
		}
		var l *Link
		// In a loose value an earlier reference with the same text may be no link.
		later := s.loose && s.text == string(raw) && len(links) > 0 && links[0].Start > s.start+f.start
		if len(links) > 0 && !later && s.squeeze(links[0].Ref) == s.squeeze(f.value) {
			l, links = &links[0], links[1:]
		}
		if d := c.link(s, t, f, g, l); d != nil {
			return d
		}
		a, b = f.end, g.end
	}
	if s.text[a:] == t.text[b:] {
		return nil
	}
	return c.changed(s, t, s.what+" changed outside its links")
}

func bareAmpersands(raw []byte) int {
	return bytes.Count(raw, []byte("&")) - len(charRef().FindAllIndex(raw, -1))
}

var charRef = pattern(`&#?[0-9A-Za-z.:_-]+;`)

func agree(s *spot, links []Link) bool {
	n := 0
	for _, f := range s.refs {
		if n < len(links) && s.squeeze(links[n].Ref) == s.squeeze(f.value) {
			n++
		} else if !s.loose {
			return false
		}
	}
	return n == len(links)
}

func (s *spot) squeeze(ref string) string {
	if s.folded {
		return noBlanks.Replace(quoted().ReplaceAllString(ref, "\n"))
	}
	return squeeze(ref)
}

// link compares a reference with its new value. l is absolink's link, or nil.
func (c *comparison) link(s, t *spot, f, g *ref, l *Link) *Difference {
	old, new := s.squeeze(f.value), s.squeeze(g.value)
	in := c.basesOf(s, t)
	same := old == new
	switch {
	case same && f.value != g.value && !c.Relative:
		return c.changed(s, t, s.what+": the white space changed, and the link did not")
	// where a browser follows "#top", it means another document if the base changes; usemap names something in the page
	case same && (c.isAbsolute(old) || strings.HasPrefix(old, "#") && (in.old.url == in.new.url || c.KeepFragments ||
		c.e.local != nil || s.what != "a@href" && s.what != "area@href")):
		return nil
	case l != nil && !same && s.plain && c.staysInBook(old, in.old) && !c.isLocal(old, new, in.old):
		return certain(c.e.differ(s.start, t.start, "%s: %q leads to a file of the book, and is %q", s.what, old, new))
	case !s.declares && c.isLocal(old, new, in.old):
		return c.right(same)
	case l == nil && !same && !s.declares, l != nil && l.Unresolved && !same:
		return c.changed(s, t, s.what+" changed, although it has no URL with these flags")
	case same && c.AllLocal && c.e.local != nil && !c.e.local.book && l != nil && !l.Unresolved && !s.loose:
		return c.unable(c.e.path, "a link stays relative, and leads to no file", s.what+" "+excerpt(old, 0))
	case same && in.old.url == in.new.url:
		if l != nil && l.Unresolved && l.Base == "" && in.old.url != "" && old != "" && s.plain && c.e.plain &&
			!in.old.unsure && c.usable(in.old.url) {
			return certain(c.e.differ(s.start, t.start, "%s: absolink finds no base for %q, and the other parser "+
				"finds %s", s.what, old, in.old.url))
		}
		return nil
	case c.KeepFragments && strings.HasPrefix(old, "#") && !s.declares:
		return certain(c.e.differ(s.start, t.start, "%s is only a fragment, and changed", s.what))
	}
	return c.urls(s, t, in, old, new, l)
}

// urls compares the URL that a reference means with that of its new value.
func (c *comparison) urls(s, t *spot, in bases, old, new string, l *Link) *Difference {
	same := old == new
	if s.own && !same {
		in.new = c.root.new // a page means itself, but what is written means something by its BASE
	}
	want, known := c.meaning(old, s.own, in.old)
	got, ok := new, true
	if c.Relative || same {
		got, ok = c.resolve(new, in.new)
	}
	if c.Unarchive {
		want, got = withoutPort(want), withoutPort(got)
	}
	if known && (ok && got == want || new == want) {
		return c.right(same)
	}
	switch why := c.doubt(s, l, in, old, new, likeness(got) == likeness(want), known && ok); {
	case same && !known:
		return nil
	case why != "":
		return c.unable(c.e.path, why, s.what+" "+excerpt(old, 0))
	case !known:
		return c.changed(s, t, s.what+" has no base, and changed")
	}
	d := c.e.differ(s.start, t.start, "%s: %q must become %q, and is %q", s.what, old, want, new)
	if in.old.unsure || s.declares && !s.plain || !c.e.plain && (same || l != nil && c.rightBy(l, new, false)) {
		return d
	}
	return certain(d)
}

// right counts a right link if it has changed. It returns nil, so that a comparison can return the call.
func (c *comparison) right(same bool) *Difference {
	if !same {
		c.result.Links++
	}
	return nil
}

// doubt returns the reason why a value that seems wrong cannot be judged, or "". like tells whether it differs only in
// characters that are not ASCII.
func (c *comparison) doubt(s *spot, l *Link, in bases, old, new string, like, known bool) string {
	whatwg, same := c.Standard == "whatwg", old == new
	switch {
	case like && (c.e.damaged || c.e.legacy && (whatwg || !utf8.ValidString(in.old.url+old))):
		return "a link has characters that are not ASCII, and the charset is not UTF-8"
	case whatwg && (!known || versions().MatchString(old+" "+in.old.url) || !ascii(old+in.old.url)):
		return "the URL library follows an older URL Standard than absolink"
	case s.folded && !s.plain && l != nil && c.rightBy(l, new, false):
		return "white space in a URL may come from folding"
	case same && (s.loose || s.declares || s.markup != "" || in.old.unsure || l != nil && l.Unresolved):
		return "a value is perhaps no URL, or cannot be written, and the base changed"
	case c.wayback && waybackPath().MatchString(old),
		c.replay != nil && l != nil && c.elsewhere().rightBy(l, new, false):
		return "perhaps the page is not from an archive"
	case c.intoQuery(in) || c.intoQuery(c.outer):
		return "a page or a base moved into a query, where a relative link means something else"
	case c.Override != "" && (s.declares || s.own):
		return "--override-base hides the base"
	case (in.old.unsure || in.new.unsure) && (l == nil && (c.Relative || !c.isAbsolute(old)) ||
		l != nil && c.rightBy(l, new, false)):
		return "the base URL is not declared plainly, and absolink reads it differently"
	}
	return ""
}

// elsewhere is the comparison if the page is from no archive.
func (c comparison) elsewhere() *comparison {
	k := *c.checker
	c.checker, k.replay = &k, nil
	return &c
}

// intoQuery reports whether --map has moved a base into a query.
func (c *comparison) intoQuery(b bases) bool {
	for _, r := range c.Rules {
		if strings.Contains(r.New, "?") && b.new.url != b.old.url && strings.Contains(b.new.url, "?") {
			return true
		}
	}
	return false
}

// staysInBook reports whether a reference leads to a file of the same book.
func (c *comparison) staysInBook(ref string, b base) bool {
	at := c.e.local
	text, query, _ := cutRef(ref)
	return at != nil && at.book && c.Override == "" && b.url == at.home && !c.isAbsolute(ref) && text != "" &&
		query == "" && at.file(ref) != ""
}

func certain(d *Difference) *Difference {
	d.sure = true
	return d
}

// meaning returns the URL that must be written for a reference.
func (c *comparison) meaning(ref string, own bool, b base) (url string, ok bool) {
	url, ok = c.address(ref, own, b)
	return c.mapped(url), ok
}

// address returns the URL of a reference before --map.
func (c *comparison) address(ref string, own bool, b base) (url string, ok bool) {
	if url := c.converted(ref, b); url != "" {
		return c.resolve(url, base{})
	}
	if c.replay != nil {
		ref, b.url = c.replayed(ref), c.replayed(b.url)
	}
	switch {
	case own:
		ref = b.url // resolved like any other, because whatwg changes its spelling
	case waybackPath().MatchString(ref) && (c.wayback && !archived().MatchString(b.url) || c.Unarchive && b.isCopy()):
		ref = waybackHost + ref
	case c.Unarchive:
		if b.url = original(b.url); strings.HasPrefix(ref, "/") && !strings.HasPrefix(ref, "//") &&
			unarchive(waybackHost+ref) != waybackHost+ref {
			ref = waybackHost + ref
		}
	}
	if url, ok = c.resolve(ref, b); !ok || !c.Unarchive || unarchive(url) == url {
		return url, ok
	}
	return c.resolve(unarchive(url), base{})
}

// rightBy reports whether a new value is right by absolink's reading of the link. With like, for an unknown charset,
// all characters that are not ASCII are the same.
func (c *comparison) rightBy(l *Link, new string, like bool) bool {
	old := base{url: l.Base}
	want, ok := c.meaning(squeeze(l.Ref), false, old)
	got := new
	if c.Relative {
		old.url = c.mapped(l.Base)
		got, _ = c.resolve(new, old)
	}
	for _, b := range []base{old, c.outer.old, {url: c.e.url}} {
		if own, _ := c.meaning("", true, b); l.Ref == "" && got == own {
			return true
		}
	}
	if c.Unarchive {
		want, got = withoutPort(want), withoutPort(got)
	}
	want, got = noBlanks.Replace(want), noBlanks.Replace(got)
	return (got == want || new == want) && ok || c.isLocal(squeeze(l.Ref), new, old) ||
		like && likeness(got) == likeness(want) && (c.e.damaged || !ascii(got+want+l.Ref))
}

// likeness returns a text with "?" for each run of characters that are not ASCII or are percent-encoded.
func likeness(s string) string { return foreign().ReplaceAllString(s, "?") }

var foreign = pattern(`(?:[^\x00-\x7F]|%[0-9A-Fa-f]{2})+`)

// align reports whether the new text is the old one, which begins at start, with right values for absolink's links and
// the same bytes between them.
func (c *comparison) align(src []byte, start int, new []byte, links []Link) bool {
	at, old, rest := 0, string(src), string(new)
	for i, l := range links {
		from, to, next := l.Start-start, l.End-start, len(old)
		if from < at || to > next || !strings.HasPrefix(rest, old[at:from]) {
			return false
		}
		if i+1 < len(links) {
			next = max(links[i+1].Start-start, to)
		}
		n := c.valueAt(l, old[from:to], rest[from-at:], old[to:min(next, len(old))])
		if n < 0 {
			return false
		}
		rest, at = rest[from-at+n:], to
	}
	return old[at:] == rest
}

// alignAll is align for what is left of the entity. What may declare a base is left out, because absolink does not list
// it, and in a text that the two read differently nobody can judge it.
func (c *comparison) alignAll() bool {
	declares := declaringTags
	if isMail().MatchString(c.e.kind) || strings.HasSuffix(c.e.kind, "http") {
		declares = declaringFields
	}
	if c.alignWithout(nothing) {
		return true
	}
	for _, c.at = range []span{c.at, {}} { // also from the start, as a torn tag may end in a value
		if c.differs && slices.ContainsFunc([]func() *regexp.Regexp{declares, escapedTags, tornTags}, c.alignWithout) {
			return true
		}
	}
	return false
}

func (c *comparison) alignWithout(declares func() *regexp.Regexp) bool {
	var old []byte
	var links []Link
	rest, at, src := c.e.links, c.at.start, c.a.src
	for _, cut := range append(declares().FindAllIndex(src, -1), []int{len(src), len(src)}) {
		if cut[0] < at {
			continue
		}
		for ; len(rest) > 0 && rest[0].End <= cut[0]; rest = rest[1:] {
			if l := rest[0]; l.Start >= at {
				l.Start, l.End = l.Start-at+len(old), l.End-at+len(old)
				links = append(links, l)
			}
		}
		old, at = append(old, src[at:cut[0]]...), cut[1]
	}
	return c.align(old, 0, declares().ReplaceAll(c.b.src[c.at.end:], nil), links)
}

// baseTags are BASE and META elements, and xml:base.
const (
	baseTags = `(?i)<` + baseName + `(?:(?:[^>"']|"[^"]*"|'[^']*')*>|(?:"[^"]*"|[^<])*?>)` +
		`(?:</(?:[\w.-]+:)?base\s*>)?|xml:base\s*=\s*(?:"[^"]*"|'[^']*')`
	baseName = `(?:[\w.-]+:)?(?:base|meta)\b`
)

var (
	nothing         = pattern(`[^\s\S]`)
	tornTags        = pattern(`(?is)<` + baseName + `.*?>|&lt;` + baseName + `.*?(?:>|&gt;)`)
	escapedTags     = pattern(baseTags + `|&lt;` + baseName + `[^<]*?&gt;`)
	declaringTags   = pattern(baseTags)
	declaringFields = pattern(baseTags + `|(?im)^(?:content-)?(?:base|location)[ \t]*:.*(?:\n[ \t].*)*`)
)

// valueAt returns the length of the right value at the start of new, or -1 if there is none. gap is the text between
// this link and the next.
func (c *comparison) valueAt(l Link, spelled, new, gap string) int {
	ends := []int{len(new)}
	if strings.HasPrefix(new, spelled) && gap != "" {
		ends = []int{len(spelled), len(new)}
	}
	// several, because the value may contain what follows it, as after a backslash in CSS
	for n := 0; gap != "" && len(ends) < 8; n++ {
		i := strings.Index(new[n:], gap)
		if i < 0 {
			break
		}
		n += i
		ends = append(ends, n)
	}
	for _, n := range ends {
		if strings.HasPrefix(new[n:], gap) && (new[:n] == spelled || c.isRight(l, spelled, new[:n])) {
			return n
		}
	}
	return -1
}

var noBlanks = strings.NewReplacer(" ", "", "\t", "", "\n", "", "\r", "", "\f", "")

var quotedValue = pattern(`^=?"([^"]*)"$`)

// quoted matches a line end in a text with the quote marks of mail after it.
var quoted = pattern(`\n[> ]+`)

// isRight reports whether the new value of a link means the URL of the old one.
func (c *comparison) isRight(l Link, old, new string) bool {
	if m := quotedValue().FindStringSubmatch(new); m != nil && old == "" {
		new = m[1] // an unquoted value gets quotes
	}
	ref := func(s string) string {
		return noBlanks.Replace(quoted().ReplaceAllString(s, "\n"))
	}
	around := func(s string) string {
		text := strings.TrimSpace(s)
		return s[:strings.LastIndex(s, text)] + "|" + s[strings.LastIndex(s, text)+len(text):]
	}
	// what was damaged before stays
	if start, ok := strings.CutSuffix(new, old); ok && strings.Contains(l.Ref, "\uFFFD") {
		want, _ := c.meaning(l.Ref, false, base{url: l.Base})
		return strings.HasPrefix(want, unescaped(start))
	}
	was, now := decoded(old), decoded(new)
	for i := range was {
		if (was[i] == now[i] || ref(was[i]) != ref(now[i])) &&
			(around(was[i]) == around(now[i]) || around(now[i]) == "|") &&
			likeness(ref(was[i])) == likeness(ref(l.Ref)) &&
			(c.rightBy(&l, ref(now[i]), true) || c.rightBy(&l, squeeze(now[i]), true)) {
			return true
		}
	}
	return false
}

// decoded returns what a text may mean in each spelling of a link, also in documents that are embedded in each other.
func decoded(s string) (all []string) {
	for range 4 {
		var text string
		if json.Unmarshal([]byte(`"`+s+`"`), &text) != nil {
			text = s
		}
		all = append(all, s, unescapeCSS(s), text, sections().ReplaceAllString(s, ""), lineSpaces.Replace(s),
			section().ReplaceAllString(s, "$1"), section().ReplaceAllString("<![CDATA["+s, "$1"))
		if strings.Contains(s, "&") {
			s = unescaped(s)
		}
	}
	return all
}

var section = pattern(`(?s)<!\[CDATA\[(.*?)\]\]>|<!--.*?-->|<\?.*?\?>`)

var sections = pattern(`(?s)<!\[CDATA\[|\]\]>|<!--.*?-->|<\?.*?\?>`)

func unescaped(s string) string {
	z := html.NewTokenizer(strings.NewReader(`<a b="` + strings.ReplaceAll(s, `"`, "&quot;") + `">`))
	z.Next()
	z.TagName()
	_, value, _ := z.TagAttr()
	return string(value)
}
