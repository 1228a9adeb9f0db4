package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"runtime"
	"strconv"
)

// compile returns the binary for a platform. Its bytes depend only on the source and the version of Go, not on the
// machine, the folder or the settings of the user.
func (r *release) compile(ctx context.Context, tmp string, p platform) ([]byte, error) {
	name := filepath.Join(tmp, p.os+"-"+p.arch, p.program())
	if data, err := os.ReadFile(name); err == nil {
		return data, nil // the binary that printed the documents
	}
	cmd := exec.CommandContext(ctx, "go", "build", "-C", r.source, "-o", name,
		"-trimpath", "-mod=readonly", "-buildvcs="+strconv.FormatBool(r.revision != ""),
		"-ldflags=-s -w -X main.version="+r.version.String(), "./cmd/absolink")
	cmd.Env = platformEnv(p)
	if _, err := output(cmd); err != nil {
		return nil, err
	}
	return os.ReadFile(name)
}

// tryPage returns the page try.html, which runs absolink in a browser.
func (r *release) tryPage(ctx context.Context, tmp string) ([]byte, error) {
	name, err := filepath.Abs(filepath.Join(tmp, "try.html"))
	if err != nil {
		return nil, err
	}
	cmd := exec.CommandContext(ctx, "go", "run", "-C", r.source, "-trimpath", "./cmd/absolink/try", "-o", name,
		"-version", r.version.String())
	cmd.Env = platformEnv(platform{runtime.GOOS, runtime.GOARCH})
	if _, err := output(cmd); err != nil {
		return nil, err
	}
	return os.ReadFile(name)
}

// platformEnv returns the environment of a go command for a platform. It replaces each setting that would change the
// binary.
func platformEnv(p platform) []string {
	return append(os.Environ(), "GOOS="+p.os, "GOARCH="+p.arch, "CGO_ENABLED=0", "GOAMD64=v1", "GOARM64=v8.0",
		"GOFLAGS=-mod=readonly", "GOEXPERIMENT=", "GOWORK=off", "GO111MODULE=on")
}

// print returns the manual and the completion scripts as a binary for this machine prints them.
func (r *release) print(ctx context.Context, tmp string) ([]file, error) {
	host := platform{runtime.GOOS, runtime.GOARCH}
	if _, err := r.compile(ctx, tmp, host); err != nil {
		return nil, err
	}
	program := filepath.Join(tmp, host.os+"-"+host.arch, host.program())
	man := filepath.Join(tmp, "man")
	if _, err := output(exec.CommandContext(ctx, program, "man", "-o", man)); err != nil {
		return nil, err
	}
	var printed []file
	pages, err := os.ReadDir(man)
	if err != nil {
		return nil, err
	}
	if len(pages) == 0 {
		return nil, fmt.Errorf("%s man -o %s: no pages", program, man)
	}
	for _, page := range pages {
		data, err := os.ReadFile(filepath.Join(man, page.Name()))
		if err != nil {
			return nil, err
		}
		printed = append(printed, file{name: path.Join("man", page.Name()), data: data})
	}
	for _, c := range completions {
		data, err := output(exec.CommandContext(ctx, program, "completion", c.shell))
		if err != nil {
			return nil, err
		}
		printed = append(printed, file{name: c.name, data: data})
	}
	return printed, nil
}

// completions are the completion scripts, with their names in archives, Debian and Fedora.
var completions = []struct{ shell, name, deb, rpm string }{
	{"bash", "completions/absolink.bash", "usr/share/bash-completion/completions/absolink",
		"usr/share/bash-completion/completions/absolink"},
	{"zsh", "completions/_absolink", "usr/share/zsh/vendor-completions/_absolink",
		"usr/share/zsh/site-functions/_absolink"},
	{"fish", "completions/absolink.fish", "usr/share/fish/vendor_completions.d/absolink.fish",
		"usr/share/fish/vendor_completions.d/absolink.fish"},
	{"powershell", "completions/absolink.ps1", "", ""},
}
