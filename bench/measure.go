package main

import (
	"bytes"
	"fmt"
	"io"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"
)

// A job is one process. OUT in an argument stands for the path of the output, which does not exist before the run.
type job struct {
	args  []string
	stdin string   // the file for standard input, or ""
	cores []string // the CPUs of the process; nil for the CPU of the benchmark
}

// A cost is the time and the memory of a process.
type cost struct {
	cpu  time.Duration // user and system
	wall time.Duration
	rss  int64 // peak memory, in bytes
}

// warm reads the input and the program of a job once. Some systems drop files from memory after a few seconds, and the
// job would then be timed reading the disk.
func (b *bench) warm(j job) {
	for _, name := range j.args {
		pass(name)
	}
	if j.stdin == "" {
		return
	}
	src, _ := os.ReadFile(j.stdin) // the job reports an error
	seen := map[string]bool{}
	for name := range strings.Lines(string(src)) {
		if name = strings.TrimSpace(name); !seen[name] {
			seen[name] = true
			pass(filepath.Join(b.corpus.root, name))
		}
	}
}

// pass reads a file and drops its content. Keeping a gigabyte would change the free memory for the job, and on a
// virtual machine memory costs more time if it was not in use just before.
func pass(name string) {
	if info, err := os.Stat(name); err != nil || !info.Mode().IsRegular() {
		return // not a file but, for example, an option
	}
	if f, err := os.Open(name); err == nil {
		io.Copy(io.Discard, f)
		f.Close()
	}
}

// run runs a job on its CPUs. Standard output goes to the file stdout, or nowhere if that is "". out is the path for
// OUT.
func (b *bench) run(j job, stdout, out string) (c cost, err error) {
	b.warm(j)
	if err := os.RemoveAll(out); err != nil {
		return c, err
	}
	cores := j.cores
	if cores == nil {
		cores = []string{b.core}
	}
	args := []string{"-c", strings.Join(cores, ",")}
	for _, a := range j.args {
		args = append(args, strings.ReplaceAll(a, "OUT", out))
	}
	self, err := os.Executable()
	if err != nil {
		return c, err
	}
	cmd := exec.Command(self, append([]string{"spawn", "taskset"}, args...)...)
	cmd.Dir = b.corpus.root
	cmd.Env = append(os.Environ(), fmt.Sprint("GOMAXPROCS=", len(cores)), "OMP_NUM_THREADS=1", "LC_ALL=C.UTF-8")
	var said bytes.Buffer
	cmd.Stderr = &said
	if j.stdin != "" {
		in, err := os.Open(j.stdin)
		if err != nil {
			return c, err
		}
		defer in.Close()
		cmd.Stdin = in
	}
	if stdout != "" {
		file, err := os.Create(stdout)
		if err != nil {
			return c, err
		}
		defer file.Close()
		cmd.Stdout = file
	}
	r, w, err := os.Pipe()
	if err != nil {
		return c, err
	}
	defer r.Close()
	cmd.ExtraFiles = []*os.File{w}
	err = cmd.Run()
	w.Close()
	if err != nil {
		return c, fmt.Errorf("%s: %w\n%s", strings.Join(j.args, " "), err, said.Bytes())
	}
	_, err = fmt.Fscan(r, &c.cpu, &c.wall, &c.rss)
	return c, err
}

// spawn runs a process, and writes its cost to file descriptor 3. It runs in a small process of its own, because the
// kernel counts the memory of the process that starts a program as memory of the program.
func spawn(args []string) error {
	report := os.NewFile(3, "report")
	syscall.CloseOnExec(3)
	cmd := exec.Command(args[0], args[1:]...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	start := time.Now()
	if err := cmd.Run(); err != nil {
		return err
	}
	wall := time.Since(start)
	usage := cmd.ProcessState.SysUsage().(*syscall.Rusage)
	_, err := fmt.Fprintln(report, int64(cmd.ProcessState.UserTime()+cmd.ProcessState.SystemTime()), int64(wall),
		usage.Maxrss<<10)
	return err
}

// A result is the measurement of a row, or the error that prevented it.
type result struct {
	row
	version      string
	err          error
	ratios       []float64 // the peer's time divided by ours, or the inverse if row.inverse is set
	ours, theirs cost      // medians
	outputs      string    // the differences of the outputs, in words
}

// measure runs the two sides in turn. Of the first pair the outputs are compared and the times dropped.
func (b *bench) measure(r row) (res result) {
	res = result{row: r}
	if r.build != "" {
		if res.version, res.err = b.build(r.build); res.err != nil {
			return res
		}
	}
	log.Print("measuring ", r.name)
	if res.outputs, res.err = r.compare(b, r); res.err != nil {
		return res
	}
	var ours, theirs []cost
	for range b.pairs {
		for _, side := range []struct {
			job   job
			costs *[]cost
		}{{r.ours(b), &ours}, {r.theirs(b), &theirs}} {
			c, err := b.run(side.job, "", b.out())
			if err != nil {
				res.err = err
				return res
			}
			*side.costs = append(*side.costs, c)
		}
		a, t := ours[len(ours)-1], theirs[len(theirs)-1]
		ratio := t.cpu.Seconds() / a.cpu.Seconds()
		if r.inverse {
			ratio = 1 / ratio
		}
		res.ratios = append(res.ratios, ratio)
		log.Printf("%s: %.2f (%.2fs, %.2fs)", r.name, ratio, a.cpu.Seconds(), t.cpu.Seconds())
	}
	slices.Sort(res.ratios)
	res.ours, res.theirs = median(ours), median(theirs)
	res.err = os.RemoveAll(b.out())
	return res
}

// median takes the median of each figure separately.
func median(costs []cost) cost {
	middle := func(by func(cost) int64) int64 {
		var all []int64
		for _, c := range costs {
			all = append(all, by(c))
		}
		slices.Sort(all)
		return all[len(all)/2]
	}
	return cost{
		cpu:  time.Duration(middle(func(c cost) int64 { return int64(c.cpu) })),
		wall: time.Duration(middle(func(c cost) int64 { return int64(c.wall) })),
		rss:  middle(func(c cost) int64 { return c.rss }),
	}
}
