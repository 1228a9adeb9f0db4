// Pages that say by LINK rel=canonical that they are elsewhere.

package inputs

import (
	"cmp"
	"fmt"
	"strings"
	"sync"
)

// canonicals compares the URLs of pages with their canonical ones, to find a --site that does not fit. Other hosts,
// versions and languages are usual, so only one and the same difference of most pages is reported.
type canonicals struct {
	mu       sync.Mutex
	compared int
	differ   map[difference]int
}

// difference is what would make the URL of a page its canonical one: another site, or one folder less in the tree.
type difference struct{ site, folder string }

const (
	fewestCompared  = 5
	mostDifferences = 1000
)

// Canonical compares the URL that a flag gives a page with the canonical one.
func (r *Retrieval) Canonical(given, canonical string) {
	scheme, host, path := cutURL(given)
	_, own, target := cutURL(canonical)
	if host == "" || !strings.EqualFold(host, own) || strings.ContainsAny(canonical, "?#") {
		return
	}
	_, _, site := cutURL(r.site)
	if !strings.HasPrefix(path, site) {
		return // from --url-map
	}
	site = cmp.Or(site, "/")
	d := differenceOf(site, trimPage(path[len(site)-1:]), trimPage(target))
	if d.site != "" {
		d.site = scheme + "://" + host + d.site
	}
	if d.folder != "" && r.site == "" {
		return // the paths of a mirror are those of the host
	}
	r.canonicals.mu.Lock()
	defer r.canonicals.mu.Unlock()
	r.canonicals.compared++
	if r.canonicals.differ == nil {
		r.canonicals.differ = map[difference]int{}
	}
	if r.canonicals.differ[d] > 0 || len(r.canonicals.differ) < mostDifferences {
		r.canonicals.differ[d]++
	}
}

// differenceOf returns the one prefix that is to be added or removed, or nothing. site is the path of the site, and rel
// the path of the page below it.
func differenceOf(site, rel, target string) (d difference) {
	below, inSite := strings.CutPrefix(target, strings.TrimSuffix(site, "/"))
	to, fits := strings.CutSuffix(target, rel)
	to += "/"
	switch {
	case inSite && below == rel:
	case inSite && below != "" && strings.HasSuffix(rel, below):
		d.folder = strings.Trim(strings.TrimSuffix(rel, below), "/")
	case fits && (strings.HasSuffix(to, site) || strings.HasSuffix(site, to)):
		d.site = to
	}
	return d
}

// cutURL returns the scheme, the host and the path of a URL, or "".
func cutURL(url string) (scheme, host, path string) {
	scheme, rest, _ := strings.Cut(url, "://")
	end := strings.IndexAny(rest+"/", "/?#")
	path, _, _ = strings.Cut(rest[end:], "?")
	return scheme, rest[:end], path
}

// trimPage removes what servers leave out at the end of a path. A path that is left begins with a slash.
func trimPage(path string) string {
	for _, end := range []string{"index.html", "index.htm", ".html", ".htm"} {
		path = strings.TrimSuffix(path, end)
	}
	return strings.TrimSuffix(path, "/")
}

// Elsewhere returns a message if most pages say that they are elsewhere, or "". root is the folder or the archive.
func (r *Retrieval) Elsewhere(root string, folder bool) string {
	c := &r.canonicals
	for d, n := range c.differ {
		if c.compared < fewestCompared || 2*n <= c.compared || d == (difference{}) {
			continue
		}
		pages := fmt.Sprintf("%d of %d pages say that ", n, c.compared)
		switch {
		case d.site != "" && r.site != "":
			return pages + "they are at " + d.site + "...: --site " + d.site + " fits"
		case d.site != "":
			return pages + "they are at " + d.site + "...: use --site " + d.site + ", or correct the URLs"
		case folder:
			return pages + "the folder " + d.folder + "/ is not part of their URLs: name the folder " +
				strings.TrimSuffix(root, "/") + "/" + d.folder + "/"
		}
		return pages + "the folder " + d.folder + "/ is not part of their URLs: unpack " + root +
			", and name this folder"
	}
	return ""
}
