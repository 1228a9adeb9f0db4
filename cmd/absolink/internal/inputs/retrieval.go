package inputs

import (
	"context"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"

	"absolink/cmd/absolink/internal/files"
	"absolink/extract"
	"absolink/resolve"
)

// Retrieval finds the retrieval URL of a document (RFC 1808, 3.3) by the flags: --url, --url-map, --site and --mirror.
type Retrieval struct {
	url     string
	urlMap  string                // the file of --url-map
	listed  map[string]*listedURL // the lines of the file, by pathKey
	paths   []string              // the paths in the lines, in order
	members []string              // the paths of files in archives, if the list also names the documents
	site    string                // the URL of the root, with a slash at its end
	mirror  bool

	used  atomic.Int64           // lines of --url-map that name a document
	first string                 // the name of the first document
	hosts atomic.Int64           // documents in a folder that has the name of a host
	other atomic.Int64           // documents in another folder, under --mirror
	guess atomic.Pointer[string] // the URL of such a document, if its folder may be a host
}

// RetrievalConfig has the values of the flags about URLs.
type RetrievalConfig struct {
	URL, URLMap, Site string
	Mirror            bool
	Override          string // the value of --override-base, which is only checked here
	Standard          resolve.Standard
}

// NewRetrieval checks the flags, and reads the file of --url-map.
func NewRetrieval(c RetrievalConfig) (*Retrieval, error) {
	r := &Retrieval{url: c.URL, urlMap: c.URLMap, mirror: c.Mirror}
	if c.Override != "" {
		if err := checkURL(extract.Extractor{Standard: c.Standard, Override: c.Override, OverrideBy: "--override-base"}, extract.Document{}); err != nil {
			return nil, err
		}
	}
	w := extract.Extractor{Standard: c.Standard}
	if c.URL != "" {
		if err := checkURL(w, extract.Document{URL: c.URL, URLBy: "--url"}); err != nil {
			return nil, err
		}
	}
	if c.Site != "" {
		if strings.ContainsAny(c.Site, "?#") {
			return nil, fmt.Errorf("--site %q: the URL of a folder has no query and no fragment; leave them out", c.Site)
		}
		r.site = strings.TrimSuffix(c.Site, "/") + "/"
		if err := checkURL(w, extract.Document{URL: r.site, URLBy: "--site"}); err != nil {
			return nil, err
		}
	}
	if c.URLMap != "" {
		if err := r.readMap(c.URLMap, c.Standard); err != nil {
			return nil, fmt.Errorf("--url-map %s: %w", c.URLMap, err)
		}
	}
	return r, nil
}

// OfOne returns the Retrieval of one document with --url, or "". The URL is not checked: the methods of extract.Extractor
// check it.
func OfOne(url string) *Retrieval { return &Retrieval{url: url} }

// checkURL returns an *extract.URLError if d.URL, which is from a flag, cannot be a base.
func checkURL(x extract.Extractor, d extract.Document) error {
	d.Type, d.Bytes = "text/html", []byte{}
	_, err := x.Rewrite(context.Background(), io.Discard, d)
	return err
}

// Paths returns the documents in the list of --url-map, in order. For a file in an archive, ARCHIVE/NAME, this is the archive.
func (r *Retrieval) Paths() (paths []string) {
	seen, archives := map[string]bool{}, map[string]string{}
	for _, path := range r.paths {
		if archive := archiveAbove(filepath.Dir(path), archives); archive != "" {
			r.members = append(r.members, path)
			path = archive
		}
		if key := pathKey(path); !seen[key] {
			paths, seen[key] = append(paths, path), true
		}
	}
	return paths
}

// archiveAbove returns the path dir, or the shortest path above it, if that is a plain file; else "". found has the answers
// so far.
func archiveAbove(dir string, found map[string]string) string {
	if archive, ok := found[dir]; ok {
		return archive
	}
	info, err := os.Stat(dir)
	switch above := filepath.Dir(dir); {
	case err == nil && info.Mode().IsRegular():
		found[dir] = dir
	case err == nil, above == dir:
		found[dir] = ""
	default:
		found[dir] = archiveAbove(above, found)
	}
	return found[dir]
}

// isSet reports whether a flag sets retrieval URLs.
func (r *Retrieval) isSet() bool { return r.url != "" || len(r.listed) > 0 || r.site != "" || r.mirror }

