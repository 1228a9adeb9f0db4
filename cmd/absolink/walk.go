package main

import (
	"cmp"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"runtime"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"absolink/cmd/absolink/internal/batch"
	"absolink/cmd/absolink/internal/console"
	"absolink/cmd/absolink/internal/files"
	"absolink/cmd/absolink/internal/inputs"
	"absolink/cmd/absolink/internal/mapping"
	"absolink/cmd/absolink/internal/report"
	"absolink/cmd/absolink/internal/rows"
	"absolink/extract"
)

// walk is a run over documents. The verbs base, links, rewrite and explain use it.
type walk struct {
	*session
	options   *options
	in        *inputs.Selection
	retrieval *inputs.Retrieval
	problems  *console.Problems
	batch     *batch.Run
	refuse    func(*extract.Format) error // see inputs.Opener
	journals  bool                        // the verb has --resume
	dry       bool                        // nothing is written
	afterAll  func()                      // is called when all documents are done; may be nil
	rules     *mapping.Table              // of --map, for the report; or nil
}

// newWalk checks the flags and the PATHs. Nothing is written before it is done.
func (s *session) newWalk(cmd *cobra.Command, o *options, args []string, finds string) (*walk, error) {
	s.talk(o)
	if err := o.check(cmd); err != nil {
		return nil, err
	}
	listed := len(args) == 0 && o.filesFrom == "" && o.urlMap != "" && o.name == ""
	if len(args) == 0 && o.filesFrom == "" && !listed {
		if _, terminal := console.TerminalWidth(s.stdin); terminal {
			return nil, s.help(cmd)
		}
		args = []string{files.Std}
	}
	// Resuming truncates the output after the last finished document, so the rows must be in order.
	o.unordered = o.unordered && o.resume == ""
	w := &walk{session: s, options: o, batch: &batch.Run{Finds: finds, Counts: &s.Counts}}
	w.journals = cmd.Flags().Lookup("resume") != nil
	if o.resume != "" {
		w.batch.Journal.Run = sameRun(cmd)
		resumed := w.batch.Journal.Identify(o.resume)
		s.files.BelongTo(w.batch.Journal.ID, resumed)
	}
	var err error
	if w.retrieval, err = inputs.NewRetrieval(o.retrieval()); err != nil {
		return nil, err
	}
	if listed {
		args = w.retrieval.Paths()
	}
	if err := w.choose(args, listed); err != nil {
		return nil, err
	}
	if err := w.checkFetched(cmd.Name()); err != nil {
		return nil, err
	}
	if err := w.checkRoots(); err != nil {
		return nil, err
	}
	if err := w.checkBeside(); err != nil {
		return nil, err
	}
	s.strict = o.strict
	if o.stats != "" {
		w.batch.Stats = batch.NewStats(finds)
	}
	w.problems = &console.Problems{Log: s.log, All: o.verbose, Quiet: o.quiet, NoBase: w.baseAdvice}
	w.batch.Settings = o.settings()
	if len(o.only) > 0 {
		w.batch.Settings.Only = func(mediaType string) bool {
			wanted := o.only.Has(mediaType)
			if wanted && !w.Wanted.Load() {
				w.Wanted.Store(true)
			}
			return wanted
		}
	}
	return w, nil
}

// choose sets the documents of the run. listed means that the PATHs are from --url-map.
func (w *walk) choose(args []string, listed bool) error {
	o := w.options
	g, err := inputs.NewGlobs(o.globs)
	if err != nil {
		return err
	}
	if o.filesFrom != "" {
		if args, err = inputs.ReadList(args, o.filesFrom, o.null, w.stdin); err != nil {
			return err
		}
	}
	w.in = inputs.Select(inputs.Config{
		Paths: args, Stdin: cmp.Or(o.name, files.Std), Listed: listed || o.filesFrom != "", Globs: g, Hidden: o.hidden, Follow: o.follow, Shard: o.shard, Journal: o.resume,
	})
	w.in.Done = func(document string) bool {
		done := w.batch.Journal.Has(document)
		if done {
			w.Before.Store(true)
		}
		return done
	}
	w.in.Missed = func(name, why string) { w.problems.Document(slog.LevelInfo, name, "skipped: "+why) }
	return w.checkPaths()
}

// retrieval returns the values of the flags about retrieval URLs.
func (o *options) retrieval() inputs.RetrievalConfig {
	return inputs.RetrievalConfig{URL: o.url, URLMap: o.urlMap, Site: o.site, Mirror: o.mirror, Override: o.override, Standard: o.standard}
}

// settings returns the Extractor of each worker, as the flags set it.
func (o *options) settings() extract.Extractor {
	return extract.Extractor{
		Standard:   o.standard,
		Override:   o.override,
		OverrideBy: "--override-base",
		Extended:   o.extended,
		MaxDepth:   o.maxDepth,
		MaxRecord:  int(o.maxRecord),
		MaxRatio:   o.maxRatio,
		Mbox:       o.mbox,
		NoEvidence: o.noEvidence,
		Canonical:  o.canonical,
		Unarchive:  o.unarchive,
		Places:     o.choice.places.chosen,
	}
}

