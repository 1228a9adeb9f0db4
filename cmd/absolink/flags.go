// The flags that verbs share, in groups.

package main

import (
	"fmt"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"absolink/cmd/absolink/internal/console"
	"absolink/cmd/absolink/internal/inputs"
	"absolink/cmd/absolink/internal/rows"
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

// documentFlags say what a document is, where it came from, and how far it is read.
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
	maxDepth          int
	maxRecord         size
	maxRatio          int
	mbox              extract.Mbox
}

// inputFlags say which documents come in.
type inputFlags struct {
	filesFrom      string
	null           bool
	globs          []string
	only           inputs.Types
	hidden, follow bool
	shard          inputs.Shard
}

// batchFlags say how a run of many documents goes.
type batchFlags struct {
	jobs   int
	resume string
}

// rowFlags say which rows are printed, and how.
type rowFlags struct {
	form      rows.Form
	fields    []string
	unordered bool
}

// writingFlags say where the output goes.
type writingFlags struct {
	output string
	force  bool
}

// talkingFlags say what standard error shows.
type talkingFlags struct {
	quiet, verbose bool
	logFormat      logFormat
	color          console.When
}

// reportingFlags say what becomes of problems, and what else is told of a run.
type reportingFlags struct {
	progress         console.When
	strict, failFast bool
	problems, stats  string
}

// document adds the flags about what a document is and where it came from.
func (o *documentFlags) document(f *pflag.FlagSet) {
	f.StringVarP(&o.url, "url", "u", "", "the `URL` that the one document was retrieved from (RFC 1808, 3.3)")
	f.StringVar(&o.urlMap, "url-map", "", "a `FILE` of retrieval URLs: lines of PATH, a tab and URL, or JSON lines with path and url")
	f.StringVar(&o.site, "site", "", "the `URL` of the tree's root, the PATH or, for a file, the current folder; index.html stands for its folder")
	f.BoolVar(&o.mirror, "mirror", false, "the tree is laid out as wget -r does: HOST/path, or the folder of one HOST; the scheme is http, for another give --site")
	f.BoolVar(&o.noEvidence, "no-evidence", false, "ignore what documents and attributes of files say of where they were saved from")
	f.BoolVar(&o.canonical, "canonical", false, "take a page's link rel=canonical for the retrieval URL where nothing better tells it")
	f.BoolVar(&o.unarchive, "unarchive", false, "take links into the Wayback Machine for links to the originals")
	f.StringVar(&o.override, "override-base", "", "a base `URL` above every other")
	o.standards(f)
	f.VarP(&mediaType{&o.mediaType}, "type", "t", "what the input is, such as \"text/html; charset=koi8-r\"; else its name or bytes tell")
	f.IntVar(&o.maxDepth, "max-depth", 64, "look into documents within documents up to `N` deep")
	o.maxRecord = 256 << 20
	f.Var(&o.maxRecord, "max-record", "the longest document that is looked into, in bytes or with K, M, G")
	f.IntVar(&o.maxRatio, "max-ratio", 200, "let a packed document be `N` times as long unpacked, beyond 16 MiB")
	f.Var(newChoice(&o.mbox, 0, "FLAVOUR", []named[extract.Mbox]{
		{"mboxo", extract.MboxO}, {"mboxrd", extract.MboxRD}, {"mboxcl", extract.MboxCL}, {"mboxcl2", extract.MboxCL2},
	}), "mbox", "what keeps the messages of an mbox apart: mboxo, mboxrd, mboxcl or mboxcl2; else what is there tells")
}

// inputs adds the flags about which documents come in.
func (o *inputFlags) inputs(f *pflag.FlagSet) {
	f.StringVar(&o.filesFrom, "files-from", "", "also the PATHs that `FILE` lists, one a line; - for standard input")
	f.BoolVarP(&o.null, "null", "0", false, "with --files-from, each PATH ends with a NUL, not with its line")
	f.StringArrayVarP(&o.globs, "glob", "g", nil, "of a folder, only files that match `PATTERN`; !PATTERN leaves out the files and folders that do; see help inputs")
	f.VarP(&o.only, "only", "T", "only documents of a media type, such as text/html or text/*")
	f.BoolVar(&o.hidden, "hidden", false, "of a folder, also files and folders whose names begin with a dot")
	f.BoolVarP(&o.follow, "follow", "L", false, "of a folder, also what symbolic links lead to")
	f.Var(&o.shard, "shard", "only part I of N of the documents, chosen by a hash of the name")
}

