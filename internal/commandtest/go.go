package commandtest

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Go returns the output of the command go. It skips the test if go fails because it cannot read the modules, or has no
// cache that it can write: the tests may be run by another user than they were built by.
func Go(t testing.TB, args ...string) string {
	t.Helper()
	out, err := exec.Command("go", args...).Output()
	if err != nil {
		needModules(t)
	}
	require.NoError(t, err, "%s", messages(err))
	return string(out)
}

func needModules(t testing.TB) {
	t.Helper()
	if err := exec.Command("go", "list", "-buildvcs=false", "-deps", "absolink/cmd/absolink").Run(); err != nil {
		t.Skip("the command go cannot read the modules, or not write its cache:", err)
	}
}

// messages returns what a program that failed has written to its standard error.
func messages(err error) []byte {
	if exit, ok := errors.AsType[*exec.ExitError](err); ok {
		return exit.Stderr
	}
	return nil
}

// Module returns a folder in a module that absolink needs. It skips the test if the module cannot be read; a folder
// that the module does not have is an error of the test.
func Module(t testing.TB, module, folder string) string {
	t.Helper()
	out, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", module).Output()
	dir := strings.TrimSpace(string(out))
	if err == nil {
		_, err = os.ReadFile(filepath.Join(dir, "go.mod")) // not in a vendor folder, which has no test data either
	}
	if err != nil {
		t.Skipf("the module %s cannot be read: %s", module, err)
	}
	return filepath.Join(dir, folder)
}
