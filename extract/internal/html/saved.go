package html

import (
	"bytes"

	"absolink/extract/internal/ascii"
	"absolink/extract/internal/codec"
	"absolink/extract/internal/codec/spell"
	"absolink/extract/internal/mark"
	"absolink/extract/internal/saved"
)

// The URL from which a page was saved, where the program that saved it (the saver) wrote the URL into the page. It is
// marked as evidence, and the engine decides what it is worth. In a page that was not saved, only the text before the
// content is read twice.

// prologue marks the comments of savers before the content of a page, and returns where the content begins. Savers
// write them before or after the html tag. A comment further down may belong to another page that was pasted into this
// one.
func (s *scanner) prologue() int {
	src := s.src
	p := ascii.SkipSpace(src, 0)
	for p < len(src) && src[p] == '<' {
		switch rest := src[p+1:]; {
		case bytes.HasPrefix(rest, []byte("!--")):
			end := commentEnd(src, p+4)
			s.comment(p+4, end)
			p = end
		case bytes.HasPrefix(rest, []byte("!")), bytes.HasPrefix(rest, []byte("?")):
			p = ascii.After(src, p+2, '>')
		case isTag(src, p+1, "html"), isTag(src, p+1, "head"):
			if p = s.attributes(p+5, 0); p < 0 {
				return len(src)
			}
		default:
			return p
		}
		p = ascii.SkipSpace(src, p)
	}
	return p
}

// comment marks the URL in the comment src[start:end], without its "<!--", if a saver wrote it.
func (s *scanner) comment(start, end int) {
	start, end = s.commentText(start, end)
	text := s.src[start:end]
	const web, mono = "saved from url=", "Saved from "
	const single, legacy = "Page saved with SingleFile", "Archive processed by SingleFile"
	switch {
	case len(text) > len(web) && ascii.FoldEqual(text[:len(web)], web):
		s.saved(saved.MarkOfTheWeb, afterNumber(s.src, start+len(web), end), end)
	case bytes.HasPrefix(text, []byte(single)), bytes.HasPrefix(text, []byte(legacy)):
		for p := start; p < end; {
			eol := min(ascii.Next(s.src, p, '\n'), end)
			if p = ascii.SkipSpace(s.src[:eol], p); bytes.HasPrefix(s.src[p:eol], []byte("url: ")) {
				s.saved(saved.SingleFile, p+len("url: "), eol)
				return
			}
			p = eol + 1
		}
	case bytes.HasPrefix(text, []byte(mono)):
		with := bytes.LastIndex(text, []byte(" using monolith v"))
		if with < 0 {
			return
		}
		if at := bytes.LastIndex(text[:with], []byte(" at ")); at >= len(mono) {
			s.saved(saved.Monolith, start+len(mono), start+at)
		}
	default:
		s.mirrored(start, end)
	}
}

func (s *scanner) mirrored(start, end int) {
	text, ok := bytes.CutPrefix(s.src[start:end], []byte("Mirrored from "))
	if !ok {
		return
	}
	if by := bytes.Index(text, []byte(" by HTTrack Website Copier")); by >= 0 {
		start = end - len(text)
		s.saved(saved.HTTrack, start, start+by)
	}
}

// trailer marks the URL in a comment right before </html> or at the end of the file, where HTTrack writes it if it
// finds no better place.
func (s *scanner) trailer(start, end int) {
	p := ascii.SkipSpace(s.src, end)
	if start < s.content || p < len(s.src) && !(bytes.HasPrefix(s.src[p:], []byte("</")) && isTag(s.src, p+2, "html")) {
		return
	}
	s.mirrored(s.commentText(start, end))
}

// commentText returns the span of a comment's text, which is empty if the comment has no end.
func (s *scanner) commentText(start, end int) (int, int) {
	for _, closing := range []string{"--!>", "-->"} {
		if bytes.HasSuffix(s.src[start:end], []byte(closing)) {
			return ascii.TrimSpace(s.src, start, end-len(closing))
		}
	}
	return start, start
}

// saved marks a URL that a saver wrote without escapes.
func (s *scanner) saved(by *mark.Saver, start, end int) {
	start, end = ascii.TrimSpace(s.src, start, end)
	s.m.Evidence(by, start, end, codec.Identity)
}

// afterNumber returns the offset after the number in a mark of the web, for example "(0014)". It should be the length
// of the URL, but may be that of an earlier one, so it is ignored.
func afterNumber(src []byte, p, end int) int {
	q := p
	if q < end && src[q] == '(' {
		for q++; q < end && ascii.IsDigit(src[q]); q++ {
		}
		if q < end && src[q] == ')' {
			return q + 1
		}
	}
	return p
}

