package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"
)

func newMan(s *session) *cobra.Command {
	o := &options{}
	cmd := &cobra.Command{
		Use:   "man",
		Short: "Print the manual, or write its pages into a folder",
		Long: `man prints the pages of the manual, for man -l -. With -o it writes each into a file of its
own, absolink.1, absolink-links.1 and so on, into a folder such as man/man1.`,
		Example: `  absolink man | man -l -
  absolink man -o man/man1`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				return fmt.Errorf("man takes no arguments; absolink help %s tells of that verb", args[0])
			}
			return s.man(cmd.Root(), o)
		},
	}
	o.writing(cmd.Flags(), "write a file for each page into `FOLDER`")
	return cmd
}

func (s *session) man(root *cobra.Command, o *options) error {
	root.DisableAutoGenTag = true
	build := thisBuild()
	header := doc.GenManHeader{Section: "1", Source: "absolink " + build.version, Manual: "absolink"}
	if !build.time.IsZero() {
		header.Date = &build.time // else it is today, or SOURCE_DATE_EPOCH
	}
	pages := manual(root)
	write := func(page *cobra.Command, out *output) error {
		own := header // cobra writes the title of the page into it
		return doc.GenMan(page, &own, out)
	}
	if o.output == "" {
		out := s.stdoutput()
		for _, page := range pages {
			if err := write(page, out); err != nil {
				return out.end(err)
			}
		}
		return out.end(nil)
	}
	if err := os.MkdirAll(o.output, 0o777); err != nil {
		return fmt.Errorf("-o %s: %w", o.output, withAdvice(err))
	}
	for _, page := range pages {
		name := filepath.Join(o.output, strings.ReplaceAll(page.CommandPath(), " ", "-")+".1")
		if err := mayWriteFlag("-o", name, o.force); err != nil {
			return err
		}
		out, err := s.openOutput(name)
		if err != nil {
			return err
		}
		if err := out.end(write(page, out)); err != nil {
			return err
		}
	}
	return nil
}

// manual are the commands that have a page: all but help, which is one.
func manual(cmd *cobra.Command) []*cobra.Command {
	pages := []*cobra.Command{cmd}
	for _, sub := range cmd.Commands() {
		if !sub.Hidden && sub.Name() != "help" {
			pages = append(pages, manual(sub)...)
		}
	}
	return pages
}
