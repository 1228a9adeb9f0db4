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

// A job is one process: its arguments, where it runs, what it reads. OUT in an argument is
// a path that is not there yet, and removed afterwards.
type job struct {
	args  []string
	stdin string   // a file
	cores []string // the CPUs it runs on; that of all others if there are none
}

// A cost is what a process took.
type cost struct {
	cpu  time.Duration // user and system
	wall time.Duration
	rss  int64 // the most memory it had, in bytes
}

// warm reads what a job is to read, the program too: some systems put what nobody has asked for in a few
// seconds out of memory, and the job would be charged for reading the disk.
func (b *bench) warm(j job) {
	for _, name := range j.args {
		pass(name)
	}
	if j.stdin == "" {
		return
	}
	src, _ := os.ReadFile(j.stdin) // the job tells what is wrong with it
	seen := map[string]bool{}
	for name := range strings.Lines(string(src)) {
		if name = strings.TrimSpace(name); !seen[name] {
			seen[name] = true
			pass(filepath.Join(b.corpus.root, name))
		}
	}
}

// pass reads a file and keeps nothing of it: the memory for a gigabyte would be taken from what the job
// finds free, and on a virtual machine it costs more where it was not used a moment ago.
func pass(name string) {
	if info, err := os.Stat(name); err != nil || !info.Mode().IsRegular() {
		return // no file, but an option, say
	}
	if f, err := os.Open(name); err == nil {
		io.Copy(io.Discard, f)
		f.Close()
	}
}

// run runs a job on its CPUs. Its standard output goes to a file or, if that is "", nowhere.
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

// spawn starts a process, waits for it, and tells on file 3 what it took. It is a process
// of its own, and as small as can be, since the kernel counts the memory of the one that
// starts a program as that program's.
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
	_, err := fmt.Fprintln(report, int64(cmd.ProcessState.UserTime()+cmd.ProcessState.SystemTime()), int64(wall), usage.Maxrss<<10)
	return err
}

// A result is a row that was measured, or why it was not.
type result struct {
	row
	version      string
	err          error
	ratios       []float64 // theirs over ours; for a row that is to be low, ours over theirs
	ours, theirs cost      // medians
	outputs      string    // how they differ
}

// measure runs the two sides in turn. The first pair warms up, and its outputs are compared.
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
		if r.low {
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

// median is of each figure by itself.
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
