package html

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"absolink/extract/internal/mark"
)

// pieces are parts of tags, of which random sequences make tags that end in unusual ways.
var pieces = []string{
	"<", "</", "<a", "<A", "</a", "<b>", "</b>", "<h1>", "</h1 >", "<base", "<title>", "</title>", "<script>", "</script>", "<svg>", "</svg>",
	"<template>", "</template>", "<noscript>", "</noscript>", "<frameset>", "<blockquote", "<!--", "-->", "<!", "<?", "<1>", "</>", "</1>", "<\xE9>", "<a\x00b>",
	">", "/>", "/", " ", "\n", "=", `"`, "'", ` href="x"`, " HREF='y'", " href=z", ` class="c"`, ` id="<p>"`, ` href=""`, " href=", ` data-src="d"`, " x",
	` style="a:url(b)"`, ` itemid="i"`, "text", "long text without any tag", "\x80",
}

func randomPage(r *rand.Rand) (page []byte) {
	for range 1 + r.IntN(30) {
		page = append(page, pieces[r.IntN(len(pieces))]...)
	}
	return page
}

// The tags that next skips change nothing. If the elements of links are recorded, it skips none, and the marks are the same.
func TestSkippedTags(t *testing.T) {
	marks := func(page []byte, described bool) []mark.Mark {
		m := &mark.Marks{Settings: mark.Settings{DescribeLinks: described, File: true}}
		scan(page, m, false)
		var all []mark.Mark
		for marks := range m.All {
			all = append(all, marks...)
		}
		for i := range all {
			if all[i].Format != nil {
				all[i].Format = &mark.Format{Name: all[i].Format.Name} // each scanner has a noscript of its own
			}
		}
		return all
	}
	r, found := rand.New(rand.NewPCG(1, 2)), 0
	for range 30000 {
		page := randomPage(r)
		all := marks(page, true)
		require.Equal(t, all, marks(page, false), "%q", page)
		found += len(all)
	}
	require.Greater(t, found, 5000)
}

// The fast way for usual attributes reads what moreAttributes reads.
func TestUsualAttributes(t *testing.T) {
	r, found := rand.New(rand.NewPCG(3, 4)), 0
	for range 30000 {
		page := append([]byte(` href="1"`), randomPage(r)...)
		usual, all := scanner{src: page}, scanner{src: page}
		p := usual.attributes(0, allAttrs)
		require.Equal(t, all.moreAttributes(0, allAttrs), p, "%q", page)
		require.Equal(t, all, usual, "%q", page)
		if p > 0 {
			found += all.count
		}
	}
	require.Greater(t, found, 5000)
}