// batch adds the flags about how a run over many documents goes.
func (o *batchFlags) batch(f *pflag.FlagSet) {
	f.IntVarP(&o.jobs, "jobs", "j", 0, "`N` workers; 0 for one a core")
	f.StringVar(&o.resume, "resume", "", "keep a journal in `FILE`, and pass over the documents that it lists as done")
}

// standards adds --standard.
func (o *documentFlags) standards(f *pflag.FlagSet) {
	f.VarP(newChoice(&o.standard, resolve.RFC1808, "STANDARD", []named[resolve.Standard]{
		{"rfc1808", resolve.RFC1808}, {"rfc3986", resolve.RFC3986}, {"whatwg", resolve.WHATWG},
	}), "standard", "s", "which rules resolve: rfc1808, rfc3986 or whatwg")
}

// finding adds the flag about which links are found.
func (o *documentFlags) finding(f *pflag.FlagSet) {
	f.BoolVar(&o.extended, "extended", false, "also the places that only scripts and crawlers read: og:image, data-src ...")
}

// rows adds the flags about rows of fields.
func (o *rowFlags) rows(f *pflag.FlagSet) {
	f.VarP(newChoice(&o.form, rows.Text, "FORMAT", forms), "format", "f", "text, jsonl, csv, tsv or parquet")
	f.BoolVar(&o.unordered, "unordered", false, "rows as they come, not in the order of the documents, which --resume keeps")
	f.StringSliceVar(&o.fields, "fields", nil, "only `FIELD,...`, in this order")
}

// writing adds the flags about where output goes.
func (o *writingFlags) writing(f *pflag.FlagSet, usage string) {
	f.StringVarP(&o.output, "output", "o", "", usage)
	f.BoolVar(&o.force, "force", false, "overwrite an output that exists")
}

// talking adds the flags about standard error.
func (o *talkingFlags) talking(f *pflag.FlagSet) {
	f.BoolVarP(&o.quiet, "quiet", "q", false, "say nothing of problems")
	f.BoolVarP(&o.verbose, "verbose", "v", false, "say everything")
	f.Var(newChoice(&o.logFormat, logText, "text|json", []named[logFormat]{{"text", logText}, {"json", logJSON}}),
		"log-format", "what is said on standard error: text, or json for JSON lines with the time")
	f.Var(newChoice(&o.color, console.Auto, "WHEN", whens), "color", "auto, on a terminal unless NO_COLOR is set; always; or never")
}

// reporting adds the flags about problems, and those about standard error.
func (o *options) reporting(f *pflag.FlagSet) {
	o.talking(f)
	f.Var(newChoice(&o.progress, console.Auto, "WHEN", whens), "progress", "a line that tells how far it is: auto, on a terminal unless the output goes there or into a pipe; always; or never")
	f.BoolVar(&o.strict, "strict", false, "exit with status 1 if there was a warning (errors always do)")
	f.BoolVar(&o.failFast, "fail-fast", false, "stop at the first document that fails; one worker, whatever --jobs says")
	f.StringVar(&o.problems, "problems", "", "write all problems to `FILE` as JSON lines")
	f.StringVar(&o.stats, "stats", "", "write the totals of the run to `FILE` as JSON")
}

// exclusive refuses two flags that contradict each other.
func exclusive(cmd *cobra.Command, names ...string) error {
	first := ""
	for _, name := range names {
		f := cmd.Flags().Lookup(name)
		if f == nil || !f.Changed || f.Value.Type() == "bool" && f.Value.String() == "false" {
			continue
		}
		if first != "" {
			return fmt.Errorf("--%s and --%s contradict each other; give one of them", first, name)
		}
		first = name
	}
	return nil
}

// notEmpty refuses a flag whose value is "": most often that of a variable which is not set. The
// --base of resolve may be: it says that there is none.
func notEmpty(cmd *cobra.Command) (err error) {
	cmd.Flags().Visit(func(f *pflag.Flag) {
		switch f.Value.Type() {
		case "string", "stringSlice":
			if v := f.Value.String(); (v == "" || v == "[]") && f.Name != "base" {
				err = fmt.Errorf("--%s is empty; give it a value, or leave it out", f.Name)
			}
		}
	})
	return err
}
