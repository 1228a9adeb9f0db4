package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha1"
	"encoding/base32"
	"encoding/base64"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"absolink/cmd/absolink/internal/mapping"
	"absolink/extract"
	"absolink/internal/longtest"
	"absolink/resolve"
)

// brokeOff is how the message of a proof begins that is itself at fault.
const brokeOff = "the proof broke off"

// TestOld: for any bytes, the proof of a right rewriting should not fail. It mutates old documents, and rewrites each of them with settings
// drawn at random. The same number gives the same document. OLD_SEEDS is a folder with more seeds, OLD_FAILED one for what fails,
// OLD_FROM the first number, and OLD_RUN=N runs only one.
func TestOld(t *testing.T) {
	seeds, kinds := oldSeeds(t), map[string]int{}
	if one := os.Getenv("OLD_RUN"); one != "" {
		var n uint64
		_, err := fmt.Sscan(one, &n)
		require.NoError(t, err)
		k := newTrial(seeds, n)
		why, _ := k.run()
		if folder := os.Getenv("OLD_FAILED"); folder != "" {
			require.NoError(t, os.WriteFile(filepath.Join(folder, path.Base(k.d.Name)), k.d.Bytes, 0o644))
			require.NoError(t, os.WriteFile(filepath.Join(folder, "new"), k.new, 0o644))
		}
		if why != "" {
			k.shrink(kindOf(why))
			why, _ = k.run()
		}
		t.Logf("%s\n%q\n%s\n%q", k, k.d.Bytes, why, k.new)
		return
	}
	var mu sync.Mutex
	var wait sync.WaitGroup
	var next, failed, proved, unable atomic.Int64
	runs := int64(longtest.Or(2000, 200_000))
	if most := os.Getenv("OLD_RUNS"); most != "" {
		_, err := fmt.Sscan(most, &runs)
		require.NoError(t, err)
	}
	var from int64
	if first := os.Getenv("OLD_FROM"); first != "" {
		_, err := fmt.Sscan(first, &from)
		require.NoError(t, err)
	}
	for range runtime.GOMAXPROCS(0) {
		wait.Go(func() {
			for n := next.Add(1); n <= runs; n = next.Add(1) {
				k := newTrial(seeds, uint64(from+n))
				why, whole := k.run()
				switch {
				case why == "" && whole:
					proved.Add(1)
					continue
				case why == "":
					unable.Add(1)
					continue
				}
				mu.Lock()
				kind := kindOf(why)
				if strings.HasPrefix(why, brokeOff) {
					kind = brokeOff
				}
				if kinds[kind]++; kinds[kind] <= 3 || os.Getenv("OLD_SHOW") != "" {
					k.shrink(kind)
					why, _ = k.run()
					t.Logf("%s\n\t%q\n\t%s\n\t%q", k, k.d.Bytes, why, k.new)
				}
				failed.Add(1)
				if folder := os.Getenv("OLD_FAILED"); folder != "" {
					require.NoError(t, os.WriteFile(filepath.Join(folder, fmt.Sprint(n)), k.d.Bytes, 0o644))
				}
				mu.Unlock()
			}
		})
	}
	wait.Wait()
	for _, kind := range slices.SortedFunc(maps.Keys(kinds), func(a, b string) int { return kinds[b] - kinds[a] }) {
		t.Logf("%6d %s", kinds[kind], kind)
	}
	t.Logf("%d documents: %d proved or unchanged, %d not fully checked, %d failed", runs, proved.Load(), unable.Load(), failed.Load())
	assert.LessOrEqual(t, failed.Load(), runs/10_000+2, "docs/verify.md says how many documents fail without a reason")
	assert.Zero(t, kinds[brokeOff])
}

// FuzzOld is TestOld with other bytes and other settings. It fails only if the proof is at fault.
func FuzzOld(f *testing.F) {
	seeds := oldSeeds(f)
	for n := range uint64(20) {
		f.Add(seeds[int(n)%len(seeds)].Bytes, n)
	}
	f.Fuzz(func(t *testing.T, src []byte, n uint64) {
		k := newTrial([]extract.Document{{Name: seeds[n%uint64(len(seeds))].Name, Bytes: src}}, n)
		if why, _ := k.run(); strings.HasPrefix(why, brokeOff) {
			t.Errorf("%s\n%q\n%s", k, k.d.Bytes, why)
		}
	})
}

