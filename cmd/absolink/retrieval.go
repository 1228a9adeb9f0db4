package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"path"
	"path/filepath"
	"strings"

	"absolink/extract"
)

// retrieval tells the URL that a document was retrieved from (RFC 1808, 3.3), as far as
// the user says it: of the one document, in a list, or by the layout of a tree.
type retrieval struct {
	url    string
	listed map[string]string // of --url-map, by pathKey
	site   string            // the URL of the root, with a slash at its end
	mirror bool
}

// newRetrieval reads and checks what the flags say.
func newRetrieval(o *options) (*retrieval, error) {
	r := &retrieval{url: o.url, mirror: o.mirror}
	if o.override != "" {
		if err := checkURL(o, extract.Walker{Options: extract.Options{Override: o.override}}, extract.Document{}); err != nil {
			return nil, err
		}
	}
	if o.url != "" {
		if err := checkURL(o, extract.Walker{}, extract.Document{URL: o.url, URLBy: "--url"}); err != nil {
			return nil, err
		}
	}
	if o.site != "" {
		if strings.ContainsAny(o.site, "?#") {
			return nil, fmt.Errorf("--site %q: the root of a tree has no query and no fragment; leave them out", o.site)
		}
		r.site = strings.TrimSuffix(o.site, "/") + "/"
		if err := checkURL(o, extract.Walker{}, extract.Document{URL: r.site, URLBy: "--site"}); err != nil {
			return nil, err
		}
	}
	if o.urlMap != "" {
		if err := r.readMap(o); err != nil {
			return nil, fmt.Errorf("--url-map %s: %w", o.urlMap, err)
		}
	}
	return r, nil
}

