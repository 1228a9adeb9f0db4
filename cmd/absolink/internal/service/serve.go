package service

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"runtime"
	"sync"
	"sync/atomic"

	"absolink/cmd/absolink/internal/files"
	"absolink/extract"
)

const Version = 1

// Ahead is the number of requests that a client may send before it reads an answer.
const Ahead = 64

// Config is what only the command knows.
type Config struct {
	Program    string                                           // the version of the program
	MaxRecord  int                                              // the limit for the head and for the body of a request
	Settings   func(settings map[string]any) (*Settings, error) // parses the settings of a request
	AppendBase func(dst []byte, entity *extract.Entity) []byte  // appends a row about a base, and a newline
}

// Serve answers requests until the input ends. The error is that of the input, of the output, or of an invalid frame.
func Serve(in io.Reader, out io.Writer, c Config) error {
	s := &server{Config: c, in: bufio.NewReaderSize(in, files.BufferSize), out: newOutput(out)}
	if err := s.greet(); err != nil {
		return s.fail(err)
	}
	var workers sync.WaitGroup
	for range max(2, runtime.GOMAXPROCS(0)) { // with one, nobody would read while it writes
		workers.Go(s.work)
	}
	ended := make(chan error)
	go func() {
		workers.Wait()
		ended <- s.err
	}()
	select {
	case err := <-ended:
		return s.fail(err)
	case err := <-s.out.broken: // a worker may wait for a request
		return err
	}
}

type server struct {
	Config
	out    *output
	recent atomic.Pointer[parsed] // of the last request: most requests have the same settings

	reading sync.Mutex // protects the fields below
	in      *bufio.Reader
	err     error // the error that ended the input; nil before the end
}

// greet reads the version of the client, and writes that of the service.
func (s *server) greet() error {
	f, err := readFrame(s.in, s.MaxRecord)
	if err != nil {
		return err
	}
	var client struct{ Protocol int }
	if err := json.Unmarshal(f.head, &client); err != nil {
		return fmt.Errorf("the first frame has no JSON object with the version of the protocol: %w", err)
	}
	if client.Protocol != Version {
		return fmt.Errorf("the client has version %d of the protocol, and this program has version %d; update one "+
			"of them", client.Protocol, Version)
	}
	head, err := json.Marshal(map[string]any{"protocol": Version, "program": s.Program, "ahead": Ahead,
		"max_record": s.MaxRecord})
	if err != nil {
		return err
	}
	s.out.write(frame{head: head})
	return nil
}

// fail writes the error that ended the service as the last answer, and returns it. The end of the input is not an
// error.
func (s *server) fail(err error) error {
	if err == io.EOF {
		return nil
	}
	s.out.write((&head{Error: err.Error()}).frame(nil))
	return err
}

func (s *server) work() {
	for {
		r, err := s.next()
		if err != nil {
			return
		}
		s.out.write(s.answer(r))
	}
}

// next reads a request. After an error, all workers get this error.
func (s *server) next() (*request, error) {
	s.reading.Lock()
	defer s.reading.Unlock()
	if s.err != nil {
		return nil, s.err
	}
	f, err := readFrame(s.in, s.MaxRecord)
	r := &request{body: f.body}
	if err == nil {
		err = r.parse(f.head)
	}
	s.err = err
	return r, err
}
