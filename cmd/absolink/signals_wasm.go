package main

// catchInterrupt does nothing: WebAssembly has no signals, and os/signal panics under WASI.
func (*session) catchInterrupt() {}