// replayed marks the URLs in a script of the Wayback Machine, __wm.wombat("URL","TIMESTAMP",...), perhaps after a call
// of __wm.init, or in one of pywb: wbinfo.url = "URL" and wbinfo.prefix = "URL of the archive".
func (s *scanner) replayed(p, end int) {
	src := s.src[:end]
	switch p = ascii.SkipSpace(src, p); {
	case bytes.HasPrefix(src[p:], []byte("__wm.")):
		if url, ok := stringAfter(src, p, "__wm.wombat("); ok {
			// The Wayback Machine escapes the URL as in HTML, although a script has no character references.
			s.m.Evidence(saved.WaybackSaver, url.Start, url.End, spell.AttrDouble)
		}
	case bytes.HasPrefix(src[p:], []byte("wbinfo")), bytes.HasPrefix(src[p:], []byte("window.wbinfo")):
		url, known := stringAfter(src, p, "wbinfo.url =")
		prefix, archived := stringAfter(src, p, "wbinfo.prefix =")
		if known && archived {
			s.m.Evidence(saved.ReplayPrefix, prefix.Start, prefix.End, codec.Identity)
			s.m.Evidence(saved.Pywb, url.Start, url.End, codec.Identity)
		}
	}
}

// stringAfter returns the span of the text in the JavaScript string after a text, or after that and decodeURI.
func stringAfter(src []byte, p int, text string) (span codec.Span, ok bool) {
	i := bytes.Index(src[p:], []byte(text))
	if i < 0 {
		return span, false
	}
	const call = "decodeURI("
	if p = ascii.SkipSpace(src, p+i+len(text)); bytes.HasPrefix(src[p:], []byte(call)) {
		p = ascii.SkipSpace(src, p+len(call))
	}
	if p == len(src) || src[p] != '"' && src[p] != '\'' {
		return span, false
	}
	for q := p + 1; q < len(src); q++ {
		switch src[q] {
		case src[p]:
			return codec.Span{Start: p + 1, End: q}, true
		case '\\':
			q++
		}
	}
	return span, false
}

var (
	relCanonical = ascii.Words("canonical")
	relBookmark  = ascii.Words("bookmark")
)

func (s *scanner) relation() {
	if tag := s.src[s.tag.Start:s.tag.End]; s.m.Rewriting && bytes.IndexByte(tag, '-') >= 0 { // each digest has one
		digests, _ := valueOf(tag, "integrity")
		s.m.Integrity(digests)
	}
	href, ok := s.attr(attrHref)
	if !ok || !s.evident() {
		return
	}
	text := s.text(attrRel)
	if ascii.AnyOf(relCanonical(), text) {
		s.m.Evidence(saved.Canonical, href.start, href.end, href.quoting.URL())
	}
	if ascii.AnyOf(relBookmark(), text) {
		if n := archiveTodayLen(s.src[href.start:href.end]); n > 0 {
			path, _ := saved.InArchiveToday(s.src[href.start:href.end])
			s.m.Evidence(saved.ReplayPrefix, href.start, href.end-len(path), href.quoting.URL())
			s.m.Evidence(saved.ArchiveToday, href.start+n, href.end, href.quoting.URL())
		}
	}
}

// commentedBase returns the href of the BASE element in the comment right before the current tag, or nil. When Chromium
// saves a page with its files, it turns each BASE element into a comment and adds <base href="."> after it.
func (s *scanner) commentedBase() *mark.Mark {
	end := s.tag.Start
	before, ok := bytes.CutSuffix(s.src[:end], []byte("-->"))
	if !ok || !s.evident() {
		return nil
	}
	p := bytes.LastIndexByte(before, '<') + 1 // the name of the last tag before the current one
	if !bytes.HasSuffix(before[:p], []byte("<!--<")) || !isTag(s.src, p, "base") {
		return nil
	}
	tag := scanner{src: s.src[:end]}
	tag.attributes(p+len("base"), allAttrs)
	href, ok := tag.attr(attrHref)
	if !ok {
		return nil
	}
	return &mark.Mark{Start: href.start, End: href.end, Codec: href.quoting.URL(),
		Base: &mark.Declaration{By: "BASE element in a comment", Always: true}}
}

// evident reports whether a saver could have written the current tag: it is in a file of its own, not in a fragment or
// a template.
func (s *scanner) evident() bool { return s.m.File && !s.fragment && s.templates == 0 }

// archiveTodayLen returns the length of the prefix that archive.today puts before a page's URL, as in
// "http://archive.today/20171216074022/", or 0 for any other URL.
func archiveTodayLen(url []byte) int {
	path, ok := saved.InArchiveToday(url)
	n := 0
	for n < len(path) && (ascii.IsDigit(path[n]) || path[n] == '.' || path[n] == '-') {
		n++
	}
	if !ok || n == 0 || n == len(path) || path[n] != '/' {
		return 0
	}
	return len(url) - len(path) + n + 1
}
