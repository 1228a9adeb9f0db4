package inputs

import (
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"absolink/cmd/absolink/internal/files"
)

// ReadList appends the PATHs in the file of --files-from to paths. The name "-" is standard input.
func ReadList(paths []string, name string, null bool, stdin *os.File) ([]string, error) {
	in := stdin
	if name != files.Std {
		file, err := os.Open(name)
		if err != nil {
			return nil, fmt.Errorf("--files-from %s: %w", name, files.WithAdvice(err))
		}
		defer file.Close()
		in = file
	}
	var list strings.Builder
	if info, err := in.Stat(); err == nil && info.Mode().IsRegular() {
		list.Grow(int(info.Size())) // a list may have millions of lines
	}
	if _, err := io.Copy(&list, in); err != nil {
		return nil, fmt.Errorf("--files-from %s: %w", name, files.WithAdvice(err))
	}
	if !null && strings.IndexByte(list.String(), 0) >= 0 {
		return nil, fmt.Errorf("--files-from %s: the list has a NUL; use --null if a NUL ends each PATH", name)
	}
	return cutList(paths, list.String(), null), nil
}

// cutList cuts a list into PATHs. With null a NUL ends each PATH. Otherwise each PATH is a line, as in --url-map. Empty PATHs
// are skipped.
func cutList(paths []string, list string, null bool) []string {
	end := "\n"
	if null {
		end = "\x00"
	} else {
		list = strings.TrimPrefix(list, "\uFEFF")
	}
	paths = slices.Grow(paths, strings.Count(list, end)+1)
	for path := range strings.SplitSeq(list, end) {
		if !null {
			path = strings.TrimSuffix(path, "\r")
		}
		if path != "" {
			paths = append(paths, path)
		}
	}
	return paths
}
