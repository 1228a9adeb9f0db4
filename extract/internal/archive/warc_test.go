package archive

import (
	"fmt"
	"strings"
	"testing"
)

func warcRecordOf(kind, contentType, block string) string {
	return fmt.Sprintf("WARC/1.0\r\nWARC-Type: %s\r\nWARC-Target-URI: http://h/\r\nContent-Type: %s\r\nContent-Length: %d\r\n\r\n%s\r\n\r\n", kind, contentType, len(block), block)
}

// TestWARC has a row for each type of record (ISO 28500 6), and for each wrong length.
func TestWARC(t *testing.T) {
	const response = "HTTP/1.1 200 OK\r\n\r\n<p>"
	page := warcRecordOf("resource", "text/html", "<p>")
	runStream(t, WARC, []streamRow{
		{"ISO 28500 6.3: response", warcRecordOf("response", "application/http", response), []string{"http://h/ " + response}, nil},
		{"ISO 28500 6.4: resource", page, []string{"http://h/ <p>"}, nil},
		{"ISO 28500 6.8: conversion", warcRecordOf("conversion", "text/html", "<p>"), []string{"http://h/ <p>"}, nil},
		{"ISO 28500 6.7: revisit", warcRecordOf("revisit", "application/http", response), []string{"http://h/ " + response}, nil},
		{"ISO 28500 6.2: warcinfo", warcRecordOf("warcinfo", "application/warc-fields", "a: b"), nil, nil},
		{"ISO 28500 6.5: request", warcRecordOf("request", "application/http", "GET / HTTP/1.1\r\n\r\n"), nil, nil},
		{"a type without a format", warcRecordOf("resource", "image/gif", "x"), nil, nil},
		{"ISO 28500 5.6: no type: the format is detected", warcRecordOf("resource", "", "<p>"), []string{"http://h/ <p>"}, nil},
		{"case is ignored", strings.Replace(page, "WARC-Type: resource", "warc-type: RESOURCE", 1), []string{"http://h/ <p>"}, nil},
		{"ISO 28500 4: a fold", strings.Replace(page, "Length: ", "Length:\r\n ", 1), []string{"http://h/ <p>"}, nil},
		{"two records", page + page, []string{"http://h/ <p>", "http://h/ <p>"}, nil},
		{"a length that is too long", strings.Replace(page, "Length: 3", "Length: 30", 1) + page, []string{"http://h/ <p>\r\n\r\n", "http://h/ <p>"}, truncated},
		{"a length that is too short", strings.Replace(page, "Length: 3", "Length: 1", 1) + page, []string{"http://h/ <", "http://h/ <p>"}, truncated},
		{"no length", strings.Replace(page, "Content-Length: 3\r\n", "", 1) + page, []string{"http://h/ <p>\r\n\r\n", "http://h/ <p>"}, truncated},
		{"the file ends in the block", page[:len(page)-5], []string{"http://h/ <p"}, truncated},
		{"text before the first record", "text\n" + page, []string{"http://h/ <p>"}, truncated},
		{"an empty file", "", nil, nil},
	})
}

// TestARC has a row for each part of the line that a record begins with.
func TestARC(t *testing.T) {
	const version = "filedesc://a.arc 0.0.0.0 20000101000000 text/plain 4\n1 0\n\n"
	const response = "HTTP/1.1 200 OK\r\n\r\n<p>"
	length := fmt.Sprint(len(response))
	runStream(t, ARC, []streamRow{
		{"version 1", version + "http://h/ 192.0.2.1 20000101000000 text/html " + length + "\n" + response + "\n", []string{"http://h/ " + response}, nil},
		{"a document without a header", version + "http://h/ 192.0.2.1 20000101000000 text/html 3\n<p>\n", []string{"http://h/ <p>"}, nil},
		{"a type without a format", version + "http://h/ 192.0.2.1 20000101000000 image/gif 1\nx\n", nil, nil},
		{"no type: the format is detected", version + "http://h/ 192.0.2.1 20000101000000 no-type 3\n<p>\n", []string{"http://h/ <p>"}, nil},
		{"spaces in the URL", version + "http://h/a b c 192.0.2.1 20000101000000 text/html 3\n<p>\n", []string{"http://h/a b c <p>"}, nil},
		{"the file ends in the block", version + "http://h/ 192.0.2.1 20000101000000 text/html 9\n<p>", []string{"http://h/ <p>"}, truncated},
		{"a wrong length", version + "http://h/ 192.0.2.1 20000101000000 text/html 1\n<p>\n\nhttp://h/ 192.0.2.1 20000101000000 text/html 3\n<p>\n", []string{"http://h/ <", "http://h/ <p>"}, truncated},
	})
}
