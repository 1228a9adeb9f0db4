package files

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestReportsErrors(t *testing.T) {
	for release, want := range map[string]bool{
		"5.7.19-generic": false, "4.18.0-553.el8.x86_64": false, "5.8.0": true, "5.10.0-34-amd64": true, "6.1": true, "": false, "unknown": false,
	} {
		assert.Equal(t, want, reportsErrors(release), release)
	}
}
