package main

import (
	"bufio"
	"fmt"
	"io"
	"log"
	"os"
	"path/filepath"

	"absolink/internal/memorytest"
)

// memory prints the peak memory of rewriting each input of memorytest, and its ratio to the size of the input. With
// --quick, the inputs have a tenth of the size. A row is called memory- and the file name of the input.
func (b *bench) memory(w io.Writer, wanted func(string) bool) {
	fmt.Fprintf(w, "## Peak memory\n\nOne record with very many links, on one CPU. Each value is from one run. The "+
		"verb is `rewrite`, unless the name of the input begins with another verb.\n\n")
	fmt.Fprintln(w, "| input | size | output | peak memory | peak / size | CPU time |\n|---|---|---|---|---|---|")
	for _, in := range memorytest.Inputs {
		if !wanted("memory-" + in.File) {
			continue
		}
		log.Print("measuring memory-", in.File)
		part := 1
		if b.quick {
			part = 10
		}
		m, err := b.peak(in, part)
		if err != nil {
			fmt.Fprintf(w, "| %s | not measured: %v | | | | |\n", in.Name, err)
			continue
		}
		fmt.Fprintf(w, "| %s | %s | %s | %s | %.1f | %.2f s |\n", in.Name, size(m.input), size(m.output), size(m.rss),
			float64(m.rss)/float64(m.input), m.cpu.Seconds())
	}
	fmt.Fprintln(w)
}

// A memoryCost is the cost of rewriting one input.
type memoryCost struct {
	cost
	input, output int64 // sizes in bytes
}

// peak makes an input, of its full size divided by part, and rewrites it once.
func (b *bench) peak(in memorytest.Input, part int) (m memoryCost, err error) {
	dir := b.path("memory")
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return m, err
	}
	defer os.Remove(dir) // fails unless it is empty
	name, printed := filepath.Join(dir, in.File), filepath.Join(dir, "printed")
	if err := written(name, func(out *bufio.Writer) error {
		_, err := out.Write(in.Make(part))
		return err
	}); err != nil {
		return m, err
	}
	if !b.keep {
		defer os.Remove(name)
	}
	defer os.Remove(printed)
	defer os.Remove(b.out())
	defer os.Remove(b.out() + ".html") // a report
	args := append([]string{b.ours}, in.Args(name, "OUT")...)
	if in.Incomplete {
		args = append([]string{"sh", "-c", `"$@" || [ $? = 1 ]`, "sh"}, args...)
	}
	if m.cost, err = b.run(job{args: args}, printed, b.out()); err != nil {
		return m, err
	}
	for _, file := range []struct {
		name string
		size *int64
	}{{name, &m.input}, {printed, &m.output}, {b.out(), &m.output}} {
		if info, err := os.Stat(file.name); err == nil { // --diff prints its output
			*file.size += info.Size()
		}
	}
	return m, nil
}
