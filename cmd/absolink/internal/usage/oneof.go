package usage

import (
	"errors"
	"slices"
	"strings"

	"github.com/spf13/pflag"
)

// oneOf is a flag with a fixed set of values.
type oneOf[T comparable] struct {
	to     *T
	kind   string
	names  []string
	values []T
}

// OneOf returns the value of a flag that sets *to to one of the values. kind is the name of the value in the help, and names are
// the names of the values on the command line, with spaces.
func OneOf[T comparable](to *T, kind, names string, values ...T) pflag.Value {
	return &oneOf[T]{to, kind, strings.Fields(names), values}
}

// Set is part of pflag.Value. It ignores case.
func (c *oneOf[T]) Set(name string) error {
	for i, n := range c.names {
		if strings.EqualFold(n, name) {
			*c.to = c.values[i]
			return nil
		}
	}
	return errors.New("use one of " + strings.Join(c.names, ", "))
}

// Names returns the names of the values, for completion.
func (c *oneOf[T]) Names() []string { return c.names }

// String is part of pflag.Value.
func (c *oneOf[T]) String() string {
	if i := slices.Index(c.values, *c.to); i >= 0 {
		return c.names[i]
	}
	return ""
}

// Type is part of pflag.Value.
func (c *oneOf[T]) Type() string { return c.kind }
