package main

import (
	"cmp"
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"
	"time"

	"github.com/spf13/cobra"
)

// version is the version of this build if -ldflags "-X main.version=v1.2.3" sets it. Without it the version is that of
// the module, which go install and go build record.
var version string

// version prints the version. The flags -V and --version of absolink print the same line.
func (s *session) version(_ *cobra.Command, _ *options, args []string) error {
	if len(args) > 0 {
		return fmt.Errorf("version takes no arguments; leave out %q", args[0])
	}
	return s.printVersion()
}

func (s *session) printVersion() error {
	out := s.stdoutput()
	out.Buf = fmt.Appendf(out.Buf, "absolink %s\n", thisBuild())
	return out.End(nil)
}

type build struct {
	version string // of the module
	detail  string // revision, compiler and platform
	time    time.Time
}

func thisBuild() build {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return build{version: cmp.Or(version, "(unknown)")}
	}
	return buildOf(info, version)
}

// buildOf returns the description of a build. A version that is not "" replaces the version of the module.
func buildOf(info *debug.BuildInfo, version string) build {
	b := build{version: cmp.Or(version, info.Main.Version, "(devel)")}
	var details []string
	for _, setting := range info.Settings {
		switch setting.Key {
		case "vcs.revision":
			details = append(details, "revision "+setting.Value)
		case "vcs.time":
			b.time, _ = time.Parse(time.RFC3339, setting.Value)
		case "vcs.modified":
			if setting.Value == "true" {
				details = append(details, "modified")
			}
		}
	}
	if len(details) == 0 && b.version == "(devel)" {
		details = append(details, "revision unknown")
	}
	b.detail = strings.Join(append(details, info.GoVersion, runtime.GOOS+"/"+runtime.GOARCH), ", ")
	return b
}

func (b build) String() string { return b.version + " (" + b.detail + ")" }
