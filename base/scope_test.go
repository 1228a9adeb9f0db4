package base_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/text/encoding/charmap"

	"absolink/base"
	"absolink/resolve"
)

func embedded(url string) base.Declaration {
	return base.Declaration{Layer: base.LayerEmbedded, By: "BASE element", Value: url}
}

func header(name, url string) base.Declaration {
	return base.Declaration{Layer: base.LayerEncapsulating, By: name, Value: url, Header: true}
}

func retrieval(url string) base.Declaration {
	return base.Declaration{Layer: base.LayerRetrieval, By: "--url", Value: url}
}

func redirect(url string) base.Declaration {
	return base.Declaration{Layer: base.LayerRetrieval, By: "Location", Value: url, Redirect: true}
}

func override(url string) base.Declaration {
	return base.Declaration{Layer: base.LayerOverride, By: "--override-base", Value: url}
}

// TestNearestLayer removes the nearest layer of a document with all layers, again and again. The next layer then decides.
func TestNearestLayer(t *testing.T) {
	type layer struct {
		name  string
		d     base.Declaration
		layer base.Layer
		by    string
	}
	layers := []layer{
		{"override", override("http://override/"), base.LayerOverride, "--override-base"},
		{"3.1 BASE element", embedded("http://base/"), base.LayerEmbedded, "BASE element"},
		{"3.2 the part's header", header("Content-Base", "http://part/"), base.LayerEncapsulating, "Content-Base"},
		{"3.2 the multipart's header", header("Content-Location", "http://multipart/"), base.LayerEncapsulating, "Content-Location"},
		{"3.2 the message's header", header("Base", "http://message/"), base.LayerEncapsulating, "Base"},
		{"3.3 retrieval", retrieval("http://retrieval/"), base.LayerRetrieval, "--url"},
		{"3.4 default", base.Declaration{}, base.LayerDefault, ""},
	}
	for removed, want := range layers {
		t.Run(want.name, func(t *testing.T) {
			pick := func(i int) []base.Declaration {
				if i < removed {
					return nil
				}
				return []base.Declaration{layers[i].d}
			}
			root := base.Root(resolve.RFC1808, append(pick(0), pick(5)...)...)
			message := root.Enclose(resolve.RFC1808, "message", pick(4)...)
			multipart := message.Enclose(resolve.RFC1808, "part", pick(3)...)
			document := multipart.Enclose(resolve.RFC1808, "part", append(pick(1), pick(2)...)...)
			assert.Equal(t, want.d.Value, document.Base().String())
			assert.Equal(t, want.layer, document.Layer())
			assert.Equal(t, want.by, document.By())
		})
	}
}

