//go:build unix

package main

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"absolink/cmd/absolink/internal/service"
	"absolink/internal/pagetest"
)

func framed(head, body string) string {
	b := binary.BigEndian.AppendUint32(nil, uint32(len(head)))
	b = binary.BigEndian.AppendUint32(b, uint32(len(body)))
	return string(b) + head + body
}

const hello = `{"protocol":1}`

// served runs the service on an input, and returns the heads and bodies of the answers, without the greeting.
func served(t *testing.T, input string) (answers [][2]string, status int) {
	cmd := command(t, "service", "--max-record", "1M")
	cmd.Stdin = strings.NewReader(input)
	out, err := cmd.Output()
	for len(out) > 0 {
		head, body := binary.BigEndian.Uint32(out), binary.BigEndian.Uint32(out[4:])
		require.GreaterOrEqual(t, len(out), int(8+head+body))
		answers = append(answers, [2]string{string(out[8 : 8+head]), string(out[8+head : 8+head+body])})
		out = out[8+head+body:]
	}
	if len(answers) > 0 && strings.Contains(answers[0][0], `"protocol"`) {
		answers = answers[1:]
	}
	return answers, exitCode(err)
}

// The requests and answers of docs/service.md are those of the program. Each request has "> " before it, and each answer "< ".
func TestServicePage(t *testing.T) {
	page, err := os.ReadFile("../../docs/service.md")
	require.NoError(t, err)
	var asked, want []string
	for line := range strings.Lines(string(page)) {
		line = strings.TrimSpace(line)
		if request, ok := strings.CutPrefix(line, "> {"); ok {
			asked = append(asked, "{"+request)
		} else if answer, ok := strings.CutPrefix(line, "< {"); ok {
			want = append(want, "{"+answer)
		}
	}
	require.Equal(t, hello, asked[0])
	require.Len(t, want, len(asked))
	for i, request := range asked[1:] { // the greeting has the version of the program
		head, body, _ := strings.Cut(request, " + ")
		answers, status := served(t, framed(hello, "")+framed(head, body))
		require.Len(t, answers, 1, request)
		wantHead, wantBody, _ := strings.Cut(want[i+1], " + ")
		assert.JSONEq(t, wantHead, answers[0][0], request)
		assert.Equal(t, wantBody, strings.ReplaceAll(strings.TrimSuffix(answers[0][1], "\n"), "\n", ""), request)
		assert.Zero(t, status)
	}
}

// An invalid frame has an error as its answer, and ends the process. The answers to the frames before it come first.
func TestServiceInvalid(t *testing.T) {
	request := framed(`{"id":7,"do":"resolve","base":"http://h/","ref":"x"}`, "")
	for _, row := range []struct{ name, input, want string }{
		{"nothing", "\x00\x00", "the input ends inside a frame"},
		{"text", "GET / HTTP/1.1\r\n\r\n", "announces 1195725856 bytes, more than the limit of 1048576; --max-record sets the limit"},
		{"an old client", framed(`{"protocol":0}`, ""), "the client has version 0 of the protocol, and this program has version 1; update one of them"},
		{"no greeting", request, "the client has version 0"},
		{"a greeting without JSON", framed("hello", ""), "the first frame has no JSON object"},
		{"a head without JSON", framed(hello, "") + framed("{]", ""), "the head of a frame is not the JSON object of a request"},
		{"two objects", framed(hello, "") + framed("{}{}", ""), "the head of a frame is longer than one JSON object"},
		{"no number", framed(hello, "") + framed(`{"id":"x"}`, ""), "the head of a frame is not the JSON object of a request"},
		{"a long head", framed(hello, "") + framed(strings.Repeat(" ", 1<<20+1), ""), "announces 1048577 bytes"},
		{"a long body", framed(hello, "") + "\x00\x00\x00\x02\xff\xff\xff\xff{}", "announces 4294967295 bytes"},
		{"a short head", framed(hello, "") + "\x00\x00\x00\x09\x00\x00\x00\x00{}", "the input ends inside a frame"},
		{"a short body", framed(hello, "") + "\x00\x00\x00\x02\x00\x00\x00\x09{}x", "the input ends inside a frame"},
		{"after a request", framed(hello, "") + request + "?", "the input ends inside a frame"},
	} {
		answers, status := served(t, row.input)
		assert.Equal(t, exitUsage, status, row.name)
		require.NotEmpty(t, answers, row.name)
		var last struct {
			ID    *int
			Error string
		}
		require.NoError(t, json.Unmarshal([]byte(answers[len(answers)-1][0]), &last), row.name)
		assert.Contains(t, last.Error, row.want, row.name)
		assert.Nil(t, last.ID, row.name)
		if row.name == "after a request" {
			assert.Equal(t, `{"id":7,"url":"http://h/x"}`, answers[0][0])
		}
	}
	answers, status := served(t, framed(hello, ""))
	assert.Empty(t, answers)
	assert.Zero(t, status, "the input ends between frames")
}

