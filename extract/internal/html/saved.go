package html

import (
	"bytes"

	"absolink/extract/internal/ascii"
	"absolink/extract/internal/codec"
	"absolink/extract/internal/mark"
	"absolink/extract/internal/saved"
)

// The URL that a saved page came from, as the program that saved it wrote it. The engine reads what is marked here. A
// page that was not saved costs only a look at the text before its head.

// prologue marks the comments of savers before the content of a page: around its html tag,
// where they put them. Farther in, a comment is the page's own, or that of a page which
// was pasted into it. It returns the index where the content begins.
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
			if p = s.attributes(p+5, attrSet{}); p < 0 {
				return len(src)
			}
		default:
			return p
		}
		p = ascii.SkipSpace(src, p)
	}
	return p
}

// comment marks the URL in a comment that a saver may have written; its text begins at start.
func (s *scanner) comment(start, end int) {
	start, end = s.commentText(start, end)
	text := s.src[start:end]
	const web, single, legacy, mono = "saved from url=", "Page saved with SingleFile", "Archive processed by SingleFile", "Saved from "
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

// mirrored marks the URL in the text of a comment, if HTTrack wrote it.
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

// trailer reads a comment after the content, where HTTrack puts its own if it finds no
// better place: right before the end of html.
func (s *scanner) trailer(start, end int) {
	p := ascii.SkipSpace(s.src, end)
	if start < s.content || p < len(s.src) && !(bytes.HasPrefix(s.src[p:], []byte("</")) && isTag(s.src, p+2, "html")) {
		return
	}
	s.mirrored(s.commentText(start, end))
}

// commentText returns the text of a comment, without white space at its ends; nothing of one
// that the file ends in.
func (s *scanner) commentText(start, end int) (int, int) {
	for _, closing := range []string{"--!>", "-->"} {
		if bytes.HasSuffix(s.src[start:end], []byte(closing)) {
			return ascii.TrimSpace(s.src, start, end-len(closing))
		}
	}
	return start, start
}

// saved marks the URL that a saver wrote without any escapes.
func (s *scanner) saved(by *mark.Saver, start, end int) {
	start, end = ascii.TrimSpace(s.src, start, end)
	s.m.Evidence(by, start, end, codec.Identity)
}

// afterNumber returns the index after the number of a mark of the web: the length of the URL,
// or what once was it.
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

// wombat marks the URL in a script of the Wayback Machine: __wm.wombat("URL","TIMESTAMP",...), after
// a call of __wm.init or none.
func (s *scanner) wombat(p, end int) {
	src := s.src[:end]
	if p = ascii.SkipSpace(src, p); !bytes.HasPrefix(src[p:], []byte("__wm.")) {
		return
	}
	const call = "__wm.wombat("
	i := bytes.Index(src[p:], []byte(call))
	if i < 0 {
		return
	}
	p = ascii.SkipSpace(src, p+i+len(call))
	if p == end || src[p] != '"' && src[p] != '\'' {
		return
	}
	for q := p + 1; q < end; q++ {
		switch src[q] {
		case src[p]:
			// The archive escapes it as HTML, though in a script nothing reads that.
			s.m.Evidence(saved.WaybackSaver, p+1, q, codec.AttrDouble)
			return
		case '\\':
			q++
		}
	}
}

var (
	relCanonical = ascii.Words("canonical")
	relBookmark  = ascii.Words("bookmark")
)

// relation marks a link element that may have the URL of the page.
func (s *scanner) relation() {
	href, ok := s.attr(attrHref)
	if !ok || !s.evident() {
		return
	}
	text := s.text(attrRel)
	if ascii.AnyOf(relCanonical, text) {
		s.m.Evidence(saved.Canonical, href.start, href.end, href.quoting.URL())
	}
	if ascii.AnyOf(relBookmark, text) {
		if n := archiveTodayLen(s.src[href.start:href.end]); n > 0 {
			s.m.Evidence(saved.ArchiveToday, href.start+n, href.end, href.quoting.URL())
		}
	}
}

// commentedBase returns the href of the BASE element in the comment that ends right before the current tag: where
// Chromium saves a page with all that belongs to it, it puts <base href="."> after a comment around
// each BASE element. nil if there is none.
func (s *scanner) commentedBase() *mark.Mark {
	end := s.tag.Start
	before, ok := bytes.CutSuffix(s.src[:end], []byte("-->"))
	if !ok || !s.evident() {
		return nil
	}
	p := bytes.LastIndexByte(before, '<') + 1 // no farther than the tag before this one
	if !bytes.HasSuffix(before[:p], []byte("<!--<")) || !isTag(s.src, p, "base") {
		return nil
	}
	tag := scanner{src: s.src[:end]}
	tag.attributes(p+len("base"), allAttrs)
	href, ok := tag.attr(attrHref)
	if !ok {
		return nil
	}
	return &mark.Mark{Start: href.start, End: href.end, Codec: href.quoting.URL(), Base: &mark.Declaration{By: "BASE element in a comment", Always: true}}
}

// evident reports whether evidence counts at the place at hand.
func (s *scanner) evident() bool { return s.m.File && !s.fragment && s.templates == 0 }

// archiveTodayLen is the length of what archive.today puts before the URL of a page that it
// keeps, "http://archive.today/20171216074022/"; 0 for what does not begin so.
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