func TestVerdicts(t *testing.T) {
	long := []base.Declaration{embedded("sub/"), header("Base", "/top/"), retrieval("http://h/p")}
	for _, row := range []struct {
		name     string
		std      resolve.Standard
		declared []base.Declaration
		url      string
		verdicts string
	}{
		{"no declaration", resolve.RFC1808, nil, "", "default used"},
		{"a nearer layer shadows a farther layer", resolve.RFC1808, []base.Declaration{embedded("http://a/"), retrieval("http://b/")}, "http://a/",
			"embedded used, retrieval shadowed, default shadowed"},
		{"a relative base is resolved against the next layer", resolve.RFC1808, []base.Declaration{embedded("/q/"), retrieval("http://h/p/")}, "http://h/q/",
			"embedded used, retrieval used, default shadowed"},
		{"a relative base is resolved against another relative base", resolve.RFC1808, long, "http://h/top/sub/",
			"embedded used, encapsulating used, retrieval used, default shadowed"},
		{"a relative base without a later layer", resolve.RFC1808, []base.Declaration{embedded("/q/")}, "",
			"embedded rejected: relative, and no later layer has a base URL, default used"},
		{"an empty base: the next layer decides", resolve.RFC1808, []base.Declaration{embedded(""), retrieval("http://h/p/")}, "http://h/p/",
			"embedded rejected: empty, so the next layer decides, retrieval used, default shadowed"},
		{"2.3: mailto: URLs are never used with relative URLs", resolve.RFC1808, []base.Declaration{embedded("mailto:a@b"), retrieval("http://h/")}, "http://h/",
			"embedded rejected: mailto: URLs are never used with relative URLs, retrieval used, default shadowed"},
		{"whatwg: an opaque base applies", resolve.WHATWG, []base.Declaration{embedded("mailto:a@b"), retrieval("http://h/")}, "mailto:a@b",
			"embedded used, retrieval shadowed, default shadowed"},
		{"whatwg: a data: URL cannot be a base", resolve.WHATWG, []base.Declaration{embedded("data:,x"), retrieval("http://h/")}, "http://h/",
			"embedded rejected: HTML does not allow a data: URL as a base, retrieval used, default shadowed"},
		{"whatwg: a malformed relative base", resolve.WHATWG, []base.Declaration{embedded("//[x/"), retrieval("http://h/")}, "http://h/",
			"embedded rejected: malformed URL: IPv6-unclosed, retrieval used, default shadowed"},
		{"whatwg: a relative base and a malformed override", resolve.WHATWG, []base.Declaration{override("http://[x/"), embedded("q/")}, "",
			"override rejected: malformed URL: IPv6-unclosed, embedded rejected: relative, and no later layer has a base URL, default used"},
		{"whatwg: an absolute base and a malformed override", resolve.WHATWG, []base.Declaration{override("http://[x/"), retrieval("http://h/")}, "http://h/",
			"override rejected: malformed URL: IPv6-unclosed, retrieval used, default shadowed"},
		{"a relative override is resolved against the next layer", resolve.RFC1808, []base.Declaration{override("x/"), retrieval("http://h/")}, "http://h/x/",
			"override used, retrieval used, default shadowed"},
		{"a refused declaration is rejected", resolve.RFC1808, []base.Declaration{{Value: "http://a/", Layer: base.LayerEmbedded, Refuse: "the second"}, retrieval("http://h/")}, "http://h/",
			"embedded rejected: the second, retrieval used, default shadowed"},
	} {
		t.Run(row.name, func(t *testing.T) {
			s := base.Root(row.std).Enclose(row.std, "", row.declared...)
			got := ""
			for i, c := range s.Candidates() {
				if i > 0 {
					got += ", "
				}
				got += c.Layer.String() + " " + c.String()
			}
			assert.Equal(t, row.verdicts, got)
			assert.Equal(t, row.url, s.Base().String())
		})
	}
}

// TestInnerEntity: what the content of a page declares is Encapsulating for an entity inside the page, and its name is the
// place of that entity (3.2).
func TestInnerEntity(t *testing.T) {
	root := base.Root(resolve.RFC1808, retrieval("http://h/p/"))
	page := root.Enclose(resolve.RFC1808, "", embedded("q/"))
	frame := page.Enclose(resolve.RFC1808, "iframe@srcdoc")
	inner := frame.Enclose(resolve.RFC1808, "iframe@srcdoc", embedded("r/"))
	assert.Equal(t, "encapsulating iframe@srcdoc http://h/p/q/", fmt.Sprint(frame.Layer(), " ", frame.By(), " ", frame.Base()))
	assert.Same(t, page.Base(), frame.Base(), "a scope without declarations shares the prepared base")
	assert.Equal(t, "http://h/p/q/r/", inner.Base().String())
	assert.Equal(t, "http://h/p/", inner.RetrievalURL())

	object := page.Within(base.Declaration{Layer: base.LayerEmbedded, By: "codebase", Value: "c/"})
	assert.Equal(t, "http://h/p/q/c/", object.Base().String())
	assert.Equal(t, base.LayerEmbedded, object.Layer())
	assert.Equal(t, "http://h/p/q/", page.Base().String(), "a scope never changes")
}

// TestRetrievalOrder: the retrieval URL of an outer scope is better evidence than that of an inner one.
func TestRetrievalOrder(t *testing.T) {
	root := base.Root(resolve.RFC1808, retrieval("http://user/"))
	record := root.Enclose(resolve.RFC1808, "record", base.Declaration{Layer: base.LayerRetrieval, By: "WARC-Target-URI", Value: "http://target/"})
	page := record.Enclose(resolve.RFC1808, "", base.Declaration{Layer: base.LayerRetrieval, By: "comment", Value: "http://comment/"})
	var order []string
	for _, c := range page.Candidates() {
		order = append(order, c.By)
	}
	assert.Equal(t, []string{"--url", "WARC-Target-URI", "comment", ""}, order)
}

