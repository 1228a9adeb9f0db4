//go:build unix

package memorytest_test

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"encoding/base64"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"absolink/extract"
	"absolink/internal/commandtest"
	"absolink/internal/longtest"
	"absolink/internal/memorytest"
	"absolink/resolve"
)

func TestMain(m *testing.M) { commandtest.Main(m) }

// TestMemory rewrites inputs that need much memory. A plain test checks that the links of each output are those of the input,
// made absolute, and a long test the peak memory of each process. To print the peaks: bench/run memory.
func TestMemory(t *testing.T) {
	for _, in := range memorytest.Inputs {
		t.Run(in.Name, func(t *testing.T) {
			src := in.Make(longtest.Or(1000, 1))
			document := filepath.Join(t.TempDir(), in.File)
			require.NoError(t, os.WriteFile(document, src, 0o666))
			out := withMemory(t, in.Limit(len(src), counted(t, in, src)), in.Incomplete, in.Args(document, document+".out")...)
			if longtest.On() {
				return // reading the output takes more memory and time than writing it
			}
			switch in.Verb {
			case "links":
				want, _ := urlsOf(t, in, string(src))
				assert.NotEmpty(t, want)
				assert.Equal(t, len(want), strings.Count(out, "\n"))
				return
			case "explain":
				assert.Contains(t, out, "<html")
				return
			}
			if slices.Contains(in.Flags, "--diff") {
				out = patched(out)
			} else {
				text, err := os.ReadFile(document + ".out")
				require.NoError(t, err)
				out = string(text)
			}
			want, _ := urlsOf(t, in, string(src))
			got, relative := urlsOf(t, in, out)
			assert.NotEmpty(t, want)
			assert.True(t, slices.Equal(want, got), "%d links, %d links afterwards", len(want), len(got))
			assert.Zero(t, relative)
		})
	}
}

// TestVerbsLinear: for each verb the CPU time is linear in the length of the inputs of TestMemory.
func TestVerbsLinear(t *testing.T) {
	t.Setenv("GOMAXPROCS", "1")
	for _, in := range memorytest.Inputs[:longtest.Or(2, len(memorytest.Inputs))] {
		if in.Incomplete || in.NoLimit || slices.Contains(in.Flags, "--fields") {
			continue // most of its links are not rewritten, or its flags are for one verb only
		}
		flags := slices.DeleteFunc(slices.Clone(in.Flags), func(flag string) bool { return flag == "--diff" })
		dir := t.TempDir()
		document, rewritten := filepath.Join(dir, in.File), filepath.Join(dir, "rewritten", in.File)
		require.NoError(t, os.Mkdir(filepath.Dir(rewritten), 0o777))
		run := func(t *testing.T, args []string) { // the time is measured, not the result of --verify
			require.LessOrEqual(t, commandtest.ExitCode(commandtest.Command(t, slices.Concat(args, flags)...).Run()), commandtest.Incomplete, args)
		}
		rewrite := []string{"rewrite", "-q", document, "-o", rewritten, "--force"}
		for verb, args := range map[string][]string{
			"links": {"links", "-q", document}, "base": {"base", "-q", document}, "explain": {"explain", "-q", document},
			"rewrite": rewrite, "rewrite --diff": {"rewrite", "-q", document, "--diff"}, "rewrite --verify": append(slices.Clone(rewrite), "--verify"),
			"verify": {"verify", "-q", document, rewritten},
		} {
			if slices.Contains(flags, "--base") && slices.Contains([]string{"links", "base", "explain"}, verb) {
				continue // only rewrite and verify have this flag
			}
			t.Run(verb+" "+in.Name, func(t *testing.T) {
				longtest.LinearProcesses(t, verb+" "+in.Name, 1<<20, func(n int) func() {
					src := in.MakeOf(n)
					require.NoError(t, os.WriteFile(document, src, 0o666))
					run(t, rewrite)
					text, err := os.ReadFile(rewritten)
					require.NoError(t, err)
					return func() {
						require.NoError(t, os.WriteFile(document, src, 0o666)) // the other size may be there
						require.NoError(t, os.WriteFile(rewritten, text, 0o666))
						run(t, args)
					}
				})
			})
		}
	}
}