// checkURL asks the library whether a URL from outside can be a base, before any
// document is read. The error is an *extract.URLError.
func checkURL(o *options, w extract.Walker, d extract.Document) error {
	w.Standard = o.standard
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

// siteURL gives the URL of a file by its path in a tree, whose root has the URL site.
func siteURL(site, rel string) string {
	dir, name := splitLast(rel)
	if isIndex(name) {
		name = ""
	}
	url := append(make([]byte, 0, len(site)+len(rel)+16), site...)
	return string(appendPart(appendPart(url, dir, ""), name, ""))
}

// mirrorURL gives the URL of a file in a tree that wget -r has made: HOST/path, or
// HOST:PORT/path, with the query behind a "?" in the name of the file. wget takes the
// percent-encoding out of what it puts into names, but for what cannot stand in one, so
// an encoded byte that is still there is left. It is "" for a file that is in no host's
// folder. wget does not keep the scheme; http is what it does when none is given.
// The tree may also be the folder of one host, by the looks of its name.
func mirrorURL(tree, rel string) string {
	host, rest, ok := strings.Cut(rel, "/")
	switch own := path.Base(filepath.ToSlash(tree)); {
	case ok && looksLikeHost(host):
	case looksLikeHost(own):
		host, rest = own, rel
	case !ok || !isHost(host):
		return ""
	}
	dir, name := splitLast(rest)
	name, query, hasQuery := strings.Cut(name, "?")
	if isIndex(name) {
		name = ""
	}
	url := append([]byte("http://"), host...)
	url = append(url, '/')
	url = appendPart(appendPart(url, dir, "%"), name, "%")
	if hasQuery {
		url = appendPart(append(url, '?'), query, "%;?")
	}
	return string(url)
}

// splitLast cuts a path before its last segment.
func splitLast(p string) (dir, name string) {
	i := strings.LastIndexByte(p, '/') + 1
	return p[:i], p[i:]
}

// isIndex says whether a file stands for its folder.
func isIndex(name string) bool { return name == "index.html" || name == "index.htm" }

// isHost says whether the name of a folder can be host or host:port in a URL.
func isHost(s string) bool {
	for i := range len(s) {
		c := s[i]
		if c|0x20 < 'a' || 'z' < c|0x20 {
			if (c < '0' || '9' < c) && c != '.' && c != '-' && c != '_' && c != ':' {
				return false
			}
		}
	}
	return s != "" && s != "." && s != ".."
}

// looksLikeHost says whether the name of a folder is hardly anything else: it has a domain that is no
// number, as that of a version is, or a port.
func looksLikeHost(s string) bool {
	name, _, port := strings.Cut(s, ":")
	domain := name[strings.LastIndexByte(name, '.')+1:]
	return isHost(s) && (port || domain != name && strings.Trim(domain, "0123456789") != "" || name == "localhost" || net.ParseIP(name) != nil)
}

// appendPart appends what names in a tree say of a URL, percent-encoding what is neither a
// slash nor a pchar of RFC 1808, 2.2 ("~" apart, which every server reads as itself), nor in
// also. A ";" would begin the params in a path, and a "?" the query; in a query both are
// themselves. A "%" in also is left where it begins what is percent-encoded already.
func appendPart(dst []byte, name, also string) []byte {
	for i := range len(name) {
		c := name[i]
		switch {
		case 'a' <= c|0x20 && c|0x20 <= 'z' || '0' <= c && c <= '9',
			strings.IndexByte("$-_.+!*'(),:@&=~/", c) >= 0,
			strings.IndexByte(also, c) >= 0 && (c != '%' || isEscape(name[i:])):
			dst = append(dst, c)
		default:
			dst = append(dst, '%', upperHex[c>>4], upperHex[c&0xF])
		}
	}
	return dst
}

const upperHex = "0123456789ABCDEF"

func isEscape(s string) bool {
	return len(s) >= 3 && isHexDigit(s[1]) && isHexDigit(s[2])
}

func isHexDigit(c byte) bool {
	return '0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'f'
}

// pathKey is what paths of --url-map are compared by: a relative one is relative to the
// current folder.
func pathKey(path string) string {
	if path == stdinName {
		return path
	}
	if abs, err := filepath.Abs(path); err == nil {
		return abs
	}
	return filepath.Clean(path)
}

// readMap reads the file of --url-map.
func (r *retrieval) readMap(o *options) error {
	file, err := os.Open(o.urlMap)
	if err != nil {
		return withAdvice(err)
	}
	defer file.Close()
	r.listed = map[string]string{}
	in := bufio.NewReaderSize(file, bufferSize)
	for n := 1; ; n++ {
		line, err := in.ReadBytes('\n')
		if err != nil && err != io.EOF {
			return withAdvice(err)
		}
		atEnd := err == io.EOF
		if n == 1 {
			line = bytes.TrimPrefix(line, []byte("\uFEFF"))
		}
		line = bytes.TrimSuffix(bytes.TrimSuffix(line, []byte("\n")), []byte("\r"))
		if len(line) > 0 {
			if err := r.list(o, line); err != nil {
				return fmt.Errorf("line %d: %w", n, err)
			}
		}
		if atEnd {
			return nil
		}
	}
}

// list takes one line of --url-map: "path<TAB>url", or a JSON object.
func (r *retrieval) list(o *options, line []byte) error {
	var path, url string
	if line[0] == '{' {
		var entry struct{ Path, URL string }
		if json.Unmarshal(line, &entry) != nil || entry.Path == "" || entry.URL == "" {
			return errors.New("no JSON object with a path and a url, both strings")
		}
		path, url = entry.Path, entry.URL
	} else {
		if path, url, _ = strings.Cut(string(line), "\t"); path == "" || url == "" {
			return errors.New("no tab between a path and a URL")
		}
		if strings.Contains(url, "\t") { // of which a URL has none
			return errors.New("more than a path and a URL; leave out the other columns")
		}
	}
	if err := checkURL(o, extract.Walker{}, extract.Document{URL: url, URLBy: "URL"}); err != nil {
		return err
	}
	key := pathKey(path)
	if other, twice := r.listed[key]; twice && other != url {
		return fmt.Errorf("%s is listed with two URLs", path)
	}
	r.listed[key] = url
	return nil
}
