package extracttest

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"absolink/extract"
	"absolink/extract/internal/ascii"
	"absolink/extract/internal/saved"
	"absolink/resolve"
)

// Standards are the standards by which a URL can be resolved.
var Standards = []resolve.Standard{resolve.RFC1808, resolve.RFC3986, resolve.WHATWG}

// FirstDifference shows the first difference of two long texts, with the text around it. It is "" if they are equal.
func FirstDifference(want, got string) string {
	if want == got {
		return ""
	}
	n := 0
	for n < len(want) && n < len(got) && want[n] == got[n] {
		n++
	}
	near := func(s string) string { return s[max(0, n-200):min(n+100, len(s))] }
	return fmt.Sprintf("at %d, wanted:\n%q\ngot:\n%q", n, near(want), near(got))
}

// read returns a line for each entity of a document, and for each link, in the order of the bytes.
func read(t *testing.T, w *Walker, d extract.Document) (entities, links []string) {
	t.Helper()
	require.NoError(t, w.Bases(d, func(e *extract.Entity) error {
		entities = append(entities, e.Path+" "+e.Type)
		return nil
	}))
	require.NoError(t, w.Links(d, func(l *extract.Link) error {
		require.Equal(t, string(l.Raw), string(l.Entity.Bytes[l.Offset:l.Offset+len(l.Raw)]))
		links = append(links, readLine(l))
		return nil
	}))
	return entities, links
}

// same checks that out, a rewritten d, has the entities and links of the arguments. It returns false for a known limit:
// see keepsLength.
func same(t *testing.T, w *Walker, d extract.Document, entities, links []string, out, what string) bool {
	t.Helper()
	src := d.Bytes
	d.Bytes = []byte(out)
	gotEntities, gotLinks := read(t, w, d)
	if w.BaseURLs != extract.BaseKeep { // without the element, a document may have no markup, and is not read as HTML
		entities, gotEntities = nil, nil
		links, gotLinks = outsideBases(links), outsideBases(gotLinks)
	}
	for _, lines := range [][2][]string{{entities, gotEntities}, {links, gotLinks}} {
		difference := FirstDifference(strings.Join(lines[0], "\n"), strings.Join(lines[1], "\n"))
		if difference != "" && keepsLength(src, out) {
			return false
		}
		require.Empty(t, difference, "%s:\n%q\n%q", what, src, out)
	}
	return true
}

// readLine is LinkLine, but has the reference of a link without a URL.
func readLine(l *extract.Link) string {
	if l.Status == extract.StatusUnresolved {
		return fmt.Sprintf("%s %s: %q", l.Entity.Path, l.Place(), l.Ref)
	}
	return LinkLine(l)
}

// keepsLength reports whether a Content-Length is the same in both versions of a mailbox. Because the messages grow, a
// wrong Content-Length can become the length of several messages: see docs/formats.md.
func keepsLength(src []byte, out string) bool {
	lengths := func(text string) (numbers []string) {
		for _, part := range strings.Split(ascii.Lower(text), "content-length:")[1:] {
			number, _, _ := strings.Cut(part, "\n")
			numbers = append(numbers, strings.Trim(number, " \t\r"))
		}
		return numbers
	}
	after := lengths(out)
	return bytes.HasPrefix(src, []byte("From ")) &&
		slices.ContainsFunc(lengths(string(src)), func(number string) bool { return slices.Contains(after, number) })
}

func outsideBases(links []string) []string {
	return slices.DeleteFunc(slices.Clone(links), func(line string) bool { return strings.Contains(line, " base@") })
}

