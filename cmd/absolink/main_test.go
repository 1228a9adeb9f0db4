package main

import (
	"encoding/base64"
	"encoding/json"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"unsafe"

	"github.com/rogpeppe/go-internal/testscript"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"absolink/cmd/absolink/internal/files"
	"absolink/internal/commandtest"
)

var update = flag.Bool("update", false, "write the output of the commands into the transcripts, the manual and the pages")

// TestMain makes the transcripts run the test binary as absolink.
func TestMain(m *testing.M) {
	if os.Getenv(asCommand) != "" {
		main()
	}
	testscript.Main(m, map[string]func(){"absolink": func() {
		if os.Getenv("ABSOLINK_TEST_FAULT") != "" { // because --verify does not refuse what is right
			baseNames[0].name = "" // the field Base is not read
		}
		main()
	}})
}

// baseNames is a table of the product.
//
//go:linkname baseNames absolink/extract/internal/header.baseNames
var baseNames []struct {
	name  string
	place unsafe.Pointer
}

const scriptDir = "../../testdata/script"

// TestScript runs the transcripts testdata/script/*.txtar. There is one for each verb or subject.
func TestScript(t *testing.T) {
	names, err := filepath.Glob(scriptDir + "/*.txtar")
	require.NoError(t, err)
	for _, name := range names {
		text, err := os.ReadFile(name)
		require.NoError(t, err)
		assert.NotContains(t, string(text), "exec:", "%s: a file need not start; use [starts:PROGRAM]", name)
	}
	testscript.Run(t, scripts())
}

// scripts returns the transcripts, and what they need.
func scripts() testscript.Params {
	return testscript.Params{
		Dir:                 scriptDir,
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		UpdateScripts:       *update,
		Condition:           has,
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"applyedits": applyEdits,
			"mode":       mode,
			"oldurls":    oldURLs,
			"tidy":       tidy,
			"status":     status,
		},
	}
}

// has reports whether there is what a transcript needs: a file, [has:/dev/full], or a program that starts, [starts:zip].
func has(condition string) (bool, error) {
	kind, name, _ := strings.Cut(condition, ":")
	switch kind {
	case "has":
		return files.Exists(name), nil
	case "starts":
		return commandtest.Starts(name), nil
	}
	return false, fmt.Errorf("unknown condition %q", condition)
}

// applyEdits EDITS DOCUMENT WANT applies the edits in the file of --edits to a document, and compares the result.
func applyEdits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 3 {
		ts.Fatalf("usage: applyedits EDITS DOCUMENT WANT")
	}
	got, err := applied(ts.ReadFile(args[0]), args[1], ts.ReadFile(args[1]))
	ts.Check(err)
	if got != ts.ReadFile(args[2]) {
		ts.Fatalf("the edited document is %q", got)
	}
}

// applied returns the text of a document with the edits in JSON lines applied.
func applied(edits, document, text string) (string, error) {
	var out strings.Builder
	at := 0
	for line := range strings.Lines(edits) {
		var e struct {
			Document             string
			Offset               int `json:"document_offset"`
			Old, New             string
			OldBase64, NewBase64 *string
		}
		line = strings.NewReplacer(`"old_base64"`, `"oldbase64"`, `"new_base64"`, `"newbase64"`).Replace(line)
		if err := json.Unmarshal([]byte(line), &e); err != nil {
			return "", err
		}
		if e.Document != document {
			continue
		}
		if e.OldBase64 != nil {
			e.Old, e.New = decode64(*e.OldBase64), decode64(*e.NewBase64)
		}
		if !strings.HasPrefix(text[e.Offset:], e.Old) {
			return "", fmt.Errorf("%q is not at %d", e.Old, e.Offset)
		}
		out.WriteString(text[at:e.Offset] + e.New)
		at = e.Offset + len(e.Old)
	}
	return out.String() + text[at:], nil
}

func decode64(s string) string {
	b, err := base64.StdEncoding.DecodeString(s)
	if err != nil {
		return err.Error()
	}
	return string(b)
}

func exitCode(err error) int { return commandtest.ExitCode(err) }

// asCommand is the environment variable that makes the test binary run as absolink.
const asCommand = "ABSOLINK_TEST_AS_COMMAND"

// mode FILE PERM compares the permissions of a file.
func mode(ts *testscript.TestScript, neg bool, args []string) {
	info, err := os.Stat(ts.MkAbs(args[0]))
	ts.Check(err)
	if got := fmt.Sprintf("%o", info.Mode().Perm()); (got == args[1]) == neg {
		ts.Fatalf("%s has mode %s", args[0], got)
	}
}

// status N ARGS... runs absolink and compares its exit status.
func status(ts *testscript.TestScript, neg bool, args []string) {
	err := ts.Exec("absolink", args[1:]...)
	if got := strconv.Itoa(exitCode(err)); (got == args[0]) == neg {
		ts.Fatalf("exit status %s", got)
	}
}

// tidy fails if a temporary file is left.
func tidy(ts *testscript.TestScript, neg bool, args []string) {
	ts.Check(leftOver(ts.MkAbs(".")))
}

func leftOver(dir string) error {
	return filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err == nil && (files.IsTemp(d.Name())) {
			return fmt.Errorf("%s is left over", path)
		}
		return err
	})
}