// opener returns the Opener of the documents. Call it after the output has been begun.
func (w *walk) opener() *inputs.Opener {
	o := w.options
	bytes := &w.Counts.Bytes
	opener := &inputs.Opener{Retrieval: w.retrieval, Kind: string(o.mediaType), Only: o.only,
		Stdin: inputs.NewReader(w.stdin, bytes), Meter: bytes, Output: w.printed, Opened: w.files.Read, Refuse: w.refuse}
	switch {
	case o.noEvidence:
		opener.Evidence = inputs.EvidenceNever
	case w.batch.Finds == batch.Bases:
		opener.Evidence = inputs.EvidenceAlways
	}
	return opener
}

// run opens the files of --problems, --stats and --report, runs the job over the documents, and ends these files.
func (w *walk) run(newJob func(*batch.Worker) batch.Job) (err error) {
	b, o := w.batch, w.options
	if name := o.problems; name != "" {
		if w.problems.File, err = w.openOutput(name); err != nil {
			b.Out.Leave()
			return err
		}
		defer func() { err = w.problems.File.EndBeside(err) }()
	}
	if name := o.stats; name != "" {
		var file *files.Output
		if file, err = w.openOutput(name); err != nil {
			b.Out.Leave()
			return err
		}
		defer func() {
			file.Buf = b.Stats.Append(file.Buf, &w.Counts)
			err = file.EndBeside(err)
		}()
	}
	if name := o.report; name != "" {
		var file *files.Output
		if file, err = w.openOutput(name); err != nil {
			b.Out.Leave()
			return err
		}
		page := report.Begin(b)
		defer func() { err = page.Write(file, w.facts(), err) }()
	}
	if err := b.Journal.Open(o.resume, b.Out, o.force); err != nil {
		return err
	}
	defer b.Journal.Close()
	w.setUp()
	w.running.Store(w)
	w.showProgress() // it reads the kinds of the PATHs at the same time
	defer w.messages.End()
	defer func() {
		strict := int64(0)
		if w.strict {
			strict = w.Warnings.Load()
		}
		w.problems.Last(w.Incomplete.Load(), strict)
	}()
	err = b.Do(newJob)
	if w.afterAll != nil {
		w.afterAll()
	}
	for _, p := range w.retrieval.Unknown() {
		b.Report(p)
	}
	if b := w.in.Backups; b.N > 0 {
		w.log.Warn(fmt.Sprintf("skipped: %s (NAME.bak beside NAME), such as %s; to read them, name them or use --glob '*.bak'", console.AppendCount(nil, int64(b.N), "old versions"), b.First))
	}
	if w.in.Listed {
		w.warnOfRoots(w.in.Roots)
	}
	if err == nil {
		w.reportUnused()
	}
	if err == nil {
		w.reportPlaces()
	}
	return err
}

// facts returns the facts about the run that only the flags have, for --report.
func (w *walk) facts() report.Facts {
	return report.Facts{Program: "absolink " + thisBuild().version, Command: console.ShellLine(append([]string{"absolink"}, os.Args[1:]...)),
		ProblemsFile: w.options.problems, RowsFile: w.options.output, Rules: w.rules, DryRun: w.dry}
}

// reportPlaces reports if no link is at a place of --place. The name of the place may be mistyped.
func (w *walk) reportPlaces() {
	c := w.options.choice
	if len(c.places.chosen) == 0 || c.selects() != nil || w.Found.Load() > 0 || w.Done.Load() == 0 {
		return
	}
	what := "no link has such a place"
	if w.batch.Finds == batch.Edits {
		what = "no link at such a place was changed"
	}
	w.log.Warn("--place " + c.places.String() + ": " + what + `; "absolink links --fields place" prints the places of the documents`)
}

// reportUnused reports the flags that select documents or set their URLs, and matched no document. A shard, or a resumed run,
// may have no such document.
func (w *walk) reportUnused() {
	o, read := w.options, w.Done.Load()
	seen := read + w.Failed.Load() + w.Others.Load()
	if !o.shard.IsAll() || w.Before.Load() {
		return
	}
	var unused []string
	switch {
	case w.in.Matched == 0 && w.in.Tried > 0:
		unused = append(unused, fmt.Sprintf("--glob matches 0 of %d files in the folders; absolink help inputs explains patterns", w.in.Tried))
	case seen > 0 || o.resume != "":
	case w.in.Listed:
		w.log.Warn("there is no document to read: the list has none; -v prints what is skipped in folders")
	case w.in.Tried == 0 && !w.in.Globs.Empty():
		unused = append(unused, "--glob matches no file, because there is none to read in the folders; -v prints what is skipped")
	default:
		unused = append(unused, "there is no document to read; -v prints what is skipped, and absolink help inputs explains why")
	}
	if seen > 0 && len(o.only) > 0 && !w.Wanted.Load() {
		unused = append(unused, fmt.Sprintf("--only %s matches 0 of %d documents; absolink help formats lists the types", o.only.String(), seen))
	}
	for _, message := range append(unused, w.retrieval.Unmatched(read)...) {
		w.log.Error(message)
		w.unused = true
	}
}

