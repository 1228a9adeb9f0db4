//go:build darwin || freebsd || linux || netbsd

package inputs

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"absolink/extract"
)

func TestFileEvidenceAttributes(t *testing.T) {
	page := filepath.Join(t.TempDir(), "page.html")
	require.NoError(t, os.WriteFile(page, nil, 0o644))
	set := func(attr, value string) {
		if err := unix.Setxattr(page, attr, []byte(value), 0); err != nil {
			t.Skipf("the file system of %s takes no attribute %s: %v", page, attr, err)
		}
	}
	long := "http://h/" + strings.Repeat("x", 2000)
	set(originURL, long)
	assert.Equal(t, []extract.Evidence{{By: originURL, URL: long}}, fileEvidence(page, true))
	set(originURL, "http://x/\x00")
	set("user."+whereFroms, string(whereFromsOf(t, "http://mac/", "http://referrer/")))
	set("user."+zoneIdentifier, "[ZoneTransfer]\r\nHostUrl=http://win/\r\n")
	assert.Equal(t, []extract.Evidence{
		{By: originURL, URL: "http://x/"}, {By: "kMDItemWhereFroms", URL: "http://mac/"}, {By: "Zone.Identifier", URL: "http://win/"},
	}, fileEvidence(page, true))
}
