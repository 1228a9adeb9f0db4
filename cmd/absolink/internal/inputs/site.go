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

// mirrorURL returns the URL of a file in a tree that wget -r has made: HOST/path, or
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

// fromHost returns the path of a file given by name from the first folder that has the name of a host, or all of the path.
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

// isIndex reports whether a file stands for its folder.
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

// looksLikeHost reports whether the name of a folder is hardly anything else: it has a domain that is no
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
