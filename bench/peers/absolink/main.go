// This peer is the package resolve of absolink. It parses each base once. With the argument allocs, it prints how many
// allocations all references take.
//
//	resolve-absolink FILE ROUNDS|print|allocs STANDARD
package main

import (
	"fmt"
	"log"
	"os"
	"testing"

	"absolink/bench/refs"
	"absolink/resolve"
)

func main() {
	standard, ok := resolve.Lookup(os.Args[3])
	if !ok {
		log.Fatal("no standard ", os.Args[3])
	}
	pages := refs.Load()
	bases := make([]*resolve.Base, len(pages))
	for i, p := range pages {
		var err error
		if bases[i], err = standard.Base(p.Base); err != nil {
			log.Fatal(err)
		}
	}
	url := make([]byte, 0, 1<<16)
	round := func(visit func([]byte)) {
		for i, p := range pages {
			base := bases[i]
			for _, ref := range p.Refs {
				if url, err := base.AppendResolve(url[:0], ref); err == nil {
					visit(url)
				}
			}
		}
	}
	if os.Args[2] == "allocs" {
		sum := 0
		fmt.Println(testing.AllocsPerRun(1, func() { round(func(u []byte) { sum += len(u) }) }))
		return
	}
	refs.Run(round)
}
