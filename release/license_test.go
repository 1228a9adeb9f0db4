package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestThirdPartyNotCurrent(t *testing.T) {
	dir := t.TempDir()
	modules := []module{{path: "example.org/m", version: "v1.0.0", license: "MIT", texts: []file{{name: "LICENSE", data: []byte("the text\n")}}}}
	assert.ErrorContains(t, checkThirdParty(dir, modules), "write it with release/build -third-party")
	require.NoError(t, writeThirdParty(dir, modules))
	assert.NoError(t, checkThirdParty(dir, modules))

	modules[0].version = "v1.0.1"
	assert.EqualError(t, checkThirdParty(dir, modules),
		`THIRD_PARTY.md:8: not up to date; the line must be "| example.org/m | v1.0.1 | MIT |"; update the file with release/build -third-party`)
	assert.ErrorContains(t, checkThirdParty(dir, nil), "THIRD_PARTY.md:8:")
}

// A module has the texts above the linked package, and each license must be known and accepted.
func TestLicenses(t *testing.T) {
	mit, err := os.ReadFile("../LICENSE")
	require.NoError(t, err)
	root := t.TempDir()
	write := func(name, text string) {
		t.Helper()
		require.NoError(t, os.MkdirAll(filepath.Join(root, filepath.Dir(name)), 0o777))
		require.NoError(t, os.WriteFile(filepath.Join(root, name), []byte(text), 0o666))
	}
	identify := func() (module, error) {
		t.Helper()
		m := module{path: "example.org/m", version: "v1.0.0"}
		require.NoError(t, m.add(filepath.Join(root, "linked"), root))
		err := m.identify()
		return m, err
	}
	write("linked/license.go", "package linked\n")
	write("other/LICENSE", "The text of a package that is not linked.")
	_, err = identify()
	assert.EqualError(t, err, "example.org/m v1.0.0: no license; do not use the module")

	write("LICENSE", string(mit))
	write("linked/LICENSE.txt", string(mit)+"\n")
	write("NOTICE", "A notice.")
	m, err := identify()
	require.NoError(t, err)
	assert.Equal(t, "MIT", m.license)
	assert.Len(t, m.texts, 2, "the license once, and the notice")

	write("linked/COPYING", "You may use this on Sundays.")
	_, err = identify()
	assert.EqualError(t, err, "example.org/m v1.0.0: linked/COPYING has an unknown license; read it before you use the module")

	write("linked/COPYING", "This program is free software: you can redistribute it and/or modify it under the terms of the GNU General Public License as published by the Free Software Foundation, either version 3 of the License, or (at your option) any later version.")
	_, err = identify()
	assert.ErrorContains(t, err, "linked/COPYING has the license GPL-3.0-or-later, which is not accepted")
}

func TestExpression(t *testing.T) {
	modules := []module{{license: "BSD-3-Clause"}, {license: "Apache-2.0 AND MIT"}}
	assert.Equal(t, "Apache-2.0 AND BSD-3-Clause AND MIT", expression(modules))
}
