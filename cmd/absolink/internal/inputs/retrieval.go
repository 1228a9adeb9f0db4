package inputs

import (
	"context"
	"fmt"
	"io"
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"absolink/cmd/absolink/internal/codes"
	"absolink/cmd/absolink/internal/files"
	"absolink/extract"
	"absolink/resolve"
)

// Retrieval finds the retrieval URL of a document (RFC 1808, 3.3) by the flags: --url, --url-map, --site and --mirror.
type Retrieval struct {
	url     string
	urlMap  string                // the file of --url-map
	Schemes map[string]string     // the first URL of each scheme in it
	listed  map[string]*listedURL // its lines, by pathKey
	paths   []string              // the paths in its lines, in order
	// those of files in archives, once Paths was called: then the list also names the documents
	members []string
	site    string // the URL of the root, with a slash at its end
	mirror  string // the scheme of the URLs, or "" without --mirror

	first  string       // the name of the first document, for a message
	hosts  atomic.Int64 // documents in a folder that has the name of a host
	own    sync.Map     // these hosts
	other  atomic.Int64 // documents in another folder, under --mirror
	others sync.Map     // these folders
	unlike atomic.Int64 // absolute links to these hosts with the other scheme than --mirror, less those with its scheme

	canonicals canonicals
	extended   sync.Map // by the folder or archive that was mirrored: whether wget -E was used

	adding  sync.Mutex
	unknown map[string][]extract.Problem // of documents in archives, by archive
}

type RetrievalConfig struct {
	URL, URLMap, Site string
	Mirror            string // the scheme, or "" without the flag
	Override          string // the value of --override-base, which is only checked
	Standard          resolve.Standard
}

