// Package longtest is the switch between plain tests and long tests.
//
//	go test ./...                        plain: passes on any machine
//	ABSOLINK_LONG=1 go test -p 1 ./...   long: needs a quiet machine
//
// A plain test has small inputs, and asserts nothing that depends on the clock, on the load of the machine, or on the
// garbage collector. A long test has large inputs, and also checks how time grows and the peak memory.
package longtest

import "os"

// On reports whether long tests run. It reads the environment at each call, so that go test does not use a cached
// result after the switch changes.
func On() bool { return os.Getenv("ABSOLINK_LONG") != "" }

// Or returns plain in a plain test, and long in a long one.
func Or[T any](plain, long T) T {
	if On() {
		return long
	}
	return plain
}
