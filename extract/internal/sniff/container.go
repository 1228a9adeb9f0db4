package sniff

import (
	"bytes"
	"path"

	"absolink/extract/internal/ascii"
	"absolink/extract/internal/mark"
)

// containerNames are the extensions of containers that are not read.
var containerNames = map[string]*mark.Unread{
	".p7m": mark.SMIME,
	".p7z": mark.SMIME,
	".pgp": mark.Encrypted,
	".gpg": mark.Encrypted,
	".msg": mark.Outlook,
	".uu":  mark.UUEncoded,
	".uue": mark.UUEncoded,
	".hqx": mark.Macintosh,
}

// containerStarts are the first bytes of containers that are not read.
var containerStarts = []struct {
	start string
	kind  *mark.Unread
}{
	{"-----BEGIN PGP MESSAGE", mark.Encrypted},
	{"\x78\x9F\x3E\x22", mark.Outlook}, // TNEF
	{BinHex, mark.Macintosh},
	// AppleSingle. AppleDouble is not a container: it has the attributes of another file
	{"\x00\x05\x16\x00", mark.Macintosh},
	{"Rar!\x1A\x07", mark.Archived},
	{"7z\xBC\xAF\x27\x1C", mark.Archived},
	{"\xFD7zXZ\x00", mark.Archived},
	{"LZIP", mark.Archived},
	{"\x04\x22\x4D\x18", mark.Archived}, // LZ4
	{"MSCF\x00\x00\x00\x00", mark.Archived},
}

// BinHex is the start of the line before a file in BinHex 4.0 (RFC 1741).
const BinHex = "(This file must be converted with BinHex"

// Container returns the kind of a file that may contain documents, but is not read, or nil for any other file. name is
// the name of the file, or "", and head its first bytes.
func Container(name string, head []byte) *mark.Unread {
	if name = ascii.Lower(path.Base(name)); name == "winmail.dat" || name == "win.dat" {
		return mark.Outlook
	}
	if kind := containerNames[path.Ext(name)]; kind != nil {
		return kind
	}
	head = head[ascii.SkipSpace(head, 0):]
	for _, c := range containerStarts {
		if bytes.HasPrefix(head, []byte(c.start)) {
			return c.kind
		}
	}
	return nil
}
