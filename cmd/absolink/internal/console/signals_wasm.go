package console

import (
	"os"
	"syscall"
)

// Interrupts returns nil: WebAssembly has no signals, and os/signal panics under WASI. Instead it makes the standard streams
// block. Go has set them to non-blocking mode under WASI, and in Node.js a slow pipe would then be an error.
func Interrupts() <-chan os.Signal {
	for stream := range 3 {
		_ = syscall.SetNonblock(stream, false) // else writes to a slow pipe fail, and absolink reports it
	}
	return nil
}
