// Package service answers requests of a client that keeps one process of the command: the verb service. docs/service.md
// describes the protocol.
//
//	standard input                          standard output
//	frame   the client's version            frame   the service's version
//	frame   request 1                       frame   the answer to request 2
//	frame   request 2                       frame   the answer to request 1
//	end                                     end
//
//	frame:  length of the head | length of the body | head: JSON | body: bytes
//
// Several workers take turns to read a request, and work at the same time. Each passes its answer to the output. While
// one worker writes, the others leave their answers to it and read on, up to Ahead answers.
package service
