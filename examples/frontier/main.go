// Frontier reads WARC files, and prints the URLs that a crawler should fetch next: those that pages and redirects in
// the files lead to, and that have no record in any of the files. Each line has a host, a tab, and a URL without its
// fragment, once. The lines are sorted by host. Several goroutines read the records of a file.
//
//	go run ./examples/frontier examples/frontier/testdata/crawl.warc
package main

import (
	"context"
	"fmt"
	"io"
	"log"
	"net/url"
	"os"
	"os/signal"
	"runtime"
	"slices"
	"strings"
	"sync"

	"absolink/extract"
	"absolink/resolve"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, os.Stdout, os.Args[1:]); err != nil {
		log.Fatal(err)
	}
}

// run prints the URLs that the files link to but do not contain.
func run(ctx context.Context, out io.Writer, names []string) error {
	f := frontier{extractor: extract.Extractor{
		Standard:  resolve.WHATWG, // it spells equal URLs alike: HTTP://h:80 becomes http://h/
		Places:    []string{"a@href", "area@href", "frame@src", "iframe@src", "Location"},
		OnProblem: func(p extract.Problem) { log.Print(p.Error()) },
	}}
	for _, name := range names {
		if err := f.addFile(ctx, name); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	var lines []string
	for link := range f.linked.Range {
		u, err := url.Parse(link.(string))
		_, fetched := f.fetched.Load(link)
		if err == nil && (u.Scheme == "http" || u.Scheme == "https") && !fetched {
			lines = append(lines, fmt.Sprintf("%s\t%s\n", u.Host, link))
		}
	}
	slices.Sort(lines)
	_, err := io.WriteString(out, strings.Join(lines, ""))
	return err
}

// frontier collects the URLs of records, from several goroutines at the same time.
type frontier struct {
	extractor       extract.Extractor
	fetched, linked sync.Map // sets of URLs without fragments
}

// addFile adds the records of a WARC file, which may be compressed.
func (f *frontier) addFile(ctx context.Context, name string) error {
	file, err := os.Open(name)
	if err != nil {
		return err
	}
	defer file.Close()
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	records := make(chan extract.Record)
	var workers sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		workers.Go(func() {
			for rec := range records {
				if err := f.addRecord(ctx, rec); err != nil {
					cancel(err)
				}
			}
		})
	}
	for rec, err := range f.extractor.Records(ctx, extract.Document{Name: name, Reader: file}) {
		if err != nil {
			cancel(err)
			break
		}
		records <- rec
	}
	close(records)
	workers.Wait()
	return context.Cause(ctx)
}

// addRecord adds the URL of a record, and the links of the page in it.
func (f *frontier) addRecord(ctx context.Context, rec extract.Record) error {
	quiet := f.extractor
	quiet.OnProblem = nil // Links reports the same problems
	for response, err := range quiet.Bases(ctx, rec.Document()) {
		if err != nil {
			return err
		}
		page, _, _ := strings.Cut(response.PageURL(), "#")
		f.fetched.Store(page, true)
		break // the entities inside the response have the same page
	}
	for link, err := range f.extractor.Links(ctx, rec.Document()) {
		if err != nil {
			return err
		}
		page, _, _ := strings.Cut(string(link.URL), "#")
		f.linked.Store(page, true)
	}
	return nil
}
