// Sitecheck checks the links of a website whose root is a folder. It reads the pages and style sheets, and prints the
// links that lead to no file of the folder, or are no valid URLs. Each line is file:line:column and the link, so that
// an editor can open the file there. Links to other sites are not checked. The exit status is 1 if a link is broken.
//
//	go run ./examples/sitecheck examples/sitecheck/testdata/site
package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"io/fs"
	"net/url"
	"os"
	"os/signal"
	"path"
	"path/filepath"
	"strings"

	"absolink/extract"
	"absolink/resolve"
)

// origin stands for the website. No real site has this name (RFC 6761).
const origin = "http://site.invalid/"

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: sitecheck FOLDER")
		os.Exit(2)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	broken, err := check(ctx, os.Stdout, os.Args[1])
	if err != nil {
		fmt.Fprintln(os.Stderr, "sitecheck:", err)
	}
	if err != nil || broken > 0 {
		os.Exit(1)
	}
}

// check prints the broken links of a folder, and returns how many there are.
func check(ctx context.Context, out io.Writer, folder string) (broken int, err error) {
	site := os.DirFS(folder)
	x := extract.Extractor{Standard: resolve.WHATWG} // the standard of browsers
	err = fs.WalkDir(site, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || !isPage(name) {
			return err
		}
		page, err := fs.ReadFile(site, name)
		if err != nil {
			return err
		}
		address := origin + (&url.URL{Path: name}).EscapedPath()
		for link, err := range x.Links(ctx, extract.Document{Name: name, URL: address, Bytes: page}) {
			if err != nil {
				return fmt.Errorf("%s: %w", name, err)
			}
			if leads(site, link) {
				continue
			}
			broken++
			line, column := position(page, link)
			if _, err := fmt.Fprintf(out, "%s:%d:%d: %q\n", filepath.Join(folder, name), line, column,
				link.Ref); err != nil {
				return err
			}
		}
		return nil
	})
	return broken, err
}

// isPage reports whether a file can have links that browsers follow.
func isPage(name string) bool {
	switch path.Ext(name) {
	case ".html", ".htm", ".xhtml", ".svg", ".css":
		return true
	}
	return false
}

// leads reports whether a link leads to a file of the site, which for a folder is its index.html, or to another site.
func leads(site fs.FS, link *extract.Link) bool {
	if !strings.HasPrefix(string(link.URL), origin) {
		return link.Status != extract.StatusUnresolved
	}
	u, err := url.Parse(string(link.URL))
	if err != nil {
		return false
	}
	name := path.Clean(strings.TrimPrefix(u.Path, "/"))
	if info, err := fs.Stat(site, name); err == nil && info.IsDir() {
		name = path.Join(name, "index.html")
	}
	_, err = fs.Stat(site, name)
	return err == nil
}

// position returns the line and the column of a link in its file. Both start at 1, and the column counts bytes. For a
// link in an embedded document, like the srcdoc of an iframe, Link.Position is the position in that document.
func position(page []byte, link *extract.Link) (line, column int) {
	start, _ := link.DocumentSpan()
	before := page[:start]
	return 1 + bytes.Count(before, []byte("\n")), len(before) - bytes.LastIndexByte(before, '\n')
}
