package extract

import (
	"bytes"
	"strings"
)

// Programs that save pages, and how each writes where it saved a page from.

var (
	markOfTheWeb = &saver{by: "mark of the web", read: withDashes}
	singleFile   = &saver{by: "SingleFile"}
	monolith     = &saver{by: "monolith"}
	httrack      = &saver{by: "HTTrack", read: withScheme}
	savePageWE   = &saver{by: "Save Page WE"}
	webScrapBook = &saver{by: "WebScrapBook"}
	waybackSaver = &saver{by: "Wayback Machine", read: wombatURL}
	archiveToday = &saver{by: "archive.today"}
	redirection  = &saver{by: "Location"}           // before the response that was saved: the last URL used (RFC 1808 3.3)
	canonical    = &saver{by: "LINK rel=canonical"} // no saver: asked last, and only on demand
)

// unfit says why what a saver wrote is no URL of a page, "" if it may be one. Under every
// standard: to browsers about:internet would be a base like another.
func unfit(url string) string {
	scheme, rest := cutScheme(url)
	switch {
	case url == "":
		return "" // the ladder says so
	case url == "about:internet", url == "http://internet.e-mail": // Microsoft's own for attachments
		return "says only that it came from somewhere"
	case url == "local source":
		return "it was saved from a local file"
	case scheme == "":
		return "not absolute, as the URL of a page is"
	case foldEqual([]byte(scheme), "file"):
		return "a local file is not where it came from"
	case !strings.HasPrefix(rest, "//"):
		return scheme + ": is nowhere that a page comes from"
	}
	return ""
}

// archiveNames are the ends of the names of archives, out of which files come with the
// attributes of the archive itself.
var archiveNames = strings.Fields(".zip .7z .rar .tar .gz .tgz .bz2 .xz .zst .cab .iso .dmg .jar .maff")

// ofArchive says whether a URL names an archive, rather than the document.
func ofArchive(url, document string) bool {
	for _, c := range "#?" {
		url, _, _ = strings.Cut(url, string(c))
	}
	url, document = lower(url), lower(document)
	for _, ext := range archiveNames {
		if strings.HasSuffix(url, ext) {
			return !strings.HasSuffix(document, ext)
		}
	}
	return false
}

// withDashes undoes what Chromium does to a URL in its mark of the web, where "--" would
// end the comment for some: it writes the second dash as %2D.
func withDashes(text []byte) []byte { return bytes.ReplaceAll(text, []byte("-%2D"), []byte("--")) }

// withScheme gives a URL of HTTrack, which leaves http:// out (and in most versions
// https:// too, which nothing tells).
func withScheme(text []byte) []byte {
	if scheme, rest := cutScheme(string(text)); scheme != "" && strings.HasPrefix(rest, "//") {
		return text
	}
	return append([]byte("http://"), text...)
}

// inArchiveToday gives the path of a URL of archive.today, without its first slash.
func inArchiveToday(url []byte) (path []byte, ok bool) {
	rest, ok := bytes.CutPrefix(url, []byte("https://"))
	if !ok {
		if rest, ok = bytes.CutPrefix(url, []byte("http://")); !ok {
			return nil, false
		}
	}
	host, path, _ := bytes.Cut(rest, []byte("/"))
	return path, anyOf(archiveTodayHosts, host)
}

// archiveTodayHosts are the names that archive.today goes by.
var archiveTodayHosts = words("archive.today archive.is archive.ph archive.fo archive.li archive.vn archive.md")