var varying = regexp.MustCompile(`"(?:[^"\\]|\\.)*"|\d+|\b[\w:-]+@[\w:-]+`)

// kindOf returns the message of a difference without what varies in it.
func kindOf(why string) string {
	why, _, _ = strings.Cut(why, " (offset ")
	return varying.ReplaceAllString(why, "_")
}

// oldSeeds returns the documents of testdata, and those of OLD_SEEDS.
func oldSeeds(t testing.TB) (all []extract.Document) {
	files, err := filepath.Glob("../../testdata/*/*")
	require.NoError(t, err)
	if folder := os.Getenv("OLD_SEEDS"); folder != "" {
		require.NoError(t, filepath.WalkDir(folder, func(file string, e os.DirEntry, err error) error {
			if err == nil && e.Type().IsRegular() {
				files = append(files, file)
			}
			return err
		}))
	}
	for _, file := range files {
		src, err := os.ReadFile(file)
		require.NoError(t, err)
		switch {
		case filepath.Base(filepath.Dir(file)) == "script", strings.HasSuffix(file, ".py"), len(src) > 60_000:
		case filepath.Ext(file) == ".txtar":
			for _, f := range txtar.Parse(src).Files {
				if dir := path.Dir(f.Name); strings.HasPrefix(f.Name, "input.") || dir == "files" {
					all = append(all, extract.Document{Name: f.Name, Bytes: f.Data})
				}
			}
		default:
			all = append(all, extract.Document{Name: filepath.Base(file), Bytes: src})
		}
	}
	return all
}

// trial is a mutated document, and the settings with which it is rewritten.
type trial struct {
	*rand.Rand
	n     uint64
	seeds []extract.Document
	d     extract.Document
	o     *options
	did   []string
	new   []byte
	list  func(string) string // the files of --local
}

func (k *trial) String() string {
	o := k.o
	return fmt.Sprintf("OLD_RUN=%d: %s (%s), URL %q, %v; %s, map %v, relative %v, base %v, local %v, unarchive %v, extended %v, override %q, fragments kept %v", k.n, k.d.Name, k.d.Type,
		k.d.URL, k.did, o.standard, o.rules, o.relative, o.baseURLs, o.local, o.unarchive, o.extended, o.override, o.keepFragments)
}

func newTrial(seeds []extract.Document, n uint64) *trial {
	k := &trial{Rand: rand.New(rand.NewPCG(n, 65)), n: n, seeds: seeds}
	k.d = seeds[k.IntN(len(seeds))]
	k.d.Bytes = bytes.Clone(k.d.Bytes)
	for range 1 + k.IntN(3) {
		k.mutate()
	}
	for k.one(5) {
		k.wrap()
		if k.one(2) {
			k.mutate()
		}
	}
	k.draw()
	return k
}

func (k *trial) one(of int) bool { return k.IntN(of) == 0 }

func pick[T any](k *trial, all []T) T { return all[k.IntN(len(all))] }

// draw draws the settings.
func (k *trial) draw() {
	o := newOptions()
	k.o = o
	o.standard = pick(k, []resolve.Standard{resolve.RFC1808, resolve.RFC3986, resolve.WHATWG})
	k.d.URL = pick(k, []string{"http://h.example/d/p.html", "http://h.example/d/p.html", "http://h.example/", "", "https://web.archive.org/web/20200101000000/http://h.example/d/p", "http://H.example:80/d/é?x y"})
	o.extended, o.unarchive, o.keepFragments, o.canonical, o.noEvidence = k.one(4), k.one(5), k.one(6), k.one(8), false
	if k.one(10) {
		o.override = "http://over.example/x/"
	}
	switch k.IntN(6) {
	case 0:
		o.relative = true
	case 1, 2:
		o.baseURLs = pick(k, []extract.BaseURLs{extract.BaseEmpty, extract.BaseRemove})
	case 3:
		o.local, o.keepFragments = true, !k.one(5)
	}
	for range k.IntN(4) {
		old := "http://h.example/"
		if all := urlsInText.FindAllString(string(k.d.Bytes), 50); len(all) > 0 && !k.one(3) {
			old = pick(k, all)
		}
		_ = o.rules.Set(old + "=" + pick(k, []string{"https://new.example/", "https://new.example/longer/path/than/before/", "http://n.example/?p=", "http://n.example"}))
	}
}

