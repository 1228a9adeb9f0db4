//go:build !wasm

package main

import (
	"os"
	"os/signal"
	"syscall"
	"time"
)

// catchInterrupt ends the run on SIGINT, SIGTERM and SIGHUP. It leaves no half-written file, and prints how to resume.
func (s *session) catchInterrupt() {
	signal.Ignore(syscall.SIGPIPE) // else a closed pipe kills the process before it removes its temporary files
	var signals []os.Signal
	for _, sig := range []os.Signal{os.Interrupt, syscall.SIGTERM, syscall.SIGHUP} {
		if !signal.Ignored(sig) { // a run under nohup or "&" still ignores them
			signals = append(signals, sig)
		}
	}
	if len(signals) == 0 {
		return
	}
	c := make(chan os.Signal, 1)
	signal.Notify(c, signals...)
	go func() {
		<-c
		s.files.Stop()
		printed := make(chan struct{})
		go func() {
			s.messages.Interrupt()
			if w := s.running.Load(); w != nil {
				w.interrupted()
			}
			close(printed)
		}()
		select {
		case <-printed:
		case <-c: // standard error may be a pipe that nobody reads
		case <-time.After(time.Second):
		}
		os.Exit(exitInterrupted)
	}()
}