// TestWithinIsEnclose: Within, which judges only the declarations of an element, has the same results as Enclose, which
// judges all layers.
func TestWithinIsEnclose(t *testing.T) {
	values := []string{"http://a/b/c", "d/e", "", "?q", "mailto:x@y", "/r", "//h2/s#f"}
	for _, std := range []resolve.Standard{resolve.RFC1808, resolve.RFC3986, resolve.WHATWG} {
		for _, root := range []*base.Scope{
			base.Root(std), base.Root(std, base.Declaration{Layer: base.LayerRetrieval, By: "--url", Value: "http://u/v/"}),
			base.Root(std, base.Declaration{Layer: base.LayerOverride, By: "--override-base", Value: "http://o/p/"}),
			base.Root(std, base.Declaration{Layer: base.LayerOverride, By: "--override-base", Value: "p/"}),
		} {
			for n := range len(values) * len(values) * len(values) {
				outer := root.Enclose(std, "part", base.Declaration{Layer: base.LayerEmbedded, By: "BASE element", Value: values[n%len(values)]})
				for _, i := range []int{n / len(values) % len(values), n / len(values) / len(values)} {
					d := base.Declaration{Layer: base.LayerEmbedded, By: "xml:base", Value: values[i], Offset: i}
					if n%5 == 0 {
						d.Refuse = "browsers ignore it"
					}
					within, whole := outer.Within(d), outer.Enclose(std, "", d)
					require.Equal(t, whole.Base().String(), within.Base().String())
					require.Equal(t, whole.Layer(), within.Layer())
					require.Equal(t, whole.By(), within.By())
					require.Equal(t, whole.Candidates(), within.Candidates())
					require.Equal(t, whole.Own(), within.Own())
					own := within.Candidates()
					require.Equal(t, slices.DeleteFunc(own, func(c base.Candidate) bool { return !c.Own }), within.Own())
					outer = within
				}
			}
		}
	}
}

// TestEncloseOtherStandard: two parts share one Base, whose query encoding is not that of their message.
func TestEncloseOtherStandard(t *testing.T) {
	german := resolve.WHATWG.WithQueryEncoding(charmap.ISO8859_1)
	message := base.Root(resolve.WHATWG, base.Declaration{Layer: base.LayerRetrieval, By: "--url", Value: "http://h/p/"}).
		Enclose(resolve.WHATWG, "", base.Declaration{Layer: base.LayerEmbedded, By: "Content-Base", Value: "q/", Header: true})
	part := message.Enclose(german, "part[1]")
	assert.Same(t, part.Base(), message.Enclose(german, "part[2]").Base())
	url, err := part.Base().Resolve("?\u00E9")
	require.NoError(t, err)
	assert.Equal(t, "http://h/p/q/?%E9", url)
	assert.Equal(t, base.LayerEncapsulating, part.Layer())
	assert.Equal(t, "Content-Base", part.By())
	url, err = message.Enclose(resolve.WHATWG, "part[3]").Base().Resolve("?\u00E9")
	require.NoError(t, err)
	assert.Equal(t, "http://h/p/q/?%C3%A9", url)
}

