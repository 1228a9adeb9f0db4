package main

import (
	"runtime/debug"
	"testing"

	"github.com/stretchr/testify/assert"

	"absolink/internal/commandtest"
)

func TestBuild(t *testing.T) {
	setting := func(key, value string) debug.BuildSetting { return debug.BuildSetting{Key: key, Value: value} }
	for _, row := range []struct {
		name, version, want string
		settings            []debug.BuildSetting
	}{
		{"go install", "v1.2.3", "v1.2.3 (go1.26.0)", nil},
		{"go test", "", "(devel) (go1.26.0)", nil},
		{"go build in a repository", "v1.2.4-0.20261121034000-363384196e22", "v1.2.4-0.20261121034000-363384196e22 (revision 363384196e22, go1.26.0)",
			[]debug.BuildSetting{setting("vcs.revision", "363384196e22"), setting("vcs.time", "2026-11-21T03:40:00Z"), setting("vcs.modified", "false")}},
		{"with changes", "(devel)", "(devel) (revision 363384196e22, modified, go1.26.0)",
			[]debug.BuildSetting{setting("vcs.revision", "363384196e22"), setting("vcs.modified", "true")}},
	} {
		info := &debug.BuildInfo{GoVersion: "go1.26.0", Main: debug.Module{Version: row.version}, Settings: row.settings}
		assert.Equal(t, row.want, buildOf(info, "").String(), row.name)
	}
	info := &debug.BuildInfo{GoVersion: "go1.26.0", Main: debug.Module{Version: "(devel)"}}
	assert.Equal(t, "v9.9.9 (go1.26.0)", buildOf(info, "v9.9.9").String(), "-ldflags")
}

func TestVersionFlag(t *testing.T) {
	out := commandtest.Go(t, "run", "-buildvcs=false", "-ldflags", "-X main.version=v9.9.9", ".", "version")
	assert.Regexp(t, `^absolink v9\.9\.9 \(`, out)
}
