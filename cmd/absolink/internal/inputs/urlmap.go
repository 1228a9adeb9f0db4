// The list of --url-map.

package inputs

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"

	"absolink/cmd/absolink/internal/files"
	"absolink/extract"
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
	in := bufio.NewReaderSize(file, files.BufferSize)
	for n := 1; ; n++ {
		line, err := in.ReadBytes('\n')
		if err != nil && err != io.EOF {
			return files.WithAdvice(err)
		}
		atEnd := err == io.EOF
		if n == 1 {
			line = bytes.TrimPrefix(line, []byte("\uFEFF"))
		}
		line = bytes.TrimSuffix(bytes.TrimSuffix(line, []byte("\n")), []byte("\r"))
		if len(line) > 0 {
			if err := r.list(standard, line); err != nil {
				return fmt.Errorf("line %d: %w", n, err)
			}
		}
		if atEnd {
			return nil
		}
	}
}

// list adds one line of --url-map: "path<TAB>url", or a JSON object.
func (r *Retrieval) list(standard resolve.Standard, line []byte) error {
	var path, url string
	if line[0] == '{' {
		var entry struct{ Path, URL string }
		if json.Unmarshal(line, &entry) != nil || entry.Path == "" || entry.URL == "" {
			return errors.New("not a JSON object with the strings \"path\" and \"url\"")
		}
		path, url = entry.Path, entry.URL
	} else {
		if path, url, _ = strings.Cut(string(line), "\t"); path == "" || url == "" {
			return errors.New("no tab between PATH and URL")
		}
		if strings.Contains(url, "\t") { // a URL has no tab
			return errors.New("more than PATH and URL; leave out the other columns")
		}
	}
	if err := checkURL(extract.Extractor{Standard: standard}, extract.Document{URL: url, URLBy: "URL"}); err != nil {
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