func TestScopeInside(t *testing.T) {
	list := func(candidates []base.Candidate) []string {
		var lines []string
		for _, c := range candidates {
			lines = append(lines, fmt.Sprint(c.Layer, " ", c.By, " ", c.URL, " ", c, " ", c.Own))
		}
		return lines
	}
	root := base.Root(resolve.RFC1808, retrieval("http://h/p/"))
	page := root.Enclose(resolve.RFC1808, "", embedded("q/"))
	last := retrieval("http://last/")
	last.Last, last.By = true, "attribute"
	headed := embedded("http://meta/")
	headed.Header, headed.By = true, "META element"
	for _, row := range []struct {
		name      string
		s         *base.Scope
		own, want []string
	}{
		{"3.2: a declaration in the outer content is named by the place of the inner entity", page.Enclose(resolve.RFC1808, "srcdoc", embedded("r/")),
			[]string{"embedded BASE element http://h/p/q/r/ used true"},
			[]string{"embedded BASE element http://h/p/q/r/ used true", "encapsulating srcdoc http://h/p/q/ used false", "retrieval --url http://h/p/ used false", "default   shadowed false"}},
		{"3.2: the outermost of several places is the name", page.Enclose(resolve.RFC1808, "srcdoc").Enclose(resolve.RFC1808, "").Enclose(resolve.RFC1808, "inner", embedded("r/")),
			[]string{"embedded BASE element http://h/p/q/r/ used true"},
			[]string{"embedded BASE element http://h/p/q/r/ used true", "encapsulating srcdoc http://h/p/q/ used false", "retrieval --url http://h/p/ used false", "default   shadowed false"}},
		{"3.2: a declaration in a header keeps its name", root.Enclose(resolve.RFC1808, "", headed).Enclose(resolve.RFC1808, "part", embedded("")),
			[]string{"embedded BASE element  rejected: empty, so the next layer decides true"},
			[]string{"embedded BASE element  rejected: empty, so the next layer decides true", "encapsulating META element http://meta/ used false", "retrieval --url http://h/p/ shadowed false", "default   shadowed false"}},
		{"3.2: a declaration in a header around an outer entity", root.Enclose(resolve.RFC1808, "part", header("Base", "http://b/")).Enclose(resolve.RFC1808, "part", embedded("r/")),
			[]string{"embedded BASE element http://b/r/ used true"},
			[]string{"embedded BASE element http://b/r/ used true", "encapsulating Base http://b/ used false", "retrieval --url http://h/p/ shadowed false", "default   shadowed false"}},
		{"3.3: a declaration that is Last comes after those of outer and inner scopes", base.Root(resolve.RFC1808, last).Enclose(resolve.RFC1808, "", retrieval("http://inner/")),
			[]string{"retrieval --url http://inner/ used true"},
			[]string{"retrieval --url http://inner/ used true", "retrieval attribute http://last/ shadowed false", "default   shadowed false"}},
		{"3.3: a redirect replaces the URLs before it, except the URL that is Last", base.Root(resolve.RFC1808, last, retrieval("http://h/a")).Enclose(resolve.RFC1808, "", redirect("c#f"), redirect("/b/")),
			[]string{"retrieval Location http://h/b/c used true", "retrieval Location http://h/b/ used true"},
			[]string{"retrieval Location http://h/b/c used true", "retrieval Location http://h/b/ used true", "retrieval --url http://h/a used false", "retrieval attribute http://last/ shadowed false", "default   shadowed false"}},
		{"3.3: a redirect of an inner entity is resolved against a redirect of the outer entity", root.Enclose(resolve.RFC1808, "", redirect("b/")).Enclose(resolve.RFC1808, "part", redirect("c/")),
			[]string{"retrieval Location http://h/p/b/c/ used true"},
			[]string{"retrieval Location http://h/p/b/c/ used true", "retrieval Location http://h/p/b/ used false", "retrieval --url http://h/p/ used false", "default   shadowed false"}},
		{"3.3: a redirect is not resolved against the URL that is Last", base.Root(resolve.RFC1808, last).Enclose(resolve.RFC1808, "", redirect("c"), redirect("/b/")),
			[]string{"retrieval Location  rejected: relative, and the URL of the redirected request is unknown true", "retrieval Location  rejected: relative, and the URL of the redirected request is unknown true"},
			[]string{"retrieval Location  rejected: relative, and the URL of the redirected request is unknown true", "retrieval Location  rejected: relative, and the URL of the redirected request is unknown true", "retrieval attribute http://last/ used false", "default   shadowed false"}},
		{"3.3: a rejected redirect rejects all URLs before it", root.Enclose(resolve.RFC1808, "", redirect("c"), redirect("mailto:a@b"), redirect("mailto:c@d"), redirect("/b/")),
			[]string{"retrieval Location  rejected: relative, and the URL of the redirected request is unknown true", "retrieval Location  rejected: mailto: URLs are never used with relative URLs true", "retrieval Location  rejected: mailto: URLs are never used with relative URLs true", "retrieval Location  rejected: a later redirect leads to an unknown URL true"},
			[]string{"retrieval Location  rejected: relative, and the URL of the redirected request is unknown true", "retrieval Location  rejected: mailto: URLs are never used with relative URLs true", "retrieval Location  rejected: mailto: URLs are never used with relative URLs true", "retrieval Location  rejected: a later redirect leads to an unknown URL true",
				"retrieval --url  rejected: a later redirect leads to an unknown URL false", "default   used false"}},
		{"3.3: the last redirect is rejected", root.Enclose(resolve.RFC1808, "", redirect("mailto:a@b"), redirect("/b/")),
			[]string{"retrieval Location  rejected: mailto: URLs are never used with relative URLs true", "retrieval Location  rejected: a later redirect leads to an unknown URL true"},
			[]string{"retrieval Location  rejected: mailto: URLs are never used with relative URLs true", "retrieval Location  rejected: a later redirect leads to an unknown URL true",
				"retrieval --url  rejected: a later redirect leads to an unknown URL false", "default   used false"}},
		{"3.3: a relative base is not resolved against a URL before a rejected redirect", root.Enclose(resolve.RFC1808, "", embedded("x/"), redirect("mailto:a@b")),
			[]string{"embedded BASE element  rejected: relative, and no later layer has a base URL true", "retrieval Location  rejected: mailto: URLs are never used with relative URLs true"},
			[]string{"embedded BASE element  rejected: relative, and no later layer has a base URL true", "retrieval Location  rejected: mailto: URLs are never used with relative URLs true",
				"retrieval --url  rejected: a later redirect leads to an unknown URL false", "default   used false"}},
		{"3.3: a relative base before a rejected redirect is resolved against the URL that is Last", base.Root(resolve.RFC1808, last).Enclose(resolve.RFC1808, "", embedded("x/"), redirect("mailto:a@b")),
			[]string{"embedded BASE element http://last/x/ used true", "retrieval Location  rejected: mailto: URLs are never used with relative URLs true"},
			[]string{"embedded BASE element http://last/x/ used true", "retrieval Location  rejected: mailto: URLs are never used with relative URLs true", "retrieval attribute http://last/ used false", "default   shadowed false"}},
		{"3.3: a relative base before a rejected redirect is resolved against the override", base.Root(resolve.RFC1808, override("http://o/")).Enclose(resolve.RFC1808, "", embedded("x/"), redirect("mailto:a@b")),
			[]string{"embedded BASE element http://o/x/ shadowed true", "retrieval Location  rejected: mailto: URLs are never used with relative URLs true"},
			[]string{"override --override-base http://o/ used false", "embedded BASE element http://o/x/ shadowed true", "retrieval Location  rejected: mailto: URLs are never used with relative URLs true", "default   shadowed false"}},
		{"the scope of an element whose declaration is not Embedded", page.Within(header("Base", "http://b/")),
			[]string{"encapsulating Base http://b/ used true"},
			[]string{"encapsulating Base http://b/ used true", "embedded BASE element http://h/p/q/ shadowed false", "retrieval --url http://h/p/ shadowed false", "default   shadowed false"}},
		{"the scope of an element with two declarations", page.Within(embedded("r/"), embedded("s/")),
			[]string{"embedded BASE element http://h/p/q/s/r/ used true", "embedded BASE element http://h/p/q/s/ used true"},
			[]string{"embedded BASE element http://h/p/q/s/r/ used true", "embedded BASE element http://h/p/q/s/ used true", "embedded BASE element http://h/p/q/ used false", "retrieval --url http://h/p/ used false", "default   shadowed false"}},
		{"the scope of an element that overrides", page.Within(override("http://o/")),
			[]string{"override --override-base http://o/ used true"},
			[]string{"override --override-base http://o/ used true", "embedded BASE element http://h/p/q/ shadowed false", "retrieval --url http://h/p/ shadowed false", "default   shadowed false"}},
		{"the scope of an element with a retrieval URL: the outer retrieval URL wins", page.Within(retrieval("http://r/")),
			[]string{"retrieval --url http://r/ shadowed true"},
			[]string{"embedded BASE element http://h/p/q/ used false", "retrieval --url http://h/p/ used false", "retrieval --url http://r/ shadowed true", "default   shadowed false"}},
		{"a BASE element is parsed in the encoding of its own page", base.Root(resolve.WHATWG, retrieval("http://h/p/")).Enclose(resolve.WHATWG.WithQueryEncoding(charmap.ISO8859_1), "", embedded("?\u00E9")),
			[]string{"embedded BASE element http://h/p/?%E9 used true"},
			[]string{"embedded BASE element http://h/p/?%E9 used true", "retrieval --url http://h/p/ used false", "default   shadowed false"}},
		{"an entity without declarations has the layer of the scope of the same entity", page.Enclose(resolve.RFC1808, ""), nil,
			[]string{"embedded BASE element http://h/p/q/ used false", "retrieval --url http://h/p/ used false", "default   shadowed false"}},
		{"3.2: an Encapsulating declaration of the outer entity keeps its name", root.Enclose(resolve.RFC1808, "", base.Declaration{Layer: base.LayerEncapsulating, By: "manifest", Value: "m/"}).Enclose(resolve.RFC1808, "part", embedded("")),
			[]string{"embedded BASE element  rejected: empty, so the next layer decides true"},
			[]string{"embedded BASE element  rejected: empty, so the next layer decides true", "encapsulating manifest http://h/p/m/ used false", "retrieval --url http://h/p/ used false", "default   shadowed false"}},
		{"a root", root, []string{"retrieval --url http://h/p/ used true"}, []string{"retrieval --url http://h/p/ used true", "default   shadowed false"}},
		{"the scope of an element under an override", base.Root(resolve.RFC1808, override("http://o/")).Enclose(resolve.RFC1808, "").Within(embedded("r/")),
			[]string{"embedded BASE element http://o/r/ shadowed true"},
			[]string{"override --override-base http://o/ used false", "embedded BASE element http://o/r/ shadowed true", "default   shadowed false"}},
	} {
		t.Run(row.name, func(t *testing.T) {
			got := list(row.s.Candidates())
			assert.Equal(t, row.own, list(row.s.Own()))
			assert.Equal(t, row.want, got)
			row.s.Candidates()[0].By = "changed"
			assert.Equal(t, got, list(row.s.Candidates()), "the slice is the caller's")
			for _, c := range row.s.Candidates() {
				if c.Verdict == base.VerdictUsed {
					assert.Equal(t, fmt.Sprint(c.Layer, c.By, c.URL), fmt.Sprint(row.s.Layer(), row.s.By(), row.s.Base()), "the base is the used candidate")
				}
				if c.Layer == base.LayerDefault {
					assert.Equal(t, -1, c.Offset, "no bytes declare it")
				}
			}
		})
	}
}