// given returns the URL of a document by --url or --url-map, and the flag; or "". The list can name standard input by its name,
// or as "-".
func (r *Retrieval) given(src Source) (url, by string) {
	if r.url != "" {
		return r.url, "--url"
	}
	if url, by = r.inList(src.Name); url == "" && src.Stdin {
		return r.inList(files.Std)
	}
	return url, by
}

// inList returns the URL of a name by --url-map, and the flag; or "".
func (r *Retrieval) inList(name string) (url, by string) {
	if len(r.listed) > 0 {
		if l := r.listed[pathKey(name)]; l != nil {
			if !l.used.Swap(true) {
				r.used.Add(1)
			}
			return l.url, "--url-map"
		}
	}
	return "", ""
}

// ofTree returns the URL of a document by its path in a tree, and the flag; or "".
func (r *Retrieval) ofTree(src Source) (url, by string) {
	tree := "." // for a PATH that is a file
	if src.Found {
		tree = strings.TrimSuffix(src.Name, src.Rel)
	}
	if r.mirror {
		if name := filepath.Base(tree); name == "." || name == ".." {
			if abs, err := filepath.Abs(tree); err == nil {
				tree = abs // its name may be that of a host
			}
		}
	}
	rel := src.Rel
	if r.mirror && !src.Found {
		rel = fromHost(rel)
	}
	return r.at(tree, rel)
}

// at returns the URL of the path rel in the folder tree, and the flag; or "".
func (r *Retrieval) at(tree, rel string) (url, by string) {
	switch {
	case rel == "":
	case r.site != "":
		return siteURL(r.site, rel), "--site"
	case r.mirror:
		url := mirrorURL(tree, rel)
		r.countMirrored(url)
		if url != "" {
			return url, "--mirror"
		}
	}
	return "", ""
}

// countMirrored counts a document under --mirror. url is its URL, or "".
func (r *Retrieval) countMirrored(url string) {
	host, _, _ := strings.Cut(strings.TrimPrefix(url, "http://"), "/")
	if looksLikeHost(host) {
		r.hosts.Add(1)
		return
	}
	r.other.Add(1)
	if url != "" {
		r.guess.CompareAndSwap(nil, &url)
	}
}

// Unmatched returns a message for each of --url-map and --mirror that matched no document. Call it at the end of a run.
func (r *Retrieval) Unmatched(documents int64) (messages []string) {
	if documents > 0 && len(r.listed) > 0 && r.used.Load() == 0 {
		messages = append(messages, fmt.Sprintf("--url-map %s: 0 of %d lines match one of %d documents; the line for the first document begins with %s",
			r.urlMap, len(r.listed), documents, r.first))
	}
	missing := slices.DeleteFunc(r.members, func(path string) bool { return r.listed[pathKey(path)].used.Load() })
	if n := len(missing); n > 0 && messages == nil {
		messages = append(messages, fmt.Sprintf("--url-map %s: %d of %d lines name no document in their archive, such as %s", r.urlMap, n, len(r.listed), missing[0]))
	}
	if n := r.other.Load(); n > 0 && r.hosts.Load() == 0 {
		guess := ""
		if url := r.guess.Load(); url != nil {
			guess = *url + " is a guess; "
		}
		messages = append(messages, fmt.Sprintf("--mirror: 0 of %d documents are in a folder with the name of a host, such as www.example.com; %suse the folder that wget -r made, or --site", n, guess))
	}
	return messages
}

// member returns the function that returns the retrieval URL of a file in an archive, and the flag. The list can name the file
// as ARCHIVE/NAME. Otherwise an archive that is a PATH is the root of the tree, and an archive in a folder is a subfolder.
// member returns nil if no flag sets URLs.
func (r *Retrieval) member(src Source) func(name string) (url, by string) {
	if !r.isSet() {
		return nil
	}
	root := ""
	if src.Found {
		root = src.Rel + "/"
	}
	return func(name string) (url, by string) {
		rel := path.Clean(strings.TrimLeft(name, "/")) // tar writes ./ before each name in the current folder
		if !filepath.IsLocal(rel) {
			return "", "" // it is outside the tree
		}
		if url, by := r.inList(src.Name + "/" + rel); url != "" {
			return url, by
		}
		return r.at("", root+rel)
	}
}