var urlsInText = regexp.MustCompile(`https?://[\w.-]+/?`)

var archives = regexp.MustCompile(`zip|tar$`)

// run rewrites the document, and returns why its proof fails, or "". whole tells whether all of it is proved.
func (k *trial) run() (why string, whole bool) {
	table, err := mapping.New(k.o.rules, nil)
	if err != nil {
		table, k.o.rules = nil, nil
	}
	x := k.o.settings()
	k.o.set(&x)
	f, _ := extract.DetectUnpacked(k.d.Type, k.d.Name, k.d.Bytes)
	if k.o.relative && refuseEmbedding(f) != nil {
		k.o.relative = false
	}
	if f != nil && archives.MatchString(f.Name) && k.d.URL != "" {
		root := k.d.URL
		k.d.URL, k.d.MemberURL = "", func(name string) (url, by string) {
			return root[:strings.LastIndexByte(root, '/')+1] + strings.ReplaceAll(name, " ", "%20"), "--site"
		}
	}
	if k.d.Local = nil; k.o.local {
		if k.list == nil {
			k.list = k.files(x)
		}
		k.d.Local = k.list
	}
	if of := k.o.newURLs(table); of != nil {
		x.Map = of()
	}
	var out bytes.Buffer
	if _, err := x.Rewrite(context.Background(), &out, k.d); err != nil {
		return "", false // a limit
	}
	k.new = out.Bytes()
	v := k.o.newVerifying(table)
	r := v.config.Check(v.versions(context.Background(), x, k.d, k.d.Bytes, k.new))
	if r.Failed != nil {
		why = r.Failed.Error()
	}
	return why, len(r.Unable) == 0
}

// shrink removes settings and pieces of the document without which its proof still fails in the same way.
func (k *trial) shrink(kind string) {
	fails := func() bool {
		why, _ := k.run()
		return why != "" && kindOf(why) == kind
	}
	for _, set := range []func(o *options){
		func(o *options) { o.rules = nil }, func(o *options) { o.relative = false }, func(o *options) { o.local = false }, func(o *options) { o.unarchive = false },
		func(o *options) { o.baseURLs = extract.BaseKeep }, func(o *options) { o.extended = false }, func(o *options) { o.override = "" }, func(o *options) { o.keepFragments = false },
		func(o *options) { o.standard = resolve.RFC1808 },
	} {
		was := *k.o
		if set(k.o); !fails() {
			*k.o = was
		}
	}
	for size := len(k.d.Bytes) / 2; size > 0; size /= 2 {
		for i := 0; i+size <= len(k.d.Bytes); {
			was := k.d.Bytes
			if k.d.Bytes = slices.Concat(was[:i], was[i+size:]); !fails() {
				k.d.Bytes = was
				i += size
			}
		}
	}
}

// files returns a list of files to which some links lead.
func (k *trial) files(x extract.Extractor) func(string) string {
	all := []string{"d/p.html", "index.html", "a.html"}
	k.d.Name = "d/" + path.Base(k.d.Name)
	for l, err := range x.Links(context.Background(), k.d) {
		if err != nil || len(all) > 20 {
			break
		}
		if text, _, _ := strings.Cut(string(l.Ref), "?"); k.one(2) {
			all = append(all, path.Join("d", text))
		}
	}
	return extract.LocalFiles(slices.Values(append(all, k.d.Name)))
}

// mutate changes some bytes, or something of a grammar.
func (k *trial) mutate() {
	m := pick(k, mutations)
	was := k.d.Bytes
	if k.d.Bytes = m.change(k, was); len(k.d.Bytes) > 200_000 {
		k.d.Bytes = was
	}
	if !bytes.Equal(was, k.d.Bytes) {
		k.did = append(k.did, m.name)
	}
}

type mutation struct {
	name   string
	change func(k *trial, s []byte) []byte
}

