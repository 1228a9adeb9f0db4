package extract

import (
	"bytes"
	"cmp"
	"slices"

	"absolink/base"
	"absolink/extract/internal/mark"
	"absolink/extract/internal/saved"
	"absolink/resolve"
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

// evidence gives what a file says of where it came from, the best first: what its content
// says in the order of the bytes, since who saved it last wrote it in front; then the
// attributes of the file; then, with Canonical, the page's word on where it belongs.
func (w *Walker) evidence(e *Entity, f *mark.Marks) []base.Declaration {
	if !f.File {
		return nil
	}
	// The comments before the content are marked first, and may stand behind the html tag.
	slices.SortStableFunc(f.Notes.Evidence, func(a, b mark.Evidence) int { return cmp.Compare(a.Start, b.Start) })
	var declared, last []base.Declaration
	for i := range f.Notes.Evidence {
		at := &f.Notes.Evidence[i]
		if at.Saver == saved.Canonical && !w.Canonical {
			continue
		}
		text, _ := at.Codec.Decode(e.text.Bytes[at.Start:at.End])
		if at.Saver.Read != nil {
			text = at.Saver.Read(text)
		}
		d := w.evident(at.Saver.By, string(text))
		d.Offset = e.text.Offset(at.Start)
		switch {
		case has(declared, d):
			// Once before the content and once behind it, as HTTrack does.
		case at.Saver == saved.Canonical:
			if _, own := saved.InArchiveToday([]byte(d.Value)); own && d.Refuse == "" {
				d.Refuse = "the archive's own"
			}
			d.Last = true
			last = append(last, d)
		default:
			declared = append(declared, d)
			e.saved = e.saved.By(at.Saver, d, e.file)
		}
	}
	for _, known := range e.attributes {
		d := w.evident(known.By, known.URL)
		switch {
		case d.Refuse != "":
		case HoldsFiles(e.Type, ""):
			d.Refuse = "says where the archive is from, not the files in it"
		case saved.OfArchive(d.Value, e.Document):
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
	return base.Declaration{Rung: base.Retrieval, By: by, Value: url, Offset: -1, Refuse: saved.Unfit(url)}
}

func has(declared []base.Declaration, d base.Declaration) bool {
	return slices.ContainsFunc(declared, func(other base.Declaration) bool { return other.By == d.By && other.Value == d.Value })
}

// original gives a URL that something was retrieved from; with Unarchive the original of one in the
// archive.
func (w *Walker) original(url string) string {
	if w.Unarchive {
		if original := saved.Unarchived([]byte(url)); original != nil {
			return string(saved.WithoutPort(original))
		}
	}
	return url
}

// resolveSaved resolves a reference in a page that was saved, or that came from an
// archive, to w.url.
func (w *Walker) resolveSaved(e *Entity, b *resolve.Base, ref []byte) (err error) {
	w.url = w.url[:0]
	if e.saved != nil && !b.IsAbsolute(ref) {
		if err := e.saved.Local(ref); err != nil {
			return err
		}
	}
	if w.url, err = b.AppendResolve(w.url, ref); err != nil {
		return err
	}
	if url := w.archived(e, w.url); url != nil { // the base is in the archive
		w.url, err = b.AppendResolve(w.url[:0], url)
	}
	return err
}

// archived gives what a reference into the archive means: with Unarchive the original,
// else the archive's copy, even where only a page of the archive can tell that it is one.
// It is nil for all others.
func (w *Walker) archived(e *Entity, ref []byte) []byte {
	if w.Unarchive {
		if url := saved.Unarchived(ref); url != nil {
			return url
		}
	}
	if e.saved != nil && e.saved.Archived {
		if _, path, ok := saved.InWayback(ref); ok && path || bytes.HasPrefix(ref, []byte(saved.WaybackStatic)) {
			return append([]byte(saved.WaybackOrigin), ref...)
		}
	}
	return nil
}
