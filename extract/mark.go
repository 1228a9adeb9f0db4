package extract

// This file decodes the text of an entity, and has its format mark what is in it.

import (
	"bytes"
	"errors"
	"path"
	"strconv"
	"strings"

	"absolink/extract/internal/anchor"
	"absolink/extract/internal/ascii"
	"absolink/extract/internal/codec"
	"absolink/extract/internal/codec/charsets"
	"absolink/extract/internal/css"
	"absolink/extract/internal/grammar"
	"absolink/extract/internal/html"
	"absolink/extract/internal/mail"
	"absolink/extract/internal/mark"
	"absolink/extract/internal/pack"
	"absolink/extract/internal/sniff"
	"absolink/extract/internal/source"
	"absolink/extract/internal/text"
	"absolink/extract/internal/xml"
	"absolink/resolve"
)

// walkBytes walks an entity of which transport may tell the charset, and returns the edits of its bytes. If tied is
// set, they are made together or not at all. It finds a format that the type does not tell, a self-extracting page or a
// robots.txt, decodes the charset, and refuses content that is not of its type.
func (w *walker) walkBytes(e *Entity, transport mark.Part) (edits []codec.Edit, tied bool) {
	format := e.format
	if format.Split != nil {
		return w.inside(e)
	}
	if format == html.Format && pack.IsSelfExtracting(e.Bytes) {
		e.format, e.outerScope = pack.SelfExtracting, e.asArchive(w.x.Standard, e.outerScope, w.totals.urls >= 0)
		w.totals.spend(len(e.outerScope.RetrievalURL()))
		format = e.format
	}
	if format == text.Plain && e.isRobots() {
		e.format = text.Robots
	}
	enc := w.encodingOf(e, format, transport.Charset)
	if e.charset = enc.Codec; e.charset != nil {
		if err := e.text.Decode(nil, 0, e.Bytes, e.charset, new([]byte)); err != nil {
			w.reportUndecodable(e, &e.text, max(bytes.Index(e.text.Bytes, []byte("\uFFFD")), 0), err,
				enc.Name+": "+err.Error()+"; these bytes stay unchanged")
		}
	} else {
		bom := charsets.BOMLen(e.Bytes)
		if format == pack.SelfExtracting {
			bom = 0 // the offsets in a self-extracting page count from its first byte
		}
		e.text = source.Text{Bytes: e.Bytes[bom:], Src: e.Bytes[bom:], Start: bom}
	}
	if !transport.Given && w.mistyped(e, format, transport.Identified) {
		w.leaveUnread(e, e.Path, &e.text)
		return nil, false
	}
	e.std = w.x.Standard
	if w.x.Standard == resolve.WHATWG && !format.UTF8 {
		e.std = e.std.WithQueryEncoding(charsets.QueryEncoding(enc.Name))
	}
	e.ownSpelling = source.NewCharset(enc, e.Bytes, transport.SevenBit)
	e.spelling, e.raw = &e.ownSpelling, true
	edits, tied = w.walkText(e)
	if e.charset == nil {
		return codec.Shift(edits, e.text.Start), tied
	}
	edits, err := w.liftEdits(e, e.charset, e.Bytes, &e.text, edits, tied)
	if err != nil {
		w.report(e, nil, 0, CodeRewriteRefused, err.Error())
	}
	return edits, tied
}

// isRobots reports whether a plain text is a robots.txt, by its URL or its name (RFC 9309 2.3).
func (e *Entity) isRobots() bool {
	url, _, _ := strings.Cut(e.outerScope.RetrievalURL(), "?")
	return path.Base(url) == "robots.txt" || path.Base(e.file) == "robots.txt"
}

// encodingOf returns the encoding of an entity, by the rules of its format. transport is the charset that came with it,
// or "".
func (w *walker) encodingOf(e *Entity, format *mark.Format, transport string) source.Encoding {
	if format.Charset == nil {
		return source.Encoding{}
	}
	if transport != "" {
		if _, _, ok := charsets.Of(transport); !ok {
			w.reportStaying(e, nil, &Problem{Code: CodeCharsetUnknown, Setting: typeOf(e),
				Detail: mark.Quote([]byte(transport)) + " is not a charset of the Encoding Standard, so the charset " +
					"is detected from the content"})
			transport = ""
		}
	}
	if transport == "" && w.x.Standard != resolve.WHATWG && ascii.PlainASCII(e.Bytes) {
		// ASCII is the same text in every encoding that could be declared here. If an edit inserts other characters,
		// the format detects the encoding at that time.
		return source.Encoding{Format: format, Late: true}
	}
	enc := source.EncodingOf(format, e.Bytes, transport)
	enc.Queries = w.x.Standard == resolve.WHATWG
	return enc
}