// at returns a mutation that replaces one match of a pattern by one of some texts, in which $0, $1 and so on are the match and its groups.
func at(name, pattern string, with ...string) mutation {
	re := regexp.MustCompile(pattern)
	return mutation{name, func(k *trial, s []byte) []byte {
		all := re.FindAllSubmatchIndex(s, 200)
		if all == nil {
			return s
		}
		m := pick(k, all)
		new := re.Expand(nil, []byte(pick(k, with)), s, m)
		return slices.Concat(s[:m[0]], new, s[m[1]:])
	}}
}

// into returns a mutation that inserts one of some texts anywhere, or where a pattern ends.
func into(name, pattern string, texts ...string) mutation {
	re := regexp.MustCompile(pattern)
	return mutation{name, func(k *trial, s []byte) []byte {
		i := k.IntN(len(s) + 1)
		if all := re.FindAllIndex(s, 200); all != nil {
			i = pick(k, all)[1]
		}
		return slices.Concat(s[:i], []byte(pick(k, texts)), s[i:])
	}}
}

const (
	anyField = `(?m)^([A-Za-z][\w-]*):([^\r\n]*)`
	anyParam = `(?m)(;[ \t]*)([a-z]+)=("[^"\n]*"|[^\s;"]+)`
	anyAttr  = `(\s)([A-Za-z][\w:-]*)=("[^"]*"|'[^']*'|[^\s"'>]+)`
	anyTag   = `<[A-Za-z][^>]*>`
)

var fieldsOfLinks = []string{"Content-Base", "Content-Location", "Base", "Link", "List-Post", "List-Help", "List-Archive", "List-Unsubscribe", "Location", "Refresh", "Comments", "X-URL",
	"Archived-At", "WARC-Target-URI", "Content-Type", "Content-Transfer-Encoding", "Content-Disposition", "Content-Length", "Lines", "Content-MD5", "Content-ID", "Snapshot-Content-Location", "URI", "Content-Encoding", "Transfer-Encoding"}

var valuesOfFields = []string{"", "NO", "NONE", "<>", "a@h.example", "x", "<x>", "<URL:x", "<URL:x>", "URL:x", "=<>", "\"x\"", "x (a comment)", "(c) x", "<x> (c), <y>", "=?utf-8?Q?x?=", "=?utf-8?B?cGFnZS5odG1s?=",
	"http://h.example/d/x y", "http://h.example/\r\n d/x", "<http://h.example/d/\n\tx>", "http://p.example/d/", "/d/", "../x", "text/html", "text/html; charset=utf-8", "message/rfc822", "message/partial; id=x; number=1; total=2",
	"application/octet-stream", "application/octet-stream; name=\"=?utf-8?B?cGFnZS5odG1s?=\"", "attachment; filename=\"=?utf-8?Q?page.html?=\"", "attachment; filename*0=page; filename*1=.html", "attachment; filename*=utf-8''p%61ge.html",
	"multipart/mixed; boundary=b", "multipart/digest; boundary=b", "quoted-printable", "quoted-printable;", "\"quoted-printable\"", "base64 (c)", "base64", "8bit", "x-unknown", "gzip", "chunked", "12", "5; url=x", "cid:a@b", "text/plain; format=flowed; delsp=yes", "message/external-body; access-type=URL; URL=\"http://h.example/x\"", "text/css", "image/svg+xml", "application/epub+zip", "application/xhtml+xml"}