// TestRetrievalRejected: RetrievalURL skips a URL that cannot be a base.
func TestRetrievalRejected(t *testing.T) {
	first := retrieval("mailto:a@b")
	assert.Equal(t, "http://h/", base.Root(resolve.RFC1808, first, retrieval("http://h/")).RetrievalURL())
	assert.Empty(t, base.Root(resolve.RFC1808, first).RetrievalURL())
	assert.Empty(t, base.Root(resolve.RFC1808).Enclose(resolve.RFC1808, "", embedded("http://b/")).RetrievalURL())
}

func TestRetrievalURL(t *testing.T) {
	none, given := base.Root(resolve.RFC1808), base.Root(resolve.RFC1808, retrieval("http://h/p/"))
	for _, row := range []struct {
		name, want string
		s          *base.Scope
	}{
		{"a root", "http://h/p/", given},
		{"a root without a retrieval URL", "", none},
		{"the entity around it", "http://h/p/", given.Enclose(resolve.RFC1808, "part", embedded("q/"))},
		{"the entity itself", "http://r/", none.Enclose(resolve.RFC1808, "part", retrieval("http://r/"))},
		{"an element", "http://h/p/", given.Within(embedded("q/"))},
		{"an element with a retrieval URL", "http://r/", none.Within(retrieval("http://r/"))},
	} {
		assert.Equal(t, row.want, row.s.RetrievalURL(), row.name)
	}
}

