package usage

import "github.com/spf13/pflag"

// List is the value of a flag that is a list with commas.
type List struct{ To *[]string }

// heading is the annotation of a flag that has its heading in the help.
const heading = "heading"

// AddFlag adds a flag below a heading of the help. The value is a pointer to a variable that has the default, a List, or a pflag.Value. A flag whose type is
// bool needs no value. help has the name of the value in backquotes, unless the value knows it.
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
