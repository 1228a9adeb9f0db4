package saved

import (
	"bytes"
	"strings"

	"absolink/extract/internal/ascii"
	"absolink/extract/internal/mark"
)

// Programs that save pages, and the functions that read the URLs that they write.

var (
	MarkOfTheWeb = &mark.Saver{By: "mark of the web", Read: withDashes}
	SingleFile   = &mark.Saver{By: "SingleFile"}
	Monolith     = &mark.Saver{By: "monolith"}
	HTTrack      = &mark.Saver{By: "HTTrack", Read: withScheme}
	SavePageWE   = &mark.Saver{By: "Save Page WE"}
	WebScrapBook = &mark.Saver{By: "WebScrapBook"}
	WaybackSaver = &mark.Saver{By: "Wayback Machine", Read: wombatURL}
	ArchiveToday = &mark.Saver{By: "archive.today"}
	Canonical    = &mark.Saver{By: "LINK rel=canonical"} // not a saver: last, and only on demand
)

// Unfit returns the reason why a URL that a saver wrote is not the URL of a page, or "" if it may be the URL of a page.
// The standard of resolution does not matter: under the URL Standard, about:internet would be a valid base.
func Unfit(url string) string {
	scheme, rest := ascii.CutScheme(url)
	switch {
	case url == "":
		return "" // the ladder reports it
	case url == "about:internet", url == "http://internet.e-mail": // Microsoft writes this URL for attachments
		return "says only that it came from somewhere"
	case url == "local source":
		return "it was saved from a local file"
	case scheme == "":
		return "not absolute, as the URL of a page is"
	case ascii.FoldEqual([]byte(scheme), "file"):
		return "a local file is not where it came from"
	case !strings.HasPrefix(rest, "//"):
		return scheme + ": is nowhere that a page comes from"
	}
	return ""
}

// archiveNames are the suffixes of the names of archives. A file that is extracted from such an archive has the
// attributes of the archive.
var archiveNames = strings.Fields(".zip .7z .rar .tar .gz .tgz .bz2 .xz .zst .cab .iso .dmg .jar .maff")

// OfArchive reports whether a URL names an archive, rather than the document.
func OfArchive(url, document string) bool {
	for _, c := range "#?" {
		url, _, _ = strings.Cut(url, string(c))
	}
	url, document = ascii.Lower(url), ascii.Lower(document)
	for _, ext := range archiveNames {
		if strings.HasSuffix(url, ext) {
			return !strings.HasSuffix(document, ext)
		}
	}
	return false
}

// withDashes restores the dashes of a URL in Chromium's mark of the web. There "--" could end the comment, so Chromium
// writes the second dash as %2D.
func withDashes(text []byte) []byte { return bytes.ReplaceAll(text, []byte("-%2D"), []byte("--")) }

// withScheme returns a URL of HTTrack with its scheme. HTTrack omits http://. Most versions also omit https://, which
// cannot be detected.
func withScheme(text []byte) []byte {
	if scheme, rest := ascii.CutScheme(string(text)); scheme != "" && strings.HasPrefix(rest, "//") {
		return text
	}
	return append([]byte("http://"), text...)
}

// InArchiveToday returns the path of a URL of archive.today, without its first slash.
func InArchiveToday(url []byte) (path []byte, ok bool) {
	rest, ok := bytes.CutPrefix(url, []byte("https://"))
	if !ok {
		if rest, ok = bytes.CutPrefix(url, []byte("http://")); !ok {
			return nil, false
		}
	}
	host, path, _ := bytes.Cut(rest, []byte("/"))
	return path, ascii.AnyOf(archiveTodayHosts, host)
}

// archiveTodayHosts are the host names of archive.today.
var archiveTodayHosts = ascii.Words("archive.today archive.is archive.ph archive.fo archive.li archive.vn archive.md")
