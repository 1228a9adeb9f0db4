package archive_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"howett.net/plist"

	"absolink/extract"
	. "absolink/extract/internal/extracttest"
	"absolink/internal/longtest"
)

// webResource is a resource of an archive, for the plist package that reads and writes archives here.
type webResource struct {
	Data     []byte `plist:"WebResourceData"`
	MIMEType string `plist:"WebResourceMIMEType,omitempty"`
	Encoding string `plist:"WebResourceTextEncodingName,omitempty"`
	URL      string `plist:"WebResourceURL,omitempty"`
}

type webArchive struct {
	Main   webResource   `plist:"WebMainResource"`
	Subs   []webResource `plist:"WebSubresources,omitempty"`
	Frames []webArchive  `plist:"WebSubframeArchives,omitempty"`
}

func webarchiveOf(t *testing.T, a webArchive, format int) string {
	var b bytes.Buffer
	e := plist.NewEncoderForFormat(&b, format)
	e.Indent("\t")
	require.NoError(t, e.Encode(a))
	return b.String()
}

func readWebarchive(t *testing.T, src string) webArchive {
	var a webArchive
	_, err := plist.Unmarshal([]byte(src), &a)
	require.NoError(t, err)
	return a
}

func TestWebarchiveRewritten(t *testing.T) {
	second := SecondReader{Function: `import plistlib
def read(document): return plistlib.loads(document)["WebMainResource"]["WebResourceData"].hex()`}
	html := func(data, url string) webResource { return webResource{[]byte(data), "text/html", "UTF-8", url} }
	image := webResource{[]byte("PNG <a href=x>"), "image/png", "", "http://h/i.png"}
	for _, row := range []struct {
		name  string
		a     webArchive
		links []string
	}{
		{"a page", webArchive{Main: html(BagPage, "http://h/p/")}, []string{"WebMainResource a@href WebResourceURL http://h/p/x"}},
		{"a page in KOI8-R", webArchive{Main: webResource{[]byte("<a href=x><a href=http://o/\xd6>"), "text/html", "koi8-r", "http://h/p/"}},
			[]string{"WebMainResource a@href WebResourceURL http://h/p/x", "WebMainResource a@href WebResourceURL http://o/ж"}},
		{"a short page whose new length needs a longer marker", webArchive{Main: html("<a href=x>", "http://h/p/"), Subs: []webResource{image}},
			[]string{"WebMainResource a@href WebResourceURL http://h/p/x"}},
		{"a page whose length gets another byte", webArchive{Main: html(BagPage+strings.Repeat("y", 250-len(BagPage)), "http://h/p/"), Subs: []webResource{image}},
			[]string{"WebMainResource a@href WebResourceURL http://h/p/x"}},
		{"offsets that get another byte", webArchive{Main: html(strings.Repeat("<a href=x>", 5000), "http://h/p/"), Subs: []webResource{image}}, nil},
		{"a style sheet and frames", webArchive{Main: html(BagPage, "http://h/p/"),
			Subs:   []webResource{image, {[]byte("p{background:url(x)}"), "text/css", "", "http://h/css/s.css"}},
			Frames: []webArchive{{Main: html(BagPage+"1", "http://h/f/"), Frames: []webArchive{{Main: html(BagPage+"2", "http://h/f/g/")}}}}},
			[]string{"WebMainResource a@href WebResourceURL http://h/p/x", "WebSubresources[2] url() WebResourceURL http://h/css/x",
				"WebSubframeArchives[1]/WebMainResource a@href WebResourceURL http://h/f/x",
				"WebSubframeArchives[1]/WebSubframeArchives[1]/WebMainResource a@href WebResourceURL http://h/f/g/x"}},
		{"a link at the end of its data", webArchive{Main: html(BagPage, "http://h/p/"), Subs: []webResource{{[]byte("p{background:url(x"), "text/css", "", "http://h/css/s.css"}}},
			[]string{"WebMainResource a@href WebResourceURL http://h/p/x", "WebSubresources[1] url() WebResourceURL http://h/css/x"}},
		{"a URL with characters that XML escapes, and with non-ASCII characters", webArchive{Main: html(BagPage, "http://h/é/?a=1&b=2")}, []string{"WebMainResource a@href WebResourceURL http://h/é/x"}},
		{"a charset of its own", webArchive{Main: webResource{[]byte("<a href=\xe9>"), "text/html", "iso-8859-1", "http://h/p/"}}, []string{"WebMainResource a@href WebResourceURL http://h/p/é"}},
		{"no type: the type is detected in the bytes", webArchive{Main: webResource{[]byte(BagPage), "", "", "http://h/p/"}}, []string{"WebMainResource a@href WebResourceURL http://h/p/x"}},
		{"no URL", webArchive{Main: html(BagPage, "")}, []string{"WebMainResource a@href  (no-base)"}},
		{"an empty archive", webArchive{Main: html("", "")}, nil},
	} {
		for name, format := range map[string]int{"binary": plist.BinaryFormat, "XML": plist.XMLFormat} {
			t.Run(row.name+" "+name, func(t *testing.T) {
				src := webarchiveOf(t, row.a, format)
				d := extract.Document{Name: "t.webarchive", Bytes: []byte(src)}
				if row.links != nil {
					assert.ElementsMatch(t, row.links, BagLinks(t, d))
				}
				problems, out := BagProblems(t, Walker{}, d)
				if row.a.Main.URL != "" {
					assert.Empty(t, problems)
				}
				want := absoluteArchive(row.a)
				assert.Equal(t, want, readWebarchive(t, out))
				assert.Equal(t, fmt.Sprintf("%x\n", row.a.Main.Data) != fmt.Sprintf("%x\n", want.Main.Data), src != out)
				Stable(t, d, out)
				second.Add(t, out, fmt.Sprintf("%x", want.Main.Data))
			})
		}
	}
	t.Run("Python", second.Check)
}