// counted returns how many links, BASE elements and embedded documents a document has, for the limit of a long test.
func counted(t *testing.T, in memorytest.Input, src []byte) (n int) {
	if !longtest.On() {
		return 0
	}
	x, d := extract.Extractor{MaxRecord: 1 << 40}, extract.Document{Name: in.File, URL: "http://h/", Bytes: src}
	for _, err := range x.Links(t.Context(), d) {
		require.NoError(t, err)
		n++
	}
	for _, err := range x.Bases(t.Context(), d) {
		require.NoError(t, err)
		n++
	}
	return n + bytes.Count(src, []byte("<base"))
}

// patched returns the new document from a diff whose lines are all changes or context.
func patched(diff string) string {
	var out strings.Builder
	_, diff, _ = strings.Cut(diff, "\n@@")
	for line := range strings.Lines(diff) {
		switch line[0] {
		case ' ', '+':
			out.WriteString(line[1:])
		}
	}
	return out.String()
}

// urlsOf returns the URLs of the links in a document, and how many links are relative.
func urlsOf(t *testing.T, in memorytest.Input, text string) (urls []string, relative int) {
	d := extract.Document{Name: in.File, Bytes: []byte(text)}
	if slices.Contains(in.Flags, "-u") {
		d.URL = "http://h/"
	}
	var x extract.Extractor
	if slices.Contains(in.Flags, "whatwg") {
		x.Standard = resolve.WHATWG
	}
	for l, err := range x.Links(t.Context(), d) {
		require.NoError(t, err)
		urls = append(urls, string(l.URL))
		if l.Status != extract.StatusAbsolute {
			relative++
		}
	}
	return urls, relative
}

// TestMemoryWorkers rewrites small records with sixteen workers. The peak memory stays below 96 MB, although records and
// results are in memory until their turn to be written comes.
func TestMemoryWorkers(t *testing.T) {
	const message = 32 << 10
	page := "Content-Type: text/html\nContent-Transfer-Encoding: quoted-printable\n\n" + strings.Repeat("<p>text</p><a href=3Dx>text</a>\n", message/32)
	src := strings.Repeat("From a@b Mon Jan  1 00:00:00 2024\n"+page+"\n", longtest.Or(2<<20, 96<<20)/message)
	mbox := filepath.Join(t.TempDir(), "small.mbox")
	require.NoError(t, os.WriteFile(mbox, []byte(src), 0o666))
	withMemory(t, 96<<20, false, "rewrite", "-q", "-j", "16", "-u", "http://h/", mbox, "-o", mbox+".out")
	out, err := os.ReadFile(mbox + ".out")
	require.NoError(t, err)
	assert.True(t, strings.ReplaceAll(src, "=3Dx", "=3Dhttp://h/x") == string(out))
}

// An mbox that is rewritten in place is not divided into records, so its problems must be reported at once instead of being
// collected.
func TestManyProblems(t *testing.T) {
	links, messages := 1000, longtest.Or(10, 500)
	mbox := filepath.Join(t.TempDir(), "a.mbox")
	message := "From a@b Mon Jan  1 00:00:00 2024\nContent-Type: text/html\n\n" + strings.Repeat("<a href=x>", links) + "\n\n"
	src := strings.Repeat(message, messages)
	require.NoError(t, os.WriteFile(mbox, []byte(src), 0o666))
	withMemory(t, 100<<20, false, "rewrite", "-q", "-i", mbox)
	out, err := os.ReadFile(mbox)
	require.NoError(t, err)
	assert.True(t, src == string(out), "without a base nothing changes")
}

