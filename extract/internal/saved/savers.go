package saved

import (
	"bytes"
	"strings"

	"absolink/extract/internal/ascii"
	"absolink/extract/internal/mark"
)

var (
	MarkOfTheWeb = &mark.Saver{By: "mark of the web", Read: withDashes}
	SingleFile   = &mark.Saver{By: "SingleFile"}
	Monolith     = &mark.Saver{By: "monolith"}
	HTTrack      = &mark.Saver{By: "HTTrack", Read: withScheme}
	SavePageWE   = &mark.Saver{By: "Save Page WE"}
	WebScrapBook = &mark.Saver{By: "WebScrapBook"}
	WaybackSaver = &mark.Saver{By: "Wayback Machine", Read: wombatURL}
	Pywb         = &mark.Saver{By: "pywb", Read: wombatURL}
	ArchiveToday = &mark.Saver{By: "archive.today"}
	ReplayPrefix = &mark.Saver{Read: wombatURL} // not a saver: the URL of the archive that the page came from
	// not a saver, so it is tried last, and only if the user wants it
	Canonical = &mark.Saver{By: "LINK rel=canonical"}
)

// Unfit returns the reason why a URL that a saver wrote cannot be the URL of a page, or "" if it can be. That is the
// same for each standard by which links are resolved, although about:internet would be a valid base under the URL
// Standard.
func Unfit(url string) string {
	scheme, rest := ascii.CutScheme(url)
	switch {
	case url == "":
		return "" // the candidate is rejected with the reason
	case url == "about:internet", url == "http://internet.e-mail": // Microsoft writes this URL for attachments
		return "only marks the file as downloaded"
	case url == "local source":
		return "it was saved from a local file"
	case scheme == "":
		return "not an absolute URL"
	case ascii.FoldEqual([]byte(scheme), "file"):
		return "the URL of a local file"
	case !strings.HasPrefix(rest, "//"):
		return "pages are not retrieved from " + scheme + ": URLs"
	}
	return ""
}

// archiveNames are the suffixes of the names of archives. A file extracted from an archive may get the archive's file
// attributes, which have the archive's URL.
var archiveNames = []string{".zip", ".7z", ".rar", ".tar", ".gz", ".tgz", ".bz2", ".xz", ".zst", ".cab", ".iso", ".dmg",
	".jar", ".maff"}

// OfArchive reports whether url is that of the archive which the document came in, and not that of the document.
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

// withDashes restores the dashes of a URL in Chromium's mark of the web, which has "-%2D" for "--", because "--" could
// end the comment.
func withDashes(text []byte) []byte { return bytes.ReplaceAll(text, []byte("-%2D"), []byte("--")) }

// withScheme adds "http://" to a URL without a scheme, because HTTrack omits it. Most versions omit "https://" as well,
// but which of the two it was cannot be known.
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
	return path, ascii.AnyOf(archiveTodayHosts(), host)
}

var archiveTodayHosts = ascii.Words("archive.today archive.is archive.ph archive.fo archive.li archive.vn archive.md")
