package main

import (
	"archive/zip"
	"bytes"
	"encoding/base64"
	"html"
	"io"
	"io/fs"
	"mime"
	"mime/multipart"
	"mime/quotedprintable"
	"net/mail"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"
)

// oldURLs HOST PATH... fails unless the account on the last standard error has as many places of old URLs as a search of
// the decoded files finds, which shares no code with the program.
func oldURLs(ts *testscript.TestScript, neg bool, args []string) {
	told, found := 0, 0
	line := regexp.MustCompile(`https?://` + regexp.QuoteMeta(args[0]) + ` is still in ([0-9,]+) place`)
	for _, m := range line.FindAllStringSubmatch(ts.ReadFile("stderr"), -1) {
		n, err := strconv.Atoi(strings.ReplaceAll(m[1], ",", ""))
		ts.Check(err)
		told += n
	}
	for _, root := range args[1:] {
		ts.Check(filepath.WalkDir(ts.MkAbs(root), func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			text, err := os.ReadFile(path)
			found += countOld(args[0], path, text)
			return err
		}))
	}
	if told != found {
		ts.Fatalf("the account has %d old URLs, and a search finds %d", told, found)
	}
}

func countOld(host, name string, text []byte) (n int) {
	switch filepath.Ext(name) {
	case ".zip":
		z, err := zip.NewReader(bytes.NewReader(text), int64(len(text)))
		for i := 0; err == nil && i < len(z.File); i++ {
			in, _ := z.File[i].Open()
			member, _ := io.ReadAll(in)
			n += countOld(host, z.File[i].Name, member)
		}
		return n
	case ".mbox":
		for _, message := range bytes.Split(text, []byte("\nFrom ")) {
			_, message, _ = bytes.Cut(message, []byte("\n"))
			n += countOld(host, ".eml", message)
		}
		return n
	case ".eml":
		message, err := mail.ReadMessage(bytes.NewReader(text))
		if err != nil {
			return 0
		}
		body, _ := io.ReadAll(message.Body)
		header, _, _ := bytes.Cut(text, []byte("\n\n"))
		return countOld(host, "", header) + countBody(host, message.Header.Get, body)
	}
	if filepath.Ext(name) == ".rss" { // its HTML is text
		text = []byte(html.UnescapeString(string(text)))
	}
	const slash = `(?://|(?:\\/){2}|(?:\\{3}/){2}|(?:\\u002f){2}|(?:%2f){2}|(?:%252f){2}|(?:&#x2f;){2}|(?:&#47;){2}|-3a__)`
	old := regexp.MustCompile(`(?i)` + slash + `(?:[\w.~:+!$*-]{1,63}@)?` + regexp.QuoteMeta(host) +
		`(?::(?:80|443))?(?:[^a-z0-9.:-]|[.:-](?:[^a-z0-9]|$)|$)`)
	return len(old.FindAll(text, -1))
}

// countBody counts in the content of a message or a part, decoded.
func countBody(host string, header func(string) string, body []byte) (n int) {
	kind, params, _ := mime.ParseMediaType(header("Content-Type"))
	var in io.Reader = bytes.NewReader(body)
	switch strings.ToLower(header("Content-Transfer-Encoding")) {
	case "quoted-printable":
		in = quotedprintable.NewReader(in)
	case "base64":
		in = base64.NewDecoder(base64.StdEncoding, in)
	}
	switch {
	case strings.HasPrefix(kind, "multipart/"):
		for parts := multipart.NewReader(in, params["boundary"]); ; {
			part, err := parts.NextRawPart()
			if err != nil {
				return n
			}
			body, _ := io.ReadAll(part)
			n += countBody(host, part.Header.Get, body)
		}
	case kind == "message/rfc822":
		text, _ := io.ReadAll(in)
		return countOld(host, ".eml", text)
	}
	text, _ := io.ReadAll(in)
	return countOld(host, "", text)
}
