package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
)

// A row is a job that absolink and a peer do.
type row struct {
	name        string  // what is typed
	job, peer   string  // as the table says them
	build       string  // the folder of the peer; "" is what every machine has
	atLeast, to float64 // 0: nothing was asked for
	low         bool    // the ratio is our time over theirs, and at most atLeast
	ours        func(*bench) job
	theirs      func(*bench) job
	compare     func(*bench, row) (string, error)
	note        string // why the outputs differ, if they do
}

// links is `absolink links` of the pages, by the standard that the peer follows.
func links(standard string) func(*bench) job {
	return func(b *bench) job {
		return job{args: []string{b.ours(), "links", "-q", "-s", standard, "--files-from", "-", "--site", site}, stdin: b.corpus.list}
	}
}

// heavy is a job on the pages with many scripts instead.
func heavy(pages func(*bench) job) func(*bench) job {
	return func(b *bench) job {
		j := pages(b)
		j.stdin = b.corpus.heavy
		return j
	}
}

func (b *bench) bin(name string) string { return filepath.Join(b.dir, "bin", name) }

// listed is a peer that reads the list of pages.
func listed(name string, args ...string) func(*bench) job {
	return func(b *bench) job {
		return job{args: append([]string{b.bin(name)}, args...), stdin: b.corpus.list}
	}
}

func rewrite(b *bench) job {
	return job{args: []string{b.ours(), "rewrite", "-q", "-s", "rfc3986", "--files-from", "-", "--site", site, "-o", "OUT"}, stdin: b.corpus.list}
}

// resolved is a peer that resolves the references, and again for so many rounds.
func resolved(name string, more ...string) func(*bench) job {
	return func(b *bench) job { return job{args: append([]string{b.bin(name), b.corpus.refs, "30"}, more...)} }
}

func mboxLinks(b *bench) job {
	return job{args: []string{b.ours(), "links", "-q", "-s", "rfc3986", "-u", site, b.corpus.mbox}}
}

func ofMbox(name string, more ...string) func(*bench) job {
	return func(b *bench) job { return job{args: append([]string{b.bin(name), b.corpus.mbox}, more...)} }
}

func warcLinks(b *bench) job {
	return job{args: []string{b.ours(), "links", "-q", "-s", "rfc3986", b.corpus.warc}}
}

const (
	noteRefresh = "the peer does not look for refreshes"
	noteNetURL  = "net/url leaves out an empty fragment and escapes letters beyond ASCII; what it cannot parse it leaves out"
	noteLxml    = "Python's urljoin leaves out an empty fragment"
	noteLibxml2 = "xmlBuildURI fails on letters beyond ASCII, and escapes what RFC 3986 does not allow"
)

