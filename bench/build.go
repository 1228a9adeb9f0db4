package main

import (
	"bytes"
	"fmt"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

func (b *bench) buildOurs() error {
	build := exec.Command("go", "build", "-o", b.ours, "./cmd/absolink")
	build.Dir = ".."
	if out, err := build.CombinedOutput(); err != nil {
		return fmt.Errorf("go build ./cmd/absolink: %w\n%s", err, out)
	}
	return nil
}

// built has the version of each peer that was built, or the error.
var built = map[string]struct {
	version string
	err     error
}{}

// build runs the script that builds a peer. The script writes a program named after the peer to the cache, and prints
// the versions of its parts.
func (b *bench) build(peer string) (version string, err error) {
	if done, ok := built[peer]; ok {
		return done.version, done.err
	}
	log.Print("building ", peer)
	cmd := exec.Command("./build", b.dir)
	cmd.Dir = filepath.Join("peers", peer)
	var said bytes.Buffer
	cmd.Stderr = &said
	out, err := cmd.Output()
	if err != nil {
		os.Stderr.Write(said.Bytes())
		lines := strings.Split(strings.TrimSpace(said.String()), "\n")
		err = fmt.Errorf("%s: %w", lines[len(lines)-1], err)
	}
	version = strings.TrimSpace(string(out))
	built[peer] = struct {
		version string
		err     error
	}{version, err}
	return version, err
}