func absoluteArchive(a webArchive) webArchive {
	absolute := func(r webResource) webResource {
		if r.MIMEType != "image/png" && r.URL != "" {
			url, _, _ := strings.Cut(r.URL, "?")
			if r.MIMEType == "text/css" {
				url = "http://h/css/"
			}
			link := strings.NewReplacer("=x>", "="+url+"x>", "(x", "("+url+"x", "=\xe9>", "="+url+"\xe9>")
			r.Data = []byte(link.Replace(string(r.Data)))
		}
		return r
	}
	a.Main = absolute(a.Main)
	a.Subs = append([]webResource(nil), a.Subs...)
	for i := range a.Subs {
		a.Subs[i] = absolute(a.Subs[i])
	}
	a.Frames = append([]webArchive(nil), a.Frames...)
	for i := range a.Frames {
		a.Frames[i] = absoluteArchive(a.Frames[i])
	}
	return a
}

// The tabs with which Apple's XML writer indents lines of base64 stay.
func TestWebarchiveXML(t *testing.T) {
	src := "<?xml version=\"1.0\"?>\n<!DOCTYPE plist PUBLIC \"-//Apple//DTD PLIST 1.0//EN\" \"http://www.apple.com/DTDs/PropertyList-1.0.dtd\">\n<!-- <dict> -->\n" +
		"<plist version=\"1.0\">\n<dict>\n\t<key>x</key>\n\t<array/>\n\t<key>WebMainResource</key>\n\t<dict>\n\t\t<key>WebResourceData</key>\n" +
		"\t\t<data>\n\t\tPCFET0NUWVBFIGh0bWw+PHRpdGxl\n\t\tPnQ8L3RpdGxlPjxhIGhyZWY9eD54\n\t\tPC9hPgo=\n\t\t</data>\n" +
		"\t\t<key>WebResourceURL</key>\n\t\t<string>http://h/p/?a=1&amp;b=2</string>\n\t</dict>\n</dict>\n</plist>\n"
	var w Walker
	out := Rewrite(t, &w, extract.Document{Name: "t.webarchive", Bytes: []byte(src)})
	assert.Equal(t, strings.Replace(src, "PnQ8L3RpdGxlPjxhIGhyZWY9eD54\n\t\tPC9hPgo=", "PnQ8L3RpdGxlPjxhIGhyZWY9aHR0\n\t\tcDovL2gvcC94Png8L2E+Cg==", 1), out)
	assert.Equal(t, BagPageAfter, string(readWebarchive(t, out).Main.Data))
	EveryPrefix(t, "t.webarchive", []byte(strings.Replace(src, "http://h/p/?a=1&amp;b=2", "", 1)))
}

// A string of a binary property list may be in UTF-16, and a length or an offset may have eight bytes.
func TestWebarchiveUTF16(t *testing.T) {
	text := func(s string) string {
		marker := fmt.Sprintf("\x6f\x10%c", len(s))
		for _, c := range s {
			marker += "\x00" + string(c)
		}
		return marker
	}
	src, offsets := "bplist00", ""
	for _, object := range []string{"\xd1\x01\x02", "\x5f\x10\x0fWebMainResource", "\xd2\x03\x04\x05\x06", "\x5f\x10\x0fWebResourceData", "\x5eWebResourceURL",
		fmt.Sprintf("\x4f\x13%s%c%s", strings.Repeat("\x00", 7), len(BagPage), BagPage), text("http://h/p/")} {
		offsets += strings.Repeat("\x00", 7) + string([]byte{byte(len(src))})
		src += object
	}
	src += offsets + "\x00\x00\x00\x00\x00\x00\x08\x01" + "\x00\x00\x00\x00\x00\x00\x00\x07" + strings.Repeat("\x00", 8) + "\x00\x00\x00\x00\x00\x00\x00" + string([]byte{byte(len(src))})
	require.Equal(t, BagPage, string(readWebarchive(t, src).Main.Data))
	d := extract.Document{Name: "t.webarchive", Bytes: []byte(src)}
	_, out := BagProblems(t, Walker{}, d)
	assert.Equal(t, BagPageAfter, string(readWebarchive(t, out).Main.Data))
	Stable(t, d, out)
}

