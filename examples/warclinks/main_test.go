package main

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"testing/iotest"
)

// TestMain runs the program instead of the tests in the process that TestSignal starts.
func TestMain(m *testing.M) {
	if os.Getenv("WARCLINKS_TEST_MAIN") != "" {
		main()
		return
	}
	os.Exit(m.Run())
}

// want is the output for crawl.warc: the links in its responses. The BASE element of /docs/ moves its links to /docs/v2/.
const want = `{"page":"http://site.example/","place":"a@href","url":"http://site.example/docs/"}
{"page":"http://site.example/","place":"a@href","url":"http://site.example/docs/#top"}
{"page":"http://site.example/","place":"a@href","url":"http://other.example/"}
{"page":"http://site.example/","place":"a@href","url":"mailto:a@site.example"}
{"page":"http://site.example/","place":"img@src","url":"http://site.example/logo.png"}
{"page":"http://site.example/","place":"a@href","url":"http://site.example/old"}
{"page":"http://site.example/docs/","place":"a@href","url":"http://site.example/docs/v2/guide.html"}
{"page":"http://site.example/docs/","place":"a@href","url":"http://site.example/"}
{"page":"http://site.example/docs/","place":"iframe@src","url":"http://other.example/frame?a=1&b=2"}
{"page":"http://site.example/docs/","place":"a@href","url":"http://site.example/docs/v2/guide.html#end"}
{"page":"http://site.example/old","place":"Location","url":"http://site.example/new"}
{"page":"http://site.example/old","place":"a@href","url":"http://site.example/here"}
`

func TestCrawl(t *testing.T) {
	crawl, err := os.ReadFile("../frontier/testdata/crawl.warc")
	if err != nil {
		t.Fatal(err)
	}
	for _, in := range [][]byte{crawl, compressed(crawl), nil} {
		var out bytes.Buffer
		if err := list(t.Context(), &out, bytes.NewReader(in), 2); err != nil {
			t.Fatal(err)
		}
		if in != nil && out.String() != want || in == nil && out.Len() > 0 {
			t.Errorf("got\n%s", out.String())
		}
	}
}

// record returns record i of a WARC file, padded with bytes that are no links. Its link is line i.
func record(i, padding int) []byte {
	body := fmt.Sprintf("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<a href=x>%*s", padding, "")
	return fmt.Appendf(nil, "WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: http://h/%08d/\r\n"+
		"Content-Type: application/http; msgtype=response\r\nContent-Length: %d\r\n\r\n%s\r\n\r\n", i, len(body), body)
}

// line returns the output line for the link in record i.
func line(i int) string {
	return fmt.Sprintf(`{"page":"http://h/%08d/","place":"a@href","url":"http://h/%08d/x"}`+"\n", i, i)
}

func compressed(content []byte) []byte {
	var packed bytes.Buffer
	w := gzip.NewWriter(&packed)
	w.Write(content)
	w.Close()
	return packed.Bytes()
}

// TestOrder has short records, records longer than a batch, and records that just fill one.
func TestOrder(t *testing.T) {
	var plain, packed bytes.Buffer
	var lines strings.Builder
	for i := range 40 {
		padding := i * 3000
		switch i % 20 {
		case 5:
			padding = batchSize - len(record(i, 0))
		case 9:
			padding = 3 * batchSize
		}
		rec := record(i, padding)
		plain.Write(rec)
		packed.Write(compressed(rec))
		lines.WriteString(line(i))
	}
	for _, in := range [][]byte{plain.Bytes(), packed.Bytes(), compressed(plain.Bytes())} {
		for _, batches := range []int{2, 3, 8} {
			var out bytes.Buffer
			if err := list(t.Context(), &out, iotest.HalfReader(bytes.NewReader(in)), batches); err != nil {
				t.Fatal(err)
			}
			if out.String() != lines.String() {
				t.Errorf("%d batches: got\n%s", batches, out.String())
			}
		}
	}
}

type endless struct {
	records int
	rest    []byte
	read    atomic.Int64 // how many bytes were read
}

const padding = 50_000 // of each record of an endless file

func (e *endless) Read(p []byte) (int, error) {
	if len(e.rest) == 0 {
		e.rest = record(e.records, padding)
		e.records++
	}
	n := copy(p, e.rest)
	e.rest = e.rest[n:]
	e.read.Add(int64(n))
	return n, nil
}

type writerFunc func(p []byte) (int, error)

func (f writerFunc) Write(p []byte) (int, error) { return f(p) }

// TestBounded: while an endless file is read until the context is canceled, the bytes that were read but not printed have a
// limit, and the output has a line for each record that was read.
func TestBounded(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	const batches = 4
	var in endless
	size, printed := int64(len(record(0, padding))), 0
	err := list(ctx, writerFunc(func(p []byte) (int, error) {
		// One more batch is being collected, and another is for the buffers of the reader.
		if ahead := in.read.Load() - int64(printed)*size; ahead > (batches+2)*batchSize {
			t.Errorf("after %d records, %d bytes are read and not printed", printed, ahead)
		}
		for got := range strings.Lines(string(p)) {
			if got != line(printed) {
				t.Errorf("line %d: got %s", printed, got)
			}
			printed++
		}
		if printed > 300 {
			cancel()
		}
		return len(p), nil
	}), &in, batches)
	if !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
}

// TestErrors has a file that cannot be read to its end, and an output that fails.
func TestErrors(t *testing.T) {
	broken := errors.New("broken")
	var out bytes.Buffer
	in := io.MultiReader(bytes.NewReader(record(0, padding)), bytes.NewReader(record(1, padding)), iotest.ErrReader(broken))
	if err := list(t.Context(), &out, in, 2); !errors.Is(err, broken) {
		t.Errorf("error %v", err)
	}
	if !strings.HasPrefix(out.String(), line(0)) {
		t.Errorf("got\n%s", out.String())
	}
	full := writerFunc(func([]byte) (int, error) { return 0, broken })
	if err := list(t.Context(), full, new(endless), 3); err != broken {
		t.Errorf("error %v", err)
	}
}

// TestSignal: when the program is interrupted while it reads an endless file, its output ends with a whole line.
func TestSignal(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("a process cannot send os.Interrupt on Windows")
	}
	program := exec.Command(os.Args[0])
	program.Env = append(os.Environ(), "WARCLINKS_TEST_MAIN=1")
	program.Stdin, program.Stderr = new(endless), os.Stderr
	stdout, err := program.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := program.Start(); err != nil {
		t.Fatal(err)
	}
	out := bufio.NewReader(stdout)
	for i := 0; ; i++ {
		got, err := out.ReadString('\n')
		if err == io.EOF && got == "" {
			break
		}
		if got != line(i) {
			t.Errorf("line %d: got %q", i, got)
		}
		if i == 0 {
			program.Process.Signal(os.Interrupt)
		}
	}
	program.Wait()
	if status := program.ProcessState.ExitCode(); status != 130 {
		t.Errorf("exit status %d", status)
	}
}
