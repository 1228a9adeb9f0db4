package inputs

import (
	"os"
	"path/filepath"
	"runtime"
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

// Systems other than Windows keep the stream as a file, which is opened only in a folder that lists one.
func TestFileEvidenceBeside(t *testing.T) {
	for _, row := range []struct {
		name, beside, text string
		noZone             bool
		want               []extract.Evidence
	}{
		{"Windows", "page.html:Zone.Identifier", "[ZoneTransfer]\r\nZoneId=3\r\nReferrerUrl=http://referrer/\r\nHostUrl=http://h/p/?a=b\r\n", false,
			[]extract.Evidence{{By: "Zone.Identifier", URL: "http://h/p/?a=b"}}},
		{"only a referrer: no evidence", "page.html:Zone.Identifier", "[ZoneTransfer]\r\nZoneId=3\r\nReferrerUrl=http://referrer/\r\n", false, nil},
		{"attributes of another file", "other.html:Zone.Identifier", "HostUrl=http://h/p/", false, nil},
		{"no such file in the folder", "page.html.txt", "HostUrl=http://h/p/", runtime.GOOS != "windows", nil},
	} {
		t.Run(row.name, func(t *testing.T) {
			dir := t.TempDir()
			require.NoError(t, os.WriteFile(filepath.Join(dir, row.beside), []byte(row.text), 0o644))
			page := filepath.Join(dir, "page.html")
			require.NoError(t, os.WriteFile(page, nil, 0o644))
			for src, err := range Select(Config{Paths: []string{dir}}).All(true) {
				require.NoError(t, err)
				assert.Equal(t, row.noZone, src.noZone)
			}
			assert.Equal(t, row.want, fileEvidence(page, !row.noZone))
		})
	}
	assert.Empty(t, firstOf(whereFromsOf(t)), "an empty list")
	assert.Empty(t, firstOf([]byte("bplist00")), "not a property list")
}
