package extract_test

import (
	"bytes"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
	"github.com/stretchr/testify/require"

	"absolink/extract"
	"absolink/resolve"
)

// read returns a line for each entity of a document, and for each link, in the order of the bytes.
func read(t *testing.T, w *walker, d extract.Document) (entities, links []string) {
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

// same checks that a rewriting to out keeps the entities, and that the links of out are links. It returns false for a known
// limit: see keepsLength.
func same(t *testing.T, w *walker, d extract.Document, entities, links []string, out, what string) bool {
	t.Helper()
	src := d.Bytes
	d.Bytes = []byte(out)
	gotEntities, gotLinks := read(t, w, d)
	if w.BaseURLs != extract.BaseKeep { // a document without the element may have no markup, and then it is no HTML
		entities, gotEntities = nil, nil
		links, gotLinks = outsideBases(links), outsideBases(gotLinks)
	}
	for _, lines := range [][2][]string{{entities, gotEntities}, {links, gotLinks}} {
		difference := firstDifference(strings.Join(lines[0], "\n"), strings.Join(lines[1], "\n"))
		if difference != "" && keepsLength(src, out) {
			return false
		}
		require.Empty(t, difference, "%s:\n%q\n%q", what, src, out)
	}
	return true
}

// readLine has the place and the URL of a link. A link without a URL has its reference.
func readLine(l *extract.Link) string {
	if l.Status == extract.StatusUnresolved {
		return fmt.Sprintf("%s %s: %q", l.Entity.Path, l.Place(), l.Ref)
	}
	return linkLine(l)
}

// keepsLength reports whether both versions of a mailbox have the same Content-Length. A wrong Content-Length may become the
// length of several messages, because the messages grow: see docs/formats.md.
func keepsLength(src []byte, out string) bool {
	lengths := func(text string) (numbers []string) {
		for _, part := range strings.Split(strings.ToLower(text), "content-length:")[1:] {
			number, _, _ := strings.Cut(part, "\n")
			numbers = append(numbers, strings.TrimSpace(number))
		}
		return numbers
	}
	after := lengths(out)
	return bytes.HasPrefix(src, []byte("From ")) && slices.ContainsFunc(lengths(string(src)), func(number string) bool { return slices.Contains(after, number) })
}

// outsideBases returns the lines of links that are not in BASE elements.
func outsideBases(links []string) []string {
	return slices.DeleteFunc(slices.Clone(links), func(line string) bool { return strings.Contains(line, " base@") })
}

// unharmed checks rules for any document:
//
//   - Without a base nothing changes.
//   - The size of a chunk of marks does not matter.
//   - The output has the entities of the input, and as many links, each with the URL that the rewriting found.
//   - A second rewriting changes nothing.
//   - The same is true if BASE elements are emptied or removed, and if references become relative.
func unharmed(t *testing.T, w *walker, d extract.Document) {
	t.Helper()
	src, unused := d.Bytes, *w
	if damaged(d) {
		return
	}
	url := d.URL
	if d.URL = ""; w.NoEvidence && !w.Unarchive && !hasBase(t, w, d) { // links into an archive need no base
		require.Empty(t, firstDifference(string(src), rewrite(t, w, d)), "without a base")
	}
	if d.URL = url; url == "" {
		d.URL = madeURL
	}
	if damaged(d) { // with a base, the damage may be found too late to copy the document
		return
	}
	entities, _ := read(t, w, d)
	var found []string // a rewriting may find a base for more links: see OnLink
	w.OnLink = func(l *extract.Link) { found = append(found, readLine(l)) }
	last := int64(0)
	w.OnEdit = func(e extract.Edit) {
		require.LessOrEqual(t, last, e.Offset, "edits are in order")
		last = e.Offset + int64(len(e.Old))
	}
	once := rewrite(t, w, d)
	w.OnLink, w.OnEdit = nil, nil
	require.Empty(t, firstDifference(once, inChunks(t, unused, d)), "in chunks")
	again := func(out, what string) {
		after := d
		after.Bytes = []byte(out)
		if same(t, w, d, entities, found, out, what) {
			require.Empty(t, firstDifference(out, rewrite(t, w, after)), "%s, twice", what)
		}
	}
	again(once, "rewritten")
	for _, w.BaseURLs = range []extract.BaseURLs{extract.BaseEmpty, extract.BaseRemove} {
		again(rewrite(t, w, d), "without BASE elements")
	}
	w.BaseURLs = extract.BaseKeep
	w.Map = func(l *extract.Link) (string, bool) { return relativeTo(l, w.Standard) }
	same(t, w, d, entities, found, rewrite(t, w, d), "relative")
	w.Map = nil
}

// relativeTo returns the relative reference for the URL of a link.
func relativeTo(l *extract.Link, std resolve.Standard) (string, bool) {
	own := l.Scope.Base().String()
	if place := l.Place(); own == "" || place == "base@href" || strings.HasSuffix(place, "xml:base") || l.Entity.Type == "message/rfc822" || l.Entity.Type == "message/http" {
		return "", false
	}
	b, err := std.Base(own)
	if err != nil {
		return "", false
	}
	ref, ok := b.AppendRelative(nil, l.URL)
	return string(ref), ok && len(ref) > 0
}

// fuzzBases are the retrieval URLs of FuzzRewrite. They have letters outside ASCII, brackets and spaces, and one is longer
// than the first bytes by which a charset or a format is detected.
var fuzzBases = []string{"http://h/p/;q?r#s", "http://h/\u00c3\u00a9\u00e9\u65e5/(x)[y]:*_|/q", "http://h/a b/From c 10:10/--b/<p>'\"/&amp;#/{},.;`/q", "http://h/" + strings.Repeat("x/", 600)}

// documents returns the documents of testdata.
func documents(t testing.TB) (all []extract.Document) {
	require.NoError(t, filepath.WalkDir("../testdata", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || !entry.Type().IsRegular() || filepath.Base(filepath.Dir(path)) == "script" {
			return err
		}
		src, err := os.ReadFile(path)
		switch {
		case err != nil:
		case filepath.Ext(path) == ".txtar":
			_, d := document(t, txtar.Parse(src))
			if d.Bytes == nil {
				d.Bytes = archiveOf(t, d.Name, below("files/", txtar.Parse(src)))
			}
			all = append(all, d)
		case extract.Detect("", path, nil) != nil:
			all = append(all, extract.Document{Name: path, Bytes: src})
		}
		return err
	}))
	return all
}

