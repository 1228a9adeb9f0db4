package main

import (
	"errors"
	"slices"
	"strings"

	"absolink/extract"
)

// types is a flag that is given for each media type, or for all that begin alike: text/*.
type types []string

// Set is part of pflag.Value.
func (t *types) Set(s string) error {
	if f := extract.FormatOf(s); f != nil {
		s = f.Name
	}
	asked := types{s}
	if !slices.ContainsFunc(extract.Formats(), asked.has) {
		return errNoType()
	}
	*t = append(*t, s)
	return nil
}

// has reports whether a format, which may be nil for none, is of one of the types.
func (t types) has(f *extract.Format) bool {
	return f != nil && slices.ContainsFunc(t, func(asked string) bool {
		all, ok := strings.CutSuffix(asked, "*")
		return asked == f.Name || ok && strings.HasSuffix(all, "/") && len(f.Name) > len(all) && strings.EqualFold(f.Name[:len(all)], all)
	})
}

func (*types) Names() []string { return typeNames() }

// String is part of pflag.Value.
func (t *types) String() string { return strings.Join(*t, ",") }

// Type is part of pflag.Value.
func (t *types) Type() string { return "TYPE" }

func typeNames() (names []string) {
	for _, f := range extract.Formats() {
		names = append(names, f.Name)
	}
	slices.Sort(names)
	return names
}

func errNoType() error {
	return errors.New("no such type can be read; there are " + strings.Join(typeNames(), ", "))
}
