package extract_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/rand"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/require"

	"absolink/extract"
	. "absolink/extract/internal/extracttest"
	"absolink/internal/longtest"
)

// TestSequence uses one walker for random steps, each of which must have the same result as with a new walker. The steps
// have other settings, and read and rewrite whole, compressed and damaged documents of all formats, from memory and from
// readers. Visits, readers and writers may fail, and other documents are read while a record is open.
func TestSequence(t *testing.T) {
	docs := documents(t)
	for seed := range longtest.Or[int64](1, 5) {
		r := rand.New(rand.NewSource(seed))
		var w Walker
		for n := range 200 {
			s, meanwhile := newStep(t, r, docs), newStep(t, r, docs)
			got := s.do(&w, func() {
				require.Equal(t, meanwhile.do(new(Walker), func() {}), meanwhile.do(&w, func() {}), "seed %d, within step %d: %v", seed, n, meanwhile)
			})
			require.Equal(t, s.do(new(Walker), func() {}), got, "seed %d, step %d: %v", seed, n, s)
		}
	}
}

// A step is one use of a walker.
type step struct {
	d                          extract.Document
	settings                   Walker
	what                       string
	failVisit, failRead, failW int // the number of visits or bytes before a failure; -1 for none
	reader                     func(io.Reader) io.Reader
}

func newStep(t *testing.T, r *rand.Rand, docs []extract.Document) (s step) {
	s.d = docs[r.Intn(len(docs))]
	s.d.Name, s.d.Type, s.d.MemberURL = filepath.Base(s.d.Name), "", nil
	src := string(s.d.Bytes)
	for range r.Intn(4) {
		switch other := docs[r.Intn(len(docs))]; r.Intn(8) {
		case 0:
			s.d.Name, src = s.d.Name+".gz", Gzipped(t, src)
		case 1:
			s.d.Name, src = "a.tar", TarFile("d/"+s.d.Name, src)+TarFile(other.Name, string(other.Bytes))+TarEnd
		case 2:
			s.d.Name, src = "a.zip", Zip(s.d.Name, src, other.Name, string(other.Bytes))
		case 3:
			s.d.Name, src = "a.warc.gz", Gzipped(t, WARCResponse("http://w/1/", src))+Gzipped(t, WARCResponse("http://w/2/", string(other.Bytes)))
		case 4:
			s.d.Name, src = "a.mbox", strings.Repeat("From a@b Thu Jan  1 00:00:00 1970\nContent-Base: http://m/\nContent-Type: text/html\n\n"+src+"\n\n", 2)
		case 5:
			s.d.Name, src = "a.eml", "Content-Type: multipart/related; boundary=b\n\n--b\nContent-Type: text/html\nContent-Location: l\n\n"+src+"\n--b\n\n"+string(other.Bytes)
		case 6:
			src = src[:r.Intn(len(src)+1)]
		case 7:
			at := r.Intn(len(src) + 1)
			src = src[:at] + "\xFF" + src[min(at+1, len(src)):]
		}
	}
	s.d.Bytes, s.d.URL = []byte(src), []string{"", "http://h/p/"}[r.Intn(2)]
	s.settings = Walker{Extractor: extract.Extractor{Standard: Standards[r.Intn(3)], Override: []string{"", "", "http://o/"}[r.Intn(3)], Extended: r.Intn(2) == 0, KeepFragments: r.Intn(2) == 0, BaseURLs: extract.BaseURLs(r.Intn(3)), BreakSignatures: r.Intn(2) == 0, MaxDepth: r.Intn(4), MaxRecord: []int{0, 0, 100, 3000}[r.Intn(4)], Mbox: []extract.Mbox{0, extract.MboxO, extract.MboxCL}[r.Intn(3)], Decompress: r.Intn(3) == 0, NoEvidence: r.Intn(3) == 0, Canonical: r.Intn(2) == 0, Unarchive: r.Intn(2) == 0}}
	s.what = []string{"links", "bases", "rewrite", "links by record", "rewrite by record"}[r.Intn(5)]
	never := func(n int) int {
		if r.Intn(6) > 0 {
			return -1
		}
		return r.Intn(n)
	}
	s.failVisit, s.failRead, s.failW = never(5), never(len(src)+1), never(len(src)+1)
	s.reader = []func(io.Reader) io.Reader{nil, func(in io.Reader) io.Reader { return in }, iotest.HalfReader, iotest.DataErrReader}[r.Intn(4)]
	return s
}

