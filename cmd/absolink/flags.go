// The flags: their names, values and help, the verbs that have them, and which of them do not go together.

package main

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"absolink/cmd/absolink/internal/console"
	"absolink/cmd/absolink/internal/files"
	"absolink/cmd/absolink/internal/inputs"
	"absolink/cmd/absolink/internal/mapping"
	"absolink/cmd/absolink/internal/rows"
	"absolink/cmd/absolink/internal/usage"
	"absolink/extract"
	"absolink/resolve"
)

// options are the values of the flags of a verb. A flag that the verb does not have keeps its default.
type options struct {
	version bool

	// input
	mediaType      inputs.Type
	filesFrom      string
	null           bool
	name           string
	globs          []string
	only           inputs.Types
	hidden, follow bool
	shard          inputs.Shard
	mbox           extract.Mbox

	// base URL
	base                  string // of resolve
	baseURLs              extract.BaseURLs
	url, urlMap, site     string
	mirror                string // the scheme, or "" without --mirror
	override              string
	standard              resolve.Standard
	canonical, noEvidence bool

	// links
	extended, unarchive       bool
	keepFragments             bool
	breakSignatures, keepDKIM bool
	rules                     mapping.Rules
	files                     list[string]
	relative, local           bool
	choice                    *choice

	// output
	output  string
	force   bool
	form    rows.Form
	unknown string // the extension of --output if no format has it, and --format is not given
	fields  []string
	compact bool
	inPlace inPlace
	dryRun  bool
	diff    bool
	edits   string
	verify  bool
	resume  string

	// limits
	jobs, maxRatio int
	maxRecord      usage.Size
	failFast       bool

	// messages
	quiet, verbose, strict  bool
	problems, stats, report string
	color                   console.When
}

func newOptions() *options {
	return &options{choice: newChoice(), maxRecord: 256 << 20, maxRatio: 200,
		files: list[string]{kind: "FILE", parse: parseMapFile}}
}

// flagDef is a flag of some verbs. Flags of different verbs may share a name.
type flagDef struct {
	verbs       string // with spaces
	name, short string
	value       any    // as for usage.AddFlag
	help        string // with the name of the value in backquotes, unless the value knows it
}

type flagGroup struct {
	heading string
	flags   []flagDef
}

// Verbs that have flags in common.
const (
	reading   = "base links rewrite explain"        // a list of PATHs
	documents = "base links rewrite explain verify" // in these formats
	choosing  = "links rewrite verify"              // some of the links
	changing  = "rewrite verify"
	talking   = "resolve base links rewrite explain verify" // on standard error
)

