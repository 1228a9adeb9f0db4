package saved

import (
	"bytes"
	"cmp"
	"strings"

	"absolink/extract/internal/ascii"
)

// The Wayback Machine stores a page with links into the archive:
//
//	https://web.archive.org/web/20200101000000im_/http://h/x.png
//	\_____________________/\_____________________/\____________/
//	 the archive (optional)     time, kind of file   original URL
//
// In the pages that it shows, the archive replaces every link by one of this form. So a path like /web/2020*/http://h/x
// or /_static/x.css leads to a page of the archive itself, whatever the URL of the page.

// archivePaths are the first segments of the paths of the archive.
var archivePaths = []string{"/web", "/save", "/details", "/_static", "/__wb"}

// InArchive returns the URL of a reference to a path of the archive that the page came from, or nil for any other
// reference. isCopy means that the base of the reference is a copy in the Wayback Machine. s may be nil.
func (s *Saved) InArchive(ref []byte, isCopy bool) []byte {
	if s != nil && s.replay != "" {
		authority := strings.Index(s.replay, "//")
		path := authority + 2 + strings.IndexByte(s.replay[authority+2:], '/')
		switch from := []byte(s.replay); {
		case bytes.HasPrefix(ref, from[authority:]):
			return append(from[:authority], ref...)
		case bytes.HasPrefix(ref, from[path:]) && !bytes.HasPrefix(ref, []byte("//")):
			return append(from[:path], ref...)
		}
	}
	if !isCopy && (s == nil || !s.archived) {
		return nil
	}
	for _, path := range archivePaths {
		if rest, ok := bytes.CutPrefix(ref, []byte(path)); ok &&
			(len(rest) == 0 || strings.IndexByte("/?#", rest[0]) >= 0) {
			return append([]byte("https://web.archive.org"), ref...)
		}
	}
	return nil
}

// AtWayback returns a reference into the archive of pywb that the page came from as one into the Wayback Machine, and
// any other reference as it is. s may be nil.
func (s *Saved) AtWayback(ref []byte) []byte {
	if s == nil || s.replay == "" {
		return ref
	}
	full := cmp.Or(string(s.InArchive(ref, false)), string(ref))
	_, prefix, _ := strings.Cut(s.replay, ":")
	rest, ok := bytes.CutPrefix(cutAny([]byte(full), waybackSchemes), []byte(prefix))
	if _, today := InArchiveToday([]byte(s.replay)); !ok || today {
		return ref
	}
	if len(rest) > 0 && !ascii.IsDigit(rest[0]) {
		rest = append([]byte("20000101000000"), rest...) // of the live web, without a time
	}
	return append([]byte("https://web.archive.org/web/"), rest...)
}

// IsCopy reports whether url is that of a page whose links the archive has replaced. With "id_" after the time, the
// archive returns the page as it was.
func IsCopy(url []byte) bool {
	original, path, ok := inWayback(url)
	return ok && !path && !bytes.HasSuffix(url[:len(url)-len(original)], []byte("id_/"))
}

// inWayback returns the part after the time in a reference into the archive, which is the original URL. path reports
// whether the reference has no host.
func inWayback(ref []byte) (original []byte, path, ok bool) {
	rest, path, ok := cutWaybackHost(ref)
	if !ok {
		return nil, false, false
	}
	rest, digits := cutCapture(rest)
	if digits < 4 || digits > 14 || len(rest) < 2 || rest[0] != '/' {
		return nil, false, false
	}
	original = rest[1:]
	if original[0] == '/' && !bytes.HasPrefix(original, []byte("//")) {
		return nil, false, false
	}
	scheme, _ := ascii.CutScheme(string(original[:min(len(original), 16)]))
	// With fewer digits a scheme is needed, because a site may have a path /web/2020/about.html of its own.
	return original, path, (digits == 14 || strings.IndexByte(scheme, '.') < 0 && scheme != "") && hasHost(original)
}

