// Package refs reads and runs the references for the peers that only resolve. A line "B URL" of the file is a base, and
// a line "R REFERENCE" a reference to the last base before it.
package refs

import (
	"bufio"
	"bytes"
	"fmt"
	"log"
	"os"
	"strconv"
)

// A Page is a base and its references.
type Page struct {
	Base string
	Refs [][]byte
}

// Load reads the file named by the first argument of the command.
func Load() (pages []Page) {
	all, err := os.ReadFile(os.Args[1])
	if err != nil {
		log.Fatal(err)
	}
	for line := range bytes.Lines(all) {
		value := bytes.TrimSuffix(line[2:], []byte("\n"))
		if line[0] == 'B' {
			pages = append(pages, Page{Base: string(value)})
		} else {
			p := &pages[len(pages)-1]
			p.Refs = append(p.Refs, value)
		}
	}
	return pages
}

// Resolve loads and runs all references with a package that takes strings. It parses each base once.
func Resolve[Base any](parse func(url string) (Base, error),
	resolve func(base Base, ref string) (url string, err error)) {
	pages := Load()
	bases, given := make([]Base, len(pages)), make([][]string, len(pages))
	for i, p := range pages {
		var err error
		if bases[i], err = parse(p.Base); err != nil {
			log.Fatal(err)
		}
		for _, r := range p.Refs {
			given[i] = append(given[i], string(r))
		}
	}
	var b []byte
	Run(func(visit func([]byte)) {
		for i, base := range bases {
			for _, ref := range given[i] {
				if url, err := resolve(base, ref); err == nil {
					b = append(b[:0], url...)
					visit(b)
				}
			}
		}
	})
}

// Run calls round, which resolves all references and calls visit for each URL, as often as the second argument of the
// command says, and prints the sum of the lengths of the URLs. If the argument is "print", Run calls round once and
// prints the URLs.
func Run(round func(visit func(url []byte))) {
	if os.Args[2] == "print" {
		out := bufio.NewWriterSize(os.Stdout, 1<<16)
		round(func(url []byte) {
			out.Write(url)
			out.WriteByte('\n')
		})
		out.Flush()
		return
	}
	n, err := strconv.Atoi(os.Args[2])
	if err != nil {
		log.Fatal(err)
	}
	sum := 0
	for range n {
		round(func(url []byte) { sum += len(url) })
	}
	fmt.Println(sum)
}
