package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A vulnerability stops the release only if the command calls the function. So does a database that cannot be read.
func TestVulncheck(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) {
		t.Helper()
		require.NoError(t, os.MkdirAll(filepath.Join(dir, filepath.Dir(name)), 0o777))
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666))
	}
	write("source/go.mod", "module absolink\n\ngo 1.26.0\n")
	write("source/cmd/absolink/main.go", "package main\n\nimport \"errors\"\n\nfunc main() { panic(errors.New(\"x\")) }\n")
	source, database := filepath.Join(dir, "source"), "file://"+filepath.ToSlash(dir)+"/db"
	linux := []platform{{"linux", "amd64"}, {"linux", "arm64"}}

	err := vulncheck(t.Context(), source, database, linux)
	assert.ErrorContains(t, err, "the check did not finish")
	assert.ErrorContains(t, err, "-skip-vulncheck")

	entry := func(symbol string) {
		t.Helper()
		write("db/index/db.json", `{"modified": "2026-01-02T03:04:05Z"}`)
		write("db/index/modules.json", `[{"path": "stdlib", "vulns": [{"id": "GO-2026-9999", "modified": "2026-01-02T03:04:05Z"}]}]`)
		write("db/ID/GO-2026-9999.json", `{"schema_version": "1.3.1", "id": "GO-2026-9999", "modified": "2026-01-02T03:04:05Z",
			"summary": "a test", "database_specific": {"url": "https://example.org/GO-2026-9999"}, "affected": [{"package": {"name": "stdlib", "ecosystem": "Go"},
			"ranges": [{"type": "SEMVER", "events": [{"introduced": "0"}]}],
			"ecosystem_specific": {"imports": [{"path": "errors", "symbols": ["`+symbol+`"]}]}}]}`)
	}
	entry("Join")
	assert.NoError(t, vulncheck(t.Context(), source, database, linux))
	entry("New")
	err = vulncheck(t.Context(), source, database, linux)
	assert.ErrorContains(t, err, "linux: known vulnerabilities; update the modules or Go")
	assert.ErrorContains(t, err, "GO-2026-9999")
}
