package extract_test

import (
	"maps"
	"math/rand"
	"slices"
	"strconv"
	"strings"
	"testing"

	"absolink/extract"
	. "absolink/extract/internal/extracttest"
	"absolink/internal/longtest"
)

// rewritePieces are the parts of random documents by media type, markup that changes how the text around it is read.
var rewritePieces = map[string][]string{
	"text/markdown":   strings.Split("[](x)|[a](y z)|[a](<y z>)|[a]: x\n|[b]:\ny 'c'\n|[a]|[b]|![c][a]|- |> |1. |    |\n|\n\n|`|```\n|~~~\n|# |---\n|===\n|\\||-|:-\n|*|_|**|<a href=x>|<a href='|</a>|<!--|-->|<p>|<img src=y|>|<script>|</script>|<pre>|</pre>|www.a.b/|http://c.d/|https://e.f|(|)|[|]|!|&amp;|&#41;|\\|'|\"|x|x:y|a@b.c|<mailto:x>|<x:y>|\t| |é|<style>url(z)|</style>|[^1]|[^1]: x\n|+++\n|<base href=q/>", "|"),
	"text/plain":      strings.Split("<URL:x>|<URL: x\n y>|<URL:|>|http://a/|http://b.c/d.|:|//|(|)|.|,|\n|\n\n|From |-- \n|> |x|é|\xe9|<|\"|URL:|a:", "|"),
	"text/css":        strings.Split("@charset \"x\";|@import \"a\";|@import url(b);|url(c)|url('d')|url(\"e\")|image-set(\"f\" 1x)|src(\"g\")|{|}|;|:|/*|*/|<!--|-->|\\|\"|'|(|)|\n| |x|a{b:|#|é|\xe9|\\75rl(h)|url(#i)|url()|@import '';", "|"),
	"text/html":       strings.Split("<a href=x>|<a href='y|<a href=\"z\">|'>|\">|<base href=q/>|<base href=\xe9/>|<meta charset=utf-8>|<meta charset=koi8-r>|<meta http-equiv=refresh content='0;url=x'>|<meta http-equiv=content-type content='text/html;charset=latin1'>|<meta property=og:url content=x>|<meta itemprop=url http-equiv=content-type content='y;charset=koi8-r'>|<script>|</script>|<style>|</style>|url(x)|<!--|-->|<noscript>|</noscript>|<iframe srcdoc='<a href=x>'>|<img srcset='a 1x,b 2x'>|<img srcset='a,b'>|<p style='x:url(y)'>|<svg>|</svg>|<textarea>|</textarea>|<title>|</title>|\xe9|é|\xc3|\xa9|<a href=\xe9>|<a href=é>|<a href=?é>|<a href='?&eacute;'>|<a href='http://h/?&eacute;'>|&|\x00| |\n|x|<!-- saved from url=(0014)about:internet -->|<!-- saved from url=(0009)http://z/ -->|<!-- Mirrored from h/p by HTTrack Website Copier -->|<script type=importmap>{\"imports\":{\"a\":\"./x\"}}</script>|<script type=speculationrules>{\"prefetch\":[{\"urls\":[\"x\"]}]}</script>|<link rel=canonical href=http://c/d>|<object codebase=x data=y>|<a ping='a b'>|<template>|</template>|<!--[if IE]><a href=x><![endif]-->|<frameset>||<a href=http://web.archive.org/web/2020/http://h/x>|<a href=/web/20200101000000/http://h/y>|<meta http-equiv=link content='<x>;rel=next'>|<meta http-equiv=base content=b/>|<embed src=x>|<form action>|<form action=''>|<a href>|<a href=''>|</a>", "|"),
	"application/xml": strings.Split("<?xml version='1.0'?>|<?xml version='1.0' encoding='latin1'?>|<?xml-stylesheet href='a'?>|<?xml-stylesheet href='b' type='text/css'?>|<html xmlns='http://www.w3.org/1999/xhtml'>|</html>|<a href='x'/>|<a href='y'>|</a>|<base href='q/'/>|<r xml:base='b/'>|</r>|<rss>|</rss>|<channel>|<item>|<link>x</link>|<link> y\n</link>|<link><![CDATA[z]]></link>|<guid>g</guid>|<enclosure url='e'/>|<description>&lt;a href=x></description>|<description><![CDATA[<a href=y>]]></description>|<feed xmlns='http://www.w3.org/2005/Atom'>|<entry>|</entry>|<id>x</id>|<content type='html'>&lt;img src=x></content>|<content src='x'/>|<svg xmlns='http://www.w3.org/2000/svg' xmlns:xlink='http://www.w3.org/1999/xlink'>|<image xlink:href='i'/>|<style>a{b:url(c)}</style>|<style><![CDATA[a{b:url(c)}]]></style>|<p style='a:url(b)'/>|<!--|-->|<![CDATA[|]]>|<!DOCTYPE a [<!ENTITY b 'c'>]>|<!DOCTYPE html SYSTEM 'x.dtd'>|&b;|&amp;|é|\xe9|x| |\n|>|<|'|\"|<img srcset='a 1x, b'/>|<opml>|<outline xmlUrl='x'/>|<script>x</script>|<iframe srcdoc='&lt;a href=x>'/>", "|"),
	"message/rfc822":  strings.Split("Content-Type: text/html\n|Content-Type: text/markdown\n|Content-Type: multipart/mixed; boundary=b\n|Content-Type: multipart/related; boundary=c\n|Content-Type: text/plain\n|Content-Type: message/rfc822\n|Content-Type: text/css\n|Content-Type: text/x-opml\n|Content-Transfer-Encoding: quoted-printable\n|Content-Transfer-Encoding: base64\n|Content-Transfer-Encoding: binary\n|Content-Location: x.gif\n|Content-Location: http://l/m\n|Content-Base: <n/>\n|Content-ID: <i@j>\n|Link: <x>; rel=next\n|List-Help: <x>\n|Refresh: 0;url=x\n|Comments: a <URL:x>\n|Location: x\n|Subject: x\n|From: a\n|From a 10:10\n|>From b 11:11\n|\n|\n\n| \n| x\n|--b\n|--b--\n|--c\n|--c--\n|--b--x\n|<img/src=a>|<img/src=--b>|<a href=x>|[](x)|[a]:\nx\n|<URL:\nx>|<URL:x>|<URL: y>|PGltZy9zcmM9YT4=\n|=3D|=\n|=20|<a href=3Dx>|x|:|\n:|\r\n|Base: <URL:http://base/>\n|url(x)|-----BEGIN PGP SIGNED MESSAGE-----\n|-----END PGP SIGNATURE-----\n|Content-Length: 10\n|Content-MD5: AAAA\n|HTTP/1.1 200 OK\n|--|é|\xe9|<img src=cid:i@j>|<img src=x.gif>", "|"),
}

