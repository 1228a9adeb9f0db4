// The lists of --url-map and --files-from.

package inputs

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"

	"absolink/cmd/absolink/internal/files"
	"absolink/resolve"
)

type listedURL struct {
	url  string
	used atomic.Bool // whether the line names a document
}

// pathKey returns the absolute path, because the paths of --url-map and of documents may be written differently.
func pathKey(path string) string {
	if path == files.Std {
		return path
	}
	if abs, err := filepath.Abs(path); err == nil {
		return abs
	}
	return filepath.Clean(path)
}

func (r *Retrieval) readMap(name string, standard resolve.Standard) error {
	file, err := os.Open(name)
	if err != nil {
		return files.WithAdvice(err)
	}
	defer file.Close()
	r.listed, r.Schemes = map[string]*listedURL{}, map[string]string{}
	return files.ReadLines(file, "PATH", func(_ int, line []byte) error { return r.list(standard, line) })
}

func (r *Retrieval) list(standard resolve.Standard, line []byte) error {
	if bytes.IndexByte(line, 0) >= 0 { // no check for UTF-8, because a path may be in any charset
		return errors.New("the line has a NUL; save the file as UTF-8")
	}
	path, url, err := files.ParsePair(line, "path", "url")
	if err != nil {
		return err
	}
	if err := checkURL(standard, "URL", url); err != nil {
		return err
	}
	key := pathKey(path)
	switch other := r.listed[key]; {
	case other == nil:
		r.listed[key] = &listedURL{url: url}
		r.paths = append(r.paths, path)
		if scheme, _, _ := strings.Cut(url, ":"); r.Schemes[scheme] == "" {
			r.Schemes[scheme] = url
		}
	case other.url != url:
		return fmt.Errorf("%s has two different URLs; leave out one of the lines", path)
	}
	return nil
}

// ReadList appends the PATHs in the file of --files-from to paths. The name "-" is standard input. With null each PATH
// ends with a NUL, without it each is a line, as in --url-map. Empty PATHs are skipped.
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
	var text strings.Builder
	if info, err := in.Stat(); err == nil && info.Mode().IsRegular() {
		text.Grow(int(info.Size())) // a list may have millions of lines
	}
	if _, err := io.Copy(&text, in); err != nil {
		return nil, fmt.Errorf("--files-from %s: %w", name, files.WithAdvice(err))
	}
	list, end := text.String(), "\x00"
	if !null {
		list, end = strings.TrimPrefix(list, "\uFEFF"), "\n"
		if strings.IndexByte(list, 0) >= 0 {
			return nil, fmt.Errorf("--files-from %s: the list has a NUL; use --null if a NUL ends each PATH", name)
		}
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
	return paths, nil
}
