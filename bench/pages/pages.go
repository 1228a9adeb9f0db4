// Package pages reads the corpus for the Go peers, as the peers in other languages do: a
// file name a line on standard input, every file read whole into one buffer.
package pages

import (
	"bufio"
	"io"
	"log"
	"os"
	"path/filepath"
	"strings"
)

// Each calls visit for every page, with the URL that it has below site, where index.html
// stands for its folder. The page is overwritten by the next one.
func Each(site string, visit func(name, url string, page []byte)) {
	var page []byte
	for names := bufio.NewScanner(os.Stdin); names.Scan(); {
		name := names.Text()
		page = read(name, page[:0])
		url := site + name
		if strings.HasSuffix(url, "/index.html") {
			url = strings.TrimSuffix(url, "index.html")
		}
		visit(name, url, page)
	}
}

func read(name string, page []byte) []byte {
	file, err := os.Open(name)
	if err != nil {
		log.Fatal(err)
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		log.Fatal(err)
	}
	if size := int(info.Size()); size > cap(page) {
		page = make([]byte, size+size/2)
	}
	page = page[:info.Size()]
	if _, err := io.ReadFull(file, page); err != nil {
		log.Fatal(err)
	}
	return page
}

// Tree writes files below a folder.
type Tree struct {
	Root string
	last string // the folder that was made last: pages come folder by folder
}

// Write makes one file.
func (t *Tree) Write(name string, page []byte) {
	name = filepath.Join(t.Root, name)
	if dir := filepath.Dir(name); dir != t.last {
		if err := os.MkdirAll(dir, 0o777); err != nil {
			log.Fatal(err)
		}
		t.last = dir
	}
	if err := os.WriteFile(name, page, 0o666); err != nil {
		log.Fatal(err)
	}
}
