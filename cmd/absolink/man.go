package main

import (
	"bytes"
	"embed"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"absolink/cmd/absolink/internal/files"
)

// manual has the pages of the manual, one file for each page. TestManual writes them from the help of the commands: a
// generator in the program would add half a millisecond to each start.
//
//go:embed man/*.1
var manual embed.FS

// manHelp is the help of the verb man.
//
//go:embed help/man.md
var manHelp string

// unbuilt is the text in each page that manualOf replaces by the date and version of the build.
const unbuilt = `"Jan 0001" "absolink"`

func newMan(s *session) *cobra.Command {
	o := &options{}
	cmd := &cobra.Command{
		Use:   "man [OPTIONS]",
		Short: "Print the manual, or write its pages to a folder",
		Long:  manHelp,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := notEmpty(cmd); err != nil {
				return err
			}
			if len(args) > 0 {
				return fmt.Errorf("man takes no arguments; absolink help %s prints the help of a verb", args[0])
			}
			return s.man(o)
		},
	}
	o.writing(cmd.Flags(), "write a file for each page to `FOLDER`")
	return cmd
}

func (s *session) man(o *options) error {
	pages, err := manualOf(thisBuild())
	if err != nil {
		return err
	}
	if o.output == "" || o.output == files.Std {
		out := s.stdoutput()
		for _, page := range pages {
			if _, err := out.Write(page.text); err != nil {
				return out.End(err)
			}
		}
		return out.End(nil)
	}
	if err := os.MkdirAll(o.output, 0o777); err != nil {
		return fmt.Errorf("-o %s: %w", o.output, files.WithAdvice(err))
	}
	for _, page := range pages {
		name := filepath.Join(o.output, page.name)
		if err := files.MayWriteFlag("-o", name, o.force); err != nil {
			return err
		}
		out, err := s.openOutput(name)
		if err != nil {
			return err
		}
		_, err = out.Write(page.text)
		if err := out.End(err); err != nil {
			return err
		}
	}
	return nil
}

type manualPage struct {
	name string // of the file
	text []byte
}

// manualOf returns the pages with the date and version of a build. The page of the program itself is first.
func manualOf(b build) ([]manualPage, error) {
	names, err := fs.Glob(manual, "man/*.1")
	if err != nil {
		return nil, err
	}
	slices.SortFunc(names, func(a, b string) int {
		return strings.Compare(strings.TrimSuffix(a, ".1"), strings.TrimSuffix(b, ".1"))
	})
	date := ""
	if !b.time.IsZero() {
		date = b.time.Format("Jan 2006")
	}
	built := fmt.Appendf(nil, `"%s" "absolink %s"`, date, b.version)
	pages := make([]manualPage, len(names))
	for i, name := range names {
		text, err := manual.ReadFile(name)
		if err != nil {
			return nil, err
		}
		pages[i] = manualPage{path.Base(name), bytes.Replace(text, []byte(unbuilt), built, 1)}
	}
	return pages, nil
}