// marked has the format of an entity mark what is in its text.
func (w *walker) marked(e *Entity) *mark.Marks {
	m := w.marks(e.depth)
	m.File = e.isFile && !w.x.NoEvidence
	m.Srcdoc, m.Local = e.srcdoc, e.local != nil
	// a link in a conditional comment may need the BASE to be removed
	m.Office = w.x.Extended || e.inMail() || w.baseURLs(e) != BaseKeep
	m.Members = ofFiles(e.members)
	m.BOM = e.raw && e.text.Start > 0
	if w.x.DescribeLinks {
		e.index = mark.ScratchOf[anchor.Index](m)
		e.index.Clear()
	}
	m.Policy([]byte(e.policy))
	e.format.Mark(e.text.Bytes, m)
	e.guards = &m.Notes.Guards
	return m
}

// inMail reports whether an entity is inside a message.
func (e *Entity) inMail() bool {
	for e = e.parent; e != nil && e.Type != mail.Message.Name; e = e.parent {
	}
	return e != nil
}

// marks returns the empty Marks of one nesting level.
func (w *walker) marks(depth int) *mark.Marks {
	m := &w.level(depth).marks
	m.Settings = mark.Settings{Extended: w.x.Extended, Rewriting: w.call.rewriting, DescribeLinks: w.x.DescribeLinks,
		Added: w.x.AddPlaces, Formats: formatOf, Named: isNamed,
		MaxDepth: w.x.maxDepth(), MaxRecord: w.x.maxRecord(), MaxRatio: w.x.maxRatio(),
		MaxMarks: max(w.totals.marksLeft, 1)}
	m.Clear()
	return m
}

// mistyped reports whether an entity is not read because its content is not of its type. It also reports content that
// looks like another type, but is read all the same. identified is mark.Part.Identified.
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
		w.reportMistyped(e, "the type is "+format.Name+", but the content is "+what+
			": it is not read, and stays unchanged")
	case what != "":
		w.reportMistyped(e, "the content looks like "+what+", but its type is "+format.Name+
			": it is read as "+format.Name)
	}
	return unread
}

// reportFault reports a fault that a format has found. Its offset counts from start in the text t.
func (w *walker) reportFault(e *Entity, t *source.Text, start int, f *mark.Fault) {
	p := Problem{Offset: start + f.Offset, Code: Code(f.Code), Setting: f.By, Detail: f.Detail}
	if f.More > 0 {
		p.Detail += "; " + strconv.Itoa(f.More) + " more problems of this kind are not listed"
	}
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
		w.reportStaying(e, t, &p)
		return
	}
	w.reportAt(e, t, &p)
}

// typeOf returns settingType if Document.Type sets the type and the charset of an entity, or else "".
func typeOf(e *Entity) string {
	if e.parent == nil {
		return settingType
	}
	return ""
}

// reportMistyped reports that an entity is not read as its content suggests.
func (w *walker) reportMistyped(e *Entity, detail string) {
	w.x.report(Problem{Document: e.Document, Entity: e.Path, Severity: SeverityNote, Code: CodeContentMismatch,
		Setting: typeOf(e), Detail: detail})
}

// isLinkless reports whether a media type names a kind of document in which no links are read, such as an image. A type
// that means "unknown" names none.
func isLinkless(mediaType string) bool {
	switch mediaType {
	case "", "application/octet-stream", "unknown/unknown", "application/unknown", "*/*":
		return false
	}
	f := formatOf(mediaType)
	return f == nil || f.Is != nil
}

// reportDropped reports a srcset candidate that is not a link, or counts that of a template. No base is needed for one
// with invalid descriptors, which browsers ignore.
func (w *walker) reportDropped(e *Entity, t *source.Text, at *mark.Mark) {
	start, end := ascii.TrimSpace(t.Bytes, at.Start, at.End)
	switch {
	case w.call.visitEntity != nil || !e.wanted:
	case w.x.Standard != resolve.WHATWG && grammar.HasPlaceholder(t.Bytes[start:end], false):
		e.needBase()
		w.countUnread(e, t, &mark.UnreadCount{Unread: mark.Template, N: 1, Offset: start})
	case w.x.OnProblem != nil:
		w.reportAt(e, t, &Problem{Offset: start, Code: CodeLinkMalformed, Severity: SeverityWarning,
			Detail: mark.Quote(t.Bytes[start:end]) + ": not a link, because this srcset candidate has invalid " +
				"descriptors; browsers ignore it"})
	}
}

// reportNotes reports the faults in the text t of e, and counts what is not read in it.
func (w *walker) reportNotes(e *Entity, t *source.Text, m *mark.Marks) {
	for i := range m.Notes.Faults {
		w.reportFault(e, t, 0, &m.Notes.Faults[i])
	}
	for i := range m.Notes.Unread {
		w.countUnread(e, t, &m.Notes.Unread[i])
	}
}

// reportUndecodable reports an error of a codec for the region at an offset of t, at the damage if the error tells
// where that is.
func (w *walker) reportUndecodable(e *Entity, t *source.Text, offset int, err error, detail string) {
	severity := SeverityWarning
	if d := (*codec.Damage)(nil); errors.As(err, &d) {
		offset += d.Offset
	}
	if errors.Is(err, codec.ErrUnread) {
		severity = SeverityError
	}
	w.reportAt(e, t, &Problem{Offset: offset, Code: CodeUndecodable, Severity: severity, Detail: detail})
}
