package main

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"crypto/sha1"
	"encoding/base32"
	"encoding/base64"
	"fmt"
	"io/fs"
	"log"
	"mime/quotedprintable"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
)

const site = "http://corpus.example/"

// packages are the Debian packages whose pages are read.
var packages = []string{"debian-reference-en", "openjdk-17-doc", "postgresql-doc-15", "python3.11-doc"}

// scripted is a package with few pages that have more than half of their bytes in scripts. Each page is listed a
// hundred times.
const scripted = "libjs-jquery-flot-docs"

// A corpus is the input of the rows: files in the cache.
type corpus struct {
	root  string // the directory of all unpacked packages, where every job runs
	list  string // the names of the pages below root, one on each line
	heavy string // the same for the pages with many scripts
	refs  string // the references of the pages, for package refs
	mbox  string
	warc  string
	small corpusOfSmall
	pages int
	bytes int64
}

// corpusOfSmall has very many small documents.
type corpusOfSmall struct {
	list string // the names of files of 1 kB below root, a hundred in each folder
	mbox string
	warc string
}

// makeCorpora makes those files of the corpus that do not exist.
func (b *bench) makeCorpora(wanted func(string) bool) error {
	b.corpus = corpus{
		root: filepath.Join(b.dir, "packages"), list: b.path("pages.list"), heavy: b.path("scripts.list"),
		refs: b.path("references"),
		mbox: b.path("mail.mbox"), warc: b.path("pages.warc.gz"),
		small: corpusOfSmall{b.path("small.list"), b.path("small.mbox"), b.path("small.warc.gz")},
	}
	if err := os.MkdirAll(b.path(""), 0o777); err != nil {
		return err
	}
	for _, p := range append(packages, scripted) {
		if err := b.unpack(p); err != nil {
			return err
		}
	}
	if err := b.choosePages(); err != nil {
		return err
	}
	for _, c := range []struct {
		file string
		make func(*bufio.Writer) error
	}{{b.corpus.refs, b.writeRefs}, {b.corpus.mbox, b.writeMbox}, {b.corpus.warc, b.writeWARC},
		{b.corpus.small.list, b.writeSmallFiles}, {b.corpus.small.mbox, b.writeSmallMbox}, {b.corpus.small.warc,
			b.writeSmallWARC}} {
		if _, err := os.Stat(c.file); err == nil {
			continue
		}
		log.Print("making ", c.file)
		if err := written(c.file, c.make); err != nil {
			return err
		}
	}
	return nil
}

// written makes a file, which does not exist after an error.
func written(name string, fill func(*bufio.Writer) error) error {
	file, err := os.Create(name + ".part")
	if err != nil {
		return err
	}
	defer file.Close()
	out := bufio.NewWriterSize(file, 1<<18)
	if err := fill(out); err != nil {
		return err
	}
	if err := out.Flush(); err != nil {
		return err
	}
	return os.Rename(name+".part", name)
}

// unpack fetches and unpacks a Debian package without installing it.
func (b *bench) unpack(name string) error {
	to := filepath.Join(b.dir, "packages", name)
	if _, err := os.Stat(to); err == nil {
		return nil
	}
	log.Print("fetching ", name)
	fetched := filepath.Join(b.dir, "deb", name)
	for _, dir := range []string{fetched, filepath.Dir(to)} {
		if err := os.MkdirAll(dir, 0o777); err != nil {
			return err
		}
	}
	get := exec.Command("apt-get", "download", "-q", name)
	get.Dir = fetched
	if out, err := get.CombinedOutput(); err != nil {
		return fmt.Errorf("apt-get download %s (does it need apt-get update?): %w\n%s", name, err, out)
	}
	debs, err := filepath.Glob(filepath.Join(fetched, "*.deb"))
	if err != nil || len(debs) != 1 {
		return fmt.Errorf("no single .deb of %s in %s", name, fetched)
	}
	if out, err := exec.Command("dpkg", "-x", debs[0], to+".part").CombinedOutput(); err != nil {
		return fmt.Errorf("dpkg -x %s: %w\n%s", debs[0], err, out)
	}
	return os.Rename(to+".part", to)
}

