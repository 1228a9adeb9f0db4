package main

import (
	"runtime"
	"runtime/debug"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"absolink/internal/commandtest"
)

func TestBuild(t *testing.T) {
	platform := runtime.GOOS + "/" + runtime.GOARCH
	setting := func(key, value string) debug.BuildSetting { return debug.BuildSetting{Key: key, Value: value} }
	for _, row := range []struct {
		name, version, want string
		settings            []debug.BuildSetting
	}{
		{"go install", "v1.2.3", "v1.2.3 (go1.26.0, OS/CPU)", nil},
		{"without version control", "", "(devel) (revision unknown, go1.26.0, OS/CPU)", nil},
		{"go build in a repository", "v1.2.4-0.20261121034000-363384196e22", "v1.2.4-0.20261121034000-363384196e22 (revision 363384196e22, go1.26.0, OS/CPU)",
			[]debug.BuildSetting{setting("vcs.revision", "363384196e22"), setting("vcs.time", "2026-11-21T03:40:00Z"), setting("vcs.modified", "false")}},
		{"with changes", "(devel)", "(devel) (revision 363384196e22, modified, go1.26.0, OS/CPU)",
			[]debug.BuildSetting{setting("vcs.revision", "363384196e22"), setting("vcs.modified", "true")}},
	} {
		info := &debug.BuildInfo{GoVersion: "go1.26.0", Main: debug.Module{Version: row.version}, Settings: row.settings}
		assert.Equal(t, row.want, strings.Replace(buildOf(info, "").String(), platform, "OS/CPU", 1), row.name)
	}
	info := &debug.BuildInfo{GoVersion: "go1.26.0", Main: debug.Module{Version: "(devel)"}}
	assert.Equal(t, "v9.9.9 (go1.26.0, "+platform+")", buildOf(info, "v9.9.9").String(), "-ldflags")
}

func TestVersionFlag(t *testing.T) {
	out := commandtest.Go(t, "run", "-buildvcs=false", "-ldflags", "-X main.version=v9.9.9", ".", "version")
	assert.Regexp(t, `^absolink v9\.9\.9 \(`, out)
}
