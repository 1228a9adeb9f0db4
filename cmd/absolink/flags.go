// The flags that verbs share, in groups.

package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"absolink/cmd/absolink/internal/console"
	"absolink/cmd/absolink/internal/files"
	"absolink/cmd/absolink/internal/inputs"
	"absolink/cmd/absolink/internal/rows"
	"absolink/cmd/absolink/internal/usage"
	"absolink/cmd/absolink/internal/values"
	"absolink/extract"
	"absolink/resolve"
)

// options are the flags that verbs share. A verb has those that it adds to its flag set.
type options struct {
	documentFlags
	inputFlags
	batchFlags
	rowFlags
	writingFlags
	talkingFlags
	reportingFlags
}

// documentFlags are the flags about the type of a document, its URL, and the limits of reading it.
type documentFlags struct {
	url, urlMap, site string
	mirror            bool
	override          string
	standard          resolve.Standard
	mediaType         string
	noEvidence        bool
	canonical         bool
	unarchive         bool
	extended          bool
	choice            *choice // nil for a verb without flags that choose links
	maxDepth          int
	maxRecord         values.Size
	maxRatio          int
	mbox              extract.Mbox
}

// inputFlags are the flags that select documents.
type inputFlags struct {
	filesFrom      string
	name           string
	null           bool
	globs          []string
	only           inputs.Types
	hidden, follow bool
	shard          inputs.Shard
}

// batchFlags are the flags about workers and resuming.
type batchFlags struct {
	jobs   int
	resume string
}

// rowFlags are the flags about the rows of the output.
type rowFlags struct {
	form      rows.Form
	unknown   string // the extension of --output if no format has it, and --format is not given
	fields    []string
	dataURLs  bool // only the verb links has this flag
	unordered bool
}

// writingFlags are the flags about the output file.
type writingFlags struct {
	output string
	force  bool
}

// talkingFlags are the flags about messages on standard error.
type talkingFlags struct {
	quiet, verbose bool
	logFormat      logFormat
	color          console.When
}

// reportingFlags are the flags about problems, totals and progress.
type reportingFlags struct {
	progress         console.When
	strict, failFast bool
	problems, stats  string
	report           string // links, base and rewrite have this flag
}

// document adds the flags of documentFlags, except those of finding.
func (o *documentFlags) document(f *pflag.FlagSet) {
	f.StringVarP(&o.url, "url", "u", "", "set the `URL` that the document was retrieved from")
	f.StringVar(&o.urlMap, "url-map", "", "read retrieval URLs from `FILE`: lines of PATH, tab and URL, or JSON lines with path and url; without PATHs, read these documents")
	f.StringVar(&o.site, "site", "", "set the `URL` of the folder PATH; a file has this URL plus its path in the folder (see absolink help inputs)")
	f.BoolVar(&o.mirror, "mirror", false, "use folder names, as wget -r makes them (HOST/path), as retrieval URLs")
	f.BoolVar(&o.noEvidence, "no-evidence", false, "ignore how a page was saved: its recorded URL and its local copies")
	f.BoolVar(&o.canonical, "canonical", false, "use link rel=canonical as retrieval URL if no better one is known")
	f.BoolVar(&o.unarchive, "unarchive", false, "replace links to the Wayback Machine by links to the original pages")
	f.StringVar(&o.override, "override-base", "", "use `URL` as base URL, whatever the documents declare")
	o.standards(f)
	f.VarP(&mediaType{&o.mediaType}, "type", "t", "set the type of the input: html, mail, \"text/html; charset=koi8-r\", ... (see absolink help formats)")
	f.IntVar(&o.maxDepth, "max-depth", 64, "read embedded documents up to `N` levels deep")
	o.maxRecord = 256 << 20
	f.Var(&o.maxRecord, "max-record", "skip records longer than SIZE, such as 256M or 10MB; also limits the length of all URLs of a record")
	f.IntVar(&o.maxRatio, "max-ratio", 200, "stop decompressing at `N` times the compressed size, if that is more than 16 MiB")
	f.Var(values.NewOneOf(&o.mbox, 0, "VARIANT", []values.Named[extract.Mbox]{
		{Name: "mboxo", Value: extract.MboxO}, {Name: "mboxrd", Value: extract.MboxRD}, {Name: "mboxcl", Value: extract.MboxCL}, {Name: "mboxcl2", Value: extract.MboxCL2},
	}), "mbox", "set the variant of an mbox: mboxo, mboxrd, mboxcl or mboxcl2 (default: detected)")
}

