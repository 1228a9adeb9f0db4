package values

import (
	"errors"
	"strings"
)

// Named is a value of a flag with its name on the command line.
type Named[T comparable] struct {
	Name  string
	Value T
}

// OneOf is a flag with a fixed set of values.
type OneOf[T comparable] struct {
	to   *T
	kind string
	all  []Named[T]
}

// NewOneOf returns a flag that sets *to to one of the values in all. It sets *to to first, the default. kind is the name of the
// value in the help.
func NewOneOf[T comparable](to *T, first T, kind string, all []Named[T]) *OneOf[T] {
	*to = first
	return &OneOf[T]{to, kind, all}
}

// Set is part of pflag.Value. It ignores case.
func (c *OneOf[T]) Set(name string) error {
	for _, n := range c.all {
		if strings.EqualFold(n.Name, name) {
			*c.to = n.Value
			return nil
		}
	}
	return errors.New("use one of " + strings.Join(c.Names(), ", "))
}

// Names returns the names of the values, for completion.
func (c *OneOf[T]) Names() (names []string) {
	for _, n := range c.all {
		names = append(names, n.Name)
	}
	return names
}

// String is part of pflag.Value.
func (c *OneOf[T]) String() string {
	for _, n := range c.all {
		if c.to != nil && n.Value == *c.to {
			return n.Name
		}
	}
	return ""
}

// Type is part of pflag.Value.
func (c *OneOf[T]) Type() string { return c.kind }