func (b *bench) choosePages() error {
	err := written(b.corpus.list, func(out *bufio.Writer) error {
		every := 1
		if b.quick {
			every = 16
		}
		for _, p := range packages {
			err := b.eachIn(p, every, func(name string, size int64) {
				b.corpus.pages++
				b.corpus.bytes += size
				fmt.Fprintln(out, name)
			})
			if err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	return written(b.corpus.heavy, func(out *bufio.Writer) error {
		return b.eachIn(scripted, 1, func(name string, _ int64) { fmt.Fprint(out, strings.Repeat(name+"\n", 100)) })
	})
}

// eachIn visits one in every pages of a package. It skips names that would need escapes in a URL, so that no peer has
// to escape them.
func (b *bench) eachIn(name string, every int, visit func(name string, size int64)) error {
	n := 0
	return filepath.WalkDir(filepath.Join(b.corpus.root, name), func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() || filepath.Ext(path) != ".html" {
			return err
		}
		if n++; n%every != 0 {
			return nil
		}
		name, err := filepath.Rel(b.corpus.root, path)
		if err != nil || strings.Trim(strings.ToLower(name), "abcdefghijklmnopqrstuvwxyz0123456789-._/") != "" {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		visit(name, info.Size())
		return nil
	})
}

func (b *bench) eachPage(visit func(name string, page []byte) error) error {
	list, err := os.Open(b.corpus.list)
	if err != nil {
		return err
	}
	defer list.Close()
	for names := bufio.NewScanner(list); names.Scan(); {
		page, err := os.ReadFile(filepath.Join(b.corpus.root, names.Text()))
		if err != nil {
			return err
		}
		if err := visit(names.Text(), page); err != nil {
			return err
		}
	}
	return nil
}

// writeRefs writes the base and the references of every eighth page as absolink finds them.
func (b *bench) writeRefs(out *bufio.Writer) error {
	cmd := exec.Command(b.ours, "links", "-q", "--files-from", b.corpus.list, "--site", site, "--fields",
		"document,base,ref", "-f", "tsv")
	cmd.Dir = b.corpus.root
	rows, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	document, pages := "", 0
	in := bufio.NewScanner(rows)
	in.Scan() // the header row
	for in.Scan() {
		f := strings.SplitN(in.Text(), "\t", 3)
		if len(f) != 3 || strings.Contains(f[2], `\`) {
			continue // a tab or a newline in the reference, which the format of package refs cannot have
		}
		if f[0] != document {
			document = f[0]
			if pages++; pages%8 == 0 {
				fmt.Fprintf(out, "B %s\n", f[1])
			}
		}
		if pages%8 == 0 {
			fmt.Fprintf(out, "R %s\n", f[2])
		}
	}
	return cmd.Wait()
}

// writeMbox makes 300 MB of messages from the pages. A message has the text of a page, or alternatives with a page in
// quoted-printable or base64, or a page with an attachment. The attachments are two thirds of the bytes.
func (b *bench) writeMbox(out *bufio.Writer) error {
	size := 300 << 20
	if b.quick {
		size = 30 << 20
	}
	const longest = 200 << 10 // mail rarely has a longer page
	noise := make([]byte, 8<<20)
	for i, x := 0, uint32(1); i < len(noise); i++ {
		x = x*1664525 + 1013904223
		noise[i] = byte(x >> 24)
	}
	tag, from := regexp.MustCompile(`<[^>]*>`), regexp.MustCompile(`\n(>*From )`)
	i, n, attached := 0, 0, 0
	message := func(_ string, page []byte) error {
		if len(page) > longest || n >= size {
			return nil
		}
		html := "Content-Type: text/html; charset=utf-8\nContent-Transfer-Encoding: "
		if i/2%2 == 0 {
			html += "quoted-printable\n\n" + quoted(page)
		} else {
			html += "base64\n\n" + wrapped(page)
		}
		var m bytes.Buffer
		fmt.Fprintf(&m, "From a%d@example.com Mon Jan  1 00:00:00 2024\n"+
			"Received: from mx.example.com by mail.example.org\n"+
			"\twith ESMTP id %[1]d; Mon, 1 Jan 2024 00:00:00 +0000\n"+
			"Date: Mon, 1 Jan 2024 00:00:00 +0000\nFrom: A <a%[1]d@example.com>\nTo: list@example.org\n"+
			"Subject: =?utf-8?q?Caf=C3=A9?= %[1]d\nMessage-ID: <%[1]d@example.com>\nMIME-Version: 1.0\n", i)
		switch i % 4 {
		case 0:
			fmt.Fprintf(&m, "Content-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: 8bit\n\n%s\n",
				tag.ReplaceAll(page, nil))
		case 1, 2:
			fmt.Fprintf(&m, "Content-Type: multipart/alternative; boundary=\"=_a%d\"\n\n--=_a%[1]d\n"+
				"Content-Type: text/plain\n\nThe text.\n"+
				"--=_a%[1]d\n%[2]s\n--=_a%[1]d--\n", i, html)
		case 3:
			attachment := wrapped(noise[:min(max(0, 2*(n-attached)-attached)*3/4, len(noise))])
			attached += len(attachment)
			fmt.Fprintf(&m, "Content-Type: multipart/mixed; boundary=\"=_m%d\"\n\n--=_m%[1]d\n%[2]s\n--=_m%[1]d\n"+
				"Content-Type: application/pdf; name=a.pdf\nContent-Transfer-Encoding: base64\n\n%[3]s\n--=_m%[1]d--\n",
				i, html, attachment)
		}
		m.WriteString("\n")
		i, n = i+1, n+m.Len()
		_, err := out.Write(from.ReplaceAll(m.Bytes(), []byte("\n>$1")))
		return err
	}
	for n < size {
		if err := b.eachPage(message); err != nil {
			return err
		}
	}
	return nil
}

// smallPage is a page of 1 kB with three links.
func smallPage(i int) string {
	return fmt.Sprintf("<!DOCTYPE html><title>Page %d</title><link rel=stylesheet href=../style.css><p>%s<a "+
		"href=p%[1]d.html>next</a> <a href=/>top</a>\n",
		i, strings.Repeat("Some words of a small page. ", 31))
}

// some returns n, or a tenth of it for a quick run.
func (b *bench) some(n int) int {
	if b.quick {
		return n / 10
	}
	return n
}

// writeSmallFiles makes 100,000 files in 1,000 folders, and writes a list of their names.
func (b *bench) writeSmallFiles(out *bufio.Writer) error {
	for i := range b.some(100_000) {
		name := fmt.Sprintf("small/%d/p%d.html", i/100, i)
		path := filepath.Join(b.corpus.root, name)
		if i%100 == 0 {
			if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
				return err
			}
		}
		if err := os.WriteFile(path, []byte(smallPage(i)), 0o666); err != nil {
			return err
		}
		fmt.Fprintln(out, name)
	}
	return nil
}

// writeSmallMbox makes 500,000 messages with a small page each.
func (b *bench) writeSmallMbox(out *bufio.Writer) error {
	for i := range b.some(500_000) {
		fmt.Fprintf(out, "From a@example.com Mon Jan  1 00:00:00 2024\nFrom: A <a@example.com>\nSubject: %d\n"+
			"MIME-Version: 1.0\n"+
			"Content-Type: text/html; charset=utf-8\n\n<p>A short message with <a href=x%[1]d>a link</a>.\n\n", i)
	}
	return nil
}

// writeSmallWARC makes 500,000 responses with a small page, each a gzip member.
func (b *bench) writeSmallWARC(out *bufio.Writer) error {
	z := gzip.NewWriter(nil)
	for i := range b.some(500_000) {
		page := fmt.Sprintf("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n"+
			"<p>A small page with <a href=x%d>a link</a>.", i)
		z.Reset(out)
		fmt.Fprintf(z, "WARC/1.1\r\nWARC-Type: response\r\nWARC-Target-URI: %ssmall/%d\r\n"+
			"WARC-Date: 2024-01-01T00:00:00Z\r\n"+
			"WARC-Record-ID: <urn:uuid:%[2]d>\r\nContent-Type: application/http; msgtype=response\r\n"+
			"Content-Length: %[3]d\r\n\r\n%[4]s\r\n\r\n", site, i, len(page), page)
		if err := z.Close(); err != nil {
			return err
		}
	}
	return nil
}

func quoted(src []byte) string {
	var b strings.Builder
	w := quotedprintable.NewWriter(&b)
	w.Write(src) // a Builder returns no error
	w.Close()
	return strings.ReplaceAll(b.String(), "\r\n", "\n")
}

// wrapped returns src in base64 lines.
func wrapped(src []byte) string {
	var b strings.Builder
	code := base64.StdEncoding.EncodeToString(src)
	for len(code) > 76 {
		b.WriteString(code[:76] + "\n")
		code = code[76:]
	}
	b.WriteString(code + "\n")
	return b.String()
}

// writeWARC writes a request and a response for each page, each a gzip member.
func (b *bench) writeWARC(out *bufio.Writer) error {
	z := gzip.NewWriter(nil)
	record := func(kind, url, block, payload string) error {
		z.Reset(out)
		digest := func(s string) string {
			sum := sha1.Sum([]byte(s))
			return "sha1:" + base32.StdEncoding.EncodeToString(sum[:])
		}
		fmt.Fprintf(z, "WARC/1.1\r\nWARC-Type: %s\r\nWARC-Target-URI: %s\r\nWARC-Date: 2024-01-01T00:00:00Z\r\n"+
			"WARC-Record-ID: <urn:uuid:%x>\r\n"+
			"WARC-Block-Digest: %s\r\nWARC-Payload-Digest: %s\r\nContent-Type: application/http; msgtype=%[1]s\r\n"+
			"Content-Length: %[7]d\r\n\r\n%[8]s\r\n\r\n",
			kind, url, sha1.Sum([]byte(kind+url)), digest(block), digest(payload), "", len(block), block)
		return z.Close()
	}
	return b.eachPage(func(name string, page []byte) error {
		path := "/" + name
		url := strings.TrimSuffix(site, "/") + path
		if err := record("request", url, "GET "+path+" HTTP/1.1\r\nHost: corpus.example\r\n\r\n", ""); err != nil {
			return err
		}
		head := fmt.Sprintf("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: %d\r\n\r\n", len(page))
		return record("response", url, head+string(page), string(page))
	})
}
