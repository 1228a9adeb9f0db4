package verify_test

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"path"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"absolink/cmd/absolink/internal/verify"
	"absolink/internal/longtest"
)

// damaged are the samples of testdata that TestMutants damages: all that the independent parsers can read.
var damaged = strings.Fields("bookmark/url.txtar bookmark/webloc.txtar xml/wordpress.txtar html/conditional.txtar message/conditional.txtar html/tour.html html/base.html html/places.txtar html/nested.txtar html/srcset.txtar html/scriptjson.txtar html/whatwg.txtar css/style.txtar " +
	"xml/generic.txtar xml/rss.txtar message/tour.eml message/layers.txtar message/unbased.txtar message/page.mhtml emlx/message.txtar mbox/mboxrd.txtar http/response.txtar http/redirections.txtar warc/records.txtar " +
	"gzip/page.txtar zip/site.txtar tar/site.txtar text/plain.txtar saved/httrack.html")

// mutant is a rewritten document with one fault in it.
type mutant struct {
	what string
	text []byte
}

var (
	attributes = regexp.MustCompile(`\s[\w:-]+=(?:"[^"]*"|'[^']*'|[^\s"'>]+)`)
	lines      = regexp.MustCompile(`(?m)^.*\n`)
	urls       = regexp.MustCompile(`https?://[\w.-]+/[\w./-]*`)
	delimiters = regexp.MustCompile(`(?m)^--.*\n`)
	fields     = regexp.MustCompile(`(?m)^[A-Z][\w-]*: `)
)

// mutants damages a text: single bytes, lost and moved pieces, and wrong links.
func mutants(text []byte) (all []mutant) {
	add := func(what string, at int, pieces ...[]byte) {
		all = append(all, mutant{fmt.Sprintf("%s at %d", what, at), bytes.Join(pieces, nil)})
	}
	step := max(1, len(text)/longtest.Or(30, 150))
	for i := 0; i < len(text); i += step {
		other := byte('x')
		if text[i] == 'x' || text[i] == 'X' {
			other = 'y'
		}
		add("a byte is another one", i, text[:i], []byte{other}, text[i+1:])
		add("a byte is lost", i, text[:i], text[i+1:])
		add("a byte is added", i, text[:i], []byte{'q'}, text[i:])
	}
	cut := func(what string, re *regexp.Regexp, with func(s []byte) []byte) {
		for _, m := range re.FindAllIndex(text, longtest.Or(15, 60)) {
			add(what, m[0], text[:m[0]], with(text[m[0]:m[1]]), text[m[1]:])
		}
	}
	cut("an attribute is lost", attributes, func([]byte) []byte { return nil })
	cut("an attribute comes twice", attributes, func(s []byte) []byte { return bytes.Repeat(s, 2) })
	cut("a line is lost", lines, func([]byte) []byte { return nil })
	cut("a line comes twice", lines, func(s []byte) []byte { return bytes.Repeat(s, 2) })
	cut("a boundary changed", delimiters, func(s []byte) []byte { return append([]byte("--x"), s[2:]...) })
	cut("a header field has another name", fields, func(s []byte) []byte { return append([]byte("X-"), s...) })
	cut("a link has another host", urls, func(s []byte) []byte { return bytes.Replace(s, []byte("://"), []byte("://x"), 1) })
	cut("a link has another scheme", urls, func(s []byte) []byte { return bytes.Replace(s, []byte("://"), []byte("s://"), 1) })
	cut("a link has another path", urls, func(s []byte) []byte { return append(bytes.Clone(s), "/z"...) })
	cut("a link has no host", urls, func(s []byte) []byte { return s[bytes.LastIndexByte(s, '/')+1:] })
	return all
}

// random returns 25 random damages of a text, the same in each run.
func random(text []byte) (all []mutant) {
	r := rand.New(rand.NewPCG(uint64(len(text)), 38))
	for len(all) < 25 {
		i := r.IntN(len(text))
		j := min(len(text), i+1+r.IntN(30))
		k := r.IntN(len(text))
		junk := make([]byte, 1+r.IntN(8))
		for n := range junk {
			junk[n] = byte(r.IntN(256))
		}
		what, with := "a piece is lost", []byte(nil)
		switch r.IntN(5) {
		case 1:
			what, with = "a piece comes twice", bytes.Repeat(text[i:j], 2)
		case 2:
			what, with = "a piece is replaced by bytes", junk
		case 3:
			what, with = "bytes are added", append(bytes.Clone(text[i:j]), junk...)
		case 4:
			what, with = "a piece is replaced by another piece", text[k:min(len(text), k+j-i)]
		}
		all = append(all, mutant{fmt.Sprintf("%s at %d", what, i), bytes.Join([][]byte{text[:i], with, text[j:]}, nil)})
	}
	return all
}

// packed returns the mutants of a document. Of an archive, the content of one file is damaged.
func packed(t *testing.T, d verify.Document, mutants func([]byte) []mutant) []mutant {
	switch {
	case bytes.HasPrefix(d.New, []byte("\x1F\x8B")):
		z, err := gzip.NewReader(bytes.NewReader(d.New))
		require.NoError(t, err)
		text, err := io.ReadAll(z)
		require.NoError(t, err)
		return repacked(mutants(text), func(text []byte) []byte {
			var out bytes.Buffer
			w := gzip.NewWriter(&out)
			w.Header = z.Header
			_, err := w.Write(text)
			require.NoError(t, err)
			require.NoError(t, w.Close())
			return out.Bytes()
		})
	case bytes.HasPrefix(d.New, []byte("PK")):
		return zipped(t, d.New, mutants)
	case d.Type == "application/x-tar":
		return tarred(t, d.New, mutants)
	}
	return mutants(d.New)
}

