package main

import (
	"bufio"
	"fmt"
	"io"
	"log"
	"os"
	"path/filepath"
	"strings"
)

// startUp compares the time for one small page with Python and lxml.
func (b *bench) startUp(w io.Writer) {
	const times = 40
	page := b.path("start.html")
	check(written(page, func(out *bufio.Writer) error { return fill(out, 1000) }))
	one := b.path("start.list")
	check(written(one, func(out *bufio.Writer) error { _, err := fmt.Fprintln(out, page); return err }))
	fmt.Fprintf(w, "## Start-up\n\nThe links of one page of 1 kB, the median of %d runs in turn.\n\n", times)
	fmt.Fprintln(w, "| program | time | CPU time | memory |\n|---|---|---|---|")
	_, err := b.build("lxml")
	sides := []struct {
		name  string
		job   job
		costs []cost
	}{
		{name: "absolink", job: job{args: []string{b.ours, "links", "-q", page, "-u", site}}},
		{name: "Python with lxml", job: job{args: []string{b.bin("lxml"), "links", site}, stdin: one}},
	}
	for range times {
		for i := range sides {
			if s := &sides[i]; i == 0 || err == nil {
				c, err := b.run(s.job, "", b.out())
				check(err)
				s.costs = append(s.costs, c)
			}
		}
	}
	for _, s := range sides {
		if len(s.costs) == 0 {
			fmt.Fprintf(w, "| %s | not measured: %v | | |\n", s.name, err)
			continue
		}
		m := median(s.costs)
		fmt.Fprintf(w, "| %s | %.1f ms | %.1f ms | %s |\n", s.name, m.wall.Seconds()*1e3, m.cpu.Seconds()*1e3,
			size(m.rss))
	}
	fmt.Fprintln(w)
}

// curve measures the time per byte in documents of 1 kB to 1 GB, and per document for 1 to a million documents, for
// which the name of one file is listed many times.
func (b *bench) curve(w io.Writer) {
	total, longest, most := int64(256e6), int64(1e9), 1_000_000
	if b.quick {
		total, longest, most = 16e6, 1e7, 10_000
	}
	fmt.Fprintf(w, "## Size of documents\n\n`links` of generated pages. The pages of each size have %s together. "+
		"Each value is the median of 3 runs.\n\n", size(total))
	fmt.Fprintln(w, "| size | documents | CPU time per byte | memory |\n|---|---|---|---|")
	for n := int64(1000); n <= longest; n *= 10 {
		times := max(1, total/n)
		c := b.pointOf(n, int(times))
		fmt.Fprintf(w, "| %s | %d | %.2f ns | %s |\n", size(n), times, float64(c.cpu.Nanoseconds())/float64(n*times),
			size(c.rss))
	}
	fmt.Fprintf(w, "\n## Number of documents\n\n`links` of one page of 10 kB, listed many times. Each value is the "+
		"median of 3 runs, or one run for more than 100,000 documents.\n\n")
	fmt.Fprintln(w, "| documents | CPU time | CPU time per byte | memory |\n|---|---|---|---|")
	for n := 1; n <= most; n *= 10 {
		c := b.pointOf(10_000, n)
		fmt.Fprintf(w, "| %d | %.3f s | %.2f ns | %s |\n", n, c.cpu.Seconds(),
			float64(c.cpu.Nanoseconds())/float64(n)/1e4, size(c.rss))
	}
	fmt.Fprintln(w)
}

// pointOf measures listing the links of a page of the given size that is listed the given number of times.
func (b *bench) pointOf(bytes int64, times int) cost {
	log.Printf("curve: %d documents of %s", times, size(bytes))
	runs := 3
	if times > 100_000 {
		runs = 1 // a run takes minutes
	}
	name := filepath.Join("curve", fmt.Sprint(bytes)+".html")
	list := b.path("curve.list")
	page := filepath.Join(b.corpus.root, name)
	check(os.MkdirAll(filepath.Dir(page), 0o777))
	check(written(page, func(out *bufio.Writer) error { return fill(out, bytes) }))
	defer os.Remove(page)
	check(written(list, func(out *bufio.Writer) error {
		for range times {
			fmt.Fprintln(out, name)
		}
		return nil
	}))
	var costs []cost
	for range runs {
		c, err := b.run(job{args: []string{b.ours, "links", "-q", "--max-record", "2G", "--site", site, "--files-from",
			"-"}, stdin: list}, "", b.out())
		check(err)
		costs = append(costs, c)
	}
	return median(costs)
}

func fill(out *bufio.Writer, size int64) error {
	n, _ := out.WriteString("<!DOCTYPE html>\n<html><head><title>A page</title><link rel=stylesheet " +
		"href='style.css'></head>\n<body>\n")
	const end = "</body></html>\n"
	for i := 0; ; i++ {
		p := fmt.Sprintf("<p class=\"text\">Paragraph %d, with a <a "+
			"href=\"../a/page%[1]d.html?x=1&amp;y=2#top\">link</a>, some <em>words</em> and "+
			"<img src='img/%[1]d.png' alt=\"a picture\">; the paragraph continues for a while.</p>\n", i)
		if int64(n+len(p)+len(end)) > size {
			break
		}
		n += len(p)
		out.WriteString(p)
	}
	out.WriteString(strings.Repeat(" ", int(size)-n-len(end)))
	_, err := out.WriteString(end)
	return err
}
