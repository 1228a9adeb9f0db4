// Package refs loads the references of the corpus for the peers that only resolve, and
// drives them: lines "B URL", a base, and "R REFERENCE", each resolved against the base above.
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

// Load reads the file that the first argument names.
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

// Run calls round as often as the second argument says and prints the sum of the lengths;
// if it is "print", once, and prints the URLs.
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
