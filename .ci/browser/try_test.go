package browser

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
)

func tryPage(t *testing.T) {
	t.Helper()
	if _, err := os.Stat(filepath.Join(work, "try.html")); err == nil {
		return
	}
	cmd := exec.Command("go", "run", "./cmd/absolink/try", "-o", filepath.Join(work, "try.html"), "-version", "test")
	cmd.Dir = "../.."
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	info, err := os.Stat(filepath.Join(work, "try.html"))
	if err != nil {
		t.Fatal(err)
	}
	if t.Logf("try.html: %d bytes", info.Size()); info.Size() > 10_000_000 {
		t.Error("longer than 10 MB")
	}
}

func (b *tab) wait(expression string) {
	b.t.Helper()
	b.do(chromedp.Poll(expression, nil))
}

// tried is true once the page has read or refused a document.
const tried = `/^(Links|Not read)/.test(document.getElementById("status").textContent)`

// TestTry: the page shows the base, the layers and the links of a document, and rewrites it, or a file, as the command does.
// After an error in one document it reads the next.
func TestTry(t *testing.T) {
	tryPage(t)
	pagesOfSite(t)
	b := open(t, "try.html")
	b.do(chromedp.SetValue("#text", "<base href=/b/><a href=x>", chromedp.ByQuery), chromedp.SetValue("#url", "http://h/p/", chromedp.ByQuery), chromedp.Click("form button", chromedp.ByQuery))
	b.wait(tried)
	b.is(`document.getElementById("status").textContent`, "Links: 1. Changed links and bases: 2.")
	b.is(`document.getElementById("output").textContent`, `<base href=http://h/b/><a href=http://h/b/x>`)
	for _, want := range []string{"(3.1) Base URL embedded in the document", "http://h/b/x", "the URL above", "absolink test"} {
		if !strings.Contains(b.value(`document.getElementById("report").srcdoc`), want) {
			t.Errorf("the report has no %q", want)
		}
	}
	b.is(`document.getElementById("download").protocol`, "blob:")

	b.do(chromedp.Evaluate(`document.getElementById("url").value = ""`, nil), chromedp.SetValue("#text", "<a href=x>", chromedp.ByQuery), chromedp.Click("form button", chromedp.ByQuery))
	b.wait(tried)
	b.is(`document.getElementById("status").textContent`, "Links: 1. Changed links and bases: 0. Relative links without a base: 1. Enter the URL of the document to make them absolute.")
	b.is(`document.getElementById("rewritten").textContent`, "Document, without a change")
	b.is(`document.activeElement.id`, "url")

	for text, want := range map[string]string{"": "Not read: the file is empty", "%PDF-1.4": "Not read: it is a PDF document", "hello": "Not read: unknown type: neither the name nor the first bytes match a format"} {
		b.do(chromedp.Evaluate(`document.getElementById("text").value = "`+text+`"`, nil), chromedp.Click("form button", chromedp.ByQuery))
		b.wait(tried)
		b.is(`document.getElementById("status").textContent`, want)
	}
	b.do(chromedp.SetValue("#text", "<a href=x>", chromedp.ByQuery), chromedp.SetValue("#url", "mailto:a@b", chromedp.ByQuery), chromedp.Click("form button", chromedp.ByQuery))
	b.wait(tried)
	if text := b.value(`document.getElementById("status").textContent`); !strings.HasPrefix(text, "Not read: ") {
		t.Errorf("a wrong URL: %q", text)
	}
	b.is(`document.getElementById("result").offsetParent`, "null")

	b.do(chromedp.Evaluate(`document.getElementById("url").value = ""`, nil), chromedp.SetUploadFiles("#file", []string{filepath.Join(work, "site/list.eml")}, chromedp.ByQuery))
	b.wait(tried)
	b.is(`document.getElementById("download").download`, "list.eml")
	absolink(t, "rewrite", "site/list.eml", "-o", "list.out")
	want, err := os.ReadFile(filepath.Join(work, "list.out"))
	if err != nil {
		t.Fatal(err)
	}
	b.is(`document.getElementById("output").textContent`, string(want))
}

// TestTryHostile: nothing from a document runs in the page or in the report, and the page requests nothing.
func TestTryHostile(t *testing.T) {
	tryPage(t)
	writeHostile(t)
	b := open(t, "try.html", page.Enable())
	b.do(chromedp.SetUploadFiles("#file", []string{filepath.Join(work, "hostile/a.html")}, chromedp.ByQuery))
	b.wait(tried)
	b.is(`window.injected`, "undefined")
	b.is(`document.querySelectorAll("script").length`, "2")
	b.is(`document.querySelectorAll("style").length`, "1")
	b.is(`document.querySelectorAll("img, object, embed, link, base, video, audio, form[action]").length`, "0")
	b.is(`document.querySelectorAll("iframe").length`, "1")
	b.is(`document.getElementById("report").getAttribute("sandbox")`, "allow-scripts")
	b.is(`document.getElementById("output").childElementCount`, "0")
	if !strings.Contains(b.value(`document.getElementById("output").textContent`), "window.injected=1") {
		t.Error("the page does not show the hostile text")
	}
	write(t, "tried.html", b.value(`document.getElementById("report").srcdoc`))
	checkInert(open(t, "tried.html"))
}

// TestTryAccessible: axe-core finds no serious or critical fault in the page.
func TestTryAccessible(t *testing.T) {
	axe, err := os.ReadFile(os.Getenv("AXE"))
	if err != nil {
		t.Fatalf("%v; set AXE to the path of axe.min.js", err)
	}
	tryPage(t)
	for _, colors := range []string{"light", "dark"} {
		b := open(t, "try.html", scheme(colors), chromedp.EmulateViewport(400, 900))
		b.do(chromedp.SetValue("#text", "<a href=x>", chromedp.ByQuery), chromedp.Click("form button", chromedp.ByQuery))
		b.wait(tried)
		b.is(`document.documentElement.scrollWidth <= window.innerWidth`, "true")
		checkAccessible(b, string(axe))
	}
}
