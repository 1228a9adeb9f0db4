package rows

import (
	"bytes"
	"io"

	"absolink/cmd/absolink/internal/files"
)

// arrayWriter writes JSON lines as the elements of one JSON array, a line each. Whole lines make it valid JSON; a line may
// come in several pieces.
type arrayWriter struct {
	w      io.Writer
	before string // is written before the next piece
	buf    []byte // reused
}

// arrayStart is before the first element.
const arrayStart = "[\n"

// BeginArray makes one JSON array of the JSON lines that are written to out.
func BeginArray(out *files.Output) { out.Encode(&arrayWriter{w: out.W, before: arrayStart}) }

// Write is io.Writer.
func (a *arrayWriter) Write(p []byte) (int, error) {
	a.buf = a.buf[:0]
	for line := range bytes.Lines(p) {
		line, ended := bytes.CutSuffix(line, []byte{'\n'})
		a.buf = append(append(a.buf, a.before...), line...)
		if a.before = ""; ended {
			a.before = ",\n"
		}
	}
	if _, err := a.w.Write(a.buf); err != nil {
		return 0, err
	}
	return len(p), nil
}

// Close ends the array. It does not close the writer below.
func (a *arrayWriter) Close() error {
	end := "\n]\n"
	if a.before == arrayStart {
		end = "[]\n"
	}
	_, err := io.WriteString(a.w, end)
	return err
}