var pieces = []string{"&", "&amp;", "&nbsp;", "&#x61;", "&x;", "<", ">", "\"", "'", "<!--", "-->", "<!-- x -->", "--!>", "<![CDATA[", "]]>", "<![CDATA[/x]]>", "\\", "\x00", "\xE9", "é", "\uFEFF", "\x1B$B", "\x1B(B", "\r", "\n\n", "\r\n", "=", "=\n", "=3D", "#", "?",
	"<base href=\"http://b.example/k/\">", "<base href='q/'/>", "<base target=x>", "<svg>", "</svg>", "<math>", "<template>", "</template>", "<select>", "<style>", "</style>", "<textarea>", "</textarea>", "<title>", "<noscript>", "</noscript>", "<script>", "</script>", "<plaintext>", "<xmp>",
	"<a href=\"x\">", "<a href=\"#top\">", "<a href=x>", "<area href='#'>", "<div href=\"x\">", "<img src=y srcset=\"a 1x, b 2x\">", "<iframe srcdoc=\"<a href=x>\">", "<meta http-equiv=refresh content=\"0;url=x\">", "<meta http-equiv=Content-Base content=\"/m/\">", "<meta charset=iso-2022-jp>", "<meta charset=utf-16>", "<object codebase=\"c/\" data=d>", "<!--[if mso]><a href=\"o\"><![endif]-->", "<x:y>", "<?x y?>", "<!DOCTYPE html>", "<!ENTITY x \"y\">", "<p xml:base=\"b/\">", "<link>/x</link>", "<url>",
	"<html xmlns=\"http://www.w3.org/1999/xhtml\">", "<feed xmlns=\"http://www.w3.org/2005/Atom\">", "<rss><channel>", "<description>&lt;a href=\"x\"></description>", "url(a.png\\ )", "url(\"b\")", "@import \"c\";", "/* ", " */", "image-set(\"d\" 1x)", "{", "}", "url(",
	"http://old.example", "See http://h.example for it.", " http://h.example.\n", "<URL:x>", "<http://h.example/x>", "> <http://h.example/\n> x>", "From a@b.example Thu Jan  1 00:00:00 2026\n", "\nFrom here on\n", ">From x\n", "--b\n", "--b--\n", "begin 644 x\n", "WARC/1.0\r\n", "HTTP/1.1 200 OK\r\n", "{{ x }}", "https://web.archive.org/web/20200101000000/http://h.example/x", "//h.example/y", "data:,x", "file:///c:/x"}

