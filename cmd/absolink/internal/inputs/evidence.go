// The original URL of a file: browsers and operating systems record it in attributes of the file.

package inputs

import (
	"bytes"
	"encoding/binary"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"howett.net/plist"

	"absolink/cmd/absolink/internal/files"
	"absolink/extract"
)

// besideLimit is the number of bytes that are read of a file with the attributes of another file.
const besideLimit = 1 << 20

// originURL is the attribute in which curl, wget and browsers on Linux record the URL (freedesktop.org, "Common Extended
// Attributes").
const originURL = "user.xdg.origin.url"

// whereFroms is the attribute of macOS: a property list of the URL and the page that linked to it. Other systems keep it with
// "user." before its name.
const whereFroms = "com.apple.metadata:kMDItemWhereFroms"

// zoneIdentifier is the stream of a file in which Windows records the URL. File systems of Linux show the stream as an
// attribute. Programs that extract or copy files write it as another file in the same folder.
const zoneIdentifier = "Zone.Identifier"

// doublePrefix is the start of the name of an AppleDouble file. The rest is the name of the file that it belongs to.
const doublePrefix = "._"

// keepsAttributes reports whether a file may have attributes of another file, by its name. Some file systems ignore the case.
func keepsAttributes(name string) bool {
	end := max(0, len(name)-len(zoneIdentifier))
	return strings.HasPrefix(name, doublePrefix) || strings.EqualFold(name[end:], zoneIdentifier)
}

// isBare reports whether no file of a folder has attributes of another file. It is false if this is not known, or if the folder has
// more names than most.
func isBare(dir string, most int) bool {
	if !files.ListsAll(dir) {
		return false
	}
	folder, err := files.OpenFile(dir, os.O_RDONLY, 0)
	if err != nil {
		return false
	}
	defer folder.Close()
	for {
		names, err := folder.Readdirnames(min(most+1, 1024))
		if most -= len(names); most < 0 || slices.ContainsFunc(names, keepsAttributes) {
			return false
		}
		if err != nil {
			return err == io.EOF
		}
	}
}

// fileEvidence returns the original URLs in the attributes of a file, and in files beside it that other systems wrote. An
// attribute that cannot be read is ignored.
func fileEvidence(src Source) (all []extract.Evidence) {
	add := func(by, url string) {
		if url != "" {
			all = append(all, extract.Evidence{By: by, URL: url})
		}
	}
	attrs := files.Attributes(src.Name)
	samba := func(stream string) []byte { // vfs_streams_xattr, with a NUL after each value
		return bytes.TrimSuffix(attrs["user.DosStream."+stream+":$DATA"], []byte{0})
	}
	add(originURL, strings.Trim(string(attrs[originURL]), "\x00 \t\r\n"))

	lists := [][]byte{attrs[whereFroms], attrs["user."+whereFroms], samba(whereFroms)}
	inis := [][]byte{attrs["user."+zoneIdentifier], samba(zoneIdentifier)} // the first is of ntfs-3g
	if src.bare == nil || !src.bare() {
		dir, base := filepath.Split(src.Name)
		lists = append(lists, appleDouble(beside(dir+doublePrefix+base), whereFroms))
		inis = append(inis,
			beside(src.Name+":"+zoneIdentifier),      // on Windows this is the stream itself
			beside(src.Name+"\uF03A"+zoneIdentifier)) // ":" in names on systems where names cannot have it
	}
	for _, list := range lists {
		if url := firstOf(list); url != "" {
			add("kMDItemWhereFroms", url)
			break
		}
	}
	for _, ini := range inis {
		if url := hostURL(ini); url != "" {
			add(zoneIdentifier, url)
			break
		}
	}
	return all
}

// beside returns the first bytes of a file with attributes of another file, or nil if it does not exist.
func beside(name string) []byte {
	file, err := files.OpenRegular(name)
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

// hostURL returns the HostUrl of a Zone.Identifier, or "". The ReferrerUrl is not used: it is the page that linked to the file,
// or the archive that contained it.
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

// firstOf returns the first string of a property list, or "" if it is not a list of strings.
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

// appleDouble returns an extended attribute in an AppleDouble file, or nil. macOS writes such a file on file systems without
// extended attributes (RFC 1740 appendix B). Entry 9 has 32 bytes of the Finder, two bytes of padding, and the attributes in
// the form of <sys/xattr.h> of XNU:
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