// A request with an error is answered, and the process continues.
func TestServiceErrors(t *testing.T) {
	const page = "<a href=x>"
	for _, row := range []struct{ head, body, want string }{
		{`{"do":"fetch"}`, page, `there is no request "fetch"; use links, bases, rewrite or resolve`},
		{`{"do":"links","ulr":"http://h/"}`, page, `the request is invalid: there is no member "ulr"`},
		{`{"do":"links","text":"yes"}`, page, `the request is invalid: the member "text" is a string, and must be another type`},
		{`{"do":"links","settings":{"standard":"x --url y"}}`, page, `standard "x --url y": use one of`},
		{`{"do":"links"}`, "?", "unknown type: neither the name nor the first bytes match a format; use type to set the type"},
		{`{"do":"links","name":"x.bin"}`, "?", "x.bin: unknown type: neither the name nor the first bytes match a format; use type to set the type"},
		{`{"do":"links","type":"pdf"}`, page, `type "pdf": PDF is not read; absolink help formats lists the types that are`},
		{`{"do":"links","type":"html;;","text":true}`, page, `type "text/html;;": mime:`},
		{`{"do":"links","url":"x"}`, page, `url "x": not absolute; write it with its scheme, as in http://host/path`},
		{`{"do":"links","site":"x"}`, page, `site "x": not absolute; write it with its scheme, as in http://host/path`},
		{`{"do":"links","site":"http://h/"}`, page, "site cannot be used: the document is not an archive of files; use url"},
		{`{"do":"links","text":true,"path":"../../testdata/html/tour.html"}`, "", "../../testdata/html/tour.html: text is about a body, and path names a file: use only one of them, or type with a charset"},
		{`{"do":"links","url":"http://h/","type":"warc"}`, "", "url cannot be used: application/warc has the URL of each document in it; leave url out"},
		{`{"do":"links","path":"no/such.html"}`, "", "no/such.html: no such file or folder; check the path"},
		{`{"do":"links","path":"."}`, "", ".: this is a folder; use a file name"},
		{`{"do":"links","settings":[]}`, page, "the settings are not a JSON object"},
		{`{"do":"links","settings":{"url":"http://h/"}}`, page, `there is no setting "url"; the settings are standard, override-base`},
		{`{"do":"links","settings":{"standard":"w3c"}}`, page, `standard "w3c": use one of rfc1808, rfc3986, whatwg`},
		{`{"do":"links","settings":{"max-ratio":0}}`, page, "max-ratio 0: out of range; use 1 or more"},
		{`{"do":"links","settings":{"max-ratio":null}}`, page, "max-ratio: <nil> is not a string, a number, true, false, or a list of strings"},
		{`{"do":"links","settings":{"place":[1]}}`, page, "place: 1 is not a string"},
		{`{"do":"links","settings":{"override-base":""}}`, page, "override-base is empty; use a value, or leave it out"},
		{`{"do":"links","settings":{"no-evidence":true,"canonical":true}}`, page, "no-evidence and canonical cannot be combined; use only one of them"},
		{`{"do":"links","settings":{"only":"css"}}`, page, "its type is not one of only"},
		{`{"do":"rewrite","settings":{"map":{"x":"http://h/"}}}`, page, "map x=http://h/: "},
		{`{"do":"rewrite","settings":{"relative":true,"base":"empty"}}`, page, "relative and base cannot be combined"},
		{`{"do":"rewrite","settings":{"relative":true},"type":"mail"}`, "\n", "relative works only for pages and style sheets"},
		{`{"do":"rewrite","settings":{"relative":true},"urls":{}}`, page, "urls cannot be combined with map and relative; use only one of them"},
		{`{"do":"resolve","base":"http://h/"}`, "?", "the request has a body, which it does not read"},
		{`{"do":"links","path":"p.html"}`, "?", "the request has a body, which it does not read"},
		{`{"do":"links","urls":{}}`, page, `the member "urls" is only for the request rewrite`},
		{`{"do":"rewrite","writable":true}`, page, `the members "writable" and "described" are only for the request links`},
		{`{"do":"resolve","base":"x"}`, "", `base "x": `},
		{`{"do":"resolve","ref":"x"}`, "", `"x": relative reference without a base`},
	} {
		head := `{"id":7,` + row.head[1:]
		if row.body == page && !strings.Contains(head, `"type"`) {
			head = strings.TrimSuffix(head, "}") + `,"type":"html"}`
		}
		answers, status := served(t, framed(hello, "")+framed(head, row.body)+framed(`{"id":8,"do":"resolve","base":"http://h/","ref":"x"}`, ""))
		assert.Zero(t, status, row.head)
		require.Len(t, answers, 2, row.head)
		for _, answer := range answers { // they may come in any order
			var got struct {
				ID    int
				Error string
			}
			require.NoError(t, json.Unmarshal([]byte(answer[0]), &got), row.head)
			assert.Equal(t, got.ID == 7, strings.HasPrefix(got.Error, row.want), "%s: %s", row.head, answer[0])
		}
	}
}

