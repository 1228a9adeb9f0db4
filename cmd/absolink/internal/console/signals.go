//go:build !wasm

package console

import (
	"os"
	"os/signal"
	"syscall"
)

// Interrupts returns the signals that end a run: SIGINT, SIGTERM and SIGHUP. It returns nil if the process ignores all
// of them. From then on, writing to a closed pipe is an error: SIGPIPE would kill the process before it removes its
// temporary files.
func Interrupts() <-chan os.Signal {
	signal.Ignore(syscall.SIGPIPE)
	var signals []os.Signal
	for _, sig := range []os.Signal{os.Interrupt, syscall.SIGTERM, syscall.SIGHUP} {
		if !signal.Ignored(sig) { // a run under nohup or "&" still ignores them
			signals = append(signals, sig)
		}
	}
	if len(signals) == 0 {
		return nil
	}
	c := make(chan os.Signal, 1)
	signal.Notify(c, signals...)
	return c
}
