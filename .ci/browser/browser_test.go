// Package browser opens try.html, and the pages of "absolink --report" and "absolink explain -f html", in Chromium.
//
//	absolink ---> report.html ---> Chromium without a window ---> requests, console, axe-core, screenshots
//
// It is a module of its own, so that the library and the command do not depend on Chromium's driver. .ci/browser/run installs
// Chromium and axe-core, and runs the tests. With -update, TestScreenshots writes its pictures to docs/.
package browser

import (
	"context"
	"flag"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

var update = flag.Bool("update", false, "write the screenshots to docs/")

var (
	binary string // absolink
	work   string // a folder for inputs and pages
	chrome context.Context
)

func TestMain(m *testing.M) {
	flag.Parse()
	os.Exit(run(m))
}

func run(m *testing.M) int {
	var err error
	if work, err = os.MkdirTemp("", "absolink-browser-"); err != nil {
		panic(err)
	}
	defer os.RemoveAll(work)
	binary = filepath.Join(work, "absolink")
	build := exec.Command("go", "build", "-o", binary, "./cmd/absolink")
	build.Dir = "../.."
	if out, err := build.CombinedOutput(); err != nil {
		panic(string(out))
	}
	options := append(chromedp.DefaultExecAllocatorOptions[:],
		chromedp.Flag("headless", true), chromedp.NoSandbox, chromedp.DisableGPU, chromedp.NoFirstRun, chromedp.Flag("disable-quic", true),
		chromedp.Flag("disable-background-networking", true), chromedp.Flag("disable-component-update", true), chromedp.Flag("disable-sync", true),
		chromedp.Flag("hide-scrollbars", true), chromedp.UserDataDir(filepath.Join(work, "profile")))
	if path := os.Getenv("CHROMIUM"); path != "" {
		options = append(options, chromedp.ExecPath(path))
	}
	allocator, cancel := chromedp.NewExecAllocator(context.Background(), options...)
	defer cancel()
	var end context.CancelFunc
	chrome, end = chromedp.NewContext(allocator)
	defer end()
	if err := chromedp.Run(chrome); err != nil {
		panic(fmt.Sprintf("Chromium did not start: %v; set CHROMIUM to its path", err))
	}
	return m.Run()
}

// absolink runs the command in the folder work. Exit status 1 is allowed, because the inputs have faults.
func absolink(t *testing.T, args ...string) {
	t.Helper()
	cmd := exec.Command(binary, append(args, "-q", "--force")...)
	cmd.Dir = work
	out, err := cmd.CombinedOutput()
	if err != nil && cmd.ProcessState.ExitCode() != 1 {
		t.Fatalf("absolink %v: %v: %s", args, err, out)
	}
}

func write(t *testing.T, name, text string) {
	t.Helper()
	path := filepath.Join(work, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}

type tab struct {
	t   *testing.T
	ctx context.Context
	url string

	mu     sync.Mutex
	faults []string
	ended  bool // end was called
}

// open opens a page, and records each request, message on the console and dialog. At the end of the test there must be none.
func open(t *testing.T, name string, before ...chromedp.Action) *tab {
	t.Helper()
	ctx, cancel := chromedp.NewContext(chrome)
	ctx, stop := context.WithTimeout(ctx, 60*time.Second)
	path := filepath.Join(work, name)
	b := &tab{t: t, ctx: ctx, url: (&url.URL{Scheme: "file", Path: path}).String()}
	fault := func(format string, args ...any) {
		b.mu.Lock()
		defer b.mu.Unlock()
		b.faults = append(b.faults, fmt.Sprintf(format, args...))
	}
	chromedp.ListenTarget(ctx, func(event any) {
		switch e := event.(type) {
		case *network.EventRequestWillBeSent:
			if e.Request.URL != b.url && e.Request.URL != "about:srcdoc" {
				fault("a request to %s", e.Request.URL)
			}
		case *runtime.EventConsoleAPICalled:
			fault("console: %s", e.Type)
		case *runtime.EventExceptionThrown:
			fault("exception: %s", e.ExceptionDetails.Error())
		case *log.EventEntryAdded:
			fault("log: %s", e.Entry.Text)
		case *page.EventJavascriptDialogOpening:
			fault("a dialog: %s", e.Message)
			go func() { _ = chromedp.Run(ctx, page.HandleJavaScriptDialog(true)) }()
		}
	})
	t.Cleanup(func() {
		if !b.ended {
			for _, f := range b.end() {
				t.Errorf("%s: %s", name, f)
			}
		}
		stop()
		cancel()
	})
	b.do(network.Enable(), log.Enable())
	b.do(before...)
	b.do(chromedp.Navigate(b.url))
	return b
}

// end returns the faults of the page so far, and stops recording.
func (b *tab) end() []string {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.ended = true
	return b.faults
}

func (b *tab) do(actions ...chromedp.Action) {
	b.t.Helper()
	if err := chromedp.Run(b.ctx, actions...); err != nil {
		b.t.Fatal(err)
	}
}

func (b *tab) value(expression string) string {
	b.t.Helper()
	var text string
	b.do(chromedp.Evaluate("String("+expression+")", &text))
	return text
}

// is requires a value of an expression.
func (b *tab) is(expression, want string) {
	b.t.Helper()
	if got := b.value(expression); got != want {
		b.t.Errorf("%s: got %q, want %q", expression, got, want)
	}
}

func scheme(name string) chromedp.Action {
	return emulation.SetEmulatedMedia().WithFeatures([]*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: name}})
}

