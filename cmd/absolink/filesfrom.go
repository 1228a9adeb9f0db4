package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
)

// listed reads the PATHs of --files-from.
func (s *session) listed(o *options) ([]string, error) {
	if o.filesFrom == "" {
		return nil, nil
	}
	in := s.stdin
	if o.filesFrom != stdinName {
		file, err := os.Open(o.filesFrom)
		if err != nil {
			return nil, fmt.Errorf("--files-from %s: %w", o.filesFrom, withAdvice(err))
		}
		defer file.Close()
		in = file
	}
	list, err := io.ReadAll(in)
	if err != nil {
		return nil, fmt.Errorf("--files-from %s: %w", o.filesFrom, withAdvice(err))
	}
	return cutList(list, o.null), nil
}

// cutList cuts a list into its PATHs: each ends with a NUL, or is a line as --url-map has
// them. One that is empty is none.
func cutList(list []byte, null bool) (paths []string) {
	end := []byte("\n")
	if null {
		end = []byte{0}
	} else {
		list = bytes.TrimPrefix(list, []byte("\uFEFF"))
	}
	for path := range bytes.SplitSeq(list, end) {
		if !null {
			path = bytes.TrimSuffix(path, []byte("\r"))
		}
		if len(path) > 0 {
			paths = append(paths, string(path))
		}
	}
	return paths
}
