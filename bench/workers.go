package main

import (
	"fmt"
	"io"
	"log"
	"slices"
	"sync"
	"time"
)

// workers compares -j 2 with -j 1 on two CPUs, by the clock. For comparison, it divides the time of two separate runs
// at the same time by the time of two runs in turn. This is 0.5 if each CPU is a core, and more if two CPUs share one.
func (b *bench) workers(w io.Writer) {
	cores := allowedCores()
	if len(cores) < 2 {
		fmt.Fprintf(w, "## Two workers\n\nNot measured: there is only one CPU.\n\n")
		return
	}
	cores = cores[len(cores)-2:]
	fmt.Fprintf(w, "## Two workers\n\n`links` on two CPUs, by the clock: the median of %d pairs, with the minimum "+
		"and the maximum.\n\n", b.pairs)
	fmt.Fprintln(w, "| job | `-j 2` divided by `-j 1` | two separate runs at the same time, divided by two in turn "+
		"|\n|---|---|---|")
	for _, row := range []struct {
		name string
		job  job
	}{{"pages", links("rfc3986")(b)}, {"mbox", mboxLinks(b)}, {"WARC.gz", warcLinks("rfc3986")(b)}} {
		on := func(workers string, cores ...string) job {
			return job{args: append(slices.Clone(row.job.args), "-j", workers), stdin: row.job.stdin, cores: cores}
		}
		var ours, machine []float64
		for i := range b.pairs + 1 {
			one, two := b.atOnce(on("1", cores...)), b.atOnce(on("2", cores...))
			alone, both := b.atOnce(on("1", cores[0])), b.atOnce(on("1", cores[0]), on("1", cores[1]))
			if i > 0 { // the first round warms the caches
				ours, machine = append(ours, two.Seconds()/one.Seconds()), append(machine,
					both.Seconds()/alone.Seconds()/2)
			}
		}
		log.Printf("workers: %s: %.2f, %.2f", row.name, ours, machine)
		fmt.Fprintf(w, "| %s | %s | %s |\n", row.name, spread(ours), spread(machine))
	}
	fmt.Fprintln(w)
}

// atOnce runs jobs at the same time, and returns the time of the longest.
func (b *bench) atOnce(jobs ...job) time.Duration {
	costs := make([]cost, len(jobs))
	var wait sync.WaitGroup
	for i, j := range jobs {
		wait.Go(func() {
			var err error
			costs[i], err = b.run(j, "", b.out())
			check(err)
		})
	}
	wait.Wait()
	return slices.MaxFunc(costs, func(a, c cost) int { return int(a.wall - c.wall) }).wall
}

// spread returns the median of ratios with their minimum and maximum.
func spread(ratios []float64) string {
	slices.Sort(ratios)
	return fmt.Sprintf("%.2f (%.2f to %.2f)", middle(ratios), ratios[0], ratios[len(ratios)-1])
}
