// The list of --url-map.

package inputs

import (
	"fmt"
	"os"
	"path/filepath"
	"sync/atomic"

	"absolink/cmd/absolink/internal/files"
	"absolink/resolve"
)

// listedURL is the URL in a line of --url-map.
type listedURL struct {
	url  string
	used atomic.Bool // the line names a document
}

// pathKey returns the absolute path, by which the paths of --url-map are compared. A relative path is relative to the current
// folder.
func pathKey(path string) string {
	if path == files.Std {
		return path
	}
	if abs, err := filepath.Abs(path); err == nil {
		return abs
	}
	return filepath.Clean(path)
}

// readMap reads the file of --url-map.
func (r *Retrieval) readMap(name string, standard resolve.Standard) error {
	file, err := os.Open(name)
	if err != nil {
		return files.WithAdvice(err)
	}
	defer file.Close()
	r.listed = map[string]*listedURL{}
	return files.ReadLines(file, "PATH", func(_ int, line []byte) error { return r.list(standard, line) })
}

// list adds one line of --url-map.
func (r *Retrieval) list(standard resolve.Standard, line []byte) error {
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
	case other.url != url:
		return fmt.Errorf("%s has two different URLs; leave out one of the lines", path)
	}
	return nil
}
