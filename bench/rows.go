package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
)

// A row is a job for absolink and for a peer.
type row struct {
	name      string // for the command line
	job, peer string // for the table
	build     string // the directory of the peer, or "" for a program that every machine has
	inverse   bool   // the ratio is the time of absolink divided by that of the peer
	ours      func(*bench) job
	theirs    func(*bench) job
	compare   func(*bench, row) (string, error)
	note      string // why the outputs differ
}

// links returns the job `absolink links` for the pages, by the standard of the peer.
func links(standard string) func(*bench) job {
	return func(b *bench) job {
		return job{args: []string{b.ours, "links", "-q", "-s", standard, "--files-from", "-", "--site", site},
			stdin: b.corpus.list}
	}
}

// heavy returns a job for the pages with many scripts.
func heavy(pages func(*bench) job) func(*bench) job {
	return func(b *bench) job {
		j := pages(b)
		j.stdin = b.corpus.heavy
		return j
	}
}

// small returns a job for very many small documents instead of the usual ones.
func small(usual func(*bench) job) func(*bench) job {
	return func(b *bench) job {
		j, c := usual(b), b.corpus
		if j.stdin == c.list {
			j.stdin = c.small.list
		}
		for i, arg := range j.args {
			switch arg {
			case c.mbox:
				j.args[i] = c.small.mbox
			case c.warc:
				j.args[i] = c.small.warc
			}
		}
		return j
	}
}

func (b *bench) bin(name string) string { return filepath.Join(b.dir, "bin", name) }

// listed returns the job of a peer that reads the list of pages.
func listed(name string, args ...string) func(*bench) job {
	return func(b *bench) job {
		return job{args: append([]string{b.bin(name)}, args...), stdin: b.corpus.list}
	}
}

func rewrite(b *bench) job {
	return job{args: []string{b.ours, "rewrite", "-q", "-s", "rfc3986", "--files-from", "-", "--site", site, "-o",
		"OUT"}, stdin: b.corpus.list}
}

// resolved returns the job of a peer that resolves all references 30 times.
func resolved(name string, more ...string) func(*bench) job {
	return func(b *bench) job { return job{args: append([]string{b.bin(name), b.corpus.refs, "30"}, more...)} }
}

func mboxLinks(b *bench) job {
	return job{args: []string{b.ours, "links", "-q", "-s", "rfc3986", "-u", site, b.corpus.mbox}}
}

// mboxWHATWG is mboxLinks by the WHATWG standard, for the peers that use it.
func mboxWHATWG(b *bench) job {
	return job{args: []string{b.ours, "links", "-q", "-s", "whatwg", "-u", site, b.corpus.mbox}}
}

// ofMbox returns the job of a peer that reads the mbox.
func ofMbox(name string, more ...string) func(*bench) job {
	return func(b *bench) job { return job{args: append([]string{b.bin(name), b.corpus.mbox}, more...)} }
}

// warcLinks returns the job `absolink links` for the WARC file, by the standard of the peer.
func warcLinks(standard string) func(*bench) job {
	return func(b *bench) job { return job{args: []string{b.ours, "links", "-q", "-s", standard, b.corpus.warc}} }
}

// ofWARC returns the job of a peer that takes the name of the WARC file as its last argument.
func ofWARC(name string, args ...string) func(*bench) job {
	return func(b *bench) job { return job{args: append(append([]string{b.bin(name)}, args...), b.corpus.warc)} }
}

const (
	noteRefresh = "the peer does not read meta refresh"
	noteNetURL  = "net/url drops an empty fragment, escapes characters outside ASCII, and refuses some references"
	noteLxml    = "Python's urljoin drops an empty fragment"
	noteLibxml2 = "xmlBuildURI fails outside ASCII, and escapes what RFC 3986 does not allow"
	noteTl      = "tl does not find attributes with names in capital letters, and reads scripts as HTML"
	noteText    = "absolink also finds the URLs in text/plain parts"
	notePerl    = "URI escapes characters outside ASCII"
)

