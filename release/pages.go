package main

import (
	"fmt"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
)

var (
	relativeLink = regexp.MustCompile(`\]\(([^):\s#]+)(?:#[^)\s]*)?\)`)
	codeBlock    = regexp.MustCompile("(?s)```.*?\n *```")
)

// linksOf returns the relative links of a Markdown page, as paths from the root of the files.
func linksOf(page file) (names []string) {
	for _, m := range relativeLink.FindAllSubmatch(codeBlock.ReplaceAll(page.data, nil), -1) {
		names = append(names, path.Join(path.Dir(page.name), string(m[1])))
	}
	return names
}

// readPages returns README.md, the pages and pictures that its links lead to, and the samples of its examples, so that
// each relative link works in an archive.
func readPages(source string) (pages []file, err error) {
	names := []string{"README.md", "testdata/html/tour.html", "testdata/message/tour.eml"}
	known := make(map[string]bool)
	for i := 0; i < len(names); i++ {
		name := names[i]
		if known[name] {
			continue
		}
		known[name] = true
		data, err := os.ReadFile(filepath.Join(source, filepath.FromSlash(name)))
		if err != nil {
			return nil, fmt.Errorf("a link of the pages: %w", err)
		}
		page := file{name: name, data: data}
		pages = append(pages, page)
		if strings.HasSuffix(name, ".md") {
			names = append(names, linksOf(page)...)
		}
	}
	return pages, nil
}
