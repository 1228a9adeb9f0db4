// Files with an entry on each line.

package files

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
)

type LineError struct {
	N   int // from 1
	Err error
}

func (e *LineError) Error() string { return fmt.Sprintf("line %d: %s", e.N, e.Err) }
func (e *LineError) Unwrap() error { return e.Err }

const maxLine = 1 << 20

// ReadLines calls read with each line that is not empty, and its number. An error about a line is a LineError. entry
// names what a line holds, for the messages.
func ReadLines(in io.Reader, entry string, read func(n int, line []byte) error) error {
	lines := bufio.NewScanner(in)
	lines.Buffer(make([]byte, BufferSize), maxLine)
	n := 1
	for ; lines.Scan(); n++ {
		line := lines.Bytes()
		if n == 1 {
			line = bytes.TrimPrefix(line, []byte("\uFEFF"))
		}
		if len(line) == 0 {
			continue
		}
		if err := read(n, line); err != nil {
			return &LineError{n, err}
		}
	}
	if errors.Is(lines.Err(), bufio.ErrTooLong) {
		return &LineError{n, fmt.Errorf("the line is longer than 1 MiB; write one %s on each line", entry)}
	}
	return WithAdvice(lines.Err())
}

// ParsePair parses a line with two texts, either with a tab between them or as a JSON object with the two names as its
// keys.
func ParsePair(line []byte, firstName, secondName string) (first, second string, err error) {
	if line[0] == '{' {
		var object map[string]any
		err := json.Unmarshal(line, &object)
		for name, value := range object {
			text, _ := value.(string)
			switch {
			case strings.EqualFold(name, firstName):
				first = text
			case strings.EqualFold(name, secondName):
				second = text
			}
		}
		if err != nil || first == "" || second == "" {
			return "", "", fmt.Errorf("not a JSON object with the strings %q and %q", firstName, secondName)
		}
		return first, second, nil
	}
	first, second, _ = strings.Cut(string(line), "\t")
	names := strings.ToUpper(firstName) + " and " + strings.ToUpper(secondName)
	switch {
	case first == "" || second == "":
		return "", "", errors.New("no tab between " + names)
	case strings.Contains(second, "\t"): // a URL has none
		return "", "", errors.New("more than " + names + "; leave out the other columns")
	}
	return first, second, nil
}
