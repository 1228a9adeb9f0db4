// URLs made of the paths of files in a tree, for --site and --mirror.

package inputs

import (
	"net"
	"path"
	"path/filepath"
	"strings"
)

// siteURL returns the URL of a file by its path in a tree, whose root has the URL site.
func siteURL(site, rel string) string {
	dir, name := splitLast(rel)
	if isIndex(name) {
		name = ""
	}
	url := append(make([]byte, 0, len(site)+len(rel)+16), site...)
	return string(appendPart(appendPart(url, dir, ""), name, ""))
}

// mirrorURL returns the URL of a file in a tree that wget -r has made, or "" if the file is in no folder of a host. The paths
// are HOST/path or HOST:PORT/path, and the query is after "?" in the file name. wget decodes percent-encoded bytes in names,
// except those that a name cannot have. So a "%" that begins an escape is kept. wget does not keep the scheme: it is http,
// the default of wget. The tree may also be the folder of one host, if its name looks like a host.
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

// fromHost returns the part of a path from the first folder that looks like a host, or the whole path.
func fromHost(rel string) string {
	for rest := rel; ; {
		dir, below, ok := strings.Cut(rest, "/")
		switch {
		case !ok:
			return rel
		case looksLikeHost(dir):
			return rest
		}
		rest = below
	}
}

// splitLast cuts a path before its last segment.
func splitLast(p string) (dir, name string) {
	i := strings.LastIndexByte(p, '/') + 1
	return p[:i], p[i:]
}

// isIndex reports whether a file has the URL of its folder.
func isIndex(name string) bool { return name == "index.html" || name == "index.htm" }

// isHost reports whether the name of a folder can be host or host:port in a URL.
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

// looksLikeHost reports whether the name of a folder is probably that of a host. Such a name has a port, or a top-level domain
// that is not a number (as in v1.2), or it is localhost or an IP address.
func looksLikeHost(s string) bool {
	name, _, port := strings.Cut(s, ":")
	domain := name[strings.LastIndexByte(name, '.')+1:]
	return isHost(s) && (port || domain != name && strings.Trim(domain, "0123456789") != "" || name == "localhost" || net.ParseIP(name) != nil)
}

// appendPart appends the names of a path as a part of a URL. It percent-encodes all bytes except slashes, the pchar of RFC 1808
// section 2.2, "~", and the bytes in also. In a path, ";" begins the params and "?" the query, so they are encoded there, but not
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
