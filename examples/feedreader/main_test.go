package main

import (
	"bytes"
	"context"
	"errors"
	"os"
	"strings"
	"testing"
)

func TestFeed(t *testing.T) {
	in, err := os.Open("testdata/feed.atom")
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	want, err := os.ReadFile("testdata/feed.json")
	if err != nil {
		t.Fatal(err)
	}
	var out, problems bytes.Buffer
	if err := convert(t.Context(), &out, in, "http://site.example/feed.atom", &problems); err != nil {
		t.Fatal(err)
	}
	if out.String() != string(want) {
		t.Errorf("got %s", out.String())
	}
	if problems.Len() > 0 {
		t.Errorf("problems: %s", problems.String())
	}
}

// TestNoBase: without a URL of the feed or an xml:base, a relative link stays relative and is a problem.
func TestNoBase(t *testing.T) {
	var out, problems bytes.Buffer
	feed := `<feed xmlns="http://www.w3.org/2005/Atom"><link href="a"/></feed>`
	if err := convert(t.Context(), &out, strings.NewReader(feed), "", &problems); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(out.String(), `"url": "a"`) || !strings.Contains(problems.String(), "no-base") {
		t.Errorf("got %s, problems %s", out.String(), problems.String())
	}
}

// TestErrors has documents that are no Atom feed, and a canceled context.
func TestErrors(t *testing.T) {
	for _, feed := range []string{"", "<rss/>", `<feed xmlns="http://www.w3.org/2005/Atom">`} {
		var out, problems bytes.Buffer
		if err := convert(t.Context(), &out, strings.NewReader(feed), "", &problems); err == nil || out.Len() > 0 {
			t.Errorf("%q: error %v, output %s", feed, err, out.String())
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := convert(ctx, new(bytes.Buffer), strings.NewReader("<feed/>"), "", new(bytes.Buffer)); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
}