// TestRewriteRandom checks the rules of Unharmed for random documents: pieces, or seeds of FuzzRewrite with some pieces more
// or some bytes less.
func TestRewriteRandom(t *testing.T) {
	seeds := fuzzSeeds(t)
	types := slices.Sorted(maps.Keys(seeds))
	for seed := range longtest.Or(300, 20_000) {
		r := rand.New(rand.NewSource(int64(seed)))
		mediaType := types[r.Intn(len(types))]
		src := ""
		if r.Intn(2) == 0 {
			src = seeds[mediaType][r.Intn(len(seeds[mediaType]))]
		}
		list := rewritePieces[mediaType]
		if list == nil || r.Intn(8) == 0 {
			list = rewritePieces[types[r.Intn(len(types))]]
		}
		for range 1 + r.Intn(10) {
			i := r.Intn(len(src) + 1)
			switch r.Intn(8) {
			case 0:
				src = src[:i] + src[min(len(src), i+r.Intn(20)):]
			case 1:
				src = src[:i] + strings.Repeat(" ", 950+r.Intn(100)) + src[i:]
			default:
				if len(list) > 0 {
					src = src[:i] + list[r.Intn(len(list))] + src[i:]
				}
			}
		}
		w, url := FuzzOptions(uint16(r.Intn(1 << 16)))
		if r.Intn(3) == 0 && extract.Detect("", "", []byte(src)) == extract.FormatOf(mediaType) {
			mediaType = ""
		}
		if !t.Run(strconv.Itoa(seed), func(t *testing.T) {
			Unharmed(t, &w, extract.Document{Type: mediaType, URL: url, Bytes: []byte(src)})
		}) {
			t.Logf("%s: %q", mediaType, src)
		}
	}
}
