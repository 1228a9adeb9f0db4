// Media types as the values of flags.

package inputs

import (
	"errors"
	"slices"
	"strings"

	"absolink/extract"
)

// Types is a flag that is given for each media type, or for all that begin alike: text/*.
type Types []string

// Set is part of pflag.Value.
func (t *Types) Set(s string) error {
	if f := extract.FormatOf(s); f != nil {
		s = f.Name
	}
	asked := Types{s}
	if !slices.ContainsFunc(extract.Formats(), asked.has) {
		return NoSuchType()
	}
	*t = append(*t, s)
	return nil
}

// has reports whether a format, which may be nil for none, is of one of the types.
func (t Types) has(f *extract.Format) bool {
	return f != nil && slices.ContainsFunc(t, func(asked string) bool {
		all, ok := strings.CutSuffix(asked, "*")
		return asked == f.Name || ok && strings.HasSuffix(all, "/") && len(f.Name) > len(all) && strings.EqualFold(f.Name[:len(all)], all)
	})
}

func (*Types) Names() []string { return TypeNames() }

// String is part of pflag.Value.
func (t *Types) String() string { return strings.Join(*t, ",") }

// Type is part of pflag.Value.
func (t *Types) Type() string { return "TYPE" }

// TypeNames returns the media types that absolink reads, sorted.
func TypeNames() (names []string) {
	for _, f := range extract.Formats() {
		names = append(names, f.Name)
	}
	slices.Sort(names)
	return names
}

func NoSuchType() error {
	return errors.New("no such type can be read; there are " + strings.Join(TypeNames(), ", "))
}