var mutations = []mutation{
	{"a byte", func(k *trial, s []byte) []byte {
		if len(s) > 0 {
			s = bytes.Clone(s)
			s[k.IntN(len(s))] = byte(k.IntN(256))
		}
		return s
	}},
	{"a piece lost", func(k *trial, s []byte) []byte {
		i := k.IntN(len(s) + 1)
		return slices.Concat(s[:i], s[min(len(s), i+1+k.IntN(40)):])
	}},
	{"the end lost", func(k *trial, s []byte) []byte { return s[:k.IntN(len(s)+1)] }},
	{"a piece twice", func(k *trial, s []byte) []byte {
		i := k.IntN(len(s) + 1)
		j := min(len(s), i+k.IntN(400))
		return slices.Concat(s[:j], s[i:j], s[j:])
	}},
	{"a piece of another document", func(k *trial, s []byte) []byte {
		other := pick(k, k.seeds).Bytes
		i, j := k.IntN(len(s)+1), k.IntN(len(other)+1)
		return slices.Concat(s[:i], other[j:min(len(other), j+1+k.IntN(200))], s[i:])
	}},
	into("a piece", `\z`, pieces...),
	into("a piece anywhere", `$^`, pieces...),
	into("a piece at a tag", anyTag, pieces...),
	into("a piece in a value", `=["']?`, pieces...),
	into("a piece in a text", `(?m)^[^<>\n]{3}`, pieces...),
	at("a field emptied", anyField, "$1:", "$1: ", "$1:\t"),
	at("a field twice", anyField, "$0\n$0", "$0\n$1: x", "$1: x\n$0"),
	at("a field folded", `(?m)^([A-Za-z][\w-]*):([^\r\n]*?)([^\r\n]{1,12})`, "$1:$2\n $3", "$1:$2\r\n\t$3", "$1:\n $2$3"),
	at("a field with a comment", anyField, "$1:$2 (a comment)", "$1: (a comment)$2"),
	at("a field quoted", `(?m)^([A-Za-z][\w-]*): *([^\r\n]*)`, `$1: "$2"`, `$1: <$2>`, `$1: <$2`, `$1: $2;`, `$1: =$2`, `$1 : $2`, `$1:$2`, `$1: '$2'`),
	at("a field in an encoded word", `(?m)^([A-Za-z][\w-]*): *([^\r\n]*)`, `$1: =?utf-8?Q?$2?=`, `$1: =?iso-8859-1?q?$2?= x`),
	{"a field of links", func(k *trial, s []byte) []byte {
		line := pick(k, fieldsOfLinks) + ": " + pick(k, valuesOfFields) + "\n"
		all := headerLine.FindAllIndex(s, 100)
		if all == nil || k.one(8) {
			return append([]byte(line), s...)
		}
		i := pick(k, all)[0]
		return slices.Concat(s[:i], []byte(line), s[i:])
	}},
	{"another value of a field", func(k *trial, s []byte) []byte {
		all := headerLine.FindAllSubmatchIndex(s, 100)
		if all == nil {
			return s
		}
		m := pick(k, all)
		return slices.Concat(s[:m[3]], []byte(": "+pick(k, valuesOfFields)), s[m[1]:])
	}},
	at("a field with another name", `(?m)^[A-Za-z][\w-]*:`, "Content-Base:", "Content-Location:", "List-Post:", "Link:", "X-Y:", "Content-Type:", "Content-Transfer-Encoding:"),
	at("a parameter in pieces", `(;\s*)([a-z]+)="?([^\s;"]*?)([^\s;"]{1,5})"?`, "$1$2*0=$3; $2*1=$4", "$1$2*=utf-8''$3%20$4", `$1$2*0*=utf-8''$3; $2*1="$4"`, `$1$2*1=$4; $2*0=$3`),
	at("a parameter twice", anyParam, "$0$0", "$0$1$2=x", "$1$2=x$0", "$1$2", "$0;", ";$0", "$1$2 = $3", "$1$2=$3 (c)"),
	at("an attribute twice", anyAttr, "$0$0", "$0$1$2=x", "$1$2='x'$0"),
	at("an attribute unquoted", `(\s)([A-Za-z][\w:-]*)=["']([^"']*)["']`, "$1$2=$3", "$1$2 =\n'$3'", "$1$2=", "$1$2", `$1$2=" $3 "`, "$1$2=\"$3", "$1$2=`$3`", `$1$2="&#32;$3&amp;"`, "$1$2='$3'x"),
	at("an attribute with another name", `(\s)([A-Za-z][\w:-]*)=`, "${1}href=", "${1}src=", "${1}xml:base=", "${1}xlink:href=", "${1}srcset=", "${1}style=", "${1}data-src=", "${1}ping=", "${1}srcdoc=", "${1}HREF=", "${1}codebase=", "${1}content=", "${1}usemap="),
	at("an attribute with a piece of another value", `=(["'])`, "=${1}&#x2f;", "=${1}&", "=${1} ", "=${1}\n", "=${1}#", "=${1}//", "=${1}<!-- x -->", "=${1}URL:", "=${1}\\", "=${1}{{", "=${1}é", "=${1}javascript:", "=${1}url(", "=${1}mailto:"),
	at("another tag", `<(/?)[A-Za-z][\w:-]*`, "<${1}base", "<${1}a", "<${1}svg", "<${1}style", "<${1}div", "<${1}textarea", "<${1}template", "<${1}link", "<${1}description", "<${1}x", "<${1}object", "<${1}meta", "<${1}img"),
	at("a tag unclosed", `</[A-Za-z][^>]*>`, "", "$0$0", "</x>"),
	at("a tag not ended", `<[A-Za-z][^>]*>`, "", "$0$0", "<", "<a$0"),
	at("an empty tag", `(<[A-Za-z][^>]*?)/?>`, "$1/>", "$1>", "$1 / >"),
	at("a namespace", `xmlns(:\w+)?=["'][^"']*["']`, "", `xmlns="http://www.w3.org/1999/xhtml"`, `xmlns$1="x"`, `xmlns="http://www.w3.org/2000/svg"`, `xmlns="http://purl.org/atom/ns#"`, `xmlns="urn:x"`),
	at("a text in CDATA", `>([^<>]+)<`, "><![CDATA[$1]]><", "> <!-- c -->$1<", ">$1&x<", ">$1 & x<", ">x<![CDATA[$1]]><", "><?p?>$1<", "> $1\n<"),
	at("a label of a charset", `(?i)(charset|encoding)=(["']?)[\w-]+`, "$1=${2}iso-8859-1", "$1=${2}iso-2022-jp", "$1=${2}utf-16", "$1=${2}shift_jis", "$1=${2}utf-8", "$1=${2}x-unknown", "$1=${2}gb18030", "$1=${2}us-ascii", "$1=${2}utf-7"),
	at("a number", `\d+`, "0", "1", "${0}0", "-1", "99", "999999"),
	at("a delimiter", `(?m)^--[^\r\n]*`, "", "$0x", "$0--", "--x", "-$0", "$0 ", "$0\n$0", " $0"),
	at("a line", `(?m)^[^\n]*\n`, "", "$0$0", "\n$0", "$0\n", " $0", "> $0", "\t\n"),
	at("line ends", `\r?\n`, "\r", "\n", "\r\n", "\r\r\n", "\v", "\u2028"),
	at("a URL", `https?://[\w.-]+(?:/[\w./-]*)?`, "http://h.example", "$0 ", "//h.example/z", "/z", "$0#f", "http:z", "HTTP://H.example/Z", "$0/../%7E", "ftp://h.example/z", "", ".", "..", "?q", "#", "http://é.example/", "http://[", "http://h.example:80/", "<$0>", "$0."),
	at("a reference", `(=["'])[^"'<>]+`, "${1}x", "${1}#top", "${1}", "${1}.", "${1}../..", "${1}?q=1&amp;r=2", "${1}?q=1&r=2", "${1}http://h.example", "${1}//p.example", "${1}a b", "${1} x ", "${1}a\tb", "${1}x:y", "${1}/", "${1};x", "${1}é", "${1}%zz", "${1}http:x", "${1}/web/2020/http://h.example/"),
	{"a part moved", func(k *trial, s []byte) []byte {
		all := delimiterLine.FindAllIndex(s, 50)
		if len(all) < 3 {
			return s
		}
		i := k.IntN(len(all) - 2)
		return slices.Concat(s[:all[i][0]], s[all[i+1][0]:all[i+2][0]], s[all[i][0]:all[i+1][0]], s[all[i+2][0]:])
	}},
}