// setUp sets the fields of the batch.
func (w *walk) setUp() {
	b, o := w.batch, w.options
	b.Sources, b.Opener = w.in.All(true), w.opener()
	if !w.in.Several() {
		b.Alone = w.in.Alone()
	}
	b.Jobs, b.Unordered, b.FailFast = o.jobs, o.unordered, o.failFast
	if b.Jobs == 0 {
		b.Jobs = runtime.GOMAXPROCS(0)
	}
	b.Reporter = w.problems
}

// showProgress begins the progress line, unless the flags or the terminal forbid it.
func (w *walk) showProgress() {
	columns, terminal := console.TerminalWidth(w.stderr)
	if w.printing && w.printed == nil {
		terminal = false // the rows go to a terminal, or to a pipe that may end there
	}
	if os.Getenv("TERM") == "dumb" {
		terminal = false // a line cannot be redrawn
	}
	if w.options.progress == console.Never || w.options.progress == console.Auto && !terminal {
		return
	}
	if columns == 0 {
		columns = console.UsualColumns
	}
	go w.addUp()
	start, c := time.Now(), &w.Counts
	w.messages.Begin(func() []byte {
		s := console.State{
			Read: c.Bytes.Read.Load(), Skipped: c.Bytes.Skipped.Load(), Total: c.Total.Load(),
			Documents: c.Done.Load(), Records: c.Records.Load(), Found: c.Found.Load(), Wrong: c.Wrong.Load(),
			Finds: w.batch.Finds, Elapsed: time.Since(start),
		}
		if name := c.Document.Load(); name != nil {
			s.Document = *name
		}
		return s.Line(columns)
	})
}

// addUp sums the sizes of the files to read, while the run reads them.
func (w *walk) addUp() {
	total := int64(0)
	for src, err := range w.in.All(false) {
		var info fs.FileInfo
		if src.Stdin {
			info, err = w.stdin.Stat()
		} else if err == nil {
			info, err = os.Stat(src.Name)
		}
		if err == nil && info.Mode().IsRegular() {
			total += info.Size()
		}
	}
	w.Total.Store(total)
}

// interrupted prints how much was done, the state of the output, and how to resume the run.
func (w *walk) interrupted() {
	b, c := w.batch, &w.Counts
	line := console.AppendCount([]byte("interrupted after "), c.Done.Load(), "documents")
	if n := b.Journal.Before(); n > 0 {
		line = fmt.Appendf(line, " (and %d in earlier runs)", n)
	}
	if n := c.Records.Load(); n > 0 {
		line = console.AppendCount(append(line, ", "...), n, "records")
	}
	line = console.AppendBytes(append(line, ", "...), float64(c.Bytes.Read.Load()))
	w.log.Error(string(console.AppendCount(append(line, ", "...), c.Found.Load(), b.Finds)))
	w.log.Error(w.leftOutput())
	if how := w.howToResume(); how != "" {
		w.log.Error(how)
	}
	_ = b.Journal.Flush() // the resumed run does the documents again whose lines are not written
}

// leftOutput returns the state of the output after an interruption, for the user.
func (w *walk) leftOutput() string {
	o, out := w.options, w.batch.Out
	switch {
	case out == nil:
		return "no file is half-written: each file is the old one or the new one"
	case out.IsFile():
		return "no file is half-written: " + out.Name + " was not written"
	case o.resume != "":
		return out.Name + " may end with rows of an unfinished document; the resumed run removes them"
	}
	return "no file is half-written, but " + out.Name + " is not complete"
}

// howToResume returns the command that resumes an interrupted run, or advice if the run has no journal. It returns "" if a
// journal would not help: the run reads a document from standard input, or writes one document or format as a whole.
func (w *walk) howToResume() string {
	o, out := w.options, w.batch.Out
	toFile := out == nil || out.IsFile()
	switch {
	case o.resume != "":
		line := console.ShellLine(os.Args)
		if out != nil && out.Name == files.StdoutName {
			line += " >> " + console.ShellWord(cmp.Or(w.stdoutPath(), "FILE"))
		}
		if o.filesFrom == files.Std {
			return "to resume, with the same list on standard input: " + line
		}
		return "to resume: " + line
	case !w.journals, slices.Contains(w.in.Paths, files.Std), o.form == rows.Parquet, o.form == rows.JSON, w.batch.Finds == batch.Edits && out != nil:
		return ""
	case toFile:
		return "this run has no journal; use --resume FILE, and the next run can be resumed"
	case w.printed != nil:
		return "this run has no journal; use --resume FILE, and >> instead of >, and the next run can be resumed"
	}
	return "this run has no journal; use --resume FILE and -o FILE, and the next run can be resumed"
}
