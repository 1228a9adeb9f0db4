//go:build unix

package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
	"github.com/stretchr/testify/require"

	"absolink/internal/commandtest"
	"absolink/internal/longtest"
)

// inWASM are the transcripts that also run in WebAssembly: the verbs, standard input and output, and -o.
var inWASM = []string{"base", "explain", "links", "resolve", "rewrite"}

// wasi runs a program for WASI in Node.js: node wasi.mjs PROGRAM ARGS...
const wasi = `
import { readFileSync } from "node:fs";
import { WASI } from "node:wasi";
const [, , program, ...args] = process.argv;
const wasi = new WASI({ version: "preview1", args: ["absolink", ...args], env: process.env, preopens: { "/": "/" }, returnOnExit: true });
const { instance } = await WebAssembly.instantiate(readFileSync(program), wasi.getImportObject());
process.exitCode = wasi.start(instance);
`

// TestScriptWASM runs transcripts with absolink in Node.js, under WASI and in the JavaScript host of Go. It compiles absolink
// twice, so it is a long test.
func TestScriptWASM(t *testing.T) {
	if !longtest.On() {
		t.Skip("a long test: it compiles absolink for WebAssembly")
	}
	if !commandtest.Starts("node") {
		t.Skip("Node.js does not start")
	}
	goroot, err := exec.Command("go", "env", "GOROOT").Output()
	require.NoError(t, err)
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "wasi.mjs"), []byte(wasi), 0o666))
	for goos, host := range map[string]string{
		"wasip1": filepath.Join(dir, "wasi.mjs"),
		"js":     filepath.Join(strings.TrimSpace(string(goroot)), "lib/wasm/wasm_exec_node.js"),
	} {
		t.Run(goos, func(t *testing.T) {
			bin := filepath.Join(dir, goos)
			require.NoError(t, os.Mkdir(bin, 0o777))
			build := exec.Command("go", "build", "-trimpath", "-o", filepath.Join(bin, "absolink.wasm"), ".")
			build.Env = append(os.Environ(), "GOOS="+goos, "GOARCH=wasm")
			out, err := build.CombinedOutput()
			require.NoError(t, err, string(out))
			// With one thread, as V8 may crash if Node.js ends while other threads compile.
			run := "#!/bin/sh\nexec node --no-warnings --single-threaded '" + host + "' \"${0%/*}/absolink.wasm\" \"$@\"\n"
			require.NoError(t, os.WriteFile(filepath.Join(bin, "absolink"), []byte(run), 0o777))

			p := scripts()
			p.Dir = ""
			for _, name := range inWASM {
				p.Files = append(p.Files, filepath.Join(scriptDir, name+".txtar"))
			}
			p.UpdateScripts = false
			p.Setup = func(e *testscript.Env) error {
				e.Setenv("PATH", bin+string(os.PathListSeparator)+e.Getenv("PATH"))
				return nil
			}
			testscript.Run(t, p)
		})
	}
}
