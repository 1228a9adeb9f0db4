package browser

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// writeSite writes a small site and its mail, with some faults.
func writeSite(t *testing.T) {
	t.Helper()
	write(t, "site/index.html", `<!DOCTYPE html><title>Home</title><link rel=stylesheet href=style.css><h1>Home</h1>
<a href="news/">News</a> <a href="about.html">About</a> <a href="https://other.example/">Elsewhere</a> <img src="logo.png" srcset="logo.png 1x, logo2.png 2x">`)
	write(t, "site/about.html", `<base href="http://www.site.example/info/"><base href="/wrong/"><a href="team.html">Team</a> <a href="mailto:us@site.example">Mail</a> <a href="http://[bad">Map</a>`)
	write(t, "site/news/index.html", `<a href="../index.html">Home</a> <a href="2026/01.html">January</a> <a href="2026/02.html">February</a> <iframe srcdoc="<a href='inside.html'>inside</a>"></iframe>`)
	write(t, "site/style.css", `@import "print.css"; body { background: url(paper.png) }`)
	write(t, "site/feed.xml", `<rss version="2.0"><channel><link>http://www.site.example/</link><item><link>news/2026/02.html</link></item></channel></rss>`)
	write(t, "site/list.eml", "From: editor@site.example\nSubject: News\nMIME-Version: 1.0\nBase: <URL:http://www.site.example/mail/>\nContent-Type: multipart/related; boundary=\"=_1\"\n\n"+
		"--=_1\nContent-Type: text/html; charset=utf-8\nContent-Transfer-Encoding: quoted-printable\nContent-Location: pages/index.html\n\n"+
		"<p>Read <a href=3D\"about.html?a=3D1&amp;b=3Dcaf=C3=A9\">about us</a>,\n<a href=3D\"http://other.example/\">elsewhere</a>.</p>\n"+
		"--=_1\nContent-Type: text/html\nContent-Transfer-Encoding: base64\n\nPGJhc2UgaHJlZj0iaHR0cDovL2Jhc2UuZXhhbXBsZS8iPgo8YSBocmVmPSJ4Lmh0bWwiPng8\nL2E+Cg==\n"+
		"--=_1\nContent-Type: message/rfc822\n\nContent-Base: <http://inner.example/>\nContent-Type: text/plain\n\nSee <URL:y.html>.\n--=_1--\n")
	write(t, "site/draft.eml", "Content-Type: multipart/mixed\n\nNo boundary.\n")
}

// pagesOfSite writes one page of each kind: links, base, rewrite and explain.
func pagesOfSite(t *testing.T) []string {
	t.Helper()
	writeSite(t)
	absolink(t, "links", "site", "--site", "http://www.site.example/", "--report", "links.html")
	absolink(t, "base", "site", "--report", "base.html")
	absolink(t, "rewrite", "site", "--site", "http://www.site.example/", "-n", "--map", "http://www.site.example/=https://new.example/", "--map", "http://old.example/=https://new.example/",
		"--report", "rewrite.html")
	absolink(t, "explain", "site/list.eml", "-u", "http://archive.example/17", "-o", "explain.html")
	return []string{"links.html", "base.html", "rewrite.html", "explain.html"}
}

// TestFaults: the tests themselves notice a request, a message on the console, an error in a script, and a dialog.
func TestFaults(t *testing.T) {
	for name, text := range map[string]string{
		"request": `<img src="http://127.0.0.1:9/x.png">`, "console": `<script>console.log(1)</script>`, "exception": `<script>throw 1</script>`,
		"a dialog": `<script>alert(1)</script>`, "log": `<meta http-equiv="Content-Security-Policy" content="default-src 'none'"><script>1</script>`,
	} {
		write(t, "fault.html", text)
		b := open(t, "fault.html", page.Enable())
		if faults := b.end(); !strings.Contains(strings.Join(faults, "\n"), name) {
			t.Errorf("%s: not noticed: %q", text, faults)
		}
	}
}

