package extract

import (
	"bytes"
	"cmp"
	"slices"
	"strings"

	"absolink/base"
	"absolink/extract/codec"
)

// What a saved document says of where it came from (RFC 1808 3.3): the half that reads
// what the extractors mark, and weighs it.
//
// It counts only for what is a file of its own, in a folder or in an archive. A document
// within another has its URL from what is around it: a srcdoc from the page, a body part from
// its header, which knows better than a comment that the page may have carried since it was
// first saved.

// Evidence says where a document came from without being in it: an attribute of its file.
type Evidence struct {
	By  string // what says so: "user.xdg.origin.url"
	URL string
}

// saver is a program that writes into a page where it saved it from.
type saver struct {
	by   string
	read func(text []byte) []byte // gives the URL that it wrote as text; nil: that is the URL
}

var (
	markOfTheWeb = &saver{by: "mark of the web", read: withDashes}
	singleFile   = &saver{by: "SingleFile"}
	monolith     = &saver{by: "monolith"}
	httrack      = &saver{by: "HTTrack", read: withScheme}
	savePageWE   = &saver{by: "Save Page WE"}
	webScrapBook = &saver{by: "WebScrapBook"}
	waybackSaver = &saver{by: "Wayback Machine", read: wombatURL}
	archiveToday = &saver{by: "archive.today"}
	redirection  = &saver{by: "Location"}           // before the response that was saved: the last URL used (RFC 1808 3.3)
	canonical    = &saver{by: "LINK rel=canonical"} // no saver: asked last, and only on demand
)

// evidence is a region of the text that says where a saved document came from.
type evidence struct {
	start, end int
	codec      codec.Codec
	saver      *saver
}

// listedEvidence is how much evidence of a document is listed: as many programs as may
// ever have saved it one after the other.
const listedEvidence = 20

// Evidence marks a region that says where the text was saved from.
func (f *Finder) Evidence(by *saver, start, end int, c codec.Codec) {
	if len(f.evidence) < listedEvidence {
		f.evidence = append(f.evidence, evidence{start, end, c, by})
	}
}

// evidence gives what a file says of where it came from, the best first: what its content
// says in the order of the bytes, since who saved it last wrote it in front; then the
// attributes of the file; then, with Canonical, the page's word on where it belongs.
func (w *Walker) evidence(e *Entity, f *Finder) []base.Declaration {
	if !f.file {
		return nil
	}
	// The comments before the content are marked first, and may stand behind the html tag.
	slices.SortStableFunc(f.evidence, func(a, b evidence) int { return cmp.Compare(a.start, b.start) })
	var declared, last []base.Declaration
	for i := range f.evidence {
		at := &f.evidence[i]
		if at.saver == canonical && !w.Canonical {
			continue
		}
		text, _ := at.codec.Decode(e.frame.text[at.start:at.end])
		if at.saver.read != nil {
			text = at.saver.read(text)
		}
		d := w.evident(at.saver.by, string(text))
		d.Offset = e.frame.offset(at.start)
		switch {
		case has(declared, d):
			// Once before the content and once behind it, as HTTrack does.
		case at.saver == canonical:
			if _, own := inArchiveToday([]byte(d.Value)); own && d.Refuse == "" {
				d.Refuse = "the archive's own"
			}
			d.Last = true
			last = append(last, d)
		default:
			declared = append(declared, d)
			e.saved = e.saved.by(at.saver, d, e.file)
		}
	}
	for _, known := range e.evidence {
		d := w.evident(known.By, known.URL)
		switch {
		case d.Refuse != "":
		case HoldsFiles(e.Type, ""):
			d.Refuse = "says where the archive is from, not the files in it"
		case ofArchive(d.Value, e.Document):
			d.Refuse = "names an archive that the file was in"
		}
		d.Last = true // what a container says of a document in the file is better
		declared = append(declared, d)
	}
	return append(declared, last...)
}

// evident is the declaration that a piece of evidence makes.
func (w *Walker) evident(by, url string) base.Declaration {
	url = w.original(url)
	return base.Declaration{Rung: base.Retrieval, By: by, Value: url, Offset: -1, Refuse: unfit(url)}
}

func has(declared []base.Declaration, d base.Declaration) bool {
	return slices.ContainsFunc(declared, func(other base.Declaration) bool { return other.By == d.By && other.Value == d.Value })
}

// unfit says why what a saver wrote is no URL of a page, "" if it may be one. Under every
// standard: to browsers about:internet would be a base like another.
func unfit(url string) string {
	scheme, rest := cutScheme(url)
	switch {
	case url == "":
		return "" // the ladder says so
	case url == "about:internet", url == "http://internet.e-mail": // Microsoft's own for attachments
		return "says only that it came from somewhere"
	case url == "local source":
		return "it was saved from a local file"
	case scheme == "":
		return "not absolute, as the URL of a page is"
	case foldEqual([]byte(scheme), "file"):
		return "a local file is not where it came from"
	case !strings.HasPrefix(rest, "//"):
		return scheme + ": is nowhere that a page comes from"
	}
	return ""
}

// cutScheme cuts a URL behind the colon of its scheme (RFC 1808 2.4.2); scheme is "" if
// it has none.
func cutScheme(url string) (scheme, rest string) {
	for i := range len(url) {
		switch c := url[i]; {
		case c == ':' && i > 0:
			return url[:i], url[i+1:]
		case !isSchemeByte(c), i == 0 && class[c]&letter == 0:
			return "", url
		}
	}
	return "", url
}

// archiveNames are the ends of the names of archives, out of which files come with the
// attributes of the archive itself.
var archiveNames = strings.Fields(".zip .7z .rar .tar .gz .tgz .bz2 .xz .zst .cab .iso .dmg .jar .maff")

// ofArchive says whether a URL names an archive, rather than the document.
func ofArchive(url, document string) bool {
	for _, c := range "#?" {
		url, _, _ = strings.Cut(url, string(c))
	}
	url, document = lower(url), lower(document)
	for _, ext := range archiveNames {
		if strings.HasSuffix(url, ext) {
			return !strings.HasSuffix(document, ext)
		}
	}
	return false
}

// withDashes undoes what Chromium does to a URL in its mark of the web, where "--" would
// end the comment for some: it writes the second dash as %2D.
func withDashes(text []byte) []byte { return bytes.ReplaceAll(text, []byte("-%2D"), []byte("--")) }

// withScheme gives a URL of HTTrack, which leaves http:// out (and in most versions
// https:// too, which nothing tells).
func withScheme(text []byte) []byte {
	if scheme, rest := cutScheme(string(text)); scheme != "" && strings.HasPrefix(rest, "//") {
		return text
	}
	return append([]byte("http://"), text...)
}