// The links in one encoded word have the same offset, but each can get its own URL.
func TestServiceSameOffset(t *testing.T) {
	word := func(text string) string {
		return "=?us-ascii?B?" + base64.StdEncoding.EncodeToString([]byte(text)) + "?="
	}
	message := "List-Unsubscribe: " + word("<http://h/1>,<http://h/2>") + "\n\n"
	const head = `{"id":7,"do":"rewrite","type":"message/rfc822","urls":{"":{"18/2":"http://n/2","18/3":"http://n/3"}}}`
	answers, _ := served(t, framed(hello, "")+framed(head, message))
	require.Len(t, answers, 1)
	assert.JSONEq(t, `{"id":7,"links":2,"changed":1,"unresolved":0,"refused":0,"unused":1}`, answers[0][0])
	assert.Equal(t, "List-Unsubscribe: =?us-ascii?Q?=3Chttp://h/1=3E=2C=3Chttp://n/2=3E?=\n\n", answers[0][1])
}

// A client may send as many requests as the greeting allows, of any length, before it reads an answer.
func TestServiceAhead(t *testing.T) {
	in, requests := io.Pipe()
	answers, out := io.Pipe()
	ended := make(chan error)
	go func() {
		ended <- service.Serve(in, out, service.Config{MaxRecord: 1 << 20, Settings: serviceSettings})
	}()
	_, err := io.WriteString(requests, framed(hello, ""))
	require.NoError(t, err)
	greeting := make([]byte, len(framed(`{"ahead":64,"max_record":1048576,"program":"","protocol":1}`, "")))
	_, err = io.ReadFull(answers, greeting)
	require.NoError(t, err)
	body := strings.Repeat("<a href=x>", 10_000)
	for range service.Ahead {
		_, err := io.WriteString(requests, framed(`{"id":1,"do":"rewrite","url":"http://h/","type":"html"}`, body))
		require.NoError(t, err)
	}
	go requests.Close()
	read := make(chan []byte)
	go func() {
		all, _ := io.ReadAll(answers)
		read <- all
	}()
	require.NoError(t, <-ended)
	out.Close()
	assert.Equal(t, service.Ahead*10_000, bytes.Count(<-read, []byte("http://h/x")))
}

// The service ends when nobody reads its answers, even while a worker waits for a request.
func TestServiceUnread(t *testing.T) {
	cmd := command(t, "service")
	in, err := cmd.StdinPipe()
	require.NoError(t, err)
	out, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	require.NoError(t, out.Close())
	_, err = io.WriteString(in, framed(hello, "")+framed(`{"id":1,"do":"resolve","base":"http://h/"}`, ""))
	require.NoError(t, err)
	err = cmd.Wait() // it closes in, but only after the process has ended
	if _, failed := err.(*exec.ExitError); failed {
		assert.Fail(t, "a closed pipe", err)
	}
}

// docs/service.md has the names of all settings.
func TestServiceSettings(t *testing.T) {
	pagetest.Check(t, "../../docs/service.md", "settings", "`"+strings.Join(settable, "`, `")+"`\n", "go test ./cmd/absolink -run TestServiceSettings -update", *update)
}
