package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"
	"github.com/spf13/pflag"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestManual compares the pages of the manual with the help that they are made of; -update
// writes them.
func TestManual(t *testing.T) {
	root := newRoot(&session{})
	root.DisableAutoGenTag = true
	inputs, _, err := root.Find([]string{"inputs"})
	require.NoError(t, err)
	inputs.Run = func(*cobra.Command, []string) {} // else SEE ALSO would not have it
	want := map[string]string{}
	var add func(cmd *cobra.Command)
	add = func(cmd *cobra.Command) {
		var page bytes.Buffer
		require.NoError(t, doc.GenMan(cmd, &doc.GenManHeader{Section: "1", Date: &time.Time{}, Source: "absolink", Manual: "absolink"}, &page))
		require.Contains(t, page.String(), unbuilt)
		want[strings.ReplaceAll(cmd.CommandPath(), " ", "-")+".1"] = page.String()
		for _, sub := range cmd.Commands() {
			if !sub.Hidden && sub.Name() != "help" {
				add(sub)
			}
		}
	}
	add(root)

	if *update {
		require.NoError(t, os.RemoveAll("man"))
		require.NoError(t, os.Mkdir("man", 0o777))
		for name, page := range want {
			require.NoError(t, os.WriteFile(filepath.Join("man", name), []byte(page), 0o666))
		}
		return
	}
	built := build{version: "v1.2.3", time: time.Date(2026, 11, 21, 0, 0, 0, 0, time.UTC)}
	pages, err := manualOf(built)
	require.NoError(t, err)
	assert.Equal(t, "absolink.1", pages[0].name)
	got := map[string]string{}
	for _, page := range pages {
		got[page.name] = strings.Replace(string(page.text), `"Nov 2026" "absolink v1.2.3"`, unbuilt, 1)
	}
	assert.Equal(t, want, got)
}

// TestChoicesTold looks for the values of each flag that has a fixed set of them in what is said
// of it: the manual has nothing else.
func TestChoicesTold(t *testing.T) {
	for _, cmd := range newRoot(&session{}).Commands() {
		cmd.Flags().VisitAll(func(f *pflag.Flag) {
			c, ok := f.Value.(interface{ Names() []string })
			if !ok || f.Value.Type() == "MEDIATYPE" || f.Value.Type() == "TYPE" { // these are too many
				return
			}
			for _, name := range c.Names() {
				assert.Contains(t, f.Usage, name, "%s --%s", cmd.Name(), f.Name)
			}
		})
	}
}
