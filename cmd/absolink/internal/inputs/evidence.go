// Where a file came from, by its attributes: browsers and operating systems write it there.

package inputs

import (
	"bytes"
	"encoding/binary"
	"io"
	"os"
	"path/filepath"
	"strings"

	"howett.net/plist"

	"absolink/cmd/absolink/internal/files"
	"absolink/extract"
)

// besideLimit is how much is read of a file that holds attributes of another one.
const besideLimit = 1 << 20

// originURL is where curl, wget and browsers on Linux put the URL of what they fetch
// (freedesktop.org's common extended attributes).
const originURL = "user.xdg.origin.url"

// whereFroms is where macOS puts it: a property list of the URL and the page that linked
// to it. Elsewhere it is kept with "user." before its name.
const whereFroms = "com.apple.metadata:kMDItemWhereFroms"

// zoneIdentifier is the stream of a file in which Windows puts it. A file system of
// Linux shows it as an attribute, and what unpacks or copies files as a file beside them.
const zoneIdentifier = "Zone.Identifier"

// fileEvidence returns what the attributes of a file say of where it came from, and those
// that other systems left in files beside it. One that cannot be read says nothing.
func fileEvidence(name string) (all []extract.Evidence) {
	add := func(by, url string) {
		if url != "" {
			all = append(all, extract.Evidence{By: by, URL: url})
		}
	}
	attrs := files.Attributes(name)
	samba := func(stream string) []byte { // vfs_streams_xattr, with a NUL behind each
		return bytes.TrimSuffix(attrs["user.DosStream."+stream+":$DATA"], []byte{0})
	}
	add(originURL, strings.Trim(string(attrs[originURL]), "\x00 \t\r\n"))

	dir, base := filepath.Split(name)
	for _, list := range [][]byte{
		attrs[whereFroms],
		attrs["user."+whereFroms],
		samba(whereFroms),
		appleDouble(beside(dir+"._"+base), whereFroms),
	} {
		if url := firstOf(list); url != "" {
			add("kMDItemWhereFroms", url)
			break
		}
	}

	for _, ini := range [][]byte{
		attrs["user."+zoneIdentifier], // ntfs-3g
		samba(zoneIdentifier),
		beside(name + ":" + zoneIdentifier),      // on Windows it is the stream itself
		beside(name + "\uF03A" + zoneIdentifier), // a ":" where names cannot have one
	} {
		if url := hostURL(ini); url != "" {
			add(zoneIdentifier, url)
			break
		}
	}
	return all
}

// beside reads a file that goes with another; nil if there is none.
func beside(name string) []byte {
	file, err := os.Open(name)
	if err != nil {
		return nil
	}
	defer file.Close()
	data, err := io.ReadAll(io.LimitReader(file, besideLimit))
	if err != nil {
		return nil
	}
	return data
}

// hostURL reads the HostUrl of a Zone.Identifier. Its ReferrerUrl is the page that linked
// to the file, or the archive that it came out of.
func hostURL(ini []byte) string {
	const key = "hosturl="
	for line := range bytes.Lines(ini) {
		line = bytes.TrimRight(line, "\r\n")
		if len(line) > len(key) && bytes.EqualFold(line[:len(key)], []byte(key)) {
			return string(line[len(key):])
		}
	}
	return ""
}

// firstOf reads the first of a property list of strings; "" if it is none.
func firstOf(list []byte) string {
	var all []any
	if len(list) == 0 {
		return ""
	}
	if _, err := plist.Unmarshal(list, &all); err != nil || len(all) == 0 {
		return ""
	}
	url, _ := all[0].(string)
	return url
}

// appleDouble finds an extended attribute in an AppleDouble file, in which macOS keeps
// what other file systems have no place for: RFC 1740 appendix B, and behind the Finder's
// 32 bytes of entry 9, and two of padding, the attributes as <sys/xattr.h> of XNU has them:
//
//	"ATTR" tag size start length reserved[3] flags(2) count(2)      36 bytes, then each
//	offset length flags(2) n(1) name[n], padded to 4                offset is in the file
func appleDouble(file []byte, name string) []byte {
	be := binary.BigEndian
	const magic, finderInfo, entries = 0x00051607, 9, 26
	if len(file) < entries || be.Uint32(file) != magic {
		return nil
	}
	at := -1
	for i, p := 0, entries; i < int(be.Uint16(file[24:])) && p+12 <= len(file); i, p = i+1, p+12 {
		if be.Uint32(file[p:]) == finderInfo {
			at = int(be.Uint32(file[p+4:])) + 32 + 2
		}
	}
	const header = 36
	if at < 0 || at+header > len(file) || string(file[at:at+4]) != "ATTR" {
		return nil
	}
	p := at + header
	for range be.Uint16(file[at+header-2:]) {
		if p+11 > len(file) {
			return nil
		}
		start, length, n := int(be.Uint32(file[p:])), int(be.Uint32(file[p+4:])), int(file[p+10])
		if p+11+n > len(file) {
			return nil
		}
		if strings.TrimRight(string(file[p+11:p+11+n]), "\x00") == name && start <= len(file) && length <= len(file)-start {
			return file[start : start+length]
		}
		p += (11 + n + 3) &^ 3
	}
	return nil
}
