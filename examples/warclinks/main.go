// Warclinks reads a WARC file on standard input, which may be compressed, and prints its links. Each line is a JSON
// object with the URL of the page, the place of the link, and its URL. Several goroutines read the records, but the
// lines are in the order of the records. Memory does not depend on the length of the file: there are two batches of 1
// MiB of records for each processor, and a record has at most 64 MiB. Warclinks prints problems on standard error.
//
// After SIGINT or SIGTERM, warclinks prints the links of the records that it has read, and exits with status 130. A
// second signal ends it at once. The exit status is 1 if the file could not be read, or if the output could not be
// written.
//
//	go run ./examples/warclinks < examples/frontier/testdata/crawl.warc
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"log"
	"os"
	"os/signal"
	"runtime"
	"syscall"

	"absolink/extract"
	"absolink/resolve"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop)
	err := list(ctx, os.Stdout, os.Stdin, 2*runtime.GOMAXPROCS(0))
	if errors.Is(err, context.Canceled) {
		os.Exit(130)
	}
	if err != nil {
		log.Fatal(err)
	}
}

// A batch is complete when its records have batchSize bytes.
const batchSize = 1 << 20

// list prints the links of a WARC file, with at most batches batches in memory.
func list(ctx context.Context, out io.Writer, in io.Reader, batches int) error {
	x := &extract.Extractor{Standard: resolve.WHATWG, MaxRecord: 64 << 20,
		OnProblem: func(p extract.Problem) { log.Print(p) }}
	reading, stop := context.WithCancel(ctx)
	defer stop()
	stream, err := x.Open(reading, extract.Document{Name: "stdin", Type: "application/warc", Reader: in}, nil)
	if err != nil {
		return err
	}
	free := make(chan struct{}, batches) // has an element for each batch that is not printed yet
	printed := make(chan error, 1)       // receives the error of all batches so far, once they are printed
	printed <- nil
	start := func(records []extract.Record) {
		before, after := printed, make(chan error, 1)
		printed = after
		free <- struct{}{}
		go func() {
			lines, err := links(context.WithoutCancel(ctx), x, records)
			if failed := <-before; failed != nil {
				err = failed
			}
			if err == nil {
				_, err = out.Write(lines)
			}
			if err != nil {
				stop()
			}
			<-free
			after <- err
		}()
	}
	var records []extract.Record // of the next batch
	size := 0
	for rec, failed := range stream.Records() {
		if err = failed; err != nil {
			break
		}
		records, size = append(records, rec), size+len(rec.Bytes)
		if size >= batchSize {
			start(records)
			records, size = nil, 0
		}
	}
	start(records)
	if failed := <-printed; failed != nil {
		return failed
	}
	return err
}

// links returns a line for each link of the records that has a URL.
func links(ctx context.Context, x *extract.Extractor, records []extract.Record) ([]byte, error) {
	var lines bytes.Buffer
	encoder := json.NewEncoder(&lines)
	encoder.SetEscapeHTML(false)
	for _, rec := range records {
		for link, err := range x.Links(ctx, rec.Document()) {
			if err != nil {
				return nil, err
			}
			if link.Status != extract.StatusUnresolved {
				encoder.Encode(map[string]string{"page": link.PageURL(), "place": link.Place(),
					"url": string(link.URL)})
			}
		}
		rec.Release()
	}
	return lines.Bytes(), nil
}
