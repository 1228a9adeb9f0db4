package main

import (
	"fmt"
	"path"
	"path/filepath"
	"strings"

	"absolink/extract"
	"absolink/resolve"
)

// retrieval tells the URL that a document was retrieved from (RFC 1808, 3.3), as far as
// the user says it: of the one document, in a list, or by the layout of a tree.
type retrieval struct {
	url    string
	listed map[string]string // of --url-map, by pathKey
	site   string            // the URL of the root, with a slash at its end
	mirror bool
}

// retrievalConfig is what the user says of retrieval URLs.
type retrievalConfig struct {
	url, urlMap, site string
	mirror            bool
	override          string // a base URL above every other; it is only checked here
	standard          resolve.Standard
}

// newRetrieval reads and checks what the flags say.
func newRetrieval(c retrievalConfig) (*retrieval, error) {
	r := &retrieval{url: c.url, mirror: c.mirror}
	if c.override != "" {
		if err := checkURL(extract.Walker{Standard: c.standard, Override: c.override}, extract.Document{}); err != nil {
			return nil, err
		}
	}
	w := extract.Walker{Standard: c.standard}
	if c.url != "" {
		if err := checkURL(w, extract.Document{URL: c.url, URLBy: "--url"}); err != nil {
			return nil, err
		}
	}
	if c.site != "" {
		if strings.ContainsAny(c.site, "?#") {
			return nil, fmt.Errorf("--site %q: the root of a tree has no query and no fragment; leave them out", c.site)
		}
		r.site = strings.TrimSuffix(c.site, "/") + "/"
		if err := checkURL(w, extract.Document{URL: r.site, URLBy: "--site"}); err != nil {
			return nil, err
		}
	}
	if c.urlMap != "" {
		if err := r.readMap(c.urlMap, c.standard); err != nil {
			return nil, fmt.Errorf("--url-map %s: %w", c.urlMap, err)
		}
	}
	return r, nil
}

// checkURL asks the library whether a URL from outside can be a base, before any document is read. The
// error is an *extract.URLError.
func checkURL(w extract.Walker, d extract.Document) error {
	d.Type, d.Bytes = extract.HTML.Name, []byte{}
	return w.Links(d, func(*extract.Link) error { return nil })
}

// of gives the retrieval URL of a document and the flag that says so; "" if none does.
func (r *retrieval) of(src source) (url, by string) {
	tree := "." // of a file given by name
	if src.found {
		tree = strings.TrimSuffix(src.name, src.rel)
	}
	if r.mirror {
		if name := filepath.Base(tree); name == "." || name == ".." {
			if abs, err := filepath.Abs(tree); err == nil {
				tree = abs // its name may be that of a host
			}
		}
	}
	return r.at(src.name, tree, src.rel)
}

// at gives the same for the document of a name, which has the path rel in the folder tree.
func (r *retrieval) at(name, tree, rel string) (url, by string) {
	if r.url != "" {
		return r.url, "--url"
	}
	if len(r.listed) > 0 {
		if url := r.listed[pathKey(name)]; url != "" {
			return url, "--url-map"
		}
	}
	switch {
	case rel == "":
	case r.site != "":
		return siteURL(r.site, rel), "--site"
	case r.mirror:
		if url := mirrorURL(tree, rel); url != "" {
			return url, "--mirror"
		}
	}
	return "", ""
}

// member gives the retrieval URL of a file in an archive, and the flag that says so: an
// archive that is given by name is the tree itself, one in a tree is a folder of it. It is nil for
// an archive that stands in no tree, or has a URL of its own in the list, which is better.
func (r *retrieval) member(src source) func(name string) (url, by string) {
	if r.site == "" && !r.mirror || r.listed[pathKey(src.name)] != "" {
		return nil
	}
	root := ""
	if src.found {
		root = src.rel + "/"
	}
	return func(name string) (url, by string) {
		rel := path.Clean(strings.TrimLeft(name, "/")) // tar writes ./ before each name in the current folder
		if !filepath.IsLocal(rel) {
			return "", "" // it has no place in the tree
		}
		return r.at(src.name+"/"+name, "", root+rel)
	}
}
