package saved

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"absolink/base"
	"absolink/extract/internal/mark"
)

func TestUnarchived(t *testing.T) {
	const path, host = "/web/20200101000000/", "https://web.archive.org/web/20200101000000/"
	for _, row := range []struct{ ref, want string }{
		{path + "http://h/x", "http://h/x"},
		{"/web/20200101000000im_/http://h/x.png", "http://h/x.png"},
		{"/web/20200101000000wkrf_/http://h/x.js", "http://h/x.js"},
		{host + "https://h/x", "https://h/x"},
		{"HTTP://Wayback.archive.org:80/web/2020/http://h/", "http://h/"},
		{"//www.web.archive.org:443/web/2020/http://h/", "http://h/"},
		{path + "h/x", "http://h/x"},
		{path + "//h/x", "http://h/x"},
		{path + "http:/h/x", "http://h/x"},
		{path + host + "http://h/x", "http://h/x"},
		{"/web/2020/about.html", ""},
		{"/web/202/http://h/", ""},
		{"/web/202001010000001/http://h/", ""},
		{"/web/20200101000000/", ""},
		{"/web/20200101000000//", ""},
		{path + "http://", ""},
		{path + "https:///x", ""},
		{path + "http:", ""},
		{path + "http%3A//h/x", ""},
		{path + "https:%2F%2Fh/x", ""},
		{"/web/2020/http://?x", ""},
		{"/web/20200903005938*/http://h/x", ""},
		{"/web/*/http://h/x", ""},
		{path + "http://h/x%3Ay", "http://h/x%3Ay"},
		{"https://web.archive.org:81/web/2020/http://h/", ""},
		{"https://h" + path + "http://h/", ""},
		{"https:" + path + "http://h/", ""},
		{"x", ""},
		{"", ""},
	} {
		assert.Equal(t, row.want, string(Unarchived([]byte(row.ref))), row.ref)
	}
}

func TestInWaybackPath(t *testing.T) {
	for ref, want := range map[string]bool{"/web/2020/http://h/": true, "//web.archive.org/web/2020/http://h/": false} {
		_, path, ok := inWayback([]byte(ref))
		assert.True(t, ok, ref)
		assert.Equal(t, want, path, ref)
	}
}

func TestWithoutPort(t *testing.T) {
	for url, want := range map[string]string{
		"http://h:80/x:80": "http://h/x:80", "https://h:443?x": "https://h?x", "http://h:443/": "http://h:443/", "http://h:80": "http://h", "x:80": "x:80",
	} {
		assert.Equal(t, want, string(WithoutPort([]byte(url))), url)
	}
}

// Local returns an error for a reference to a copy that the saver of the page made.
func TestLocal(t *testing.T) {
	by := func(saver *mark.Saver, url string) *Saved {
		return (*Saved)(nil).By(saver, base.Declaration{Value: url}, "dir/page.html")
	}
	unrecorded := New("dir/page.html")
	browser, httrack, book := by(MarkOfTheWeb, "http://h/p.html"), by(HTTrack, "http://h/a/b.html"), by(WebScrapBook, "http://h/")
	for _, row := range []struct {
		saved     *Saved
		ref, want string
	}{
		{browser, "page_files/x.png", "a local copy in the page's companion folder"},
		{browser, "./page-Dateien/x.png", "a local copy in the page's companion folder"},
		{browser, "other_files/x.png", "a local copy in the page's companion folder"},
		{browser, "page/x.png", ""},
		{browser, "/page_files/x.png", ""},
		{browser, "#page_files/x", ""},
		{httrack, "../x.html", ""},
		{httrack, "../../other/x.html", "a local copy that HTTrack made of a file from another host"},
		{httrack, "xc4ca.html?1", "a local copy that HTTrack made of a URL with a query"},
		{httrack, "xffff.html?1", ""},
		{unrecorded, "page_files/x.png", "a local copy in a folder with the name of the page; such links stay"},
		{unrecorded, "./page.html_Files/x.png", "a local copy in a folder with the name of the page; such links stay"},
		{unrecorded, "page%2Dfiler/x.png", "a local copy in a folder with the name of the page; such links stay"},
		{unrecorded, "page.files/x.png", ""}, // there is no such folder
		{unrecorded, "page_files", ""},
		{unrecorded, "other_files/x.png", ""},
		{unrecorded, "/page_files/x.png", ""},
		{unrecorded, "x.png", ""},
		{browser, "page.html_Files/x.png", "a local copy in the page's companion folder"},
		{book, "x.png", "a local copy that WebScrapBook made"},
		{by(SingleFile, "http://h/"), "x.png", ""},
		{by(MarkOfTheWeb, "about:internet"), "page_files/x.png", ""},
	} {
		if row.saved == unrecorded {
			row.saved.FolderBeside = func(name string) bool { return name != "page.files" }
		}
		got := ""
		if err := row.saved.Local([]byte(row.ref)); err != nil {
			got = err.Error()
		}
		assert.Equal(t, row.want, got, row.ref)
	}
}

func TestUnfit(t *testing.T) {
	for _, url := range []string{"about:internet", "http://internet.e-mail", "local source", "p.html", "file:///c:/p.html", "mailto:x"} {
		assert.NotEmpty(t, Unfit(url), url)
	}
	for _, url := range []string{"http://h/p.html", "https://h/", "ftp://h/p", ""} {
		assert.Empty(t, Unfit(url), url)
	}
}
