package main

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// report prints the table of the rows and the notes below it.
func (b *bench) report(w io.Writer, results []result) {
	if len(results) == 0 {
		return
	}
	fmt.Fprintf(w, "## Comparison with other programs\n\n"+
		"%d pages, %s. Each program runs on one core. The ratio is the CPU time of the other program divided by the "+
		"CPU time of absolink. It is the median of %d pairs of runs in turn. CPU time is the user and system time "+
		"of the whole process.\n\n",
		b.corpus.pages, size(b.corpus.bytes), b.pairs)
	fmt.Fprintln(w, "| job | other program | ratio | range | CPU time, absolink | CPU time, other | memory, "+
		"absolink | memory, other | note |")
	fmt.Fprintln(w, "|---|---|---|---|---|---|---|---|---|")
	for i, r := range results {
		fmt.Fprintf(w, "| %s | %s | ", r.job, r.peer)
		if r.err != nil {
			fmt.Fprintf(w, "not measured | | | | | | %d |\n", i+1)
			continue
		}
		x := "x"
		if r.inverse {
			x = ""
		}
		fmt.Fprintf(w, "%s | %s to %s | %.2f s | %.2f s | %s | %s | %d |\n", short(middle(r.ratios))+x,
			short(r.ratios[0]), short(r.ratios[len(r.ratios)-1]),
			r.ours.cpu.Seconds(), r.theirs.cpu.Seconds(), size(r.ours.rss), size(r.theirs.rss), i+1)
	}
	fmt.Fprintln(w)
	for i, r := range results {
		fmt.Fprintf(w, "%d. `%s`", i+1, r.name)
		switch {
		case r.err != nil:
			fmt.Fprintf(w, ": %s", strings.Join(strings.Fields(r.err.Error()), " "))
		case r.outputs == "":
			fmt.Fprint(w, ": nothing to compare")
		default:
			fmt.Fprintf(w, ": %s", r.outputs)
			if r.note != "" && !strings.HasPrefix(r.outputs, "the same") {
				fmt.Fprintf(w, " (%s)", r.note)
			}
		}
		fmt.Fprintln(w, ".")
	}
	fmt.Fprintln(w)
}

// middle returns the median of ratios, which must be sorted.
func middle(ratios []float64) float64 {
	n := len(ratios)
	return (ratios[(n-1)/2] + ratios[n/2]) / 2
}

// short returns a ratio with two digits, or more before the point.
func short(x float64) string {
	switch {
	case x >= 10:
		return fmt.Sprintf("%.0f", x)
	case x >= 1:
		return fmt.Sprintf("%.1f", x)
	}
	return fmt.Sprintf("%.2f", x)
}

func size(n int64) string {
	switch {
	case n >= 1e9:
		return fmt.Sprintf("%.3g GB", float64(n)/1e9)
	case n >= 1e6:
		return fmt.Sprintf("%.0f MB", float64(n)/1e6)
	case n >= 1e3:
		return fmt.Sprintf("%.0f kB", float64(n)/1e3)
	}
	return fmt.Sprintf("%d B", n)
}

func (b *bench) machine(w io.Writer) {
	fmt.Fprintf(w, "## Machine\n\n| | |\n|---|---|\n")
	for _, line := range [][2]string{
		{"CPU", cpu()},
		{"CPUs", fmt.Sprintf("%d; everything is measured on CPU %s, except `workers`", runtime.NumCPU(), b.core)},
		{"memory", memory()},
		{"system", system() + ", Linux " + said("uname", "-r")},
		{"files that are written", fileSystem(filepath.Dir(b.out()))},
		{"Go", said("go", "env", "GOVERSION")},
		{"load before the run", load()},
		{"date", time.Now().UTC().Format(time.DateOnly)},
	} {
		fmt.Fprintf(w, "| %s | %s |\n", line[0], line[1])
	}
	fmt.Fprintln(w)
}

func (b *bench) versions(w io.Writer, results []result) {
	fmt.Fprintf(w, "## Versions\n\n")
	fmt.Fprintf(w, "- absolink %s, %s\n", said("git", "describe", "--always", "--dirty", "--tags"),
		said("go", "env", "GOVERSION"))
	seen := map[string]bool{}
	for _, r := range results {
		if r.version != "" && !seen[r.version] {
			seen[r.version] = true
			fmt.Fprintln(w, "-", r.version)
		}
	}
	fmt.Fprintf(w, "- %s; %s\n", first(said("zcat", "--version")), first(said("cat", "--version")))
}

// said returns the output of a command.
func said(name string, args ...string) string {
	out, err := exec.Command(name, args...).Output()
	if err != nil {
		return "unknown"
	}
	return strings.TrimSpace(string(out))
}

func first(lines string) string {
	line, _, _ := strings.Cut(lines, "\n")
	return line
}

func cpu() string { return field("/proc/cpuinfo", "model name") }

func memory() string {
	kilobytes, _, _ := strings.Cut(field("/proc/meminfo", "MemTotal"), " ")
	n, err := strconv.ParseInt(kilobytes, 10, 64)
	if err != nil {
		return "unknown"
	}
	return size(n << 10)
}

func system() string { return field("/etc/os-release", "PRETTY_NAME") }

// fileSystem says whether a directory is in memory.
func fileSystem(dir string) string {
	const tmpfs = 0x01021994
	var at syscall.Statfs_t
	if err := syscall.Statfs(dir, &at); err == nil && at.Type == tmpfs {
		return "in memory (tmpfs)"
	}
	return "on a disk"
}

// load returns how many processes ran or waited, on average over one minute.
func load() string {
	averages, _ := os.ReadFile("/proc/loadavg")
	one, _, _ := strings.Cut(string(averages), " ")
	return one
}

// field returns the value in the first line of a file that starts with name, or "unknown".
func field(file, name string) string {
	text, _ := os.ReadFile(file)
	for line := range strings.Lines(string(text)) {
		if value, ok := strings.CutPrefix(line, name); ok {
			return strings.Trim(value, "\t :=\"\n")
		}
	}
	return "unknown"
}
