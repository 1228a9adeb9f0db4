// Mailfilter reads a message on standard input, makes its links lead through a redirector, and writes the message to
// standard output. It changes links to http and https URLs that a person can follow, in HTML and in plain text, and no
// other byte. Signed parts and messages with a DKIM signature stay unchanged, because a change would break the
// signature. Mailfilter prints problems on standard error.
//
// The exit status is 75 if the message could not be read or written, which tells a mail server to try again later.
//
//	go run ./examples/mailfilter -redirector 'http://to.example/?url=' < examples/mailfilter/testdata/newsletter.eml
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"net/url"
	"os"
	"strings"

	"absolink/extract"
	"absolink/resolve"
)

const tempFail = 75 // EX_TEMPFAIL of sysexits.h

func main() {
	redirector := flag.String("redirector", "https://redirect.example/?to=",
		"the `URL` that the escaped URL of a link is appended to")
	flag.Parse()
	if err := filter(context.Background(), os.Stdout, os.Stdin, *redirector, os.Stderr); err != nil {
		fmt.Fprintln(os.Stderr, "mailfilter:", err)
		os.Exit(tempFail)
	}
}

// filter copies a message from in to out with its links led through the redirector, and writes its problems to
// problems.
func filter(ctx context.Context, out io.Writer, in io.Reader, redirector string, problems io.Writer) error {
	x := extract.Extractor{
		Standard: resolve.WHATWG,                                    // mail programs open links in a browser
		Places:   []string{"a@href", "area@href", "text", "<URL:>"}, // the last two are places in plain text
		KeepDKIM: true,
		Map: func(link *extract.Link) (string, bool) {
			to := string(link.URL)
			web := strings.HasPrefix(to, "http://") || strings.HasPrefix(to, "https://")
			return redirector + url.QueryEscape(to), web && !strings.HasPrefix(to, redirector)
		},
		OnProblem: func(p extract.Problem) { fmt.Fprintln(problems, p.Error()) },
	}
	_, err := x.Rewrite(ctx, out, extract.Document{Name: "message", Type: "message/rfc822", Reader: in})
	return err
}