// Unharmed checks rules for any document:
//
//   - Without a base nothing changes.
//   - The size of a chunk of marks does not matter.
//   - The output has the entities of the input, and as many links, each with the URL that the rewriting found.
//   - A second rewriting changes nothing.
//   - The same is true if BASE elements are emptied or removed, and if references become relative.
func Unharmed(t *testing.T, w *Walker, d extract.Document) {
	t.Helper()
	src, unused := d.Bytes, *w
	if Damaged(d) {
		return
	}
	url := d.URL
	if d.URL = ""; w.NoEvidence && !w.Unarchive && !HasBase(t, w, d) { // links into an archive need no base
		require.Empty(t, FirstDifference(string(src), Rewrite(t, w, d)), "without a base")
	}
	if d.URL = url; url == "" {
		d.URL = MadeURL
	}
	if Damaged(d) { // with a base, the damage may be found too late to copy the document
		return
	}
	entities, _ := read(t, w, d)
	var found []string // a rewriting may find a base for more links: see OnLink
	collect := func(l *extract.Link) { found = append(found, readLine(l)) }
	w.OnLink = collect
	last := int64(0)
	w.OnEdit = func(e extract.Edit) {
		require.LessOrEqual(t, last, e.Offset, "edits are in order")
		last = e.Offset + int64(len(e.Old))
	}
	once := Rewrite(t, w, d)
	w.OnLink, w.OnEdit = nil, nil
	require.Empty(t, FirstDifference(once, Rewrite(t, &unused, d)), "with a new walker")
	again := func(out, what string) {
		after := d
		after.Bytes = []byte(out)
		if same(t, w, d, entities, found, out, what) {
			require.Empty(t, FirstDifference(out, Rewrite(t, w, after)), "%s, twice", what)
		}
	}
	again(once, "rewritten")
	kept := found
	for _, w.BaseURLs = range []extract.BaseURLs{extract.BaseEmpty, extract.BaseRemove} {
		found = nil
		w.OnLink = collect
		out := Rewrite(t, w, d)
		w.OnLink = nil
		again(out, "without BASE elements")
	}
	w.BaseURLs, found = extract.BaseKeep, kept
	w.Map = func(l *extract.Link) (string, bool) {
		ref, ok := relativeTo(l, w.Standard)
		// a path of the archive would be another link
		return ref, ok && !(w.Unarchive && saved.Unarchived([]byte(ref)) != nil)
	}
	same(t, w, d, entities, found, Rewrite(t, w, d), "relative")
	w.Map = nil
}

// relativeTo returns the relative reference for the URL of a link.
func relativeTo(l *extract.Link, std resolve.Standard) (string, bool) {
	own := l.Scope.Base().String()
	if place := l.Place(); own == "" || place == "base@href" || strings.HasSuffix(place, "xml:base") ||
		l.Entity.Type == "message/rfc822" || l.Entity.Type == "message/http" {
		return "", false
	}
	b, err := std.Base(own)
	if err != nil {
		return "", false
	}
	ref, ok := b.AppendRelative(nil, l.URL)
	return string(ref), ok && len(ref) > 0
}

// FuzzBases are the retrieval URLs of FuzzOptions. They have letters outside ASCII, brackets and spaces, and one is
// longer than what is read of a document to detect its charset or format.
var FuzzBases = []string{"http://h/p/;q?r#s", "http://h/\u00c3\u00a9\u00e9\u65e5/(x)[y]:*_|/q",
	"http://h/a b/From c 10:10/--b/<p>'\"/&amp;#/{},.;`/q", "http://h/" + strings.Repeat("x/", 600)}

// FuzzOptions returns the settings, and the retrieval URL, that a number stands for.
func FuzzOptions(options uint16) (w Walker, url string) {
	take := func(n int) int {
		defer func() { options /= uint16(n) }()
		return int(options) % n
	}
	w.Standard = Standards[take(len(Standards))]
	url = FuzzBases[take(len(FuzzBases))]
	w.Extended, w.NoEvidence, w.Unarchive, w.BreakSignatures = take(2) == 1, take(2) == 1, take(2) == 1, take(2) == 1
	w.Canonical = !w.NoEvidence
	if n := take(len(MboxFlavours) + 1); n > 0 {
		w.Mbox = MboxFlavours[n-1].Format
	}
	return w, url
}