// flags returns the flags of all verbs, in the order of the help. Their values are in o.
func (o *options) flags() []flagGroup {
	return []flagGroup{
		{"Input", []flagDef{
			{documents, "type", "t", &o.mediaType, "set the type of the input: html, mail, \"text/html; " +
				"charset=koi8-r\", ... (see absolink help formats)"},
			{reading, "files-from", "", &o.filesFrom,
				"read more PATHs from `FILE`, one a line (-: from standard input)"},
			{reading, "null", "0", &o.null, "read --files-from with a NUL, not a newline, after each PATH"},
			{reading, "name", "", &o.name,
				"call the document on standard input `NAME`; its extension can set the type"},
			{documents, "glob", "g", &o.globs, "read only files of a folder whose name or path matches `PATTERN`; " +
				"!PATTERN excludes files (see absolink help inputs)"},
			{documents, "only", "T", &o.only, "read only documents of these media types (html, text/html, text/*, " +
				"...), also those inside archives and messages"},
			{documents, "hidden", "", &o.hidden, "read hidden files and folders, too"},
			{documents, "follow", "L", &o.follow, "follow symbolic links in folders"},
			{reading, "shard", "", &o.shard, "read only part I of N of the documents"},
			{reading, "shard-by", "", usage.OneOf(&o.shard.ByLine, "hash|line", "hash line", false, true),
				"divide documents among shards by a hash of the name, or by the line in the list of PATHs"},
			{documents, "mbox", "", usage.OneOf(&o.mbox, "VARIANT", "mboxo mboxrd mboxcl mboxcl2", extract.MboxO,
				extract.MboxRD, extract.MboxCL, extract.MboxCL2),
				"set the variant of an mbox: mboxo, mboxrd, mboxcl or mboxcl2 (default: detected)"},
		}},
		{"Base URL", []flagDef{
			{"resolve", "base", "b", usage.Once{To: &o.base}, "resolve against the base `URL` ('' for none)"},
			{changing, "base", "", usage.OneOf(&o.baseURLs, "keep|empty|remove", "keep empty remove", extract.BaseKeep,
				extract.BaseEmpty, extract.BaseRemove),
				"make the URLs of BASE elements absolute (keep), or empty their href, or remove the elements"},
			{documents, "url", "u", usage.Once{To: &o.url}, "set the `URL` that the document was retrieved from"},
			{documents, "url-map", "", &o.urlMap, "read retrieval URLs from `FILE`: lines of PATH, tab and URL, or " +
				"JSON lines with path and url; without PATHs, read these documents"},
			{documents, "site", "", usage.Once{To: &o.site}, "set the `URL` of the folder PATH; a file has this URL " +
				"plus its path in the folder (see absolink help inputs)"},
			{documents, "mirror", "",
				usage.Optional{Value: usage.OneOf(&o.mirror, "", "http https true false", "http", "https", "http", "")},
				"use folder names, as wget -r makes them (HOST/path), as retrieval URLs, with the `SCHEME` http " +
					"(default) or https"},
			{documents, "override-base", "", usage.Once{To: &o.override},
				"use `URL` as base URL, whatever the documents declare"},
			{"resolve " + documents, "standard", "s",
				usage.OneOf(&o.standard, "STANDARD", "rfc1808 rfc3986 whatwg", resolve.RFC1808, resolve.RFC3986,
					resolve.WHATWG),
				"resolve by this standard: rfc1808, rfc3986 or whatwg (see absolink help standards)"},
			{documents, "canonical", "", &o.canonical,
				"use link rel=canonical as retrieval URL if no better one is known"},
			{documents, "no-evidence", "", &o.noEvidence,
				"ignore how a page was saved: its recorded URL and its local copies"},
		}},
		{"Links", []flagDef{
			{choosing, "extended", "", &o.extended, "find also links that only scripts, crawlers and Outlook use: " +
				"og:image, data-src, conditional comments, ..."},
			{choosing, "add-place", "", &o.choice.added, "find also links at these places of HTML and XML, which no " +
				"table of absolink has: model-viewer@src,acme:image_url"},
			{documents, "unarchive", "", &o.unarchive,
				"replace links to the Wayback Machine, or to a pywb, by links to the original pages"},
			{changing, "fragments", "", usage.OneOf(&o.keepFragments, "absolute|keep", "absolute keep", false, true),
				"make links that are only a fragment (#top) absolute, or keep them unchanged, as --local does by " +
					"default"},
			{changing, "break-signatures", "", &o.breakSignatures,
				"rewrite links also in signed parts, and in the web archives of a WACZ"},
			{changing, "keep-dkim", "", &o.keepDKIM, "keep messages with a DKIM signature or an ARC seal unchanged"},
			{changing, "map", "", &o.rules, "replace OLD by NEW at the start of URLs (repeatable; the longest OLD " +
				"wins); with --site or --url, all relative links become absolute, too"},
			{changing, "map-file", "", &o.files, "read rules from FILE: lines of OLD, tab and NEW, or JSON lines " +
				"with old and new"},
			{changing, "relative", "", &o.relative, "write URLs of the page's own scheme and host as relative " +
				"references, for the root of a host (--local: for any path)"},
			{changing, "local", "", &o.local, "write links to files below PATH, or in the same archive, as relative " +
				"references to them, and all others as absolute URLs"},
			{choosing, "scheme", "", &o.choice.schemes,
				"select only links whose URL has one of these schemes: http,https"},
			{choosing, "place", "", &o.choice.places,
				"select only links at these places; * matches any characters: img@*"},
			{"links", "status", "", &o.choice.statuses,
				"select only links with one of these results: absolute, resolved, unresolved"},
			{choosing, "include", "", &o.choice.include,
				"select only links whose absolute URL matches this regular expression (repeatable: one must match)"},
			{choosing, "exclude", "", &o.choice.exclude,
				"skip links whose absolute URL matches this regular expression (repeatable)"},
		}},
		{"Output", []flagDef{
			{"resolve", "output", "o", &o.output, "write to `FILE`, not to standard output"},
			{"base links", "output", "o", &o.output,
				"write to `FILE`, in the format of its extension (.jsonl, .csv, ...)"},
			{"explain", "output", "o", &o.output, "write to `FILE`, in the format of its extension (.txt, .jsonl, " +
				".json, .html)"},
			{"rewrite", "output", "o", &o.output, "write to `PATH`: a file, or a folder for several documents"},
			{"man", "output", "o", &o.output, "write a file for each page to `FOLDER`"},
			{"resolve man " + reading, "force", "", &o.force, "overwrite existing files"},
			{"base links", "format", "f", usage.OneOf(&o.form, "FORMAT", "text jsonl json csv tsv parquet", rows.Text,
				rows.JSONL, rows.JSON, rows.CSV, rows.TSV, rows.Parquet),
				"print rows as text, jsonl, json, csv, tsv or parquet"},
			{"explain", "format", "f", usage.OneOf(&o.form, "FORMAT", "text jsonl json html", rows.Text, rows.JSONL,
				rows.JSON, rows.HTML),
				"print text, jsonl (one object for each document), json (one array of these objects) or html (a " +
					"page about one document)"},
			{"base links", "fields", "", usage.List{To: &o.fields}, "print only `FIELD,...`, in this order"},
			{"explain", "compact", "c", &o.compact, "print one line for each layer"},
			{"rewrite", "in-place", "i", &o.inPlace,
				"rewrite the files themselves; `SUFFIX`, such as .bak, keeps each old file"},
			{"rewrite", "dry-run", "n", &o.dryRun, "print the files that would change, with the number of links, " +
				"and change nothing"},
			{"rewrite", "diff", "", &o.diff, "print the changes as a unified diff, and change nothing, with " +
				"--dry-run or without"},
			{"rewrite", "edits", "", &o.edits, "write each change to `FILE` as a JSON line: the bytes, the " +
				"references and the URLs"},
			{"rewrite", "verify", "", &o.verify, "rewrite a document only if other parsers prove that only links " +
				"changed (see absolink help verify)"},
			{"base links rewrite", "resume", "", &o.resume,
				"record finished documents in `FILE`; to resume, run the same command again with the same FILE"},
		}},
		{"Limits", []flagDef{
			{"base links rewrite verify", "jobs", "j", &o.jobs, "use `N` workers (0: one per core)"},
			{documents, "max-record", "", &o.maxRecord,
				"skip records longer than SIZE, such as 256M or 10MB; also limits the length of all URLs of a record"},
			{"service", "max-record", "", &o.maxRecord, "stop at a request that is longer than SIZE, such as 256M"},
			{documents, "max-ratio", "", &o.maxRatio,
				"stop decompressing at `N` times the compressed size, if that is more than 16 MiB"},
			{documents, "fail-fast", "", &o.failFast, "stop at the first document that fails (uses one worker)"},
		}},
		{"Messages", []flagDef{
			{"resolve", "quiet", "q", &o.quiet, "do not print messages about references that cannot be resolved"},
			{documents, "quiet", "q", &o.quiet, "do not print problems"},
			{"resolve", "verbose", "v", &o.verbose, "print a message for every reference that cannot be resolved, " +
				"not only the first ones"},
			{documents, "verbose", "v", &o.verbose, "print every problem, and each file that is skipped"},
			{documents, "strict", "", &o.strict, "exit with status 1 if there was a warning"},
			{documents, "problems", "", &o.problems, "write all problems to `FILE` as JSON lines"},
			{documents, "stats", "", &o.stats, "write the totals of the run to `FILE` as JSON"},
			{"base links rewrite", "report", "", &o.report,
				"write a report for a browser to `FILE.html`: charts, problems, documents"},
			{talking, "color", "", usage.OneOf(&o.color, "WHEN", "auto always never", console.Auto, console.Always,
				console.Never),
				"use colors: auto (on a terminal, unless NO_COLOR is set), always or never"},
			{"", "help", "", nil, ""}, // of every command; usage adds it
			{"absolink", "version", "V", &o.version, "print the version"},
		}},
	}
}