// withMemory runs absolink. A plain test gets standard output. A long test checks that the peak memory is at most limit.
// incomplete allows exit status 1.
func withMemory(t *testing.T, limit int64, incomplete bool, args ...string) (stdout string) {
	cmd := commandtest.Command(t, args...)
	if !longtest.On() {
		out, err := cmd.Output()
		if !incomplete || commandtest.ExitCode(err) != commandtest.Incomplete {
			require.NoError(t, err)
		}
		return string(out)
	}
	if runtime.GOOS != "linux" {
		t.Skip("only Linux is known to count the peak memory of a process in kB")
	}
	peak := peakOf(t, cmd, incomplete)
	t.Logf("%d MB", peak>>20)
	assert.LessOrEqual(t, peak, limit)
	return ""
}

// asParent is the environment variable that makes TestPeakOf run a command.
const asParent = "ABSOLINK_TEST_AS_PARENT"

// peakOf runs a command and returns its peak memory in bytes. The system counts the memory of the process that starts a command
// as memory of the command, so a new process of the test binary, which has run no test, starts it. incomplete allows exit
// status 1.
func peakOf(t *testing.T, cmd *exec.Cmd, incomplete bool) int64 {
	self, err := os.Executable()
	require.NoError(t, err)
	parent := exec.Command(self, append([]string{"-test.run=^TestPeakOf$", "--"}, cmd.Args...)...)
	parent.Env = append(os.Environ(), asParent+"=1")
	parent.Stderr = os.Stderr
	out, err := parent.Output()
	require.NoError(t, err, string(out))
	var kilobytes int64
	var status int
	_, err = fmt.Sscanf(string(out), "exit status %d, peak %d kB", &status, &kilobytes)
	require.NoError(t, err, string(out))
	require.True(t, status == 0 || incomplete && status == commandtest.Incomplete, string(out))
	return kilobytes << 10
}

// TestPeakOf is the process that peakOf starts. In a normal run it does nothing.
func TestPeakOf(t *testing.T) {
	if os.Getenv(asParent) == "" {
		return
	}
	args := os.Args[slices.Index(os.Args, "--")+1:]
	cmd := exec.Command(args[0], args[1:]...)
	cmd.Stderr = os.Stderr
	fmt.Printf("exit status %d, peak", commandtest.ExitCode(cmd.Run()))
	fmt.Printf(" %d kB\n", cmd.ProcessState.SysUsage().(*syscall.Rusage).Maxrss)
}

// record is the page in each record of an archive.
const record = "<!DOCTYPE html><base href=http://h/b/><a href=x>x</a><img srcset='1, 2 2x'>\n<style>a{b:url(c)}</style>"