// inputs adds the flags that select documents.
func (o *inputFlags) inputs(f *pflag.FlagSet) {
	f.StringVar(&o.filesFrom, "files-from", "", "read more PATHs from `FILE`, one a line (-: from standard input)")
	f.BoolVarP(&o.null, "null", "0", false, "read --files-from with a NUL, not a newline, after each PATH")
	f.StringVar(&o.name, "name", "", "call the document on standard input `NAME`; its extension can set the type")
	f.StringArrayVarP(&o.globs, "glob", "g", nil, "read only files of a folder whose name or path matches `PATTERN`; !PATTERN excludes files (see absolink help inputs)")
	f.VarP(&o.only, "only", "T", "read only documents of this media type (html, text/html, text/*, ...), also those inside archives and messages")
	f.BoolVar(&o.hidden, "hidden", false, "read hidden files and folders, too")
	f.BoolVarP(&o.follow, "follow", "L", false, "follow symbolic links in folders")
	f.Var(&o.shard, "shard", "read only part I of N of the documents")
	f.Var(values.NewOneOf(&o.shard.ByLine, false, "hash|line", []values.Named[bool]{{Name: "hash", Value: false}, {Name: "line", Value: true}}), "shard-by",
		"divide documents among shards by a hash of the name, or by the line in the list of PATHs")
}

// batch adds the flags about workers and resuming.
func (o *batchFlags) batch(f *pflag.FlagSet) {
	f.IntVarP(&o.jobs, "jobs", "j", 0, "use `N` workers (0: one per core)")
	f.StringVar(&o.resume, "resume", "", "record finished documents in `FILE`; to resume, run the same command again with the same FILE")
}

// standards adds --standard.
func (o *documentFlags) standards(f *pflag.FlagSet) {
	f.VarP(values.NewOneOf(&o.standard, resolve.RFC1808, "STANDARD", []values.Named[resolve.Standard]{
		{Name: "rfc1808", Value: resolve.RFC1808}, {Name: "rfc3986", Value: resolve.RFC3986}, {Name: "whatwg", Value: resolve.WHATWG},
	}), "standard", "s", "resolve by this standard: rfc1808, rfc3986 or whatwg (see absolink help standards)")
}

// finding adds the flags that select links.
func (o *documentFlags) finding(f *pflag.FlagSet) {
	f.BoolVar(&o.extended, "extended", false, "find also links that only scripts and crawlers use: og:image, data-src, ...")
	o.choice = newChoice()
	f.Var(&o.choice.places, "place", "select only links at these places; * matches any characters: img@*")
	f.Var(&o.choice.schemes, "scheme", "select only links whose URL has one of these schemes: http,https")
	f.Var(&o.choice.rungs, "rung", "select only links whose base URL is from these rungs: override, embedded, encapsulating, retrieval, default")
	f.Var(&o.choice.include, "include", "select only links whose absolute URL matches this regular expression (repeatable: one must match)")
	f.Var(&o.choice.exclude, "exclude", "skip links whose absolute URL matches this regular expression (repeatable)")
}

// rows adds the flags about the rows of the output.
func (o *rowFlags) rows(f *pflag.FlagSet) {
	f.VarP(values.NewOneOf(&o.form, rows.Text, "FORMAT", forms), "format", "f", "print rows as text, jsonl, json, csv, tsv or parquet")
	f.BoolVar(&o.unordered, "unordered", false, "print rows as soon as they are ready, in any order (not with --resume)")
	f.StringSliceVar(&o.fields, "fields", nil, "print only `FIELD,...`, in this order")
}

// writing adds the flags about the output file. usage is the help of --output.
func (o *writingFlags) writing(f *pflag.FlagSet, usage string) {
	f.StringVarP(&o.output, "output", "o", "", usage)
	f.BoolVar(&o.force, "force", false, "overwrite existing files")
}

// talking adds the flags about messages on standard error.
func (o *talkingFlags) talking(f *pflag.FlagSet) {
	f.BoolVarP(&o.quiet, "quiet", "q", false, "do not print problems")
	f.BoolVarP(&o.verbose, "verbose", "v", false, "print every problem, and each file that is skipped")
	f.Var(values.NewOneOf(&o.logFormat, logText, "text|json", []values.Named[logFormat]{{Name: "text", Value: logText}, {Name: "json", Value: logJSON}}),
		"log-format", "write messages as text, or as JSON lines with json")
	f.Var(values.NewOneOf(&o.color, console.Auto, "WHEN", whens), "color", "use colors: auto (on a terminal, unless NO_COLOR is set), always or never")
}