// rows are in the order of the table.
var rows = []row{
	{
		name: "links-xnethtml", job: "links", peer: "x/net/html Tokenizer, net/url (Go)", build: "xnethtml",
		ours: links("rfc3986"), theirs: listed("xnethtml", "links", site), compare: sameLinks,
		note: noteNetURL + "; " + noteRefresh,
	},
	{
		name: "links-libxml2", job: "links", peer: "libxml2 HTML SAX, xmlBuildURI (C)", build: "libxml2",
		ours: links("rfc3986"), theirs: listed("libxml2", site), compare: sameLinks,
		note: noteLibxml2 + "; " + noteRefresh,
	},
	{
		name: "links-lxml", job: "links", peer: "lxml make_links_absolute, iterlinks (Python)", build: "lxml",
		ours: links("rfc3986"), theirs: listed("lxml", "links", site), compare: sameLinks, note: noteLxml,
	},
	{
		name: "links-lolhtml", job: "links", peer: "lol-html, url (Rust)", build: "lolhtml",
		ours: links("whatwg"), theirs: listed("lolhtml", site), compare: sameLinks, note: noteRefresh,
	},
	{
		name: "links-html5gum", job: "links", peer: "html5gum, url (Rust)", build: "html5gum",
		ours: links("whatwg"), theirs: listed("html5gum", "links", site), compare: sameLinks, note: noteRefresh,
	},
	{
		name: "links-html5gum-refs", job: "links; the other program does not resolve", peer: "html5gum (Rust)",
		build: "html5gum",
		ours:  links("whatwg"), theirs: listed("html5gum", "refs"), compare: sameRefs, note: noteRefresh,
	},
	{
		name: "links-tl", job: "links", peer: "tl DOM, url (Rust)", build: "tl",
		ours: links("whatwg"), theirs: listed("tl", site), compare: sameLinks, note: noteTl + "; " + noteRefresh,
	},
	{
		name: "links-lexbor", job: "links", peer: "lexbor DOM and URL (C)", build: "lexbor",
		ours: links("whatwg"), theirs: listed("lexbor", site), compare: sameLinks, note: noteRefresh,
	},
	{
		name: "links-perl", job: "links", peer: "HTML::LinkExtor with base (Perl)", build: "perl",
		ours: links("rfc3986"), theirs: listed("perl", site), compare: sameLinks, note: notePerl + "; " + noteRefresh,
	},
	{
		name: "links-selectolax", job: "links", peer: "selectolax, ada-url (Python)", build: "selectolax",
		ours: links("whatwg"), theirs: listed("selectolax", site), compare: sameLinks, note: noteRefresh,
	},
	{
		name: "links-htmlparser2", job: "links", peer: "htmlparser2, URL (Node)", build: "htmlparser2",
		ours: links("whatwg"), theirs: listed("htmlparser2", site), compare: sameLinks, note: noteRefresh,
	},
	{
		name: "links-parse5", job: "links", peer: "parse5-sax-parser, URL (Node)", build: "parse5",
		ours: links("whatwg"), theirs: listed("parse5", site), compare: sameLinks, note: noteRefresh,
	},
	{
		name: "scripts-xnethtml", job: "links, many scripts", peer: "x/net/html Tokenizer, net/url (Go)",
		build: "xnethtml",
		ours:  heavy(links("rfc3986")), theirs: heavy(listed("xnethtml", "links", site)), compare: sameLinks,
		note: noteNetURL,
	},
	{
		name: "scripts-lolhtml", job: "links, many scripts", peer: "lol-html, url (Rust)", build: "lolhtml",
		ours: heavy(links("whatwg")), theirs: heavy(listed("lolhtml", site)), compare: sameLinks,
	},
	{
		name: "scripts-html5gum", job: "links, many scripts", peer: "html5gum, url (Rust)", build: "html5gum",
		ours: heavy(links("whatwg")), theirs: heavy(listed("html5gum", "links", site)), compare: sameLinks,
	},
	{
		name: "rewrite-xnethtml", job: "rewrite", peer: "x/net/html Tokenizer, Raw() of unchanged tokens (Go)",
		build: "xnethtml",
		ours:  rewrite, theirs: listed("xnethtml", "rewrite", site, "OUT"), compare: samePages,
		note: noteNetURL + "; " + noteRefresh,
	},
	{
		name: "rewrite-xnethtml-sync", job: "rewrite; both programs sync the files",
		peer:  "x/net/html Tokenizer, Raw() of unchanged tokens (Go)",
		build: "xnethtml", ours: rewrite, theirs: listed("xnethtml", "rewrite", site, "OUT", "sync"),
		compare: samePages,
		note:    noteNetURL + "; " + noteRefresh,
	},
	{
		name: "rewrite-lxml", job: "rewrite", peer: "lxml make_links_absolute, tostring (Python)", build: "lxml",
		ours: rewrite, theirs: listed("lxml", "rewrite", site, "OUT"), compare: samePages, note: noteLxml,
	},
	{
		name: "rewrite-lxml-sync", job: "rewrite; both programs sync the files",
		peer:  "lxml make_links_absolute, tostring (Python)",
		build: "lxml", ours: rewrite, theirs: listed("lxml", "rewrite", site, "OUT", "sync"), compare: samePages,
		note: noteLxml,
	},
	{
		name: "resolve-neturl", job: "resolve, prepared base", peer: "net/url Parse, ResolveReference, String (Go)",
		build: "neturl",
		ours:  resolved("absolink", "rfc3986"), theirs: resolved("neturl"), compare: sameURLs, note: noteNetURL,
	},
	{
		name: "resolve-nlnwa", job: "resolve, whatwg", peer: "nlnwa/whatwg-url (Go)", build: "nlnwa",
		ours: resolved("absolink", "whatwg"), theirs: resolved("nlnwa"), compare: sameURLs,
	},
	{
		name: "resolve-ada", job: "resolve, whatwg", peer: "ada, native (C++)", build: "ada",
		ours: resolved("absolink", "whatwg"), theirs: resolved("ada"), compare: sameURLs,
	},
	{
		name: "mbox-gombox", job: "mbox links", peer: "go-mbox, go-message, decoding only (Go)", build: "gombox",
		ours: mboxLinks, theirs: ofMbox("gombox"), compare: sameParts,
	},
	{
		name: "mbox-gmime", job: "mbox links", peer: "GMime 3, decoding only (C)", build: "gmime",
		ours: mboxLinks, theirs: ofMbox("gmime"), compare: sameParts,
	},
	{
		name: "mbox-mailparser", job: "mbox links", peer: "mail-parser 1.0, decoding only (Rust)", build: "mailparser",
		ours: mboxLinks, theirs: ofMbox("mailparser"), compare: sameParts,
	},
	{
		name: "mbox-mailparser-html5gum", job: "mbox links", peer: "mail-parser 1.0, html5gum, url (Rust)",
		build: "mailparser",
		ours:  mboxWHATWG, theirs: ofMbox("mailparser", site), compare: sameLinks, note: noteText,
	},
	{
		name: "mbox-mailparser011", job: "mbox links", peer: "mail-parser 0.11, decoding only (Rust)",
		build: "mailparser011",
		ours:  mboxLinks, theirs: ofMbox("mailparser011"), compare: sameParts,
	},
	{
		name: "mbox-mailparser011-html5gum", job: "mbox links", peer: "mail-parser 0.11, html5gum, url (Rust)",
		build: "mailparser011",
		ours:  mboxWHATWG, theirs: ofMbox("mailparser011", site), compare: sameLinks, note: noteText,
	},
	{
		name: "mbox-rewrite", job: "mbox rewrite", peer: "mailbox, email, lxml (Python)", build: "pymbox",
		ours: func(b *bench) job {
			return job{args: []string{b.ours, "rewrite", "-q", "-s", "rfc3986", "-u", site, b.corpus.mbox, "-o", "OUT"}}
		},
		theirs: ofMbox("pymbox", site, "OUT"), compare: sameMbox,
	},
	{
		name: "warc-zcat", job: "WARC.gz links", peer: "zcat, decompressing only (C)",
		ours: warcLinks("rfc3986"), theirs: func(b *bench) job { return job{args: []string{"zcat", b.corpus.warc}} },
		compare: noOutput,
	},
	{
		name: "warc-warcio", job: "WARC.gz links", peer: "warcio, lxml (Python)", build: "warcio",
		ours: warcLinks("rfc3986"), theirs: ofWARC("warcio"), compare: sameLinks, note: noteLxml,
	},
	{
		name: "warc-fastwarc", job: "WARC.gz links", peer: "FastWARC, iterating only (Python)", build: "fastwarc",
		ours: warcLinks("rfc3986"), theirs: ofWARC("fastwarc"), compare: noOutput,
	},
	{
		name: "warc-resiliparse-ada", job: "WARC.gz links", peer: "FastWARC, Resiliparse, ada-url (Python)",
		build: "resiliparse",
		ours:  warcLinks("whatwg"), theirs: ofWARC("resiliparse", "ada"), compare: sameLinks, note: noteRefresh,
	},
	{
		name: "warc-resiliparse-urljoin", job: "WARC.gz links", peer: "FastWARC, Resiliparse, urljoin (Python)",
		build: "resiliparse",
		ours:  warcLinks("rfc3986"), theirs: ofWARC("resiliparse", "urljoin"), compare: sameLinks,
		note: noteLxml + "; " + noteRefresh,
	},
	{
		name: "small-files-html5gum", job: "links, 100,000 files of 1 kB in 1,000 folders",
		peer: "html5gum, url (Rust)", build: "html5gum",
		ours: small(links("whatwg")), theirs: small(listed("html5gum", "links", site)), compare: sameLinks,
	},
	{
		name: "small-mbox-mailparser-html5gum", job: "mbox links, 500,000 small messages",
		peer:  "mail-parser 1.0, html5gum, url (Rust)",
		build: "mailparser", ours: small(mboxWHATWG), theirs: small(ofMbox("mailparser", site)), compare: sameLinks,
	},
	{
		name: "small-warc-resiliparse-ada", job: "WARC.gz links, 500,000 small records",
		peer:  "FastWARC, Resiliparse, ada-url (Python)",
		build: "resiliparse", ours: small(warcLinks("whatwg")), theirs: small(ofWARC("resiliparse", "ada")),
		compare: sameLinks,
	},
	{
		name: "cat", job: "links; the ratio is the time of absolink divided by the time of cat",
		peer: "cat of the same files", inverse: true,
		ours:    links("rfc3986"),
		theirs:  func(b *bench) job { return job{args: []string{"xargs", "cat"}, stdin: b.corpus.list} },
		compare: noOutput,
	},
}

// sameRefs compares the references of the pages, which the peer does not resolve. In the row itself absolink resolves
// them, and it prints them only here.
func sameRefs(b *bench, r row) (string, error) {
	printing := r
	printing.ours = func(b *bench) job {
		j := r.ours(b)
		j.args = append(j.args, "--fields", "ref")
		return j
	}
	return sameLinks(b, printing)
}

// sameURLs compares the URLs that both programs print, and counts the allocations of absolink for all references.
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
	return fmt.Sprintf("%s. absolink makes %s allocations for all of them", differ, bytes.TrimSpace(n)), err
}

// with returns a job of resolving with mode as its second argument, which is usually the number of rounds.
func with(j job, mode string) job {
	j.args[2] = mode
	return j
}