// TestTable: the filter, the choice of documents with problems, and sorting work, even with the keyboard.
func TestTable(t *testing.T) {
	pagesOfSite(t)
	b := open(t, "links.html")
	b.is(rowsShown, "7")
	b.do(chromedp.SendKeys("#filter", "NEWS"))
	b.is(rowsShown, "1")
	b.is(`document.getElementById("count").textContent`, "1 of 7 rows")
	b.do(chromedp.SendKeys("#filter", strings.Repeat(kb.Backspace, 4)), chromedp.Click("#wrong"))
	b.is(rowsShown, "3")
	b.do(chromedp.Click("#wrong"))
	b.is(rowsShown, "7")

	b.do(chromedp.Focus("#table th:nth-child(4) button"), chromedp.KeyEvent(kb.Enter))
	b.is(firstName, "site/index.html")
	b.is(`document.querySelector("#table th:nth-child(4)").getAttribute("aria-sort")`, "descending")
	b.do(chromedp.KeyEvent(" "))
	b.is(`document.querySelector("#table th:nth-child(4)").getAttribute("aria-sort")`, "ascending")
	b.is(firstName, "site/draft.eml")
	b.do(chromedp.Click("#table th:nth-child(2) button"), chromedp.Click("#table th:nth-child(2) button"))
	b.is(firstName, "site/style.css")
	b.is(`document.querySelectorAll("[aria-sort]").length`, "1")
}

// TestLinks: a focused link shows its reference, base, layer and result, and a layer shows only its links.
func TestLinks(t *testing.T) {
	pagesOfSite(t)
	b := open(t, "explain.html")
	b.is(`document.getElementById("detail").offsetParent`, "null")
	b.do(chromedp.Focus("pre a.mark.encapsulating", chromedp.ByQuery))
	for _, want := range []string{"about.html?a=1&b=café", "http://www.site.example/mail/pages/index.html", "encapsulating", "http://www.site.example/mail/pages/about.html?a=1&b=café"} {
		if text := b.value(`document.getElementById("detail").innerText`); !strings.Contains(text, want) {
			t.Errorf("the details have no %q: %q", want, text)
		}
	}
	b.do(chromedp.KeyEvent(kb.Enter)) // follows the link to its row
	b.is(`document.querySelector("tr:target").querySelector("th").textContent`, "a@href")

	const shown = `[...document.querySelectorAll("tr.link")].filter(r => r.offsetParent !== null).length`
	all, _ := strconv.Atoi(b.value(shown))
	b.do(chromedp.Click("#show-encapsulating", chromedp.ByQuery))
	some, _ := strconv.Atoi(b.value(shown))
	if some == 0 || some >= all {
		t.Errorf("%d of %d links are shown", some, all)
	}
	b.is(`getComputedStyle(document.querySelector("a.mark.embedded")).backgroundColor`, "rgba(0, 0, 0, 0)")
	b.do(chromedp.KeyEvent(kb.ArrowLeft))
	b.is(`document.getElementById("show-embedded").checked`, "true")
}

// TestHostile: names, titles, links and bases full of markup and script add nothing to a page.
func TestHostile(t *testing.T) {
	writeHostile(t)
	absolink(t, "links", "hostile", "--report", "hostile-links.html")
	absolink(t, "rewrite", "hostile", "--site", "http://h/", "-n", "--map", "http://h/=http://n/'\"><script>alert(1)</script>", "--report", "hostile-rewrite.html")
	absolink(t, "explain", "hostile/a.html", "-o", "hostile-explain.html")
	absolink(t, "explain", "hostile/part.eml", "-o", "hostile-part.html")
	for _, name := range []string{"hostile-links.html", "hostile-rewrite.html", "hostile-explain.html", "hostile-part.html"} {
		t.Run(name, func(t *testing.T) { checkInert(open(t, name)) })
	}
}

// TestWithoutScript: without JavaScript all rows are readable and the filter is hidden.
func TestWithoutScript(t *testing.T) {
	pagesOfSite(t)
	b := open(t, "links.html", emulation.SetScriptExecutionDisabled(true))
	b.do(emulation.SetScriptExecutionDisabled(false)) // for the checks; the script of the page has not run
	b.is(rowsShown, "7")
	b.is(`document.getElementById("tools").offsetParent`, "null")
	b.is(`document.querySelectorAll("button").length`, "0")
	b.is(`document.querySelectorAll("details.code:not([open])").length`, "0")
	b = open(t, "explain.html", emulation.SetScriptExecutionDisabled(true))
	b.do(emulation.SetScriptExecutionDisabled(false), chromedp.Click("#show-encapsulating", chromedp.ByQuery))
	b.is(`[...document.querySelectorAll("tr.link:not(.encapsulating)")].filter(r => r.offsetParent !== null).length`, "0")
}

