package extract

// This file tells the caller about the links and their problems, and writes a record with its edits.

import (
	"bytes"
	"errors"
	"io"
	"strconv"

	"absolink/base"
	"absolink/extract/internal/ascii"
	"absolink/extract/internal/codec"
	"absolink/extract/internal/css"
	"absolink/extract/internal/header"
	"absolink/extract/internal/html"
	"absolink/extract/internal/mark"
	"absolink/extract/internal/saved"
	"absolink/extract/internal/sniff"
	"absolink/extract/internal/source"
	"absolink/extract/internal/text"
	"absolink/extract/internal/xml"
	"absolink/resolve"
)

// announce tells the caller about a link: its problems, and the link itself.
func (w *walker) announce(r *reference, l *Link, d *decision) {
	if l.URL == nil && d.err == nil {
		return // nobody asks for the URL
	}
	w.needed(r, l, d.stays)
	if d.err != nil {
		w.unresolved(r, l, d)
	}
	if w.call.visitLink != nil || w.x.OnLink != nil || w.x.Map != nil || w.x.OnChange != nil {
		w.locate(r, l)
		w.show(l)
	}
	if !d.same {
		w.compare(r, l)
	}
}

// longestScratch is the greatest length of a URL whose memory is kept while edits are lifted, which takes memory, too.
const longestScratch = 1 << 20

// forget releases the memory of the last link if it is very long. The link is no longer valid.
func (w *walker) forget() {
	if cap(w.buf.url)+cap(w.buf.text) > longestScratch {
		w.buf.url, w.buf.text, w.buf.link.URL, w.buf.link.Ref = nil, nil, nil, nil
	}
}

// unresolved sets and reports the problem of a reference that resolve has not resolved. A reference that names a part, or
// that stays unchanged, has no problem.
func (w *walker) unresolved(r *reference, l *Link, d *decision) {
	l.Status, l.Problem = StatusUnresolved, CodeLinkMalformed
	if d.err == errGrown {
		if l.Problem = CodeSizeLimit; !d.stays {
			w.call.result.tried++
			w.outgrown(r.e, r.text, r.at.Start)
		}
		return
	}
	if !d.stays {
		w.call.result.Unresolved++
	}
	switch {
	case d.err == errLong:
		l.Problem = CodeSizeLimit
	case errors.Is(d.err, resolve.ErrNoBase):
		l.Problem = CodeNoBase
	case errors.As(d.err, new(saved.LocalCopy)):
		l.Problem = CodeLocalCopy
	}
	nameless := l.Problem == CodeNoBase && r.e.parts != nil && l.place == header.ContentLocation // see reportBase
	if l.Part == "" && !d.stays && !nameless {
		w.report(r.e, r.text, r.at.Start, l.Problem, mark.Quote(l.Ref)+": "+d.err.Error())
	}
	if d.err == errNamesPart && !d.stays {
		r.e.needBase()
		w.report(r.e, r.text, r.at.Start, CodeLocalCopy, mark.Quote(l.Ref)+": it names "+l.Part+" of its message, whose Content-Location has no base")
	}
}

// locate sets the position of a link.
func (w *walker) locate(r *reference, l *Link) {
	e, t := r.e, r.text
	if l.Entity != e || l.Scope != r.scope { // rarely true: storing a pointer is slow
		l.Entity, l.Scope = e, r.scope
	}
	if e.index != nil {
		if l.at = r.at.Start; t != e.text {
			l.at = t.Start
		}
		l.after, l.tells = t.Bytes[r.at.End:], r.at.Place.Describe
	}
	if t == e.text && t.Codec == nil {
		l.Offset, l.Raw = r.at.Start+t.Start, t.Bytes[r.at.Start:r.at.End]
	} else {
		span := t.Span(r.at.Span())
		l.Offset, l.Raw = span.Start, e.Bytes[span.Start:span.End]
	}
}

// compare reports a link that browsers resolve to another URL.
func (w *walker) compare(r *reference, l *Link) {
	b := r.scope.Base()
	if w.x.OnProblem == nil || b.String() == "" || l.Status == StatusUnresolved || l.Status == StatusAbsolute && !inBaseScheme(l.Ref, b) {
		return
	}
	if w.rec.compared < 0 {
		return
	}
	if w.rec.compared -= int64(len(b.String()) + len(l.URL)); w.rec.compared < 0 {
		w.differs(r, settingMaxRecord, "links from here on are not compared with browsers, because the URLs would be together longer than "+strconv.FormatInt(w.rec.longest, 10)+" bytes")
		return
	}
	if other, differs := b.InBrowser(l.Ref, l.URL); differs {
		browser := "does not resolve it"
		if other != "" {
			browser = "resolves it to " + mark.Quote([]byte(other))
		}
		w.differs(r, settingStandard, mark.Quote(l.Ref)+" resolves to "+mark.Quote(l.URL)+"; a browser "+browser)
	}
}