// NewRetrieval checks the flags and reads the file of --url-map.
func NewRetrieval(c RetrievalConfig) (*Retrieval, error) {
	r := &Retrieval{url: c.URL, urlMap: c.URLMap, mirror: c.Mirror, unknown: map[string][]extract.Problem{}}
	if strings.ContainsAny(c.Site, "?#") {
		return nil, fmt.Errorf("--site %q: the URL of a folder has no query and no fragment; leave them out", c.Site)
	}
	if folder := ofFile.FindStringSubmatch(c.Site); folder != nil {
		return nil, fmt.Errorf("--site %q: this is the URL of a file; the URL of the folder is %s", c.Site, folder[1])
	}
	if c.Site != "" {
		r.site = strings.TrimSuffix(c.Site, "/") + "/"
	}
	for _, given := range []struct{ flag, url string }{{"--override-base", c.Override}, {"--url", c.URL},
		{"--site", c.Site}} {
		if given.url == "" {
			continue
		}
		if err := checkURL(c.Standard, given.flag, given.url); err != nil {
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

// lacksHost reports whether a URL of HTTP has no host, as http://$HOST in a script. With it as a base the first folders
// of a link would become hosts.
func lacksHost(url string) bool {
	scheme, rest, _ := strings.Cut(url, ":")
	host, ok := strings.CutPrefix(rest, "//")
	return (strings.EqualFold(scheme, "http") || strings.EqualFold(scheme, "https")) &&
		(!ok || host == "" || strings.ContainsAny(host[:1], "/:?#"))
}

// OfOne returns the Retrieval of one document. url is that of --url, or "", and is not checked here: the methods of
// extract.Extractor do that.
func OfOne(url string) *Retrieval { return &Retrieval{url: url} }

// checkURL returns an *extract.URLError if the URL from a flag cannot be a base.
func checkURL(standard resolve.Standard, flag, url string) error {
	switch {
	case ofWindows.MatchString(url):
		return fmt.Errorf("%s %q: this is a path of Windows, not a URL; write a URL, as in http://host/path", flag, url)
	case hostAndPort.MatchString(url):
		host, rest, _ := strings.Cut(url, "/")
		return fmt.Errorf("%s %q: the URL has no scheme; did you mean http://%s/%s?", flag, url, host, rest)
	}
	if lacksHost(url) {
		return fmt.Errorf("%s %q: the URL has no host; write it, as in http://host/path", flag, url)
	}
	x := extract.Extractor{Standard: standard}
	_, err := x.Rewrite(context.Background(), io.Discard,
		extract.Document{Type: "text/html", Bytes: []byte{}, URL: url, URLBy: flag})
	return err
}

var (
	ofFile      = regexp.MustCompile(`(?i)^([a-z]+://[^/]+/(?:.*/)?)[^/]+\.(?:html?|xhtml|php|aspx?|jsp)$`)
	ofWindows   = regexp.MustCompile(`^[A-Za-z]:(\\|/[^/]|/$)`)
	hostAndPort = regexp.MustCompile(`^[A-Za-z0-9.-]+:[0-9]+(/.*)?$`)
)

// Paths returns the documents in the list of --url-map, in order. For a file in an archive, ARCHIVE/NAME, that is the
// archive.
func (r *Retrieval) Paths() (paths []string) {
	seen := map[string]bool{}
	for _, path := range r.paths {
		if archive := archiveAbove(path); archive != "" {
			r.members = append(r.members, path)
			path = archive
		}
		if key := pathKey(path); !seen[key] {
			paths, seen[key] = append(paths, path), true
		}
	}
	return paths
}

// archiveAbove returns the nearest existing path above a path if it is a regular file, or "".
func archiveAbove(path string) string {
	dir := filepath.Dir(path)
	info, err := os.Stat(dir)
	switch {
	case err == nil && info.Mode().IsRegular():
		return dir
	case err == nil, dir == path:
		return ""
	}
	return archiveAbove(dir)
}

// GivesFolders reports whether a flag gives URLs to all documents of a folder.
func (r *Retrieval) GivesFolders() bool { return len(r.listed) > 0 || r.site+r.mirror != "" }

func (r *Retrieval) isSet() bool { return r.url != "" || len(r.listed) > 0 || r.site+r.mirror != "" }

// given returns the URL that --url or --url-map has for a document, and the flag, or "". The list can name standard
// input by its name or as "-".
func (r *Retrieval) given(src Source) (url, by string) {
	if r.url != "" {
		return r.url, "--url"
	}
	if url, by = r.inList(src.Name); url == "" && src.Stdin {
		return r.inList(files.Std)
	}
	return url, by
}

// inList returns the URL that --url-map has for a name, and the flag, or "".
func (r *Retrieval) inList(name string) (url, by string) {
	if len(r.listed) > 0 {
		if l := r.listed[pathKey(name)]; l != nil {
			l.used.Store(true)
			return l.url, "--url-map"
		}
	}
	return "", ""
}

// tree returns the folder that the Rel of a document is relative to.
func (r *Retrieval) tree(src Source) string {
	tree := "." // for a PATH that is a file
	if above, ok := strings.CutSuffix(filepath.ToSlash(src.Name), src.Rel); ok && src.Found {
		tree = above
	}
	if name := filepath.Base(tree); r.mirror != "" && (name == "." || name == "..") {
		if abs, err := filepath.Abs(tree); err == nil {
			tree = abs // its name may be that of a host
		}
	}
	return tree
}

// at returns the URL that --site or --mirror has for a path in the folder tree, and the flag, or "". For a file in an
// archive, paths are the path of the archive and the path inside it. from is the folder or the archive that was
// mirrored.
func (r *Retrieval) at(from, tree string, paths ...string) (url, by string) {
	switch {
	case len(paths) == 0 || paths[0] == "":
	case r.site != "":
		return siteURL(r.site, strings.Join(paths, "/")), "--site"
	case r.mirror != "":
		if url := mirrorURL(tree, paths...); url != "" {
			r.hosts.Add(1)
			r.own.Store(strings.Split(url, "/")[2], true)
			return r.mirrored(url, from), mirrorFlag
		}
		r.other.Add(1)
	}
	return "", ""
}

const mirrorFlag = "--mirror"

// unknownURL is the detail of the problem when --mirror has no URL for a document.
const unknownURL = "not in a folder with the name of a host, so --mirror has no URL for it, nor for the other " +
	"documents in its folder; use --site or --url-map"

var otherScheme = map[string]string{"http": "https", "https": "http"}

// Linked counts an absolute link to a host of the mirror, for OtherScheme.
func (r *Retrieval) Linked(l *extract.Link) {
	scheme, rest, _ := strings.Cut(string(l.URL), "://")
	if l.Status != extract.StatusAbsolute || rest == "" {
		return
	}
	if _, own := r.own.Load(rest[:strings.IndexAny(rest+"/", "/?#")]); own && strings.EqualFold(scheme, r.mirror) {
		r.unlike.Add(-1)
	} else if own && strings.EqualFold(scheme, otherScheme[r.mirror]) {
		r.unlike.Add(1)
	}
}

// OtherScheme returns a message if most absolute links to the hosts of the mirror have the other scheme, or "".
func (r *Retrieval) OtherScheme() string {
	if r.unlike.Load() <= 0 {
		return ""
	}
	const message = "most absolute links to the hosts of the mirror are %s; did you mean --mirror=%[1]s?"
	return fmt.Sprintf(message, otherScheme[r.mirror])
}

// isFirst reports whether a document without a URL is the first one in its folder, so that each folder is reported
// once.
func (r *Retrieval) isFirst(name string) bool {
	_, known := r.others.LoadOrStore(path.Dir(filepath.ToSlash(name)), true)
	return !known
}

// note records that --mirror has no URL for a file in an archive, once for each folder.
func (r *Retrieval) note(archive, file string) {
	if f := extract.Detect("", file, nil); f != nil && !f.Archive && r.isFirst(path.Join(archive, file)) {
		r.adding.Lock()
		defer r.adding.Unlock()
		r.unknown[archive] = append(r.unknown[archive], extract.Problem{
			Document: archive, Entity: file, Code: codes.URLUnknown, Severity: codes.Severity(codes.URLUnknown),
			Detail: file + " is " + unknownURL})
	}
}

// Unknown returns what note recorded for an archive, sorted. Call it once, at the end of the archive.
func (r *Retrieval) Unknown(archive string) []extract.Problem {
	r.adding.Lock()
	defer r.adding.Unlock()
	all := r.unknown[archive]
	delete(r.unknown, archive)
	slices.SortFunc(all, func(a, b extract.Problem) int { return strings.Compare(a.Entity, b.Entity) })
	return all
}

// Unmatched returns a message for each of --url-map and --mirror that matched no document. Call it at the end of a run.
func (r *Retrieval) Unmatched(documents int64) (messages []string) {
	isUsed := func(l *listedURL) bool { return l.used.Load() }
	if documents > 0 && len(r.listed) > 0 && !slices.ContainsFunc(slices.Collect(maps.Values(r.listed)), isUsed) {
		messages = append(messages, fmt.Sprintf("--url-map %s: 0 of %d lines match one of %d documents; the line "+
			"for the first document begins with %s",
			r.urlMap, len(r.listed), documents, r.first))
	}
	missing := slices.DeleteFunc(r.members, func(path string) bool { return isUsed(r.listed[pathKey(path)]) })
	if n := len(missing); n > 0 && messages == nil {
		messages = append(messages, fmt.Sprintf("--url-map %s: %d of %d lines name no document in their archive, "+
			"such as %s", r.urlMap, n, len(r.listed), missing[0]))
	}
	if n := r.other.Load(); n > 0 && r.hosts.Load() == 0 {
		messages = append(messages, fmt.Sprintf("--mirror: 0 of %d documents are in a folder with the name of a "+
			"host, such as www.example.com; use the folder that wget -r made, or --site", n))
	}
	return messages
}

// member returns the function that finds the retrieval URL of a file in an archive, and the flag. The list can name the
// file as ARCHIVE/NAME. Failing that, an archive that is a PATH is the root of the tree, and one in a folder is a
// subfolder. member returns nil if no flag sets URLs.
func (r *Retrieval) member(src Source) func(name string) (url, by string) {
	if !r.isSet() {
		return nil
	}
	tree, root := "", []string(nil)
	if src.Found {
		tree, root = r.tree(src), []string{src.Rel}
	}
	return func(name string) (url, by string) {
		// tar writes ./ before each name in the current folder; ../ leads out of the tree
		rel := path.Clean(strings.TrimLeft(name, "/"))
		if filepath.IsLocal(rel) {
			if url, by = r.inList(src.Name + "/" + rel); url == "" {
				url, by = r.at(src.Name, tree, append(slices.Clip(root), inArchives(rel)...)...)
			}
		}
		if url == "" && r.mirror != "" {
			r.note(src.Name, name)
		}
		return url, by
	}
}

// below returns the files that --url-map lists in an archive.
func (r *Retrieval) below(archive string) (names []string) {
	for file := range r.listed {
		if rest, ok := strings.CutPrefix(file, pathKey(archive)+string(filepath.Separator)); ok {
			names = append(names, archive+"/"+filepath.ToSlash(rest))
		}
	}
	return names
}
