package inputs

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"howett.net/plist"

	"absolink/extract"
)

func whereFromsOf(t *testing.T, urls ...string) []byte {
	list, err := plist.Marshal(urls, plist.BinaryFormat)
	require.NoError(t, err)
	return list
}

// Systems other than Windows keep the stream as a file.
func TestFileEvidenceBeside(t *testing.T) {
	for _, row := range []struct {
		name, beside, text string
		want               []extract.Evidence
	}{
		{"Windows", "page.html:Zone.Identifier", "[ZoneTransfer]\r\nZoneId=3\r\nReferrerUrl=http://referrer/\r\nHostUrl=http://h/p/?a=b\r\n",
			[]extract.Evidence{{By: "Zone.Identifier", URL: "http://h/p/?a=b"}}},
		{"only a referrer: no evidence", "page.html:Zone.Identifier", "[ZoneTransfer]\r\nZoneId=3\r\nReferrerUrl=http://referrer/\r\n", nil},
		{"attributes of another file", "other.html:Zone.Identifier", "HostUrl=http://h/p/", nil},
	} {
		t.Run(row.name, func(t *testing.T) {
			dir := t.TempDir()
			require.NoError(t, os.WriteFile(filepath.Join(dir, row.beside), []byte(row.text), 0o644))
			assert.Equal(t, row.want, fileEvidence(filepath.Join(dir, "page.html")))
		})
	}
	assert.Empty(t, firstOf(whereFromsOf(t)), "an empty list")
	assert.Empty(t, firstOf([]byte("bplist00")), "not a property list")
}