// TestWithinCost: Within allocates the same at each depth of elements.
func TestWithinCost(t *testing.T) {
	s := base.Root(resolve.RFC1808, retrieval("http://h/p/"))
	cost := func() float64 { return testing.AllocsPerRun(10, func() { s.Within(embedded("/q/")) }) }
	outermost := cost()
	for range 100 {
		s = s.Within(embedded("/q/"))
	}
	assert.Equal(t, outermost, cost())
}

// TestQueryEncodingOfEach: a page resolves queries in its own encoding, even if another scope declares the base.
func TestQueryEncodingOfEach(t *testing.T) {
	german, greek := resolve.WHATWG.WithQueryEncoding(charmap.ISO8859_1), resolve.WHATWG.WithQueryEncoding(charmap.ISO8859_7)
	root := base.Root(resolve.WHATWG, retrieval("http://h/p/"))
	for _, row := range []struct {
		name string
		s    *base.Scope
		want string
	}{
		{"an outer base, and an empty base inside", root.Enclose(german, "", embedded("")), "http://h/p/?%E9"},
		{"an inner base", root.Enclose(german, "", embedded("?\u00E9")), "http://h/p/?%E9"},
		{"no declaration, after a page with another encoding", func() *base.Scope { root.Enclose(greek, ""); return root.Enclose(german, "") }(), "http://h/p/?%E9"},
		{"no declaration, before a page with another encoding", func() *base.Scope { s := root.Enclose(german, ""); root.Enclose(greek, ""); return s }(), "http://h/p/?%E9"},
		{"an element", root.Enclose(german, "").Within(embedded("r/")), "http://h/p/r/?%E9"},
	} {
		url, err := row.s.Base().Resolve("?\u00E9")
		require.NoError(t, err, row.name)
		assert.Equal(t, row.want, url, row.name)
	}
}

