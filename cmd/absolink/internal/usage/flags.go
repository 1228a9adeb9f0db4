// The flags, and their values.

package usage

import (
	"errors"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// List is the value of a flag that takes a comma-separated list.
type List struct{ To *[]string }

// heading is the annotation that holds a flag's heading in the help.
const heading = "heading"

// AddFlag adds a flag below a heading of the help. The value is a pointer to a variable that holds the default, a List,
// or a pflag.Value. A flag of type bool can stand alone on the command line. help names the value in backquotes, unless
// the value does.
func AddFlag(f *pflag.FlagSet, below string, value any, name, short, help string) {
	switch v := value.(type) {
	case *bool:
		f.BoolVarP(v, name, short, *v, help)
	case *int:
		f.IntVarP(v, name, short, *v, help)
	case *string:
		f.StringVarP(v, name, short, *v, help)
	case *[]string:
		f.StringArrayVarP(v, name, short, nil, help)
	case List:
		f.StringSliceVarP(v.To, name, short, nil, help)
	case pflag.Value:
		if flag := f.VarPF(v, name, short, help); v.Type() == "bool" {
			flag.NoOptDefVal = "true"
		}
	}
	f.Lookup(name).Annotations = map[string][]string{heading: {below}}
}

type oneOf[T comparable] struct {
	to     *T
	kind   string
	names  []string
	values []T
}

// OneOf returns the value of a flag that sets *to to one of the values. kind names the value in the help; names are
// what the user types for each value, separated by spaces.
func OneOf[T comparable](to *T, kind, names string, values ...T) pflag.Value {
	return &oneOf[T]{to, kind, strings.Fields(names), values}
}

// Once is the value of a flag for one URL. Two different URLs contradict each other.
type Once struct{ To *string }

func (o Once) Set(s string) error {
	if *o.To != "" && *o.To != s {
		return fmt.Errorf("the flag already has another value, %s; use only one of them", *o.To)
	}
	*o.To = s
	return nil
}

func (o Once) String() string { return *o.To }

func (Once) Type() string { return "string" }

// Optional is a flag that may stand without its value, which then is "true".
type Optional struct{ pflag.Value }

func (Optional) Type() string { return "bool" }

// Set ignores case.
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

func (c *oneOf[T]) String() string {
	if i := slices.Index(c.values, *c.to); i >= 0 {
		return c.names[i]
	}
	return ""
}

func (c *oneOf[T]) Type() string { return c.kind }

// Size is the value of a flag that takes a number of bytes, written as in the GNU coreutils: 10M and 10MiB are 10 x
// 2^20 bytes, 10MB is 10^7 bytes.
type Size int

// units are the letters of the units, after " " for bytes. Each unit is 1024 or 1000 times the unit before it.
const units = " KMGT"

func (n *Size) Set(s string) error {
	parts := regexp.MustCompile(`^([0-9]+)(?:([KMGTkmgt])(iB|B)?)?$`).FindStringSubmatch(s)
	if parts == nil {
		return errSize
	}
	factor, times := int64(1), int64(1024)
	if parts[3] == "B" {
		times = 1000
	}
	for range strings.Index(units, strings.ToUpper(parts[2])) {
		factor *= times
	}
	v, err := strconv.ParseInt(parts[1], 10, 64)
	if err != nil || v < 1 || v > math.MaxInt/factor {
		return errSize
	}
	*n = Size(v * factor)
	return nil
}

var errSize = errors.New("this is not a size; use a number of bytes, or a number with a unit such as 256M or 10MB")

func (n *Size) String() string {
	v := int64(*n)
	for i := len(units) - 1; i > 0; i-- {
		if unit := int64(1) << (10 * i); v > 0 && v%unit == 0 {
			return strconv.FormatInt(v/unit, 10) + units[i:i+1]
		}
	}
	return strconv.FormatInt(v, 10)
}

func (n *Size) Type() string { return "SIZE" }

// Attach returns the arguments of a run with -i.bak changed to -i=.bak, because pflag would read the suffix as more
// flags. Other flags may stand before the i, as in -qi.bak. Only a suffix with a dot is taken, so that -in is still -i
// -n.
func Attach(root *cobra.Command, args []string) []string {
	cmd, _, err := root.Find(args)
	if err != nil || cmd.Flags().Lookup("in-place") == nil {
		return args
	}
	needsValue := func(short rune) bool {
		if short >= utf8.RuneSelf {
			return true // the lookup would panic
		}
		f := cmd.Flags().ShorthandLookup(string(short))
		return f == nil || f.NoOptDefVal == ""
	}
	args = slices.Clone(args)
	for i, arg := range args {
		if arg == "--" {
			break
		}
		before, suffix, ok := strings.Cut(arg, "i.")
		if shorts, is := strings.CutPrefix(before, "-"); ok && is && !strings.ContainsFunc(shorts, needsValue) {
			args[i] = before + "i=." + suffix
		}
	}
	return args
}