var (
	headerLine    = regexp.MustCompile(`(?m)^([A-Za-z][\w-]*):[^\r\n]*`)
	delimiterLine = regexp.MustCompile(`(?m)^--[^\r\n]*\r?\n`)
)

// wrap puts the document into another one.
func (k *trial) wrap() {
	f := extract.Detect(k.d.Type, k.d.Name, k.d.Bytes)
	kind, name, text := "application/octet-stream", path.Base(k.d.Name), string(k.d.Bytes)
	if f != nil {
		kind = f.Name
	}
	into := pick(k, []string{"mail", "mail", "mbox", "zip", "tar", "warc", "epub", "gzip", "http", "atom", "rss", "srcdoc", "style"})
	k.did = append(k.did, "in "+into)
	k.d.Type = ""
	switch into {
	case "mail", "mbox":
		encoding := pick(k, []string{"7bit", "base64", "quoted-printable", "quoted-printable;", "8bit"})
		switch {
		case encoding == "base64":
			text = inLines(base64.StdEncoding.EncodeToString([]byte(text)))
		case strings.HasPrefix(encoding, "quoted"):
			text = strings.NewReplacer("=", "=3D", "example", "exam=\nple", "\x00", "=00").Replace(text)
		}
		if k.one(4) {
			kind = "application/octet-stream"
		}
		head := "From: a@b.example\nSubject: s\nMIME-Version: 1.0\n" + pick(k, []string{"", "Content-Base: http://p.example/d/\n", "Content-Location: http://p.example/l.html\n", "List-Archive: <http://h.example/l>\n"})
		part := "Content-Type: " + kind + "\nContent-Disposition: attachment; filename=\"" + name + "\"\nContent-Transfer-Encoding: " + encoding + "\n\n" + text
		if k.one(2) {
			part = "Content-Type: multipart/mixed; boundary=bb\n\n--bb\nContent-Type: text/plain\n\nhttp://h.example/d/t <URL:u>\n--bb\n" + part + "\n--bb--\n"
		}
		if k.d.Name, text = "m.eml", head+part; into == "mbox" {
			k.d.Name, text = "m.mbox", fromLine+text+"\n"+fromLine+head+"\nhttp://h.example\n\n"+fromLine+text+"\n"
		}
	case "zip":
		k.d.Name, text = "a.zip", zipped(name, text, "d/"+name, text, "p.html", "<a href=q.html>")
	case "tar":
		var out bytes.Buffer
		w := tar.NewWriter(&out)
		for _, name := range []string{name, "p.html", name} {
			_ = w.WriteHeader(&tar.Header{Name: name, Mode: 0o644, Size: int64(len(text))})
			_, _ = w.Write([]byte(text))
		}
		_ = w.Close()
		k.d.Name, text = "a.tar", out.String()
	case "warc":
		uri := pick(k, []string{"http://h.example/d/p", "<http://h.example/d/p>", "http://h.example/d/p q", "http://h.example/d/\r\n p", ""})
		k.d.Name, text = "a.warc", warcRecord(pick(k, []string{"resource", "metadata", "conversion", "request"}), uri, kind, text, text)+warcRecord("response", uri, "application/http; msgtype=response", "HTTP/1.1 200 OK\r\nContent-Type: "+kind+"\r\n\r\n"+text, text)
	case "epub":
		const rootfile = `<container version="1.0" xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles><rootfile full-path="OPS/p.opf" media-type="application/oebps-package+xml"/></rootfiles></container>`
		const opf = `<package xmlns="http://www.idpf.org/2007/opf" version="3.0"><manifest><item id="a" href="a.xhtml" media-type="application/xhtml+xml"/></manifest></package>`
		k.d.Name, text = "a.epub", zipped("mimetype", "application/epub+zip", "META-INF/container.xml", rootfile, "OPS/p.opf", opf, "OPS/a.xhtml", text, "OPS/"+name, text)
	case "gzip":
		k.d.Name, text = k.d.Name+".gz", gzipped(text)
	case "http":
		k.d.Name, text = "a.http", "HTTP/1.1 200 OK\r\nContent-Type: "+kind+"\r\nContent-Length: "+fmt.Sprint(len(text))+"\r\nLink: <l>; rel=x\r\n\r\n"+text
	case "atom":
		k.d.Name, text = "a.atom", `<feed xmlns="http://www.w3.org/2005/Atom" xml:base="f/"><link href="l"/><entry><content type="`+pick(k, []string{"html", "xhtml", "text"})+`">`+k.escaped(text)+`</content></entry></feed>`
	case "rss":
		k.d.Name, text = "a.rss", `<rss version="2.0"><channel><link>/l</link><item><description>`+k.escaped(text)+`</description><link>`+"/m</link></item></channel></rss>"
	case "srcdoc":
		k.d.Name, text = "a.html", `<base href="http://b.example/"><iframe srcdoc="`+strings.ReplaceAll(text, `"`, "&quot;")+`"></iframe><a href=x>`
	case "style":
		k.d.Name, text = "a.html", "<style>"+text+"</style><a href=x style='background: url(y)'>"
	}
	k.d.Bytes = []byte(text)
}