// fuzzOptions are the settings of FuzzRewrite, each with its number of values.
func fuzzOptions(options uint16) (w walker, url string) {
	take := func(n int) int {
		defer func() { options /= uint16(n) }()
		return int(options) % n
	}
	w.Standard = standards[take(len(standards))]
	url = fuzzBases[take(len(fuzzBases))]
	w.Extended, w.NoEvidence, w.Unarchive, w.BreakSignatures = take(2) == 1, take(2) == 1, take(2) == 1, take(2) == 1
	w.Canonical = !w.NoEvidence
	if n := take(len(mboxFlavours) + 1); n > 0 {
		w.Mbox = mboxFlavours[n-1].format
	}
	return w, url
}

// FuzzRewrite checks the rules of unharmed for any bytes, in each format.
func FuzzRewrite(f *testing.F) {
	n := uint16(0)
	add := func(mediaType string, src string) {
		for range standards {
			f.Add([]byte(src), mediaType, n%uint16(len(standards)*len(fuzzBases)))
			n++ // the next document has another base
		}
	}
	for _, d := range documents(f) {
		if format := extract.Detect(d.Type, d.Name, d.Bytes); format != nil && len(d.Bytes) < 4096 {
			add(format.Name, string(d.Bytes))
		}
	}
	seeds := fuzzSeeds()
	for _, mediaType := range slices.Sorted(maps.Keys(seeds)) {
		for _, src := range seeds[mediaType] {
			add(mediaType, src)
		}
	}
	f.Fuzz(func(t *testing.T, src []byte, mediaType string, options uint16) {
		if extract.FormatOf(mediaType) == nil {
			t.Skip("no format has this media type")
		}
		w, url := fuzzOptions(options)
		if options&(1<<15) != 0 && extract.Detect("", "", src) == extract.FormatOf(mediaType) {
			mediaType = "" // the first bytes determine the format
		}
		unharmed(t, &w, extract.Document{Type: mediaType, URL: url, Bytes: src})
	})
}

