package main

import (
	"fmt"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// benchstat compares two files of measurements, and tells a difference from noise.
const benchstat = "golang.org/x/perf/cmd/benchstat@v0.0.0-20260908200009-22c9c6c9d4da"

// against measures another commit and this checkout in turn, on the same machine and input, and prints benchstat's
// table of the CPU time of each job before and after.
func (b *bench) against(commit string) error {
	before, err := b.buildCommit(commit)
	if err != nil {
		return err
	}
	refs, err := b.listRefs()
	if err != nil {
		return err
	}
	results := map[string]*strings.Builder{"before": {}, "after": {}}
	for _, r := range []struct {
		name string
		job  job
	}{
		{"LinksPages", links("rfc3986")(b)},
		{"RewritePages", rewrite(b)},
		{"LinksMbox", mboxLinks(b)},
		{"RewriteMbox", rewriteOf(b, b.corpus.mbox, "-u", site)},
		{"LinksWARC", warcLinks("rfc3986")(b)},
		{"RewriteWARC", rewriteOf(b, b.corpus.warc)},
		{"Resolve", job{args: []string{b.ours, "resolve", "-q", "-b", site}, stdin: refs}},
	} {
		log.Print("measuring ", r.name)
		old := r.job
		old.args = append([]string{before}, r.job.args[1:]...)
		for i := range b.pairs + 1 {
			for _, side := range []struct {
				name string
				job  job
			}{{"before", old}, {"after", r.job}} {
				c, err := b.run(side.job, "", b.out())
				if err != nil {
					return err
				}
				if i > 0 { // the first pair warms the caches
					fmt.Fprintf(results[side.name], "Benchmark%s 1 %d ns/op\n", r.name, c.cpu.Nanoseconds())
				}
			}
		}
	}
	args := []string{"run", benchstat}
	for _, name := range []string{"before", "after"} {
		file := b.path(name)
		if err := os.WriteFile(file, []byte(results[name].String()), 0o666); err != nil {
			return err
		}
		args = append(args, name+"="+file)
	}
	table := exec.Command("go", args...)
	table.Stdout, table.Stderr = os.Stdout, os.Stderr
	return table.Run()
}

// rewriteOf returns the job of rewriting one archive.
func rewriteOf(b *bench, archive string, more ...string) job {
	return job{args: append([]string{b.ours, "rewrite", "-q", "-s", "rfc3986", "-o", "OUT", archive}, more...)}
}

func (b *bench) buildCommit(commit string) (string, error) {
	out, err := exec.Command("git", "rev-parse", "--verify", commit+"^{commit}").Output()
	if err != nil {
		return "", fmt.Errorf("there is no commit %s", commit)
	}
	id := strings.TrimSpace(string(out))
	binary := filepath.Join(b.dir, "bin", "absolink-"+id)
	if _, err := os.Stat(binary); err == nil {
		return binary, nil
	}
	tree, err := os.MkdirTemp(b.dir, "tree")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(tree)
	build := exec.Command("sh", "-ec",
		`git -C .. archive "$1" | tar -x -C "$2"; cd "$2"; go build -o "$3" ./cmd/absolink`, "sh", id, tree, binary)
	if out, err := build.CombinedOutput(); err != nil {
		return "", fmt.Errorf("building %s: %w\n%s", commit, err, out)
	}
	return binary, nil
}

// listRefs makes the file of the references of all pages, one on each line, unless it exists.
func (b *bench) listRefs() (string, error) {
	name := b.path("references.lines")
	if _, err := os.Stat(name); err == nil {
		return name, nil
	}
	j := links("rfc3986")(b)
	j.args = append(j.args, "--fields", "ref")
	_, err := b.run(j, name, b.out())
	return name, err
}