func (k *trial) escaped(text string) string {
	switch k.IntN(3) {
	case 0:
		return "<![CDATA[" + strings.ReplaceAll(text, "]]>", "]]>]]&gt;<![CDATA[") + "]]>"
	case 1:
		return strings.NewReplacer("&", "&amp;", "<", "&lt;").Replace(text)
	}
	return `<div xmlns="http://www.w3.org/1999/xhtml">` + text + "</div>"
}

func inLines(s string) string {
	var out strings.Builder
	for ; len(s) > 76; s = s[76:] {
		out.WriteString(s[:76] + "\n")
	}
	return out.String() + s + "\n"
}

const fromLine = "From a@b Mon Jan  1 00:00:00 2024\n"

// zipped returns a zip archive of files, each a name and its data.
func zipped(files ...string) string {
	var out strings.Builder
	w := zip.NewWriter(&out)
	for i := 0; i < len(files); i += 2 {
		file, _ := w.Create(files[i])
		_, _ = file.Write([]byte(files[i+1]))
	}
	_ = w.Close()
	return out.String()
}

func gzipped(text string) string {
	var out strings.Builder
	w := gzip.NewWriter(&out)
	_, _ = w.Write([]byte(text))
	_ = w.Close()
	return out.String()
}

func warcRecord(kind, uri, mediaType, block, payload string) string {
	digest := func(s string) string {
		sum := sha1.Sum([]byte(s))
		return "sha1:" + base32.StdEncoding.EncodeToString(sum[:])
	}
	return fmt.Sprintf("WARC/1.1\r\nWARC-Type: %s\r\nWARC-Target-URI: %s\r\nWARC-Block-Digest: %s\r\nWARC-Payload-Digest: %s\r\nContent-Type: %s\r\nContent-Length: %d\r\n\r\n%s\r\n\r\n",
		kind, uri, digest(block), digest(payload), mediaType, len(block), block)
}