// TestAccessible: axe-core finds no serious or critical fault, in light and dark mode, at two widths.
func TestAccessible(t *testing.T) {
	axe, err := os.ReadFile(os.Getenv("AXE"))
	if err != nil {
		t.Fatalf("%v; set AXE to the path of axe.min.js", err)
	}
	for _, name := range pagesOfSite(t) {
		for _, colors := range []string{"light", "dark"} {
			for _, width := range []int64{400, 1400} {
				t.Run(fmt.Sprintf("%s, %s, %d", name, colors, width), func(t *testing.T) {
					b := open(t, name, scheme(colors), chromedp.EmulateViewport(width, 900))
					if name == "explain.html" {
						b.do(chromedp.Focus("pre a.mark", chromedp.ByQuery)) // shows the details
					}
					b.is(`document.documentElement.scrollWidth <= window.innerWidth`, "true")
					checkAccessible(b, string(axe))
				})
			}
		}
	}
}

// checkAccessible runs axe-core in a page, and fails the test for its serious and critical faults.
func checkAccessible(b *tab, axe string) {
	b.t.Helper()
	var result string
	b.do(chromedp.Evaluate(axe+";0", nil), chromedp.Evaluate(`axe.run(document, {resultTypes: ["violations"]}).then(r => JSON.stringify(r.violations.map(
		v => ({id: v.id, impact: v.impact, help: v.help, nodes: v.nodes.map(n => n.html.slice(0, 200))}))))`, &result, await))
	var faults []struct {
		ID, Impact, Help string
		Nodes            []string
	}
	if err := json.Unmarshal([]byte(result), &faults); err != nil {
		b.t.Fatal(err)
	}
	for _, f := range faults {
		report := b.t.Logf
		if f.Impact == "serious" || f.Impact == "critical" {
			report = b.t.Errorf
		}
		report("%s: %s: %s: %s", f.Impact, f.ID, f.Help, f.Nodes)
	}
}

// TestLarge: the report about 100,000 documents has at most 5 MB, and opens in a second. The limit is two, because other
// programs may use the machine.
func TestLarge(t *testing.T) {
	if os.Getenv("ABSOLINK_LONG") == "" {
		t.Skip("a long test: it writes 100,000 files")
	}
	dir := filepath.Join(work, "large")
	for i := range 100 {
		first := fmt.Sprintf("%02d/index.html", i)
		write(t, "large/"+first, "<a href=x><a href=//[>")
		for j := range 999 { // other names of the same file, because writing so many files is slow
			if err := os.Link(filepath.Join(dir, first), filepath.Join(dir, fmt.Sprintf("%02d/page-with-a-name-%03d.html", i, j))); err != nil {
				t.Fatal(err)
			}
		}
	}
	absolink(t, "links", "large", "-o", "large.txt", "--report", "large.html")
	info, err := os.Stat(filepath.Join(work, "large.html"))
	if err != nil {
		t.Fatal(err)
	}
	if info.Size() > 5_000_000 {
		t.Errorf("%d bytes", info.Size())
	}
	b := open(t, "large.html")
	b.is(rowsShown, "2000")
	t.Logf("%d bytes, opened in %s ms", info.Size(), b.value(`performance.getEntriesByType("navigation")[0].loadEventEnd`))
}

// TestScreenshots takes the screenshots of docs/report.md, each smaller than 200 kB.
func TestScreenshots(t *testing.T) {
	pagesOfSite(t)
	for _, shot := range []struct {
		page, file, colors string
		width, height      int64
	}{
		{"rewrite.html", "report-run-1400.png", "light", 1400, 1200},
		{"explain.html", "report-document-1400.png", "dark", 1400, 900},
	} {
		t.Run(shot.file, func(t *testing.T) {
			b := open(t, shot.page, scheme(shot.colors), chromedp.EmulateViewport(shot.width, shot.height))
			if shot.page == "explain.html" {
				b.do(chromedp.Focus("pre a.mark.encapsulating", chromedp.ByQuery))
			} else {
				b.do(chromedp.Evaluate(`document.querySelector("details.change").open = true`, nil))
			}
			var png []byte
			b.do(chromedp.Evaluate(`scrollTo(0, 0)`, nil), chromedp.ActionFunc(shoot(&png)))
			if len(png) == 0 || len(png) >= 200_000 {
				t.Errorf("%d bytes", len(png))
			}
			if *update {
				if err := os.WriteFile("../../docs/"+shot.file, png, 0o644); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
}

func shoot(png *[]byte) func(context.Context) error {
	return func(ctx context.Context) (err error) {
		*png, err = page.CaptureScreenshot().WithFormat(page.CaptureScreenshotFormatPng).Do(ctx)
		return err
	}
}

func await(p *runtime.EvaluateParams) *runtime.EvaluateParams { return p.WithAwaitPromise(true) }