// The URL of a binary webloc is in ASCII or in UTF-16. A string in ASCII gets no other characters.
func TestWeblocBinary(t *testing.T) {
	type bookmark struct{ Name, URL, Zone string }
	for _, row := range []struct{ url, base, want string }{
		{"x", "http://h/p/", "http://h/p/x"},
		{strings.Repeat("x", 300), "http://h/p/", "http://h/p/" + strings.Repeat("x", 300)},
		{"ü", "http://h/p/", "http://h/p/ü"},
		{"x", "http://h/ü/", "x"},
	} {
		src, err := plist.Marshal(bookmark{"n", row.url, strings.Repeat("z", 70_000)}, plist.BinaryFormat)
		require.NoError(t, err)
		d := extract.Document{Name: "t.webloc", URL: row.base, Bytes: src}
		problems, out := BagProblems(t, Walker{}, d)
		assert.Equal(t, row.url == row.want, len(problems) > 0, "%v", problems)
		var got bookmark
		_, err = plist.Unmarshal([]byte(out), &got)
		require.NoError(t, err)
		assert.Equal(t, bookmark{"n", row.want, strings.Repeat("z", 70_000)}, got)
		Stable(t, d, out)
	}
}

// A file without a URL is not a webloc.
func TestWeblocDamaged(t *testing.T) {
	for _, src := range []string{"", "bplist00", "<plist>", "<plist><dict><key>A</key><string>x</string></dict></plist>", "<plist><dict><key>URL</key><string></string></dict></plist>"} {
		problems, out := BagProblems(t, Walker{}, extract.Document{Type: "application/x-webloc", URL: "http://h/", Bytes: []byte(src)})
		assert.Len(t, problems, 1, src)
		assert.Equal(t, src, out)
	}
}

// Data that two resources share is changed for both or for neither.
func TestWebarchiveShared(t *testing.T) {
	for _, row := range []struct{ name, a, b, mediaType, code string }{
		{"from one URL", "http://h/p/", "http://h/p/", "text/html", ""},
		{"from two", "http://h/p/", "http://h/q/", "text/html", "rewrite-refused"},
		{"an image with the bytes of a page", "http://h/p/", "http://h/p/", "image/png", "rewrite-refused"},
	} {
		t.Run(row.name, func(t *testing.T) {
			src := webarchiveOf(t, webArchive{Main: webResource{[]byte(BagPage), "text/html", "", row.a}, Subs: []webResource{{[]byte(BagPage), row.mediaType, "", row.b}}}, plist.BinaryFormat)
			require.Equal(t, 1, strings.Count(src, BagPage), "the writer keeps it once")
			d := extract.Document{Name: "t.webarchive", Bytes: []byte(src)}
			problems, out := BagProblems(t, Walker{}, d)
			if row.code == "" {
				assert.Empty(t, problems)
				assert.Equal(t, BagPageAfter, string(readWebarchive(t, out).Subs[0].Data))
				return
			}
			require.Len(t, problems, 1)
			assert.Contains(t, problems[0], row.code)
			assert.Equal(t, src, out)
		})
	}
}

