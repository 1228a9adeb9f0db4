// Command bench compares absolink with other programs that do the same work, and prints the ratios of their CPU times
// as Markdown tables. See README.md.
package main

import (
	"bytes"
	"flag"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"

	"absolink/internal/memorytest"
)

// A bench is one run of this program.
type bench struct {
	dir    string // the cache, with corpora, peers and outputs
	core   string // the CPU that runs everything that is measured
	pairs  int
	quick  bool
	ours   string // the path of the absolink command
	keep   bool   // keep the inputs of the rows about memory
	corpus corpus
}

func main() {
	log.SetFlags(0)
	log.SetPrefix("bench: ")
	if len(os.Args) > 2 {
		switch os.Args[1] {
		case "spawn":
			check(spawn(os.Args[2:]))
			return
		case "compare":
			check(compare(os.Args[2], os.Args[3]))
			return
		}
	}
	rows := append(rows, callRows()...)
	b := &bench{dir: os.Getenv("BENCH_DIR")}
	flag.IntVar(&b.pairs, "pairs", 5, "measure `N` pairs of each row, after one pair that does not count")
	flag.BoolVar(&b.quick, "quick", false, "use less test data")
	flag.StringVar(&b.core, "core", "", "run on this `CPU` (default: the last one that is allowed)")
	flag.StringVar(&b.ours, "command", "", "measure the absolink command at `PATH` (default: build it from this "+
		"checkout)")
	flag.BoolVar(&b.keep, "keep", false, "do not remove the inputs of the rows memory")
	commit := flag.String("against", "", "compare this checkout with `COMMIT` instead of the peers")
	picture := flag.String("chart", "", "write the ratios as a chart to `FILE` (SVG)")
	results := flag.String("results", "", "measure nothing, and draw the chart of `RESULTS.md`")
	list := flag.Bool("list", false, "print the names of the rows, and exit")
	flag.Usage = func() {
		fmt.Fprintln(os.Stderr, "usage: bench/run [flags] [ROW...]   (ROW is a name or the start of names; --list "+
			"prints the names)")
		flag.PrintDefaults()
	}
	flag.Parse()
	if *list {
		for _, r := range rows {
			fmt.Println(r.name)
		}
		fmt.Println("start\nworkers\ncurve")
		for _, in := range memorytest.Inputs {
			fmt.Println("memory-" + in.File)
		}
		return
	}
	if *results != "" {
		measured, err := os.ReadFile(fromCaller(*results))
		check(err)
		check(chart(fromCaller(*picture), barsOf(measured)))
		return
	}
	if cores := allowedCores(); b.core == "" {
		b.core = cores[len(cores)-1] // the first CPUs often handle the interrupts
	}
	wanted := func(name string) bool {
		return flag.NArg() == 0 ||
			slices.ContainsFunc(flag.Args(), func(arg string) bool { return strings.HasPrefix(name, arg) })
	}
	if b.ours == "" {
		b.ours = filepath.Join(b.dir, "bin", "absolink-command")
		check(b.buildOurs())
	}
	if flag.NArg() > 0 &&
		!slices.ContainsFunc(flag.Args(), func(arg string) bool { return !strings.HasPrefix(arg, "memory") }) {
		b.memory(os.Stdout, wanted) // it makes its own inputs
		return
	}
	check(b.makeCorpora(wanted))

	if *commit != "" {
		check(b.against(*commit))
		return
	}
	fmt.Print("# Results of the benchmark\n\n" +
		"[README.md](README.md) describes the measurement, the test data and the other programs.\n\n")
	b.machine(os.Stdout)
	var measured []result
	for _, r := range rows {
		if wanted(r.name) {
			measured = append(measured, b.measure(r))
		}
	}
	var table bytes.Buffer
	b.report(&table, measured)
	os.Stdout.Write(table.Bytes())
	if *picture != "" {
		check(chart(fromCaller(*picture), barsOf(table.Bytes())))
	}
	if wanted("start") {
		b.startUp(os.Stdout)
	}
	if wanted("workers") {
		b.workers(os.Stdout)
	}
	if wanted("curve") {
		b.curve(os.Stdout)
	}
	if wanted("memory") {
		b.memory(os.Stdout, wanted)
	}
	b.versions(os.Stdout, measured)
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}

// fromCaller returns the path of a file named on the command line, because bench/run changes the directory.
func fromCaller(name string) string {
	if filepath.IsAbs(name) {
		return name
	}
	return filepath.Join(os.Getenv("BENCH_CALLER"), name)
}

// path returns the path of a file in the cache, where the files of --quick have a directory of their own.
func (b *bench) path(name string) string {
	if b.quick {
		return filepath.Join(b.dir, "quick", name)
	}
	return filepath.Join(b.dir, "full", name)
}

// out returns the path where a job writes. It is in memory if possible, so that no side waits for a disk: absolink
// syncs its files, and most peers do not.
func (b *bench) out() string {
	if dir := os.Getenv("BENCH_OUT"); dir != "" {
		return filepath.Join(dir, "absolink-bench-out")
	}
	var shm syscall.Statfs_t
	if err := syscall.Statfs("/dev/shm", &shm); err == nil && int64(shm.Bavail)*shm.Bsize > 2e9 {
		return "/dev/shm/absolink-bench-out"
	}
	return b.path("out")
}

func allowedCores() (cores []string) {
	status, _ := os.ReadFile("/proc/self/status")
	for line := range strings.Lines(string(status)) {
		list, ok := strings.CutPrefix(line, "Cpus_allowed_list:")
		if !ok {
			continue
		}
		for _, span := range strings.Split(strings.TrimSpace(list), ",") { // 0-2,5
			first, last, ok := strings.Cut(span, "-")
			if !ok {
				last = first
			}
			from, _ := strconv.Atoi(first)
			to, _ := strconv.Atoi(last)
			for n := from; n <= to; n++ {
				cores = append(cores, strconv.Itoa(n))
			}
		}
	}
	if cores == nil {
		return []string{"0"}
	}
	return cores
}
