// The original URL of a file, which browsers, download tools and operating systems record in its attributes.

package inputs

import (
	"bytes"
	"io"
	"strings"

	"howett.net/plist"

	"absolink/cmd/absolink/internal/files"
	"absolink/extract"
)

// The attributes that hold the URL. Linux puts "user." before the names of those on file systems of other systems.
const (
	// of curl, wget and browsers (freedesktop.org, "Common Extended Attributes")
	originURL = "user.xdg.origin.url"
	// of macOS: a property list of the URL and the page that linked to it
	whereFroms = "com.apple.metadata:kMDItemWhereFroms"
	// of Windows: a stream, which other systems keep as a file NAME:Zone.Identifier
	zoneIdentifier = "Zone.Identifier"

	longestZone = 1 << 20
)

// fileEvidence returns the original URLs in the attributes of a file, with zone also that of a NAME:Zone.Identifier. It
// ignores an attribute that cannot be read.
func fileEvidence(name string, zone bool) (all []extract.Evidence) {
	add := func(by, url string) bool {
		if url != "" {
			all = append(all, extract.Evidence{By: by, URL: url})
		}
		return url != ""
	}
	attrs := files.Attributes(name)
	add(originURL, strings.Trim(string(attrs[originURL]), "\x00 \t\r\n"))
	_ = add("kMDItemWhereFroms", firstOf(attrs[whereFroms])) ||
		add("kMDItemWhereFroms", firstOf(attrs["user."+whereFroms]))
	if !add(zoneIdentifier, hostURL(attrs["user."+zoneIdentifier])) && zone {
		if file, err := files.OpenRegular(name + ":" + zoneIdentifier); err == nil { // on Windows this is the stream
			defer file.Close()
			ini, _ := io.ReadAll(io.LimitReader(file, longestZone))
			add(zoneIdentifier, hostURL(ini))
		}
	}
	return all
}

// firstOf returns the first string of a property list, or "" if the list does not consist of strings.
func firstOf(list []byte) string {
	var all []string
	if len(list) == 0 {
		return ""
	}
	if _, err := plist.Unmarshal(list, &all); err != nil || len(all) == 0 {
		return ""
	}
	return all[0]
}

// hostURL returns the HostUrl of a Zone.Identifier, or "". The ReferrerUrl is no use: it is the page that linked to the
// file, or the archive that contained it.
func hostURL(ini []byte) string {
	for line := range bytes.Lines(ini) {
		if key, url, _ := strings.Cut(strings.TrimRight(string(line), "\r\n"), "="); strings.EqualFold(key, "HostUrl") {
			return url
		}
	}
	return ""
}