// rows are those of the table, in its order.
var rows = []row{
	{
		name: "links-xnethtml", job: "links", peer: "x/net/html Tokenizer, net/url (Go)", build: "xnethtml", atLeast: 6, to: 10,
		ours: links("rfc3986"), theirs: listed("xnethtml", "links", site), compare: sameLinks, note: noteNetURL + "; " + noteRefresh,
	},
	{
		name: "links-libxml2", job: "links", peer: "libxml2 HTML SAX, xmlBuildURI (C)", build: "libxml2", atLeast: 7, to: 12,
		ours: links("rfc3986"), theirs: listed("libxml2", site), compare: sameLinks, note: noteLibxml2 + "; " + noteRefresh,
	},
	{
		name: "links-lxml", job: "links", peer: "lxml make_links_absolute, iterlinks (Python)", build: "lxml", atLeast: 40, to: 80,
		ours: links("rfc3986"), theirs: listed("lxml", "links", site), compare: sameLinks, note: noteLxml,
	},
	{
		name: "links-lolhtml", job: "links", peer: "lol-html, url (Rust)", build: "lolhtml", atLeast: 3, to: 6,
		ours: links("whatwg"), theirs: listed("lolhtml", site), compare: sameLinks, note: noteRefresh,
	},
	{
		name: "links-lexbor", job: "links", peer: "lexbor DOM and URL (C)", build: "lexbor", atLeast: 2, to: 4,
		ours: links("whatwg"), theirs: listed("lexbor", site), compare: sameLinks, note: noteRefresh,
	},
	{
		name: "links-perl", job: "links", peer: "HTML::LinkExtor with base (Perl)", build: "perl", atLeast: 15, to: 25,
		ours: links("rfc3986"), theirs: listed("perl", site), compare: sameLinks, note: "URI escapes letters beyond ASCII; " + noteRefresh,
	},
	{
		name: "scripts-xnethtml", job: "links, many scripts", peer: "x/net/html Tokenizer, net/url (Go)", build: "xnethtml",
		ours: heavy(links("rfc3986")), theirs: heavy(listed("xnethtml", "links", site)), compare: sameLinks, note: noteNetURL,
	},
	{
		name: "scripts-lolhtml", job: "links, many scripts", peer: "lol-html, url (Rust)", build: "lolhtml",
		ours: heavy(links("whatwg")), theirs: heavy(listed("lolhtml", site)), compare: sameLinks,
	},
	{
		name: "rewrite-xnethtml", job: "rewrite", peer: "x/net/html Tokenizer, Raw() of what is unchanged (Go)", build: "xnethtml", atLeast: 7, to: 12,
		ours: rewrite, theirs: listed("xnethtml", "rewrite", site, "OUT"), compare: samePages, note: noteNetURL + "; " + noteRefresh,
	},
	{
		name: "rewrite-lxml", job: "rewrite", peer: "lxml make_links_absolute, tostring (Python)", build: "lxml", atLeast: 30, to: 60,
		ours: rewrite, theirs: listed("lxml", "rewrite", site, "OUT"), compare: samePages, note: noteLxml,
	},
	{
		name: "resolve-neturl", job: "resolve, prepared base", peer: "net/url Parse, ResolveReference, String (Go)", build: "neturl", atLeast: 8, to: 15,
		ours: resolved("absolink", "rfc3986"), theirs: resolved("neturl"), compare: sameURLs, note: noteNetURL,
	},
	{
		name: "resolve-nlnwa", job: "resolve, whatwg", peer: "nlnwa/whatwg-url (Go)", build: "nlnwa", atLeast: 20, to: 40,
		ours: resolved("absolink", "whatwg"), theirs: resolved("nlnwa"), compare: sameURLs,
	},
	{
		name: "resolve-ada", job: "resolve, whatwg", peer: "ada, native (C++)", build: "ada", atLeast: 2, to: 4,
		ours: resolved("absolink", "whatwg"), theirs: resolved("ada"), compare: sameURLs,
	},
	{
		name: "mbox-gombox", job: "mbox links", peer: "go-mbox, go-message, decoding only (Go)", build: "gombox", atLeast: 3, to: 5,
		ours: mboxLinks, theirs: ofMbox("gombox"), compare: sameParts,
	},
	{
		name: "mbox-gmime", job: "mbox links", peer: "GMime 3, decoding only (C)", build: "gmime", atLeast: 1.2, to: 2,
		ours: mboxLinks, theirs: ofMbox("gmime"), compare: sameParts,
	},
	{
		name: "mbox-rewrite", job: "mbox rewrite", peer: "mailbox, email, lxml (Python)", build: "pymbox", atLeast: 25, to: 50,
		ours: func(b *bench) job {
			return job{args: []string{b.ours(), "rewrite", "-q", "-s", "rfc3986", "-u", site, b.corpus.mbox, "-o", "OUT"}}
		},
		theirs: ofMbox("pymbox", site, "OUT"), compare: sameMbox,
	},
	{
		name: "warc-zcat", job: "WARC.gz links", peer: "zcat alone", atLeast: 1.2, to: 2,
		ours: warcLinks, theirs: func(b *bench) job { return job{args: []string{"zcat", b.corpus.warc}} }, compare: noOutput,
	},
	{
		name: "warc-warcio", job: "WARC.gz links", peer: "warcio, lxml (Python)", build: "warcio", atLeast: 15, to: 25,
		ours: warcLinks, theirs: func(b *bench) job { return job{args: []string{b.bin("warcio"), b.corpus.warc}} }, compare: sameLinks, note: noteLxml,
	},
	{
		name: "cat", job: "links, our time over its", peer: "cat of the same files", atLeast: 2.5, to: 1.5, low: true,
		ours: links("rfc3986"), theirs: func(b *bench) job { return job{args: []string{"xargs", "cat"}, stdin: b.corpus.list} }, compare: noOutput,
	},
}

// sameURLs compares what the two programs print when asked to, and tells what resolving
// all references allocates.
func sameURLs(b *bench, r row) (string, error) {
	if _, err := b.build("absolink"); err != nil {
		return "", err
	}
	printing := r
	printing.ours = func(b *bench) job { return with(r.ours(b), "print") }
	printing.theirs = func(b *bench) job { return with(r.theirs(b), "print") }
	differ, err := sameLinks(b, printing)
	if err != nil {
		return "", err
	}
	counted := b.path("allocations")
	if _, err := b.run(with(r.ours(b), "allocs"), counted, b.path("out")); err != nil {
		return "", err
	}
	n, err := os.ReadFile(counted)
	return fmt.Sprintf("%s; absolink allocates %s times for all of them", differ, bytes.TrimSpace(n)), err
}

// with is a job of resolving with something else than rounds.
func with(j job, mode string) job {
	j.args[2] = mode
	return j
}