// rowsShown counts the visible rows of the table of documents.
const rowsShown = `[...document.querySelectorAll("#table tbody tr")].filter(r => r.offsetParent !== null).length`

const firstName = `document.querySelector("#table tbody th").textContent`

// hostile is text that would add markup, a style or a script, or load a picture.
const hostile = `"'><script>window.injected=1;alert(1)</script><img src="http://127.0.0.1:9/x.png" onerror="window.injected=2"><style>*{display:none}</style>` +
	`</style></script></title></code></pre><svg onload=alert(3)><iframe srcdoc="<script>parent.injected=4</script>"></iframe>{{.}}` + "`${alert(5)}`"

// writeHostile writes documents whose names, titles, links and bases are hostile.
func writeHostile(t *testing.T) {
	t.Helper()
	inName := strings.ReplaceAll(hostile, "/", "\u2215")[:200]
	inName = strings.ToValidUTF8(inName, "")
	attribute := strings.ReplaceAll(hostile, `"`, "&quot;")
	text := `<title>` + hostile + `</title><base href="` + attribute + `"><base href="http://h/` + attribute + `"><a href="` + attribute + `">x</a>` +
		`<a href="javascript:alert(6)">y</a><iframe srcdoc="` + attribute + `"></iframe><a href="//[` + attribute + `">z</a>` + hostile
	for _, name := range []string{"a.html", inName + ".html", `<img src=x onerror=alert(7)>.html`, `javascript:alert(8).html`} {
		write(t, "hostile/"+name, text)
	}
	write(t, "hostile/broken.eml", "Content-Type: multipart/mixed\n\n"+text)
	write(t, "hostile/part.eml", "Content-Type: text/html; charset=\"<script>alert(9)</script>\"\nContent-Transfer-Encoding: quoted-printable\nContent-Base: "+
		strings.ReplaceAll(hostile, "\n", "")+"\n\n"+strings.ReplaceAll(text, "=", "=3D"))
}

// checkInert requires that a page has only the elements of its template, and that nothing from a document has run.
func checkInert(b *tab) {
	b.t.Helper()
	b.is(`window.injected`, "undefined")
	b.is(`document.querySelectorAll("script").length`, "1")
	b.is(`document.querySelectorAll("style").length`, "1")
	b.is(`document.querySelectorAll("img, iframe, object, embed, link, base, video, audio, form[action]").length`, "0")
	b.is(`[...document.querySelectorAll("*")].filter(e => e.getAttributeNames().some(a => a.startsWith("on") || a === "style" || a === "src")).length`, "0")
	b.is(`[...document.querySelectorAll("[href]")].filter(e => !e.getAttribute("href").startsWith("#")).length`, "0")
	if !strings.Contains(b.value(`document.body.innerText`), "window.injected=1") {
		b.t.Error("the page does not show the hostile text")
	}
}
