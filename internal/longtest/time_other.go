//go:build !linux

package longtest

import "time"

var start = time.Now()

// threadTime is the time by the clock, because only Linux has a clock for a thread that package unix can read.
func threadTime() time.Duration { return time.Since(start) }

func processTime() time.Duration { return time.Since(start) }
