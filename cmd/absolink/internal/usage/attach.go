package usage

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// Attach returns the arguments of a run with -i.bak changed to -i=.bak. Other flags may be before the i, as in -qi.bak. The
// suffix must begin with a dot, so -in is still -i -n. The values of other flags stay unchanged.
func Attach(root *cobra.Command, args []string) []string {
	cmd, _, err := root.Find(args)
	if err != nil || cmd.Flags().Lookup("in-place") == nil {
		return args
	}
	args = slices.Clone(args)
	for i := 0; i < len(args) && args[i] != "--"; i++ {
		var valueFollows bool
		if args[i], valueFollows = attach(cmd.Flags(), args[i]); valueFollows {
			i++
		}
	}
	return args
}

// attach is Attach for one argument. It reports whether the next argument is the value of a flag.
func attach(f *pflag.FlagSet, arg string) (attached string, valueFollows bool) {
	if name, ok := strings.CutPrefix(arg, "--"); ok {
		flag := f.Lookup(name)
		return arg, flag != nil && flag.NoOptDefVal == ""
	}
	if len(arg) < 2 || arg[0] != '-' {
		return arg, false
	}
	for i := 1; i < len(arg); i++ {
		flag := f.ShorthandLookup(arg[i : i+1])
		switch {
		case flag == nil:
			return arg, false
		case flag.NoOptDefVal == "":
			return arg, i == len(arg)-1
		case flag.Name == "in-place" && strings.HasPrefix(arg[i+1:], "."):
			return arg[:i+1] + "=" + arg[i+1:], false
		}
	}
	return arg, false
}
