package main

import (
	"bufio"
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	parquet "github.com/parquet-go/parquet-go"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"absolink/internal/commandtest"
)

// TestScale runs the scripts in docs/scale.md: GNU parallel itself, and the scripts for Slurm and Kubernetes with the variables
// that the schedulers set. Each script lists the same links as one process.
func TestScale(t *testing.T) {
	if !commandtest.Starts("bash") {
		t.Skip("bash does not start")
	}
	page, err := os.ReadFile("../../docs/scale.md")
	require.NoError(t, err)
	block := func(heading, language string) string {
		_, section, _ := strings.Cut(string(page), "\n## "+heading+"\n")
		_, code, _ := strings.Cut(section, "```"+language+"\n")
		code, _, found := strings.Cut(code, "```")
		require.True(t, found, heading)
		return code
	}
	kubernetes := regexp.MustCompile(`(?s)        - \|\n(.*?)        workingDir`).FindStringSubmatch(block("Kubernetes", "yaml"))
	require.NotNil(t, kubernetes)
	for _, row := range []struct {
		name, script string
		parts        int
		env          string // for part i of n
	}{
		{"GNU parallel", block("GNU parallel", "sh"), 1, "_=%d/%d"},
		{"Slurm", block("Slurm", "sh"), 3, "SLURM_ARRAY_TASK_ID=%d,SLURM_ARRAY_TASK_COUNT=%d"},
		{"Kubernetes", strings.ReplaceAll(kubernetes[1], "/100", "/3"), 3, "JOB_COMPLETION_INDEX=%d,_=%d"},
	} {
		t.Run(row.name, func(t *testing.T) {
			if row.name == "GNU parallel" && !commandtest.Starts("parallel") {
				t.Skip("GNU parallel does not start")
			}
			dir, bin := t.TempDir(), t.TempDir()
			self, err := os.Executable()
			require.NoError(t, err)
			require.NoError(t, os.Symlink(self, filepath.Join(bin, "absolink")))
			require.NoError(t, os.Mkdir(filepath.Join(dir, "out"), 0o755))
			inputs := manyPages(t, dir)
			require.NoError(t, os.WriteFile(filepath.Join(dir, "inputs.txt"), []byte(strings.Join(inputs, "\n")+"\n"), 0o644))
			run := func(name string, env []string, arguments ...string) string {
				cmd := exec.Command(name, arguments...)
				cmd.Dir, cmd.Env = dir, append(os.Environ(), append(env, "PATH="+bin+":"+os.Getenv("PATH"), asCommand+"=1")...)
				var stderr bytes.Buffer
				cmd.Stderr = &stderr
				out, err := cmd.Output()
				require.NoError(t, err, "%s", stderr.String())
				return string(out)
			}
			for i := range row.parts {
				number := i + 1
				if row.name == "Kubernetes" {
					number = i
				}
				run("bash", strings.Split(fmt.Sprintf(row.env, number, row.parts), ","), "-c", row.script)
			}
			rows, err := filepath.Glob(filepath.Join(dir, "out", "part-*.jsonl"))
			require.NoError(t, err)
			columns, err := filepath.Glob(filepath.Join(dir, "out", "part-*.parquet"))
			require.NoError(t, err)
			outputs := append(rows, columns...)
			want := strings.Count(run("absolink", nil, append([]string{"links", "-q"}, inputs...)...), "\n")
			require.NotZero(t, want)
			got := 0
			for _, name := range outputs {
				got += rowsIn(t, name)
			}
			assert.Equal(t, want, got)
			assert.GreaterOrEqual(t, len(outputs), 3)
		})
	}
}

func manyPages(t *testing.T, dir string) []string {
	var names []string
	for i := range 5 {
		names = append(names, fmt.Sprintf("page%d.html", i))
		page := "<base href='http://h/'>" + strings.Repeat("<a href=x>", i+1)
		require.NoError(t, os.WriteFile(filepath.Join(dir, names[i]), []byte(page), 0o644))
	}
	return names
}

// rowsIn returns the number of rows in a file of JSON lines or Parquet.
func rowsIn(t *testing.T, name string) int {
	file, err := os.Open(name)
	require.NoError(t, err)
	defer file.Close()
	if filepath.Ext(name) == ".parquet" {
		info, err := file.Stat()
		require.NoError(t, err)
		opened, err := parquet.OpenFile(file, info.Size())
		require.NoError(t, err)
		return int(opened.NumRows())
	}
	n := 0
	for in := bufio.NewScanner(file); in.Scan(); {
		n++
	}
	return n
}