// fuzzSeeds are the documents of FuzzRewrite that are not in testdata, by their media types.
func fuzzSeeds() map[string][]string {
	seeds := map[string][]string{
		"text/html": {
			`<base href=/q/><a href=x?a&amp;b>`, `<img srcset="a,b 1x,c"><p style='x:url("y")'>`, "<iframe srcdoc='<a href=x>'>",
			"<base itemid=2 style='a:url(3)' href='x/'><base href=z>\xe9<a href=y>", "<svg><title><base href=x></svg>", "\xff\xfe<\x00a\x00 ", "<meta http-equiv=refresh content='0;url=x'>",
			`<!-- saved from url=(1)http://h/p --><base href=.><a href=p_files/x><a href=/web/20200101000000im_/http://h/y>`,
			`<script>__wm.wombat("http://h:80/")</script><a href=/web/20200101000000/h:80/x><base href=http://web.archive.org/web/2020/ftp://h/>`,
			`<link rel="bookmark canonical" href=http://archive.is/1/http://h/><!-- Mirrored from h/p by HTTrack Website Copier -->`,
			"<a href=\xe9><a href=\xc3\xa9>", "<a href=\xc3\xa9>\xe9", "<a href=x>\xe9" + strings.Repeat(" ", 1000) + "<a href=\xc3\xa9>",
			"<a href=x>\xc3\xa9" + strings.Repeat(" ", 1010) + "\xe9<a href=y>", "<a href=x>" + strings.Repeat(" ", 980) + "<script><meta charset=koi8-r></script><a href=\xe9>",
			"<a href=x>" + strings.Repeat(" ", 1000) + "<a href=y>\xe9", "<meta itemprop=url http-equiv=content-type content=x><a href=\xe9>",
		},
		"text/markdown": {"[](x)", "[a](x)\n- [b]\n\n[b]: y\n", "|[a](x)|b|\n|-|-|\n|[c](y)|`d`|\n", "<a href=x>\n\n<img src=x>b", "www.a.b/c [x](y)", "![a](<x y> 'z')"},
		"text/plain":    {"<URL:x> http://a/b.", "a:http://b", "<URL:\n x>"},
		"text/css":      {`@charset "x";@import "y";a{b:url(c);d:image-set("e" 1x)}`},
		"message/rfc822": {"<img/src=a>", "[](x)\n", "Content-Type: text/html\n<img/src=a>\n", "Content-Type: text/markdown\n[](x)\n", "Content-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: text/html\n<img/src=a>\n--b--\n",
			"Subject: x\nContent-Type: text/html\n \n<img/src=a>\n\n<a/href=b>\n"},
		"message/http": {"HTTP/1.1 200 OK\nContent-Type: text/html\n<img/src=a>\n", "HTTP/1.1 200 OK\nContent-Type: text/html\n\n<img/src=a>\n"},
		"application/mbox": {"From a@b Mon Jan  1 00:00:00 2024\nContent-Type: text/html\n<img/src=a>\n",
			"From a@b Mon Jan  1 00:00:00 2024\nContent-Type: text/html\nContent-Length: 17\n\n\nFrom <a href=x>\n"},
	}
	for i := range hostile {
		seeds["text/html"] = append(seeds["text/html"], string(hostilePage(i, 2)))
	}
	for i := range hostileXML {
		seeds["application/xml"] = append(seeds["application/xml"], string(hostileDocument(i, 2)))
	}
	for _, row := range xmlEdits {
		seeds["application/xml"] = append(seeds["application/xml"], row.src)
	}
	for _, h := range hostileMail {
		seeds["message/rfc822"] = append(seeds["message/rfc822"], h.of(2))
	}
	for _, h := range hostileMboxes {
		seeds["application/mbox"] = append(seeds["application/mbox"], h.of(2))
	}
	for _, newline := range []string{"\n", "\r\n"} {
		seeds["message/rfc822"] = append(seeds["message/rfc822"], rich(newline), "Base: <URL:http://b/>"+newline+rich(newline))
		for _, flavour := range mboxFlavours {
			seeds["application/mbox"] = append(seeds["application/mbox"],
				mboxed(flavour.name, newline, rich(newline), inLines("Content-Type: text/html\n\n<a href=x>\n\nFrom <a href=y> 10:10\n>From <a href=z>\n", newline)))
		}
	}
	seeds["message/http"] = append(seeds["message/http"],
		"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 10\r\n\r\n<a href=x>",
		"HTTP/1.1 302 Found\r\nLocation: x\r\n\r\nHTTP/2 200\nLink: <y>\n\n",
		"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nContent-Type: text/html\r\n\r\n5;x=y\r\n<a hr\r\n5\r\nef=x>\r\n0\r\nX: y\r\n\r\n",
		"HTTP/1.0 200\nContent-Type: multipart/mixed; boundary=b\n\n--b\nBase: <URL:http://b/>\nContent-Type: text/html\n\n<a href=x>\n--b--",
		"HTTP/1.1 200 OK\nContent-Encoding: gzip, deflate\nContent-Location: c\n\n\x1f\x8b\x08",
		"\x1f\x8b\x08")
	return seeds
}