func (s step) String() string {
	return fmt.Sprintf("%s of %q with %d %d %d: %q", s.what, s.d.Name, s.failVisit, s.failRead, s.failW, s.d.Bytes)
}

// do returns all results of a step. While a record is open, it calls meanwhile.
func (s step) do(w *Walker, meanwhile func()) string {
	var told, out bytes.Buffer
	failed := errors.New("failed")
	set := func() {
		w.Standard, w.Override, w.Extended, w.KeepFragments, w.BaseURLs = s.settings.Standard, s.settings.Override, s.settings.Extended, s.settings.KeepFragments, s.settings.BaseURLs
		w.BreakSignatures, w.MaxDepth, w.MaxRecord, w.Mbox, w.Decompress = s.settings.BreakSignatures, s.settings.MaxDepth, s.settings.MaxRecord, s.settings.Mbox, s.settings.Decompress
		w.NoEvidence, w.Canonical, w.Unarchive = s.settings.NoEvidence, s.settings.Canonical, s.settings.Unarchive
		w.OnProblem = func(p extract.Problem) { fmt.Fprintln(&told, p) }
		w.OnEdit = func(e extract.Edit) {
			offset, old, new := e.Offset, e.Old, e.New
			fmt.Fprintf(&told, "edit %d %q %q\n", offset, old, new)
		}
		w.OnLink = func(l *extract.Link) { fmt.Fprintln(&told, "on", LinkLine(l), l.Offset, l.Part) }
	}
	visits := 0
	visited := func() error {
		if visits++; s.failVisit >= 0 && visits > s.failVisit {
			return failed
		}
		return nil
	}
	list := func(l *extract.Link) error {
		start, end := l.DocumentSpan()
		fmt.Fprintln(&told, LinkLine(l), l.Offset, l.Status, l.Problem, l.Scope.Base(), l.Part, start, end)
		return visited()
	}
	d, dst := s.d, io.Writer(&out)
	if s.reader != nil {
		in := io.Reader(bytes.NewReader(d.Bytes))
		if s.failRead >= 0 {
			in = io.MultiReader(bytes.NewReader(d.Bytes[:s.failRead]), iotest.ErrReader(failed))
		}
		d.Bytes, d.Reader = nil, s.reader(in)
	}
	if s.failW >= 0 {
		dst = &brokenPipe{dst, s.failW}
	}
	records := func(dst io.Writer, each func(*extract.Stream, extract.Record) error) error {
		in, err := w.Open(d, dst)
		if err != nil {
			return err
		}
		for rec, err := range in.Records() {
			if err != nil {
				return err
			}
			meanwhile()
			set()
			if err := each(in, rec); err != nil {
				return err
			}
		}
		return in.Close()
	}
	set()
	var err error
	switch s.what {
	case "links":
		err = w.Links(d, list)
	case "bases":
		err = w.Bases(d, func(e *extract.Entity) error {
			fmt.Fprintln(&told, e.Path, e.Type, len(e.Bytes), e.Scope.Candidates())
			return visited()
		})
	case "rewrite":
		err = w.Rewrite(dst, d)
	case "links by record":
		err = records(nil, func(_ *extract.Stream, rec extract.Record) error { return w.Links(rec.Document(), list) })
	case "rewrite by record":
		err = records(dst, func(in *extract.Stream, rec extract.Record) error {
			var rewritten bytes.Buffer
			if err := w.Rewrite(&rewritten, rec.Document()); err != nil {
				return err
			}
			return in.Put(rec, rewritten.Bytes())
		})
	}
	return fmt.Sprintf("%s%v\n%q", &told, err, &out)
}

// brokenPipe fails after a number of bytes.
type brokenPipe struct {
	io.Writer
	left int
}

func (p *brokenPipe) Write(b []byte) (int, error) {
	n := min(len(b), p.left)
	p.left -= n
	if _, err := p.Writer.Write(b[:n]); err != nil || n == len(b) {
		return n, err
	}
	return n, io.ErrClosedPipe
}
