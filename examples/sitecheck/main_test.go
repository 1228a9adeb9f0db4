package main

import (
	"bytes"
	"context"
	"errors"
	"os"
	"testing"
)

// want is the output for testdata/site. The BASE element of docs/index.html applies even to the link before it. The folder img
// has no index.html. The second line of the srcdoc is line 14 of the file.
const want = `testdata/site/docs/index.html:4:19: "guide.html"
testdata/site/index.html:8:80: "img/"
testdata/site/index.html:11:32: "img/large.svg"
testdata/site/index.html:11:66: "http://[bad/"
testdata/site/index.html:14:10: "gone.html?a&b"
testdata/site/style.css:2:22: "img/paper.svg"
`

func TestSite(t *testing.T) {
	var out bytes.Buffer
	broken, err := check(t.Context(), &out, "testdata/site")
	if err != nil {
		t.Fatal(err)
	}
	if out.String() != want || broken != 6 {
		t.Errorf("%d broken links:\n%s", broken, out.String())
	}
}

// TestErrors has a folder that does not exist, and a canceled context.
func TestErrors(t *testing.T) {
	var out bytes.Buffer
	if _, err := check(t.Context(), &out, "testdata/absent"); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("error %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := check(ctx, &out, "testdata/site"); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
}
