// Package pages reads the pages for the Go peers as the peers in other languages do: standard input has a file name on
// each line, and each file is read whole into one buffer.
package pages

import (
	"bufio"
	"io"
	"log"
	"os"
	"path/filepath"
	"strings"
	"syscall"
)

// Each calls visit for every page, with its name, its URL below site, and its content. An index.html has the URL of its
// directory. The next page overwrites page.
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

// A Tree writes files below the directory Root. With Sync it writes each under another name and renames it, and Done
// syncs the disk.
type Tree struct {
	Root string
	Sync bool
	last string // the directory that was made last, because the pages of a directory come together
}

func (t *Tree) Write(name string, page []byte) {
	name = filepath.Join(t.Root, name)
	if dir := filepath.Dir(name); dir != t.last {
		check(os.MkdirAll(dir, 0o777))
		t.last = dir
	}
	if !t.Sync {
		check(os.WriteFile(name, page, 0o666))
		return
	}
	check(os.WriteFile(name+".part", page, 0o666))
	check(os.Rename(name+".part", name))
}

// Done must be called after the last Write.
func (t *Tree) Done() {
	if t.Sync {
		syscall.Sync()
	}
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
