package saved

import (
	"bytes"
	"strings"

	"absolink/extract/internal/ascii"
)

// The Wayback Machine keeps a page with its links leading into the archive:
//
//	https://web.archive.org/web/20200101000000im_/http://h/x.png
//	\_____________________/\_____________________/\____________/
//	 its own, often left out    when, and as what    the original
//
// A reference that begins with the path is the archive's, whatever the page's URL is.

// WaybackOrigin is what stands before the path of what the archive keeps.
const WaybackOrigin = "https://web.archive.org"

// WaybackStatic is where the archive has the scripts and style sheets that it puts into a page.
const WaybackStatic = "/_static/"

// InWayback cuts a reference into the archive behind the time. path says that it begins
// with the path.
func InWayback(ref []byte) (original []byte, path, ok bool) {
	rest := ref
	for _, scheme := range []string{"https:", "http:"} {
		if len(rest) > len(scheme) && ascii.FoldEqual(rest[:len(scheme)], scheme) {
			rest = rest[len(scheme):]
			break
		}
	}
	path = true
	for _, host := range []string{"//web.archive.org", "//wayback.archive.org", "//www.web.archive.org"} {
		if len(rest) > len(host) && ascii.FoldEqual(rest[:len(host)], host) {
			rest, path = rest[len(host):], false
			for _, port := range []string{":80/", ":443/"} { // older captures name it
				if bytes.HasPrefix(rest, []byte(port)) {
					rest = rest[len(port)-1:]
				}
			}
			break
		}
	}
	if path && len(rest) < len(ref) || !bytes.HasPrefix(rest, []byte("/web/")) {
		return nil, false, false
	}
	rest = rest[len("/web/"):]
	digits := 0
	for digits < len(rest) && ascii.IsDigit(rest[digits]) {
		digits++
	}
	rest = rest[digits:]
	as := 0
	for as < len(rest) && ascii.IsLetter(rest[as]) {
		as++
	}
	if as > 1 && as < len(rest) && rest[as] == '_' { // im_, or wkrf_ for a worker
		rest = rest[as+1:]
	}
	if digits < 4 || digits > 14 || len(rest) < 2 || rest[0] != '/' {
		return nil, false, false
	}
	original = rest[1:]
	if original[0] == '/' && !bytes.HasPrefix(original, []byte("//")) {
		return nil, false, false
	}
	scheme, _ := ascii.CutScheme(string(original[:min(len(original), 16)]))
	// A site may have a path /web/2020/about.html of its own.
	return original, path, digits == 14 || strings.IndexByte(scheme, '.') < 0 && scheme != ""
}

// mostWithin is how many times the archive may have kept a page of itself.
const mostWithin = 64

// Unarchived gives the original of a reference into the archive; nil for any other. The
// archive has kept pages of itself, too, so it may be asked more than once.
func Unarchived(ref []byte) (url []byte) {
	for range mostWithin {
		original, _, ok := InWayback(ref)
		if !ok {
			break
		}
		url = originalURL(original)
		ref = url
	}
	return url
}

// originalURL gives the URL that stands behind the time in a reference into the archive, where
// the archive also takes what begins with the host.
func originalURL(original []byte) []byte {
	scheme, rest := ascii.CutScheme(string(original))
	switch {
	case bytes.HasPrefix(original, []byte("//")):
		return append([]byte("http:"), original...)
	case scheme == "" || strings.IndexByte(scheme, '.') >= 0: // h:8080/x
		return append([]byte("http://"), original...)
	case (scheme == "http" || scheme == "https") && !strings.HasPrefix(rest, "//"):
		return []byte(scheme + "://" + strings.TrimPrefix(rest, "/")) // servers fold slashes
	}
	return bytes.Clone(original)
}

// wombatURL reads the URL that the archive writes into a script of the page: with the port
// that it asked at, and with the escapes of JavaScript, or of a URL within a URL.
func wombatURL(text []byte) []byte {
	url := withoutEscapes(text)
	if !bytes.Contains(url, []byte("://")) {
		url = ascii.PercentDecoded(url)
	}
	return WithoutPort(url)
}

// WithoutPort takes the port out of a URL that is the one of its scheme anyway.
func WithoutPort(url []byte) []byte {
	for _, port := range []struct{ scheme, number string }{{"http://", ":80"}, {"https://", ":443"}} {
		rest, ok := bytes.CutPrefix(url, []byte(port.scheme))
		if !ok {
			continue
		}
		end := bytes.IndexAny(rest, "/?#")
		if end < 0 {
			end = len(rest)
		}
		if host, ok := bytes.CutSuffix(rest[:end], []byte(port.number)); ok {
			return append(append([]byte(port.scheme), host...), rest[end:]...)
		}
	}
	return url
}

// withoutEscapes reads the escapes of a JavaScript string that URLs are written with.
func withoutEscapes(src []byte) []byte {
	if bytes.IndexByte(src, '\\') < 0 {
		return src
	}
	text := make([]byte, 0, len(src))
	for i := 0; i < len(src); i++ {
		if src[i] != '\\' || i+1 == len(src) {
			text = append(text, src[i])
			continue
		}
		i++
		digits := map[byte]int{'x': 2, 'u': 4}[src[i]]
		if digits == 0 || i+digits >= len(src) {
			text = append(text, src[i])
			continue
		}
		r := rune(0)
		for _, c := range src[i+1 : i+1+digits] {
			r = r<<4 | rune(max(0, ascii.HexValue(c)))
		}
		text = append(text, string(r)...)
		i += digits
	}
	return text
}
