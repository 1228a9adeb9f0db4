package inputs

import (
	"encoding/binary"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"howett.net/plist"

	"absolink/extract"
)

// whereFromsOf returns a property list as macOS writes it.
func whereFromsOf(t *testing.T, urls ...string) []byte {
	list, err := plist.Marshal(urls, plist.BinaryFormat)
	require.NoError(t, err)
	return list
}

// doubleOf returns an AppleDouble file with extended attributes, in the layout of XNU.
func doubleOf(attrs ...string) []byte {
	be := binary.BigEndian
	b := be.AppendUint32(nil, 0x00051607)
	b = append(be.AppendUint32(b, 0x00020000), "Mac OS X        "...)
	b = be.AppendUint16(b, 2)
	const start = 26 + 2*12
	b = be.AppendUint32(be.AppendUint32(be.AppendUint32(b, 9), start), 3760) // Finder info
	b = be.AppendUint32(be.AppendUint32(be.AppendUint32(b, 2), 3810), 286)   // resource fork
	b = append(b, make([]byte, 32+2)...)
	data := len(b) + 36
	for i := 0; i < len(attrs); i += 2 {
		data += (11 + len(attrs[i]) + 1 + 3) &^ 3
	}
	b = append(b, "ATTR"...)
	for _, n := range []uint32{0, uint32(data), uint32(data), 0, 0, 0, 0} {
		b = be.AppendUint32(b, n)
	}
	b = be.AppendUint16(be.AppendUint16(b, 0), uint16(len(attrs)/2))
	for i := 0; i < len(attrs); i += 2 {
		b = be.AppendUint32(be.AppendUint32(b, uint32(data)), uint32(len(attrs[i+1])))
		b = append(be.AppendUint16(b, 0), byte(len(attrs[i])+1))
		b = append(append(b, attrs[i]...), 0)
		for len(b)%4 != 0 {
			b = append(b, 0)
		}
		data += len(attrs[i+1])
	}
	for i := 0; i < len(attrs); i += 2 {
		b = append(b, attrs[i+1]...)
	}
	return b
}

// Files in which other systems keep attributes.
func TestFileEvidenceBeside(t *testing.T) {
	wheres := string(whereFromsOf(t, "http://h/p/", "http://referrer/"))
	double := string(doubleOf("com.apple.quarantine", "0083;x", whereFroms, wheres))
	for _, row := range []struct {
		name, beside, text string
		want               []extract.Evidence
	}{
		{"macOS", "._page.html", double, []extract.Evidence{{By: "kMDItemWhereFroms", URL: "http://h/p/"}}},
		{"without the attribute", "._page.html", string(doubleOf("com.apple.quarantine", "0083;x")), nil},
		{"without attributes", "._page.html", double[:50], nil},
		{"an empty list", "._page.html", string(doubleOf(whereFroms, string(whereFromsOf(t)))), nil},
		{"not a property list", "._page.html", string(doubleOf(whereFroms, "bplist00")), nil},
		{"not an AppleDouble file", "._page.html", "<a href=x>", nil},
		{"Windows", "page.html:Zone.Identifier", "[ZoneTransfer]\r\nZoneId=3\r\nReferrerUrl=http://referrer/\r\nHostUrl=http://h/p/\r\n",
			[]extract.Evidence{{By: "Zone.Identifier", URL: "http://h/p/"}}},
		{"the stream under WSL", "page.html\uF03AZone.Identifier", "[ZoneTransfer]\nHostUrl=http://h/p/", []extract.Evidence{{By: "Zone.Identifier", URL: "http://h/p/"}}},
		{"only a referrer: no evidence", "page.html:Zone.Identifier", "[ZoneTransfer]\r\nZoneId=3\r\nReferrerUrl=http://referrer/\r\n", nil},
		{"attributes of another file", "other.html:Zone.Identifier", "HostUrl=http://h/p/", nil},
	} {
		t.Run(row.name, func(t *testing.T) {
			dir := t.TempDir()
			require.NoError(t, os.WriteFile(filepath.Join(dir, row.beside), []byte(row.text), 0o644))
			assert.Equal(t, row.want, fileEvidence(filepath.Join(dir, "page.html")))
		})
	}
	for n := range double {
		appleDouble([]byte(double[:n]), whereFroms) // it does not matter what, but it ends
	}
	assert.Nil(t, fileEvidence(filepath.Join(t.TempDir(), "none")))
}