// differs reports a link that has another URL in browsers.
func (w *walker) differs(r *reference, setting, detail string) {
	w.problemAt(r.e, r.text, &Problem{Offset: r.at.Start, Code: CodeStandardDiffers, Severity: SeverityNote, Setting: setting, Detail: detail})
}

// inBaseScheme reports whether an absolute reference may be relative in browsers, such as http:x with the base
// http://h/.
func inBaseScheme(ref []byte, b *resolve.Base) bool {
	n := bytes.IndexByte(ref, ':') + 1
	return !bytes.HasPrefix(ref[n:], []byte("//")) && n <= len(b.String()) && ascii.FoldEqualBytes(ref[:n], []byte(b.String()[:n]))
}

// needed reports the unsuitable bases that come before the base of a link. If the link is not relative or stays unchanged,
// it needs no base.
func (w *walker) needed(r *reference, l *Link, stays bool) {
	scope := r.scope
	if len(w.rec.unsuitable) == 0 || !r.e.wanted || l.Status != StatusResolved || stays || scope == w.rec.needing {
		return
	}
	w.rec.needing = scope
	for _, c := range scope.Candidates() {
		if c.Verdict == base.VerdictUsed {
			return
		}
		if p, ok := w.rec.unsuitable[base.Declaration{Offset: c.Offset, Value: c.Value}]; ok {
			delete(w.rec.unsuitable, base.Declaration{Offset: c.Offset, Value: c.Value})
			w.x.problem(p)
		}
	}
}

// writes prepares w.out.record to write a record to dst. dst may be nil.
func (w *walker) writes(rec Record, dst io.Writer) {
	if w.out.record.room == nil && dst != nil {
		w.out.record.room = make([]byte, 0, gathered)
	}
	w.out.record = recordWriter{w: w, dst: dst, rec: rec, at: min(len(rec.of.header), len(rec.Bytes)), room: w.out.record.room[:0]}
	if in := rec.of.in; in != nil && rec.format != nil && !rec.packed.Shared() && dst != nil {
		w.out.member.Begin(in, rec.packed, dst)
		w.out.record.in, w.out.record.dst = &w.out.member, &w.out.member
	}
}

// put writes the record up to the end of the last edit.
func (o *recordWriter) put(edits []codec.Edit) {
	if o.dst == nil {
		return
	}
	for _, e := range edits {
		for c := e.Changes; c != nil; c = c.Next {
			o.w.call.result.Changed += c.N
			if change, ok := c.Of.(*Change); ok {
				o.w.x.OnChange(*change)
			}
		}
		if o.w.x.OnEdit != nil {
			o.w.x.OnEdit(Edit{o.rec.Offset + int64(e.Start), o.rec.Bytes[e.Start:e.End], e.New})
		}
		o.copy(e.Start, false)
		o.write(e.New)
		o.at = e.End
	}
	o.w.out.replacer.Clear()
}

// copy writes the record up to an offset: all of it if last is set, and else up to an edit. If the record is compressed in members,
// it becomes the same members, and a member without an edit is copied. An edit between two members goes to the later one.
func (o *recordWriter) copy(to int, last bool) {
	for o.in != nil && o.w.call.failed == nil {
		end, ok := o.in.Part()
		if !ok || !last && (end > to || to == len(o.rec.Bytes)) {
			break
		}
		if end < o.at { // an edit spans the end of the member
			o.in.Join()
			continue
		}
		if o.at == o.begun && len(o.room) == 0 && !o.in.Written() {
			o.w.fail(o.in.Copy())
		} else {
			o.write(o.rec.Bytes[o.at:end])
			o.flush()
			o.w.fail(o.in.EndPart())
		}
		o.at, o.begun = end, end
	}
	o.write(o.rec.Bytes[o.at:max(to, o.at)])
}

// end writes the rest of the record.
func (o *recordWriter) end() {
	if o.dst == nil {
		return
	}
	o.copy(len(o.rec.Bytes), true)
	o.flush()
	if o.rec.Rest != nil && o.w.call.failed == nil {
		_, err := io.Copy(o.dst, o.rec.Rest)
		o.w.fail(err)
	}
	if o.in != nil && o.w.call.failed == nil {
		o.w.fail(o.in.Close())
	}
}

// gathered is the number of bytes that are collected for one write, because there are only few bytes between two edits.
const gathered = 64 << 10

// write adds b to the collected bytes. It writes them first if there is no room for b.
func (o *recordWriter) write(b []byte) {
	if len(b) > cap(o.room)-len(o.room) {
		o.flush()
		if len(b) > cap(o.room) {
			o.pass(b)
			return
		}
	}
	o.room = append(o.room, b...)
}

