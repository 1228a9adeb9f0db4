package inputs

import (
	"cmp"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

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

// row is PATHs one after the other that are in the same folder. The names of the folder are read once for all, and only if there are
// enough PATHs.
type row struct {
	end  int         // the number of the PATH after the row
	bare func() bool // see Source
}

// The fewest PATHs of a row for which a folder is read, and the names for each of them: to read more would take longer than to
// look for three files beside each PATH.
const (
	fewestInRow = 4
	namesByPath = 16
)

// at returns the field bare of PATH number i.
func (r *row) at(i int, paths []string, shard Shard) func() bool {
	if i < r.end {
		return r.bare
	}
	dir, _ := filepath.Split(paths[i])
	for r.end = i + 1; r.end < len(paths); r.end++ {
		if other, _ := filepath.Split(paths[r.end]); other != dir {
			break
		}
	}
	r.bare = nil
	if n := (r.end - i) / int(max(shard.of, 1)); n >= fewestInRow {
		r.bare = sync.OnceValue(func() bool { return isBare(cmp.Or(dir, "."), n*namesByPath) })
	}
	return r.bare
}