// hasHost reports whether the part after the time is a URL with a host, if its scheme needs one. A percent-encoded URL,
// as in http%3A//h/, has none: the reference leads to a page of the archive itself.
func hasHost(original []byte) bool {
	scheme, rest := ascii.CutScheme(string(originalURL(original)))
	if scheme = ascii.Lower(scheme); scheme != "http" && scheme != "https" {
		return true
	}
	host := strings.TrimPrefix(rest, "//")
	if i := strings.IndexAny(host, "/?#"); i >= 0 {
		host = host[:i]
	}
	return host != "" && strings.IndexByte(host, '%') < 0
}

var (
	waybackSchemes = []string{"https:", "http:"}
	waybackHosts   = []string{"//web.archive.org", "//wayback.archive.org", "//www.web.archive.org"}
	waybackPorts   = []string{":80", ":443"} // of older captures
)

// cutWaybackHost returns the bytes after "/web/" in a reference into the archive, and whether the reference is a path,
// without a host.
func cutWaybackHost(ref []byte) (rest []byte, path, ok bool) {
	afterScheme := cutAny(ref, waybackSchemes)
	rest = cutAny(afterScheme, waybackHosts)
	path = len(rest) == len(afterScheme)
	if path && len(afterScheme) < len(ref) {
		return nil, false, false // another host
	}
	if !path {
		if at := cutAny(rest, waybackPorts); len(at) > 0 && at[0] == '/' {
			rest = at
		}
	}
	rest, ok = bytes.CutPrefix(rest, []byte("/web/"))
	return rest, path, ok
}

// cutAny removes from text the first of prefixes that it begins with, ignoring case, but never the whole text.
func cutAny(text []byte, prefixes []string) []byte {
	for _, prefix := range prefixes {
		if len(text) > len(prefix) && ascii.FoldEqual(text[:len(prefix)], prefix) {
			return text[len(prefix):]
		}
	}
	return text
}

// cutCapture removes the time of a capture and the kind of the file, as in "20200101000000im_", and returns the number
// of digits of the time.
func cutCapture(text []byte) (rest []byte, digits int) {
	for digits < len(text) && ascii.IsDigit(text[digits]) {
		digits++
	}
	rest = text[digits:]
	as := 0
	for as < len(rest) && ascii.IsLetter(rest[as]) {
		as++
	}
	if as > 1 && as < len(rest) && rest[as] == '_' { // im_, or wkrf_ for a worker
		rest = rest[as+1:]
	}
	return rest, digits
}

const mostNested = 64

// Unarchived returns the original URL of a reference into the archive, or nil for any other reference. The archive has
// copies of its own pages, so the original URL may lead into the archive again, and Unarchived follows it.
func Unarchived(ref []byte) (url []byte) {
	for range mostNested {
		original, _, ok := inWayback(ref)
		if !ok {
			break
		}
		url = originalURL(original)
		ref = url
	}
	return url
}

// originalURL completes the part after the time in a reference into the archive, which accepts URLs without a scheme,
// and with one slash after the scheme.
func originalURL(original []byte) []byte {
	scheme, rest := ascii.CutScheme(string(original))
	switch {
	case bytes.HasPrefix(original, []byte("//")):
		return append([]byte("http:"), original...)
	case scheme == "" || strings.IndexByte(scheme, '.') >= 0: // h.example:8080/x has no scheme
		return append([]byte("http://"), original...)
	case (scheme == "http" || scheme == "https") && !strings.HasPrefix(rest, "//"):
		return []byte(scheme + "://" + strings.TrimPrefix(rest, "/")) // some servers replace "//" by "/"
	}
	return bytes.Clone(original)
}

// wombatURL returns the page's URL as the archive writes it into a script of the page, without the default port, and
// without the JavaScript escapes or the percent-encoding of the script.
func wombatURL(text []byte) []byte {
	url := withoutEscapes(text)
	if !bytes.Contains(url, []byte("://")) {
		url = ascii.PercentDecoded(url)
	}
	return WithoutPort(url)
}

// WithoutPort removes the port from an http or https URL if it is the default one.
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

// withoutEscapes decodes the escapes of a JavaScript string that occur in URLs.
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
