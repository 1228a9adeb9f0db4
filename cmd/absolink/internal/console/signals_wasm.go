package console

import (
	"os"
	"syscall"
)

// Interrupts returns nil: WebAssembly has no signals, and os/signal panics under WASI. But it makes the standard
// streams block, because Go sets them to non-blocking mode under WASI, and in Node.js a write to a slow pipe would then
// fail.
func Interrupts() <-chan os.Signal {
	for stream := range 3 {
		_ = syscall.SetNonblock(stream, false)
	}
	return nil
}