func (o *options) addFlags(cmd *cobra.Command) {
	f, verb := cmd.Flags(), cmd.Name()
	for _, group := range o.flags() {
		for _, flag := range group.flags {
			if slices.Contains(strings.Fields(flag.verbs), verb) {
				usage.AddFlag(f, group.heading, flag.value, flag.name, flag.short, flag.help)
			}
		}
	}
}

// conflicts are the flags that do not go together. A row is an error if all its conditions hold: a flag is given (url),
// has a value (format=json), or the opposite (!shard, !base=keep). A row without a message is about two flags that
// exclude each other.
var conflicts = []struct{ conditions, message string }{
	{"quiet verbose", ""},
	{"url site", ""},
	{"url mirror", ""},
	{"site mirror", ""},
	{"url url-map", ""},
	{"no-evidence canonical", ""},
	{"relative local", ""},
	{"relative override-base", ""},
	{"null !files-from", "--null needs a list; add --files-from FILE, or leave --null out"},
	{"shard-by=line !shard", "--shard-by needs the number of shards; add --shard I/N"},
	{"resume=-", "--resume -: the journal must be a file; use a file name"},
	{"resume format=parquet", "--resume cannot continue a Parquet file; use -f jsonl, csv, tsv or text"},
	{"resume format=json", "--resume cannot continue a JSON array; use -f jsonl, csv, tsv or text"},
	{"compact !format=text", "--compact is a form of text; leave out --compact or the other format"},
	{"relative !base=keep", "--relative and --base cannot be combined, because relative references need the BASE " +
		"elements; leave one out"},
	{"verify dry-run",
		"--verify checks documents that are written, but --dry-run and --diff write none; leave one out"},
	{"verify diff", "--verify checks documents that are written, but --dry-run and --diff write none; leave one out"},
	{"in-place output", ""},
	{"in-place follow", "--in-place and --follow cannot be combined, because -i does not rewrite through symbolic " +
		"links; leave one out"},
	{"diff in-place !dry-run", "--diff only prints what would change; leave out --in-place, or add --dry-run"},
	{"diff output !dry-run", "--diff only prints what would change, on standard output; leave out --output, or add " +
		"--dry-run"},
}