// Many resources may share one long object for their type, charset or data. It is not read again for each.
func TestWebarchiveSharedLong(t *testing.T) {
	resources, links, length := longtest.Or(3_000, 30_000), longtest.Or(20_000, 60_000), longtest.Or(1<<16, 1<<20)
	long := strings.Repeat("a", length)
	for _, row := range []struct {
		name                           string
		mediaType, encoding, url, data string
		changed                        int
	}{
		{"a type", "text/html;x=" + long, "utf-8", "http://h/p/", "", resources},
		{"a charset", "text/html", long, "http://h/p/", "", resources},
		{"data", "text/html", "utf-8", "http://h/p/", strings.Repeat("<a href=x>", links), links},
	} {
		t.Run(row.name, func(t *testing.T) {
			var objects []string
			put := func(object string) int {
				objects = append(objects, object)
				return len(objects) - 1
			}
			sized := func(kind byte, n int) string {
				return string(binary.BigEndian.AppendUint32([]byte{kind<<4 | 15, 0x12}, uint32(n)))
			}
			text := func(s string) int { return put(sized(5, len(s)) + s) }
			data := func(s string) int { return put(sized(4, len(s)) + s) }
			refs := func(refs ...int) string {
				var b []byte
				for _, ref := range refs {
					b = binary.BigEndian.AppendUint64(b, uint64(ref))
				}
				return string(b)
			}
			top := put(sized(0xD, 2) + refs(1, 2, 3, 4))
			main, subs := text("WebMainResource"), text("WebSubresources")
			put(sized(0xD, 0)) // the page, which is missing
			array := put("")
			keys := []int{text("WebResourceMIMEType"), text("WebResourceTextEncodingName"), text("WebResourceURL"), text("WebResourceData")}
			values := []int{text(row.mediaType), text(row.encoding), text(row.url), data(row.data)}
			require.Equal(t, []int{0, 1, 2, 4}, []int{top, main, subs, array})
			all := make([]int, resources)
			for i := range all {
				if row.data == "" {
					values[3] = data("<a href=x>")
				}
				all[i] = put(sized(0xD, len(keys)) + refs(keys...) + refs(values...))
			}
			objects[array] = sized(0xA, resources) + refs(all...)

			src, table := []byte("bplist00"), []byte(nil)
			for _, object := range objects {
				table = binary.BigEndian.AppendUint32(table, uint32(len(src)))
				src = append(src, object...)
			}
			trailer := binary.BigEndian.AppendUint64([]byte{0, 0, 0, 0, 0, 0, 4, 8}, uint64(len(objects)))
			trailer = binary.BigEndian.AppendUint64(binary.BigEndian.AppendUint64(trailer, 0), uint64(len(src)))
			src = append(append(src, table...), trailer...)
			out := Rewrite(t, new(Walker), extract.Document{Name: "t.webarchive", Bytes: src})
			assert.Equal(t, row.changed, strings.Count(out, "<a href=http://h/p/x>"))
		})
	}
}

func TestWebarchiveMalformed(t *testing.T) {
	good := webarchiveOf(t, webArchive{Main: webResource{[]byte(BagPage), "text/html", "", "http://h/p/"}}, plist.BinaryFormat)
	with := func(at int, b string) string { return good[:len(good)-32+at] + b + good[len(good)-32+at+len(b):] }
	for _, row := range []struct{ name, src string }{
		{"truncated", good[:len(good)-1]},
		{"a trailer alone", "bplist00" + good[len(good)-32:]},
		{"objects of 2^63", with(8, "\x80\x00")},
		{"a table at 2^63", with(24, "\x80\x00")},
		{"a missing top object", with(16, "\x00\x00\x00\x00\x00\x00\x01\x00")},
		{"offsets of no bytes", with(6, "\x00")},
		{"references of 255 bytes", with(7, "\xff")},
		{"XML without end", "<plist><dict><key>WebMainResource</key><dict>"},
		{"XML that ends inside data", "<plist><dict><key>WebMainResource</key><dict><key>WebResourceData</key><data>PGE"},
		{"deep XML", "<plist>" + strings.Repeat("<dict><key>WebSubframeArchives</key><array>", 100000)},
	} {
		t.Run(row.name, func(t *testing.T) {
			problems, out := BagProblems(t, Walker{}, extract.Document{Name: "t.webarchive", Bytes: []byte(row.src)})
			assert.NotEmpty(t, problems)
			assert.Equal(t, row.src, out)
		})
	}
	for n := range good { // truncated, and with one byte changed
		d := extract.Document{Type: "application/x-webarchive", Bytes: []byte(good[:n])}
		problems, out := BagProblems(t, Walker{}, d)
		assert.NotEmpty(t, problems, n)
		assert.Equal(t, good[:n], out)
		d.Bytes = []byte(good)
		d.Bytes[n] ^= 0xFF
		Rewrite(t, new(Walker), d)
	}
	Identical(t, "t.webarchive", []byte(strings.Replace(good, "http://h/p/", "mailto:a@bc", 1)))
	EveryPrefix(t, "t.webarchive", []byte(strings.Replace(good, "http://h/p/", "mailto:a@bc", 1)))
	EveryByte(t, "t.webarchive", []byte(good))
}

func FuzzPlist(f *testing.F) {
	for _, format := range []int{plist.BinaryFormat, plist.XMLFormat} {
		src, err := plist.Marshal(webArchive{Main: webResource{[]byte(BagPage), "text/html", "", ""}, Subs: []webResource{{[]byte("url(x)"), "text/css", "", "http://h/"}}}, format)
		require.NoError(f, err)
		f.Add(src, 0)
	}
	f.Fuzz(func(t *testing.T, src []byte, limit int) {
		Fuzzed(t, "application/x-webarchive", src, limit)
	})
}
