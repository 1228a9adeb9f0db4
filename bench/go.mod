module absolink/bench

go 1.26.0

require (
	absolink v0.0.0
	github.com/emersion/go-mbox v1.0.4
	github.com/emersion/go-message v0.18.2
	github.com/nlnwa/whatwg-url v0.6.2
	golang.org/x/net v0.62.0
)

require (
	github.com/bits-and-blooms/bitset v1.29.0 // indirect
	golang.org/x/text v0.44.0 // indirect
)

replace absolink => ..
