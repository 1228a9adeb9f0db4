package rows

import (
	"bytes"
	"io"

	"absolink/cmd/absolink/internal/files"
)

// arrayWriter writes JSON lines as the elements of one JSON array, a line each. Whole lines make it valid JSON; a line may
// come in several pieces.
type arrayWriter struct {
	w     io.Writer
	begun bool   // the "[" is written
	ended bool   // the last line has its end, which is written with the next line
	buf   []byte // reused
}

// BeginArray makes one JSON array of the JSON lines that are written to out.
func BeginArray(out *files.Output) { out.Encode(&arrayWriter{w: out.W}) }

// Write is io.Writer.
func (a *arrayWriter) Write(p []byte) (int, error) {
	out := a.buf[:0]
	if !a.begun && len(p) > 0 {
		out, a.begun = append(out, "[\n"...), true
	}
	for rest := p; len(rest) > 0; {
		if a.ended {
			out, a.ended = append(out, ",\n"...), false
		}
		var line []byte
		line, rest, a.ended = bytes.Cut(rest, []byte{'\n'})
		out = append(out, line...)
	}
	a.buf = out
	if _, err := a.w.Write(out); err != nil {
		return 0, err
	}
	return len(p), nil
}

// Close ends the array. It does not close the writer below.
func (a *arrayWriter) Close() error {
	end := "[]\n"
	if a.begun {
		end = "\n]\n"
	}
	_, err := io.WriteString(a.w, end)
	return err
}