func repacked(all []mutant, pack func([]byte) []byte) []mutant {
	for i := range all {
		all[i].text = pack(all[i].text)
	}
	return all
}

func zipped(t *testing.T, src []byte, mutants func([]byte) []mutant) (all []mutant) {
	z, err := zip.NewReader(bytes.NewReader(src), int64(len(src)))
	require.NoError(t, err)
	for i, f := range z.File[:min(3, len(z.File))] {
		in, err := f.Open()
		require.NoError(t, err)
		text, err := io.ReadAll(in)
		require.NoError(t, err)
		all = append(all, repacked(mutants(text), func(text []byte) []byte {
			var out bytes.Buffer
			w := zip.NewWriter(&out)
			for j, other := range z.File {
				if j != i {
					require.NoError(t, w.Copy(other))
					continue
				}
				file, err := w.CreateHeader(&zip.FileHeader{Name: f.Name, Method: f.Method})
				require.NoError(t, err)
				_, err = file.Write(text)
				require.NoError(t, err)
			}
			require.NoError(t, w.Close())
			return out.Bytes()
		})...)
	}
	return all
}

func tarred(t *testing.T, src []byte, mutants func([]byte) []mutant) []mutant {
	r := tar.NewReader(bytes.NewReader(src))
	first, err := r.Next()
	require.NoError(t, err)
	text, err := io.ReadAll(r)
	require.NoError(t, err)
	return repacked(mutants(text), func(text []byte) []byte {
		var out bytes.Buffer
		w := tar.NewWriter(&out)
		h := *first
		h.Size = int64(len(text))
		require.NoError(t, w.WriteHeader(&h))
		_, err := w.Write(text)
		require.NoError(t, err)
		r := tar.NewReader(bytes.NewReader(src))
		_, err = r.Next()
		require.NoError(t, err)
		for h, err := r.Next(); err == nil; h, err = r.Next() {
			require.NoError(t, w.WriteHeader(h))
			_, err = io.Copy(w, r)
			require.NoError(t, err)
		}
		require.NoError(t, w.Close())
		return out.Bytes()
	})
}

// TestMutants: each damage of a rewritten document is found, except those that accepted says no reader can notice.
func TestMutants(t *testing.T) { assert.Greater(t, damages(t, mutants), longtest.Or(3000, 13600)) }

func TestRandomDamage(t *testing.T) { assert.Greater(t, damages(t, random), 500) }

// damages checks the damages of each sample, and returns how many were found.
func damages(t *testing.T, of func([]byte) []mutant) (found int) {
	missed, allowed := 0, map[string]int{}
	for _, s := range samples(t) {
		if !strings.Contains(" "+strings.Join(damaged, " ")+" ", " "+s.name+" ") {
			continue
		}
		d := s.rewritten(t)
		for _, m := range packed(t, d, of) {
			if bytes.Equal(m.text, d.New) {
				continue
			}
			n := d
			n.New = m.text
			if s.config.Check(n).Failed != nil {
				found++
				continue
			}
			if why := accepted(m.what, d.New, m.text); why != "" {
				allowed[why]++
				continue
			}
			missed++
			t.Errorf("%s: %s: %s", s.name, m.what, difference(d.New, m.text))
		}
	}
	t.Logf("%d damages found, %d missed, accepted: %v", found, missed, allowed)
	return found
}

func difference(a, b []byte) string {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	from := max(0, n-20)
	return fmt.Sprintf("%q became %q", a[from:min(len(a), n+20)], b[from:min(len(b), n+20)])
}

// TestWrongBase: a document whose links were made absolute with the wrong base fails.
func TestWrongBase(t *testing.T) {
	for _, s := range samples(t) {
		if s.d.URL == "" {
			continue
		}
		right := s.rewritten(t)
		if r := s.config.Check(right); r.Links == 0 || len(r.Unable) > 0 {
			continue
		}
		d := s.d
		d.URL = "http://wrong.example/" + path.Base(d.URL) // it may be robots.txt
		var out bytes.Buffer
		_, err := s.x.Rewrite(context.Background(), &out, d)
		require.NoError(t, err)
		wrong := right
		wrong.New = out.Bytes()
		if !bytes.Equal(wrong.New, right.New) {
			assert.NotNil(t, s.config.Check(wrong).Failed, s.name)
		}
	}
}

// accepted says why a damage need not be found, or "".
func accepted(what string, right, damaged []byte) string {
	n := 0
	for n < len(right) && n < len(damaged) && right[n] == damaged[n] {
		n++
	}
	lost := strings.HasPrefix(what, "a byte is lost") && n < len(right)
	switch {
	case strings.HasPrefix(what, "a link has no host"):
		return "the link is as in the old version, and means the same URL there"
	case lost && right[n] == ';' && reference.Match(right[:n]):
		return "HTML reads the character reference without its semicolon, too"
	case lost && right[n] == ' ' && bytes.HasSuffix(right[:n], []byte(`formaction="`)):
		return "HTML ignores white space around a URL"
	case lost && right[n] == '\\':
		return "CSS reads the character without the escape, too"
	case strings.HasPrefix(what, "a line comes twice") && damaged[n] == '\n':
		return "an empty line in base64 has no meaning"
	}
	return ""
}

var reference = regexp.MustCompile(`&(?:quot|#104)$`)
