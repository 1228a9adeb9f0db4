// The values of flags that are not plain strings or numbers.

package main

import (
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/spf13/pflag"

	"absolink/cmd/absolink/internal/console"
	"absolink/cmd/absolink/internal/files"
	"absolink/cmd/absolink/internal/inputs"
	"absolink/cmd/absolink/internal/rows"
	"absolink/cmd/absolink/internal/usage"
	"absolink/extract"
)

// forms and whens are the values of --format, and of --color and --progress.
var (
	forms = []named[rows.Form]{{"text", rows.Text}, {"jsonl", rows.JSONL}, {"json", rows.JSON}, {"csv", rows.CSV}, {"tsv", rows.TSV}, {"parquet", rows.Parquet}}
	whens = []named[console.When]{{"auto", console.Auto}, {"always", console.Always}, {"never", console.Never}}
)

// formByExtension has the --format of an output file by its extension.
var formByExtension = map[string]rows.Form{
	".txt": rows.Text, ".jsonl": rows.JSONL, ".json": rows.JSON, ".csv": rows.CSV, ".tsv": rows.TSV, ".parquet": rows.Parquet,
}

// setFormByName sets the format by the extension of the output file, unless --format is given. It refuses a name of a
// compressed file of rows, because absolink does not compress its output.
func (o *rowFlags) setFormByName(output string, given bool) error {
	if given {
		return nil
	}
	ext := strings.ToLower(filepath.Ext(output))
	if form, ok := formByExtension[ext]; ok {
		o.form = form
		return nil
	}
	switch ext {
	case ".gz", ".zst", ".bz2", ".xz":
		inner := strings.TrimSuffix(output, filepath.Ext(output))
		if _, ok := formByExtension[strings.ToLower(filepath.Ext(inner))]; ok {
			return fmt.Errorf("-o %s: absolink does not compress its output; use -o %s and compress the file afterwards", output, inner)
		}
	}
	return nil
}

// named is a value of a flag with its name on the command line.
type named[T comparable] struct {
	name  string
	value T
}

// oneOf is a flag with a fixed set of values.
type oneOf[T comparable] struct {
	to   *T
	kind string
	all  []named[T]
}

func newOneOf[T comparable](to *T, first T, kind string, all []named[T]) *oneOf[T] {
	*to = first
	return &oneOf[T]{to, kind, all}
}

// Set is part of pflag.Value. It ignores case.
func (c *oneOf[T]) Set(name string) error {
	for _, n := range c.all {
		if strings.EqualFold(n.name, name) {
			*c.to = n.value
			return nil
		}
	}
	return errors.New("use one of " + strings.Join(c.Names(), ", "))
}

func (c *oneOf[T]) Names() (names []string) {
	for _, n := range c.all {
		names = append(names, n.name)
	}
	return names
}

// String is part of pflag.Value.
func (c *oneOf[T]) String() string {
	for _, n := range c.all {
		if c.to != nil && n.value == *c.to {
			return n.name
		}
	}
	return ""
}

// Type is part of pflag.Value.
func (c *oneOf[T]) Type() string { return c.kind }

// mediaType is the value of a flag: a media type or a short name.
type mediaType struct{ to *string }

// Set is part of pflag.Value.
func (m *mediaType) Set(s string) error {
	s = inputs.LongType(s)
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

// size is a number of bytes as the value of a flag. It is written as in the GNU coreutils: 10M and 10MiB are 10 x 2^20
// bytes, 10MB is 10^7 bytes.
type size int

// units are the letters of the units. Each unit is 1024 or 1000 times the unit before it.
const units = "KMGT"

// Set is part of pflag.Value.
func (n *size) Set(s string) error {
	digits := strings.TrimRight(s, "KMGTkmgtiB")
	factor, ok := unit(s[len(digits):])
	v, err := strconv.ParseInt(digits, 10, 64)
	if err != nil || !ok || v < 1 || v > math.MaxInt/factor {
		return errors.New("this is not a size; use a number of bytes, or a number with a unit such as 256M or 10MB")
	}
	*n = size(v * factor)
	return nil
}

// unit returns the number of bytes of a unit, and reports whether the unit exists. "" is one byte.
func unit(name string) (bytes int64, ok bool) {
	if name == "" {
		return 1, true
	}
	n := strings.IndexByte(units, name[0]&^0x20)
	factor := int64(1024)
	switch name[1:] {
	case "", "iB":
	case "B":
		factor = 1000
	default:
		return 0, false
	}
	bytes = 1
	for range n + 1 {
		bytes *= factor
	}
	return bytes, n >= 0
}

// String is part of pflag.Value.
func (n *size) String() string {
	v := int64(*n)
	for i := len(units) - 1; i >= 0; i-- {
		if unit := int64(1) << (10 * (i + 1)); v > 0 && v%unit == 0 {
			return strconv.FormatInt(v/unit, 10) + units[i:i+1]
		}
	}
	return strconv.FormatInt(v, 10)
}

// Type is part of pflag.Value.
func (n *size) Type() string { return "SIZE" }

// inPlace is the flag -i[=SUFFIX]. usage.Attach has changed -i.bak to -i=.bak before the flags are parsed.
type inPlace struct {
	on     bool
	suffix string // of the file that keeps the old version; "" keeps none
}

func (i *inPlace) add(f *pflag.FlagSet) {
	f.VarP(i, "in-place", "i", "rewrite the files themselves; `SUFFIX`, such as .bak, keeps each old file")
	f.Lookup("in-place").NoOptDefVal = "true"
}

// Set is part of pflag.Value.
func (i *inPlace) Set(s string) error {
	switch s {
	case "true": // no "="
		s = ""
	case "", ".", "false": // an unset shell variable must not start a run without backups
		return errors.New("use a suffix such as .bak, or leave the flag out")
	}
	for c := range len(s) {
		if os.IsPathSeparator(s[c]) {
			return errors.New("the suffix is a part of a file name; leave out the slash")
		}
	}
	i.on, i.suffix = true, s
	return nil
}

// check returns an error for a PATH that is probably the suffix of -i. The run would rewrite the other files without backups.
func (i *inPlace) check(args []string) error {
	for _, path := range args {
		if i.on && i.suffix == "" && path != files.Std && usage.LooksLikeSuffix(path) && !files.Exists(path) {
			return fmt.Errorf("%s: no such file or folder; to keep each old file, write the suffix without a space: -i=%s", path, path)
		}
	}
	return nil
}

// String is part of pflag.Value.
func (i *inPlace) String() string { return i.suffix }

// Type is part of pflag.Value. It is the type of flags that need no value.
func (i *inPlace) Type() string { return "bool" }

// logFormat is the format of messages.
type logFormat uint8

const (
	logText logFormat = iota
	logJSON
)

// logFormatIn returns the --log-format in the arguments, before the flags are parsed.
func logFormatIn(args []string) logFormat {
	for i, arg := range args {
		if arg == "--log-format=json" || arg == "json" && i > 0 && args[i-1] == "--log-format" {
			return logJSON
		}
	}
	return logText
}
