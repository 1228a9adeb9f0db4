package main

import "syscall"

// catchInterrupt makes the standard streams block. Go has set them to non-blocking mode under WASI, and a host such as
// Node.js then reports errors for a pipe that is slow. WebAssembly has no signals, and os/signal panics under WASI.
func (*session) catchInterrupt() {
	for stream := range 3 {
		_ = syscall.SetNonblock(stream, false) // else it is as it was
	}
}