// mostJobs is the limit of --jobs: more than a machine has cores, and still so few that the workers fit in memory.
const mostJobs = 1024

// checkFlags returns an error for flags that do not go together, and for a value that is empty or out of range.
func (o *options) checkFlags(cmd *cobra.Command) error {
	if name := emptyFlag(cmd); name != "" {
		return fmt.Errorf("--%s is empty; use a value, or leave it out", name)
	}
	if err := flagAsValue(cmd); err != nil {
		return err
	}
	for _, out := range append(o.outputs(), outputFlag{"--resume", o.resume}) {
		if usage.URLAsPath("", out.path) != nil && !files.Exists(filepath.Dir(out.path)) {
			return fmt.Errorf("%s %s: this is a URL, but %[1]s names a file; use a path", out.flag, out.path)
		}
	}
	if err := o.choice.places.parse(cmd); err != nil {
		return err
	}
	for _, row := range conflicts {
		names := strings.Fields(row.conditions)
		switch {
		case slices.ContainsFunc(names, func(name string) bool { return !holds(cmd, name) }):
		case row.message == "":
			return fmt.Errorf("--%s and --%s cannot be combined; use only one of them", names[0], names[1])
		default:
			return errors.New(row.message)
		}
	}
	switch {
	case o.maxRatio < 1:
		return fmt.Errorf("--max-ratio %d: out of range; use 1 or more", o.maxRatio)
	case o.jobs < 0 || o.jobs > mostJobs:
		return fmt.Errorf("--jobs %d: out of range; use 1 to %d, or 0 for one worker per core", o.jobs, mostJobs)
	}
	return nil
}

// settleLocal sets what --local changes if no flag says otherwise: a page that opens from disk keeps the links to its
// own fragments.
func (o *options) settleLocal(cmd *cobra.Command) {
	o.keepFragments = o.keepFragments || o.local && !cmd.Flags().Changed("fragments")
}

// emptyFlag returns the name of a flag with an empty value, or "". Most often this is the value of an unset shell
// variable. Only --base of resolve may be empty: then there is no base URL.
func emptyFlag(cmd *cobra.Command) (name string) {
	cmd.Flags().Visit(func(f *pflag.Flag) {
		switch v := f.Value.String(); f.Value.Type() {
		case "string", "stringSlice":
			if (v == "" || v == "[]") && f.Name != "base" {
				name = f.Name
			}
		}
	})
	return name
}

