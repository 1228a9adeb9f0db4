package main

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// What is done is known again by its name, byte for byte.
func TestJournalNames(t *testing.T) {
	names := []string{"a.html", "é.html", "\xFF.html", "d\n/\"q\".html", "\uFFFD.html"}
	file := filepath.Join(t.TempDir(), "journal")
	for range 2 {
		var j journal
		require.NoError(t, j.open(file, nil, false))
		for _, name := range names {
			require.NoError(t, j.add(name, nil))
		}
		j.close()
	}
	var j journal
	require.NoError(t, j.open(file, nil, false))
	defer j.close()
	for _, name := range names {
		assert.True(t, j.has(name), "%q", name)
	}
	assert.False(t, j.has("\xFE.html"))
}