// archives make an archive with n records. The keys are file extensions.
var archives = map[string]func(n int) []byte{
	"warc": perRecord("", func(i int) string {
		http := "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n" + record
		return fmt.Sprintf("WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: http://h/%d\r\nContent-Type: application/http\r\nContent-Length: %d\r\n\r\n%s\r\n\r\n", i, len(http), http)
	}, ""),
	"arc": perRecord("filedesc://a.arc 0.0.0.0 20000101000000 text/plain 77\n1 0 Example Archive\nURL IP-address Archive-date Content-type Archive-length\n\n", func(i int) string {
		return fmt.Sprintf("http://h/%d 192.0.2.2 20000101000000 text/html %d\n%s\n", i, len(record), record)
	}, ""),
	"har": perRecord(`{"log":{"version":"1.2","entries":[`, func(i int) string {
		return fmt.Sprintf(`{"request":{"url":"http://h/%d"},"response":{"content":{"mimeType":"text/html","text":%q}}},`, i, record)
	}, `{"request":{"url":"http://h/"},"response":{"content":{}}}]}}`),
	"webarchive": perRecord("<?xml version=\"1.0\"?>\n<plist version=\"1.0\"><dict>"+resource("http://h/")+"<key>WebSubframeArchives</key><array>", func(i int) string {
		return "<dict>" + resource(fmt.Sprintf("http://h/%d", i)) + "</dict>\n"
	}, "</array></dict></plist>"),
	"enex": perRecord("<?xml version=\"1.0\"?>\n<en-export>", func(i int) string {
		return fmt.Sprintf("<note><content><![CDATA[<en-note><a href=\"x\">x</a></en-note>]]></content><note-attributes><source-url>http://h/%d</source-url></note-attributes></note>\n", i)
	}, "</en-export>"),
	"zip": zipped(func(i int) (string, string) { return fmt.Sprintf("%d/index.html", i), record }),
	"wacz": zipped(func(i int) (string, string) {
		http := "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n" + record
		return fmt.Sprintf("archive/%d.warc", i), fmt.Sprintf("WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: http://h/%d\r\nContent-Type: application/http\r\nContent-Length: %d\r\n\r\n%s\r\n\r\n", i, len(http), http)
	}),
	"tar": func(n int) []byte {
		var out bytes.Buffer
		w := tar.NewWriter(&out)
		for i := range n {
			_ = w.WriteHeader(&tar.Header{Name: fmt.Sprintf("%d.html", i), Mode: 0o644, Size: int64(len(record))}) // a Buffer has no errors
			_, _ = io.WriteString(w, record)
		}
		_ = w.Close()
		return out.Bytes()
	},
}

func resource(url string) string {
	return "<key>WebMainResource</key><dict><key>WebResourceData</key><data>" + base64.StdEncoding.EncodeToString([]byte(record)) +
		"</data><key>WebResourceMIMEType</key><string>text/html</string><key>WebResourceURL</key><string>" + url + "</string></dict>"
}

func perRecord(start string, of func(i int) string, end string) func(n int) []byte {
	return func(n int) []byte {
		out := []byte(start)
		for i := range n {
			out = append(out, of(i)...)
		}
		return append(out, end...)
	}
}

func zipped(of func(i int) (name, content string)) func(n int) []byte {
	return func(n int) []byte {
		var out bytes.Buffer
		w := zip.NewWriter(&out)
		for i := range n {
			name, content := of(i)
			f, _ := w.Create(name) // a Buffer has no errors
			_, _ = io.WriteString(f, content)
		}
		_ = w.Close()
		return out.Bytes()
	}
}

// TestArchivesLinear: the time for each output of an archive grows in proportion to the number of its records. A plain test has
// few records, and checks that each output is written.
func TestArchivesLinear(t *testing.T) {
	t.Setenv("GOMAXPROCS", "1")
	for ext, archive := range archives {
		dir := t.TempDir()
		document, out := filepath.Join(dir, "a."+ext), filepath.Join(dir, "out."+ext)
		for name, args := range map[string][]string{
			"rewrite": {"rewrite", "-o", out}, "--diff": {"rewrite", "--diff"}, "--edits": {"rewrite", "-o", out, "--edits", out + ".jsonl"},
			"--report": {"links", "-o", out + ".csv", "--report", out + ".html"}, "explain -f html": {"explain", "-f", "html", "-o", out + ".html"},
		} {
			args = append(args, "-q", document, "--force")
			if name == "--diff" {
				args = args[:len(args)-1]
			}
			run := func(t *testing.T) {
				got, err := commandtest.Command(t, args...).CombinedOutput()
				require.NoError(t, err, "%s: %s", strings.Join(args, " "), got)
				require.True(t, name != "--diff" || len(got) > 0)
			}
			t.Run(name+" "+ext, func(t *testing.T) {
				if !longtest.On() {
					require.NoError(t, os.WriteFile(document, archive(3), 0o666))
					run(t)
					return
				}
				longtest.LinearProcesses(t, name+" "+ext, 20_000, func(n int) func() {
					src := archive(n)
					return func() {
						require.NoError(t, os.WriteFile(document, src, 0o666)) // the other size may be there
						run(t)
					}
				})
			})
		}
	}
}