// flagAsValue returns an error for a flag that has taken the next one as its value. A pattern may begin with two
// dashes.
func flagAsValue(cmd *cobra.Command) (err error) {
	cmd.Flags().Visit(func(f *pflag.Flag) {
		value := strings.Trim(f.Value.String(), "[]")
		pattern := f.Value.Type() == "PATTERN" || f.Value.Type() == "stringArray"
		if !pattern || cmd.Flags().Lookup(strings.TrimPrefix(value, "--")) != nil {
			err = cmp.Or(err, usage.NoValue(f.Name, value))
		}
	})
	return err
}

// holds reports whether a condition of conflicts holds. None holds for a flag that the verb does not have. "-o -" is
// the same as no -o.
func holds(cmd *cobra.Command, condition string) bool {
	name, negated := strings.CutPrefix(condition, "!")
	name, value, compares := strings.Cut(name, "=")
	f := cmd.Flags().Lookup(name)
	switch {
	case f == nil:
		return false
	case compares:
		return (f.Value.String() == value) != negated
	case name == "output" && f.Value.String() == files.Std, f.Value.String() == "false":
		return negated
	}
	return f.Changed != negated
}

// formByExtension has the --format of an output file by its extension.
var formByExtension = map[string]rows.Form{
	".txt": rows.Text, ".jsonl": rows.JSONL, ".json": rows.JSON, ".csv": rows.CSV, ".tsv": rows.TSV,
	".parquet": rows.Parquet,
}

// otherExtensions are the extensions of files that are not rows of text, so that rows of text in such a file would be
// wrong.
const otherExtensions = " .xlsx .xls .ods .html .htm .xhtml .xml .yaml .yml .zip .7z .tar .tgz .gz .zst .bz2 .xz " +
	".sqlite .sqlite3 .db .avro .orc .feather .arrow .pdf "

// setFormByName sets the format by the extension of the output file, unless --format is given. works has the extensions
// for the message about an extension of another format.
func (o *options) setFormByName(output string, given bool, works string) error {
	ext := strings.ToLower(filepath.Ext(output))
	form, ok := formByExtension[ext]
	switch {
	case given && ok && form != o.form && form != rows.Text && (o.form != rows.JSONL || form != rows.JSON):
		return fmt.Errorf("-o %s: -f asks for another format than %s; leave -f out, or use another file name", output,
			ext)
	case given, ext == "", strings.Contains(output, "://"): // check refuses a URL
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
		return fmt.Errorf("-o %s: absolink does not compress its output; use -o %s and compress the file afterwards",
			output, inner)
	}
	return fmt.Errorf("-o %s: absolink does not write %s files of rows; use one of %s, or choose the format with -f",
		output, ext, works)
}

// rowExtensions are the extensions that set the format of rows, for messages.
const rowExtensions = ".txt, .jsonl, .json, .csv, .tsv, .parquet"

// inPlace is the flag -i[=SUFFIX]. usage.Attach has changed -i.bak to -i=.bak before the flags are parsed.
type inPlace struct {
	on     bool
	suffix string // of the file that keeps the old version; "" keeps none
}

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
	if s != "" && !inputs.IsCopySuffix(s) {
		const why = "a later run would take NAME%s for a document; "
		if near := "." + strings.TrimLeft(s, "._-~"); inputs.IsCopySuffix(near) {
			return fmt.Errorf(why+"did you mean -i%s?", s, near)
		}
		return fmt.Errorf(why+"use a suffix such as .bak", s)
	}
	i.on, i.suffix = true, s
	return nil
}

// checkSuffix returns an error for a PATH that is probably the suffix of -i, because the run would rewrite the other
// files without backups.
func (i *inPlace) checkSuffix(args []string) error {
	for _, path := range args {
		if i.on && i.suffix == "" && path != files.Std && usage.LooksLikeSuffix(path) && !files.Exists(path) {
			return fmt.Errorf("%s: no such file or folder; to keep each old file, write the suffix without a space: "+
				"-i%s", path, path)
		}
		if i.on && i.suffix == "" && usage.IsShortWord(path) && !files.Exists(path) {
			return fmt.Errorf("%s: no such file or folder; if this is the suffix of the old files, write -i.%s", path,
				path)
		}
	}
	return nil
}

func (i *inPlace) String() string { return i.suffix }

// Type returns the type of flags that need no value.
func (i *inPlace) Type() string { return "bool" }
