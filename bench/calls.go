package main

import "strconv"

// pageSizes are the lengths of the pages for the rows about calls in Python, each with a number of calls.
var pageSizes = []struct {
	name         string
	bytes, calls int
}{{"1k", 1_000, 20_000}, {"10k", 10_000, 4_000}, {"100k", 100_000, 500}}

// callRows returns the rows that compare calls of Python functions. Both sides are Python processes that read the same
// pages. The time of absolink includes that of the process that answers the calls.
func callRows() (rows []row) {
	calls := func(how string, bytes, calls int) func(*bench) job {
		return func(b *bench) job {
			return job{args: []string{b.bin("pycalls"), how, b.ours, site, strconv.Itoa(bytes), strconv.Itoa(calls)},
				stdin: b.corpus.list}
		}
	}
	for _, size := range pageSizes {
		for _, peer := range []struct {
			name, how, ours, text string
			slower                int
		}{
			{"lxml", "lxml", "absolink_rewrite", "make_links_absolute of lxml", 1},
			{"all-lxml", "lxml", "absolink_rewrite_all", "the same; absolink gets many documents at once", 1},
			{"w3lib", "w3lib", "absolink_links", "links with w3lib, selectolax and urljoin", 1},
			{"beautifulsoup", "beautifulsoup", "absolink_rewrite", "BeautifulSoup with lxml, and urljoin", 10},
		} {
			rows = append(rows, row{
				name: "calls-" + size.name + "-" + peer.name, job: "calls in Python, pages of " + size.name + "B",
				peer: peer.text, build: "pycalls",
				ours:   calls(peer.ours, size.bytes, size.calls/peer.slower),
				theirs: calls(peer.how, size.bytes, size.calls/peer.slower), compare: noOutput,
			})
		}
	}
	return rows
}
