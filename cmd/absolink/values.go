// The values of flags that are no plain strings and numbers.

package main

import (
	"errors"
	"math"
	"strconv"
	"strings"

	"absolink/cmd/absolink/internal/console"
	"absolink/cmd/absolink/internal/inputs"
	"absolink/cmd/absolink/internal/rows"
	"absolink/extract"
)

// forms and whens are the values of --format, and of --color and --progress.
var (
	forms = []named[rows.Form]{{"text", rows.Text}, {"jsonl", rows.JSONL}, {"csv", rows.CSV}, {"tsv", rows.TSV}, {"parquet", rows.Parquet}}
	whens = []named[console.When]{{"auto", console.Auto}, {"always", console.Always}, {"never", console.Never}}
)

// named is a value that a flag calls by a name.
type named[T comparable] struct {
	name  string
	value T
}

// choice is a flag with a fixed set of values.
type choice[T comparable] struct {
	to   *T
	kind string
	all  []named[T]
}

func newChoice[T comparable](to *T, first T, kind string, all []named[T]) *choice[T] {
	*to = first
	return &choice[T]{to, kind, all}
}

// Set is part of pflag.Value.
func (c *choice[T]) Set(name string) error {
	for _, n := range c.all {
		if n.name == name {
			*c.to = n.value
			return nil
		}
	}
	return errors.New("there are " + strings.Join(c.Names(), ", "))
}

func (c *choice[T]) Names() (names []string) {
	for _, n := range c.all {
		names = append(names, n.name)
	}
	return names
}

// String is part of pflag.Value.
func (c *choice[T]) String() string {
	for _, n := range c.all {
		if c.to != nil && n.value == *c.to {
			return n.name
		}
	}
	return ""
}

// Type is part of pflag.Value.
func (c *choice[T]) Type() string { return c.kind }

// mediaType is a flag that is a type which can be read.
type mediaType struct{ to *string }

// Set is part of pflag.Value.
func (m *mediaType) Set(s string) error {
	if extract.FormatOf(s) == nil {
		return inputs.NoSuchType()
	}
	*m.to = s
	return nil
}

func (*mediaType) Names() []string { return inputs.TypeNames() }

// String is part of pflag.Value.
func (m *mediaType) String() string {
	if m.to == nil {
		return ""
	}
	return *m.to
}

// Type is part of pflag.Value.
func (m *mediaType) Type() string { return "MEDIATYPE" }

// size is a flag that counts bytes.
type size int

// Set is part of pflag.Value.
func (n *size) Set(s string) error {
	digits, shift := s, 0
	if s != "" {
		if i := strings.IndexByte("KMG", s[len(s)-1]); i >= 0 {
			digits, shift = s[:len(s)-1], 10*(i+1)
		}
	}
	v, err := strconv.ParseInt(digits, 10, 64)
	if err != nil || v < 1 || v > math.MaxInt>>shift {
		return errors.New("not a number of bytes, such as 1000000 or 256M")
	}
	*n = size(v << shift)
	return nil
}

// String is part of pflag.Value.
func (n *size) String() string {
	v := int64(*n)
	for i := len("KMG") - 1; i >= 0; i-- {
		if unit := int64(1) << (10 * (i + 1)); v > 0 && v%unit == 0 {
			return strconv.FormatInt(v/unit, 10) + "KMG"[i:i+1]
		}
	}
	return strconv.FormatInt(v, 10)
}

// Type is part of pflag.Value.
func (n *size) Type() string { return "SIZE" }

// logFormat is how records are written.
type logFormat uint8

const (
	logText logFormat = iota
	logJSON
)

// logFormatIn is the --log-format among arguments that are not read yet.
func logFormatIn(args []string) logFormat {
	for i, arg := range args {
		if arg == "--log-format=json" || arg == "json" && i > 0 && args[i-1] == "--log-format" {
			return logJSON
		}
	}
	return logText
}
