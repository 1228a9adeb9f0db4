// Command bench measures absolink beside other programs that do the same work, and prints
// ratios of CPU time as a table in Markdown. See README.md.
package main

import (
	"flag"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
)

// A bench is one run of this program.
type bench struct {
	dir    string // the cache: corpora, peers, outputs
	core   string // the CPU that everything measured runs on
	pairs  int
	quick  bool
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
	b := &bench{dir: os.Getenv("BENCH_DIR")}
	flag.IntVar(&b.pairs, "pairs", 5, "how many pairs of each row count, after one that does not")
	flag.BoolVar(&b.quick, "quick", false, "small corpora")
	flag.StringVar(&b.core, "core", "", "the CPU to run on (default the last one allowed)")
	list := flag.Bool("list", false, "only list the rows")
	flag.Usage = func() {
		fmt.Fprintln(os.Stderr, "usage: bench/run [flags] [ROW...]   (a ROW is a name, or how names begin; start, workers and curve are rows too)")
		flag.PrintDefaults()
	}
	flag.Parse()
	if *list {
		for _, r := range rows {
			fmt.Println(r.name)
		}
		fmt.Println("start\nworkers\ncurve")
		return
	}
	if cores := allowedCores(); b.core == "" {
		b.core = cores[len(cores)-1] // the first ones tend to have the interrupts
	}
	wanted := func(name string) bool {
		return flag.NArg() == 0 || slices.ContainsFunc(flag.Args(), func(arg string) bool { return strings.HasPrefix(name, arg) })
	}
	check(b.buildOurs())
	check(b.makeCorpora(wanted))

	var results []result
	for _, r := range rows {
		if wanted(r.name) {
			results = append(results, b.measure(r))
		}
	}
	b.report(os.Stdout, results)
	if wanted("start") {
		b.startUp(os.Stdout)
	}
	if wanted("workers") {
		b.workers(os.Stdout)
	}
	if wanted("curve") {
		b.curve(os.Stdout)
	}
	b.versions(os.Stdout, results)
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}

// path is a name in the cache. What --quick makes is kept apart.
func (b *bench) path(name string) string {
	if b.quick {
		return filepath.Join(b.dir, "quick", name)
	}
	return filepath.Join(b.dir, "full", name)
}

// out is where a job writes: memory, if the machine has a file system in it, so that no
// side waits for a disk. absolink has every file reach the disk, the peers do not.
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

// allowedCores are the CPUs that this process may run on.
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
