//go:build darwin || freebsd || linux || netbsd

package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"absolink/cmd/absolink/internal/files"
)

// A file that is rewritten in place keeps its extended attributes.
func TestInPlaceAttributes(t *testing.T) {
	page := filepath.Join(t.TempDir(), "page.html")
	require.NoError(t, os.WriteFile(page, []byte("<a href=x>"), 0o644))
	if err := unix.Setxattr(page, "user.xdg.origin.url", []byte("http://h/p/"), 0); err != nil {
		t.Skipf("the file system of %s takes no attributes: %v", page, err)
	}
	require.NoError(t, command(t, "rewrite", "-i", page).Run())
	got, err := os.ReadFile(page)
	require.NoError(t, err)
	assert.Equal(t, "<a href=http://h/p/x>", string(got))
	assert.Equal(t, "http://h/p/", string(files.Attributes(page)["user.xdg.origin.url"]))
}
