// URLs made from the paths of files in a tree, for --site and --mirror.

package inputs

import (
	"archive/zip"
	"fmt"
	"io/fs"
	"net"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"

	"absolink/extract"
)

// siteURL returns the URL of a file from its path in a tree whose root has the URL site.
func siteURL(site, rel string) string {
	dir, name := path.Split(rel)
	if name == "index.html" || name == "index.htm" { // has the URL of its folder
		name = ""
	}
	escapes := ""
	if !utf8.ValidString(rel) {
		escapes = "%" // wget has escaped a part of each character
	}
	return string(appendPart(appendPart([]byte(site), dir, escapes), name, escapes))
}

// mirrorURL returns the URL of a file in a tree made by wget -r, or "" if no folder around it is that of a host. The
// paths are HOST/path or HOST:PORT/path, and the query follows "?" in the file name. wget decodes percent-encoded bytes
// in names, except those that a name cannot have, so a "%" that begins an escape is kept. The scheme is lost, and taken
// to be http, the default of wget.
//
// paths is the path of the file or, for a file in an archive, the path of the archive and the path inside it. The
// innermost archive with the folder of a host decides.
func mirrorURL(tree string, paths ...string) string {
	for i, rel := range slices.Backward(paths) {
		around := tree
		if i > 0 {
			around = ""
		}
		if host, rest := hostOf(around, rel); host != "" {
			return urlOf(host, strings.Join(append([]string{rest}, paths[i+1:]...), "/"))
		}
	}
	return ""
}

// hostOf returns the first folder of a path that has the name of a host, and the path below it, or "". If the tree
// itself is the folder of a host, only the first folder of the path is preferred to it.
func hostOf(tree, rel string) (host, rest string) {
	own := withPort(path.Base(filepath.ToSlash(tree)))
	for rest = rel; ; {
		dir, below, ok := strings.Cut(rest, "/")
		dir = withPort(dir)
		switch {
		case ok && looksLikeHost(dir):
			return dir, below
		case looksLikeHost(own):
			return own, rel
		case !ok:
			return "", ""
		}
		rest = below
	}
}

// urlOf returns the URL of a file from its path in the folder of a host.
func urlOf(host, rel string) string {
	dir, name := path.Split(rel)
	name, query, hasQuery := cutQuery(name)
	if name == "index.html" {
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

// mirrored returns a URL of mirrorURL as it was, with the scheme of --mirror. If wget -E made the names in from, a
// folder or an archive, news.php.html has the URL of news.php.
func (r *Retrieval) mirrored(url, from string) string {
	if bare, ok := strings.CutSuffix(url, ".html"); ok && from != "" &&
		strings.Contains(scripts, " "+path.Ext(bare)+" ") {
		made, _ := r.extended.LoadOrStore(from, sync.OnceValue(func() bool { return hasExtended(from) }))
		if made.(func() bool)() {
			url = bare
		}
	}
	return r.mirror + strings.TrimPrefix(url, "http")
}

// scripts are the extensions after which wget -E adds another one. That of Perl is also the code of a language.
const scripts = " .php .asp .aspx .jsp .cgi .cfm "

// hasExtended reports whether a folder or a zip archive has names that only wget -E writes: x?y.html, x.css?v=1.css.
func hasExtended(from string) (has bool) {
	fsys := os.DirFS(from)
	if archive, err := zip.OpenReader(from); err == nil {
		defer archive.Close()
		fsys = archive
	}
	_ = fs.WalkDir(fsys, ".", func(_ string, at fs.DirEntry, err error) error {
		if err != nil {
			return fs.SkipDir
		}
		name, _, query := cutQuery(at.Name())
		end := path.Ext(at.Name())
		if has = query && (end == ".html" || end == ".css" && path.Ext(name) == end); has {
			return fs.SkipAll
		}
		return nil
	})
	return has
}

// cutQuery cuts the query off the name of a file. On Windows, wget writes "@" instead of "?". Because an "@" may also
// be part of the name, as in icon@2x.png, it begins a query only before a "=". With -E, wget adds an extension after
// the query, which is removed: page?id=1.html, style.css?v=2.css. Another tool escapes the query in lower case:
// page%3fid%3d1.
func cutQuery(file string) (name, query string, ok bool) {
	if strings.Contains(file, "%3f") {
		file = inLowerCase.Replace(file)
	}
	if name, query, ok = strings.Cut(file, "?"); !ok {
		at := strings.IndexByte(file[min(1, len(file)):], '@') + 1 // not the first byte, as in @user
		if at == 0 || !strings.Contains(file[at:], "=") {
			return file, "", false
		}
		name, query = file[:at], file[at+1:]
	}
	return name, strings.TrimSuffix(strings.TrimSuffix(query, ".html"), ".css"), true
}

var inLowerCase = strings.NewReplacer("%3f", "?", "%3d", "=", "%26", "&", "%3a", ":")

// inArchives splits the path of a file in an archive after each archive inside it.
func inArchives(rel string) (paths []string) {
	start := 0
	for i := range len(rel) {
		if rel[i] != '/' {
			continue
		}
		if f := extract.Detect("", rel[start:i], nil); f != nil && f.Archive {
			paths, start = append(paths, rel[start:i]), i+1
		}
	}
	return append(paths, rel[start:])
}

// withPort returns the name of a folder with the ":" before a port for which wget writes "+" on Windows.
func withPort(folder string) string {
	name, port, _ := strings.Cut(folder, "+")
	if port != "" && strings.Trim(port, digits) == "" && looksLikeHost(name) {
		return name + ":" + port
	}
	return folder
}

// looksLikeHost reports whether the name of a folder is probably that of a host: it has a port or a top-level domain
// that is not a number (as in v1.2) nor what a script ends in (as in index.php), or is localhost or an IP address.
func looksLikeHost(s string) bool {
	name, _, port := strings.Cut(s, ":")
	domain := name[strings.LastIndexByte(name, '.')+1:]
	return strings.Trim(s, inHost) == "" &&
		(port || domain != name && strings.Trim(domain, digits) != "" &&
			!strings.Contains(scripts+".html .htm .js ", " ."+domain+" ") || name == "localhost" ||
			net.ParseIP(name) != nil)
}

const (
	digits = "0123456789"
	inHost = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ" + digits + ".-_:"
)

// appendPart appends the names of a path as part of a URL. It percent-encodes all bytes except slashes, the pchar of
// RFC 1808 section 2.2, "~", and the bytes in also: ";" and "?" begin the params and the query in a path, but may stand
// in a query. If also has "%", a "%" that begins an escape is kept.
func appendPart(dst []byte, name, also string) []byte {
	for i := range len(name) {
		c := name[i]
		switch {
		case 'a' <= c|0x20 && c|0x20 <= 'z' || '0' <= c && c <= '9',
			strings.IndexByte("$-_.+!*'(),:@&=~/", c) >= 0,
			strings.IndexByte(also, c) >= 0 && (c != '%' || isEscape(name[i:])):
			dst = append(dst, c)
		default:
			dst = fmt.Appendf(dst, "%%%02X", c)
		}
	}
	return dst
}

func isEscape(s string) bool {
	if len(s) < len("%00") {
		return false
	}
	_, err := strconv.ParseUint(s[1:3], 16, 8)
	return err == nil
}