// flush writes the collected bytes.
func (o *recordWriter) flush() {
	o.pass(o.room)
	o.room = o.room[:0]
}

// pass writes b to the output, unless the walk has failed.
func (o *recordWriter) pass(b []byte) {
	if len(b) > 0 && o.w.call.failed == nil {
		_, err := o.dst.Write(b)
		o.w.fail(err)
	}
}

// mistyped reports whether an entity is not read, because its content is not of its type. It reports this as a problem, and
// also content that looks like another type and is read by its own type. identified is mark.Part.Identified.
func (w *walker) mistyped(e *Entity, format *mark.Format, identified string) (unread bool) {
	what := ""
	switch {
	case format == html.Format:
		what = sniff.NotHTML(e.Bytes, e.text.Bytes)
		if what == "" && isLinkless(identified) && !bytes.HasPrefix(html.SniffStart(e.text.Bytes), []byte("<")) {
			what = identified + ", as the archive has identified it"
		}
		if unread = what != ""; !unread && rootOf(e.text.Bytes) == xml.XML.Name {
			what = "XML"
		}
	case format == text.Plain || format == css.Format:
		what = looksLike(e.text.Bytes)
	}
	switch {
	case unread:
		w.notRead(e, "the type is "+format.Name+", but the content is "+what+": it is not read, and stays unchanged")
	case what != "":
		w.notRead(e, "the content looks like "+what+", but its type is "+format.Name+": it is read as "+format.Name)
	}
	return unread
}

// fault reports a fault that a format has found. The offset of the fault counts from start in the text t.
func (w *walker) fault(e *Entity, t *source.Text, start int, f *mark.Fault) {
	p := Problem{Offset: start + f.Offset, Code: Code(f.Code), Setting: f.By, Detail: f.Detail}
	switch {
	case p.Setting == settingType:
		p.Setting = typeOf(e)
	case p.Code == CodeDKIMBroken:
		p.Setting = settingKeepDKIM
	}
	switch {
	case f.Normal:
		p.Severity = SeverityNote
	case f.Read:
		p.Severity = SeverityWarning
	default:
		w.reportFor(e, t, &p)
		return
	}
	w.problemAt(e, t, &p)
}

// typeOf returns settingType if Document.Type sets the type and the charset of an entity, or "".
func typeOf(e *Entity) string {
	if e.outer == nil {
		return settingType
	}
	return ""
}

// notRead reports that an entity is not read as its content suggests.
func (w *walker) notRead(e *Entity, detail string) {
	w.x.problem(Problem{Document: e.Document, Entity: e.Path, Severity: SeverityNote, Code: CodeNotRead, Setting: typeOf(e), Detail: detail})
}

// countUnread counts documents inside e that are not read.
func (w *walker) countUnread(e *Entity, count *mark.UnreadCount) {
	if w.x.OnProblem == nil {
		return
	}
	first := Problem{Document: e.Document, Entity: e.Path, Offset: int(e.start) + e.text.Offset(count.Offset)}
	if count.Place != "" {
		first.Entity, first.Offset = e.within(count.Place), 0
	}
	for i := range w.rec.unread {
		if known := &w.rec.unread[i]; known.Unread == count.Unread {
			known.n += count.N
			return
		}
	}
	w.rec.unread = append(w.rec.unread, unread{count.Unread, count.N, first})
}

// isLinkless reports whether a media type names a kind of document without links, such as an image. A type that means
// "unknown" names no kind.
func isLinkless(mediaType string) bool {
	switch mediaType {
	case "", "application/octet-stream", "unknown/unknown", "application/unknown", "*/*":
		return false
	}
	f := formatOf(mediaType)
	return f == nil || f.Is != nil
}

// dropped reports a srcset candidate that is not a link. It does not count the candidate as a link that stays relative.
func (w *walker) dropped(e *Entity, t *source.Text, at *mark.Mark) {
	if w.call.visitEntity == nil && w.x.OnProblem != nil && e.wanted {
		start, end := ascii.TrimSpace(t.Bytes, at.Start, at.End)
		w.problemAt(e, t, &Problem{Offset: start, Code: CodeLinkMalformed, Severity: SeverityWarning,
			Detail: mark.Quote(t.Bytes[start:end]) + ": not a link, because this srcset candidate has invalid descriptors; browsers ignore it"})
	}
}

// tell tells the caller about an entity, and about the faults in its text.
func (w *walker) tell(e *Entity, m *mark.Marks) {
	if w.call.visitEntity != nil && !e.fragment && e.wanted {
		w.fail(w.call.visitEntity(e))
	}
	for i := range m.Notes.Faults {
		w.fault(e, e.text, 0, &m.Notes.Faults[i])
	}
	for i := range m.Notes.Unread {
		w.countUnread(e, &m.Notes.Unread[i])
	}
}