// reporting adds the flags about problems, totals and progress, and those of talking.
func (o *options) reporting(f *pflag.FlagSet) {
	o.talking(f)
	f.Var(values.NewOneOf(&o.progress, console.Auto, "WHEN", whens), "progress", "show a progress line: auto (on a terminal, unless the rows go to a terminal or a pipe), always or never")
	f.BoolVar(&o.strict, "strict", false, "exit with status 1 if there was a warning")
	f.BoolVar(&o.failFast, "fail-fast", false, "stop at the first document that fails (uses one worker)")
	f.StringVar(&o.problems, "problems", "", "write all problems to `FILE` as JSON lines")
	f.StringVar(&o.stats, "stats", "", "write the totals of the run to `FILE` as JSON")
}

// pages adds --report.
func (o *reportingFlags) pages(f *pflag.FlagSet) {
	f.StringVar(&o.report, "report", "", "write a report for a browser to `FILE.html`: charts, problems, documents")
}

// exclusive returns an error if more than one of the flags is set.
func exclusive(cmd *cobra.Command, names ...string) error {
	first := ""
	for _, name := range names {
		f := cmd.Flags().Lookup(name)
		if f == nil || !f.Changed || f.Value.Type() == "bool" && f.Value.String() == "false" {
			continue
		}
		if first != "" {
			return fmt.Errorf("--%s and --%s cannot be combined; use only one of them", first, name)
		}
		first = name
	}
	return nil
}

// notEmpty returns an error for a flag with an empty value. Most often it is the value of a shell variable that is not set.
// Only the flag --base of resolve may be empty: then there is no base URL.
func notEmpty(cmd *cobra.Command) (err error) {
	cmd.Flags().Visit(func(f *pflag.Flag) {
		switch f.Value.Type() {
		case "string", "stringSlice":
			if v := f.Value.String(); (v == "" || v == "[]") && f.Name != "base" {
				err = fmt.Errorf("--%s is empty; use a value, or leave it out", f.Name)
			}
		}
	})
	return err
}

// forms and whens are the values of --format, and of --color and --progress.
var (
	forms = []values.Named[rows.Form]{{Name: "text", Value: rows.Text}, {Name: "jsonl", Value: rows.JSONL}, {Name: "json", Value: rows.JSON}, {Name: "csv", Value: rows.CSV}, {Name: "tsv", Value: rows.TSV}, {Name: "parquet", Value: rows.Parquet}}
	whens = []values.Named[console.When]{{Name: "auto", Value: console.Auto}, {Name: "always", Value: console.Always}, {Name: "never", Value: console.Never}}
)

// formByExtension has the --format of an output file by its extension.
var formByExtension = map[string]rows.Form{
	".txt": rows.Text, ".jsonl": rows.JSONL, ".json": rows.JSON, ".csv": rows.CSV, ".tsv": rows.TSV, ".parquet": rows.Parquet,
}

// otherExtensions are the extensions of files that are no rows of text. A file with such an extension and rows of text in it
// would be a wrong result.
const otherExtensions = " .xlsx .xls .ods .html .htm .xhtml .xml .yaml .yml .zip .7z .tar .tgz .gz .zst .bz2 .xz .sqlite .sqlite3 .db .avro .orc .feather .arrow .pdf "

// setFormByName sets the format by the extension of the output file, unless --format is given. works has the extensions for
// the message about an extension of another format.
func (o *rowFlags) setFormByName(output string, given bool, works string) error {
	ext := strings.ToLower(filepath.Ext(output))
	form, ok := formByExtension[ext]
	switch {
	case given, ext == "":
		return nil
	case ok:
		o.form = form
		return nil
	case !strings.Contains(otherExtensions, " "+ext+" "):
		o.unknown = ext
		return nil
	}
	inner := strings.TrimSuffix(output, filepath.Ext(output))
	if _, ok := formByExtension[strings.ToLower(filepath.Ext(inner))]; ok {
		return fmt.Errorf("-o %s: absolink does not compress its output; use -o %s and compress the file afterwards", output, inner)
	}
	return fmt.Errorf("-o %s: absolink does not write %s files of rows; use one of %s, or choose the format with -f", output, ext, works)
}

// rowExtensions are the extensions that set the format of rows, for messages.
const rowExtensions = ".txt, .jsonl, .json, .csv, .tsv, .parquet"

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
		if i.on && i.suffix == "" && usage.IsShortWord(path) && !files.Exists(path) {
			return fmt.Errorf("%s: no such file or folder; if this is the suffix of the old files, write -i.%s", path, path)
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