func TestLayers(t *testing.T) {
	for i, want := range []string{"override ", "embedded 3.1", "encapsulating 3.2", "retrieval 3.3", "default 3.4"} {
		assert.Equal(t, want, base.Layer(i+1).String()+" "+base.Layer(i+1).Section())
	}
}

func TestTrouble(t *testing.T) {
	refused := embedded("http://a/")
	refused.Refuse = "the second BASE element"
	for _, row := range []struct {
		name    string
		std     resolve.Standard
		d       base.Declaration
		below   []base.Declaration
		reason  base.Reason
		trouble string
	}{
		{"absolute", resolve.RFC1808, embedded("http://a/"), nil, base.ReasonNone, ""},
		{"relative", resolve.RFC1808, embedded("a/"), []base.Declaration{retrieval("http://h/")}, base.ReasonNone, "not absolute; resolved against the next layer"},
		{"relative, without a base", resolve.RFC1808, embedded("a/"), nil, base.ReasonNoBase, "relative, and no later layer has a base URL"},
		{"empty", resolve.RFC1808, embedded(""), []base.Declaration{retrieval("http://h/")}, base.ReasonEmpty, "empty, so the next layer decides"},
		{"refused", resolve.RFC1808, refused, nil, base.ReasonRefused, "the second BASE element"},
		{"unsuitable", resolve.RFC1808, embedded("news:a"), nil, base.ReasonUnsuitable, "news: URLs are never used with relative URLs"},
		{"malformed", resolve.WHATWG, embedded("http://[x/"), nil, base.ReasonMalformed, "malformed URL: IPv6-unclosed"},
	} {
		t.Run(row.name, func(t *testing.T) {
			own := base.Root(row.std, row.below...).Enclose(row.std, "", row.d).Own()
			require.Len(t, own, 1)
			assert.Equal(t, row.reason, own[0].Reason)
			assert.Equal(t, row.trouble, own[0].Trouble())
			assert.Equal(t, row.reason != base.ReasonNone, own[0].URL == "", "a rejected candidate has no URL")
		})
	}
}
