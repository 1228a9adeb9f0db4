package main

import (
	"cmp"
	"fmt"
	"io/fs"
	"log/slog"
	"maps"
	"os"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"absolink/cmd/absolink/internal/batch"
	"absolink/cmd/absolink/internal/console"
	"absolink/cmd/absolink/internal/files"
	"absolink/cmd/absolink/internal/inputs"
	"absolink/cmd/absolink/internal/mapping"
	"absolink/cmd/absolink/internal/report"
	"absolink/cmd/absolink/internal/rows"
	"absolink/cmd/absolink/internal/usage"
	"absolink/extract"
)

// run is a run over documents, as the flags and PATHs set it. The verbs base, links, rewrite, verify and explain use
// it.
type run struct {
	*session
	verb      string
	options   *options
	in        *inputs.Selection
	retrieval *inputs.Retrieval
	problems  *console.Problems
	continued []*files.Output // the files that --resume continues
	batch     *batch.Run
	refuse    func(*extract.Format) error // see inputs.Opener
	journals  bool                        // the verb has --resume
	dry       bool                        // nothing is written
	linked    func()                      // reports hard links, also if the run is interrupted
	afterAll  func()                      // called when all documents are done
	rules     *mapping.Table              // of --map, for the report; or nil
}

// newRun checks the flags and the PATHs. Nothing is written before it is done.
func (s *session) newRun(cmd *cobra.Command, o *options, args []string, finds string) (*run, error) {
	s.talk(o)
	if err := o.checkFlags(cmd); err != nil {
		return nil, err
	}
	listed := len(args) == 0 && o.filesFrom == "" && o.urlMap != "" && o.name == ""
	if len(args) == 0 && o.filesFrom == "" && !listed {
		if _, terminal := console.TerminalWidth(s.stdin); terminal {
			return nil, s.help(cmd)
		}
		args = []string{files.Std}
	}
	o.settleLocal(cmd)
	r := &run{session: s, verb: cmd.Name(), options: o, batch: &batch.Run{Finds: finds, Counts: &s.Counts}}
	r.linked, r.afterAll = func() {}, func() {}
	r.journals = cmd.Flags().Lookup("resume") != nil
	if o.resume != "" {
		r.batch.Journal.Run = console.NoPasswords(sameRun(cmd))
		if err := r.batch.Journal.Identify(o.resume); err != nil {
			return nil, err
		}
		s.files.BelongTo(r.batch.Journal.ID, r.batch.Journal.Resumed)
	}
	var err error
	if r.retrieval, err = inputs.NewRetrieval(inputs.RetrievalConfig{
		URL: o.url, URLMap: o.urlMap, Site: o.site, Mirror: o.mirror, Override: o.override, Standard: o.standard,
	}); err != nil {
		return nil, err
	}
	if listed {
		args = r.retrieval.Paths()
	}
	r.warnOfURLs()
	if err := r.choose(cmd, args, listed); err != nil {
		return nil, err
	}
	if err := r.checkRoots(); err != nil {
		return nil, err
	}
	if err := r.checkSideFiles(); err != nil {
		return nil, err
	}
	s.strict = o.strict
	if o.stats != "" {
		r.batch.Stats = batch.NewStats(finds)
	}
	r.problems = &console.Problems{Log: s.log, All: o.verbose, Quiet: o.quiet, NoBase: r.baseAdvice,
		Sums: finds == batch.FindsEdits || finds == batch.FindsLinks && o.verbose}
	r.problems.Empty = r.verb == "links" || r.verb == "rewrite"
	r.batch.Settings = o.settings()
	if len(o.only) > 0 {
		r.batch.Settings.Only = func(mediaType string) bool {
			wanted := o.only.Has(mediaType)
			if wanted && !r.Wanted.Load() {
				r.Wanted.Store(true)
			}
			return wanted
		}
	}
	return r, nil
}

// choose sets the documents of the run. listed means that the PATHs are from --url-map.
func (r *run) choose(cmd *cobra.Command, args []string, listed bool) error {
	o := r.options
	g, err := inputs.NewGlobs(o.globs)
	if err != nil {
		return err
	}
	if o.filesFrom != "" {
		if args, err = inputs.ReadList(args, o.filesFrom, o.null, r.stdin); err != nil {
			return err
		}
	}
	r.in = inputs.Select(inputs.Config{
		Paths: args, Stdin: cmp.Or(o.name, files.Std), Listed: listed ||
			o.filesFrom != "", Globs: g, Hidden: o.hidden, Follow: o.follow, Shard: o.shard, Journal: o.resume,
		Mirror: o.mirror != "",
	})
	r.in.Done = func(document string, read bool) bool {
		done := r.batch.Journal.Has(document)
		if done {
			r.Before.Store(true)
		}
		if done && read && r.batch.Journal.Changed(document) {
			r.Warnings.Add(1)
			r.problems.Document(slog.LevelWarn, document,
				"skipped: it has changed since an earlier run did it; to read it again, use a new journal, or leave "+
					"--resume out")
		}
		return done
	}
	if listed && o.local {
		r.in.Needed = inputs.Needed(r.in.Config, r.retrieval, o.settings(), o.inPlace.on)
	}
	r.in.Missed = func(name, why string) { r.problems.Document(slog.LevelInfo, name, "skipped: "+why) }
	return r.checkPaths(cmd)
}

func (o *options) settings() extract.Extractor {
	return extract.Extractor{
		Standard:   o.standard,
		Override:   o.override,
		OverrideBy: "--override-base",
		Extended:   o.extended,
		MaxRecord:  int(o.maxRecord),
		MaxRatio:   o.maxRatio,
		Mbox:       o.mbox,
		NoEvidence: o.noEvidence,
		Canonical:  o.canonical,
		Unarchive:  o.unarchive,
		Places:     o.choice.places.chosen,
		AddPlaces:  o.choice.added.chosen,
	}
}

// opener returns the Opener of the documents. Call it after the output has begun, which sets printed.
func (r *run) opener() *inputs.Opener {
	o := r.options
	bytes := &r.Counts.Bytes
	opener := &inputs.Opener{Retrieval: r.retrieval, Kind: string(o.mediaType), Only: o.only,
		Stdin: inputs.NewReader(r.stdin, bytes), Meter: bytes, Output: r.printed,
		Refuse: r.refuse}
	if o.resume != "" || slices.ContainsFunc(o.outputs(), func(out outputFlag) bool { return out.path != "" }) {
		opener.Opened = r.files.Read // which costs a system call for each file
	}
	opener.Converted = inputs.NewConverted(r.in.Config, r.retrieval, o.settings())
	if o.local {
		opener.Local = inputs.NewLocal(r.in.Config, r.retrieval, o.settings())
		if o.output != "" {
			opener.Local.Copied, opener.Local.Only = r.in.Globs, o.only
		}
	}
	switch {
	case o.noEvidence:
		opener.Evidence = inputs.EvidenceNever
	case r.batch.Finds == batch.FindsBases:
		opener.Evidence = inputs.EvidenceAlways
	}
	return opener
}

// do opens the files of --problems, --stats and --report, runs the job over the documents, and ends these files. The
// page of --report comes first, because its error belongs in the other two.
func (r *run) do(newJob func(*batch.Worker) batch.Job) (err error) {
	b, o := r.batch, r.options
	var stats, reported *files.Output
	if r.problems.File, err = r.openSide("--problems", o.problems); err == nil {
		stats, err = r.openSide("--stats", o.stats)
	}
	if err == nil {
		reported, err = r.openSide("--report", o.report)
	}
	if reported != nil {
		b.Page = report.New(r.verb, &r.Counts)
	}
	if err == nil {
		err = r.overDocuments(newJob)
	}
	if b.Page != nil {
		err = b.Page.Write(reported, r.facts(), err)
	}
	if stats != nil {
		stats.Buf = b.Stats.Append(stats.Buf, &r.Counts, r.rules, b.Journal.Before())
	}
	return r.problems.File.EndSide(stats.EndSide(err))
}

// overDocuments opens the journal, runs the job over the documents, and ends the messages.
func (r *run) overDocuments(newJob func(*batch.Worker) batch.Job) error {
	b, o := r.batch, r.options
	if err := b.Journal.Open(o.resume, o.force, append(r.continued, b.Out)...); err != nil {
		return err
	}
	b.Sources, b.Opener = r.in.All(true), r.opener()
	if !r.in.Several() {
		b.Alone = r.in.Alone()
	}
	b.Jobs, b.FailFast = o.jobs, o.failFast
	if b.Jobs == 0 {
		b.Jobs = runtime.GOMAXPROCS(0)
	}
	b.Problems = r.problems
	if o.mirror != "" {
		b.Linked = r.retrieval.Linked
	}
	r.running.Store(r)
	r.showProgress()
	r.problems.Resumed = b.Journal.Before() > 0
	err := b.Do(newJob, r.conclude)
	strict := int64(0)
	if r.strict {
		strict = r.Warnings.Load()
	}
	r.problems.Last(r.Incomplete.Load(), b.Journal.Incomplete(), strict)
	r.messages.End()
	b.Journal.Close()
	return err
}

// conclude reports what is known when all documents are done, or err has ended the run. It returns what reportUnused
// does.
func (r *run) conclude(err error) (unused []string) {
	r.linked()
	r.afterAll()
	if err != nil {
		return nil
	}
	if some, full := r.batch.ReportIntegrity(); full || some && (!r.options.shard.IsAll() || r.Before.Load()) {
		r.log.Warn("integrity attributes: only the documents of this run were compared, and at most 10,000 digests")
	}
	r.reportSkipped()
	if r.Done.Load() == 1 && r.Bytes.Read.Load() == 0 && !r.in.Several() {
		r.log.Warn(r.in.Alone().Name + ": the file is empty")
	}
	if !r.in.Globs.Empty() && r.in.Tried == 0 && r.Done.Load() > 0 {
		r.Warnings.Add(1)
		r.log.Warn("--glob had no effect: it selects files of folders, and every PATH is a file")
	}
	if hint := r.retrieval.OtherScheme(); hint != "" {
		r.log.Warn(hint)
	}
	if len(r.in.Paths) > 0 {
		if note := r.retrieval.Elsewhere(r.in.Paths[0], r.in.IsFolder(0)); note != "" {
			r.log.Warn(note)
		}
	}
	if r.in.Listed {
		r.warnOfRoots(r.in.Roots)
	}
	unused = r.reportUnused()
	r.reportPlaces()
	return unused
}

// reportSkipped says which files of folders were passed over, although they look like documents.
func (r *run) reportSkipped() {
	say := func(s inputs.Skipped, format, things string) {
		if s.N > 0 {
			r.log.Warn(fmt.Sprintf(format, console.AppendCount(nil, int64(s.N), things), s.First))
		}
	}
	say(r.in.Tools, "not read: %s that HTTrack or wget keeps for itself, such as %s; to read one, name it", "files")
	if r.in.InPlace {
		say(r.in.Backups, "not rewritten: %s (NAME~ or NAME.X beside NAME), such as %s; to rewrite one, name it",
			"copies")
		return
	}
	say(r.in.Backups, "skipped: %s (NAME.bak beside NAME), such as %s; to read them, name them or use --glob '*.bak'",
		"old versions")
}

// facts returns the facts about the run that only the command knows, for --report.
func (r *run) facts() report.Facts {
	return report.Facts{Program: "absolink " + thisBuild().version,
		Command:      console.ShellLine(append([]string{"absolink"}, os.Args[1:]...)),
		ProblemsFile: r.options.problems, RowsFile: r.options.output, Rules: r.rules, DryRun: r.dry,
		Unread: r.problems.Unread()}
}

// warnOfURLs warns of a mistyped scheme, and of a password, which would be in every link.
func (r *run) warnOfURLs() {
	const registered = " http https ftp file sftp tftp shttp ftps "
	all := []outputFlag{{"--url", r.options.url}, {"--site", r.options.site}, {"--override-base", r.options.override}}
	for _, url := range slices.Sorted(maps.Values(r.retrieval.Schemes)) {
		all = append(all, outputFlag{"--url-map", url})
	}
	for _, given := range all {
		scheme, rest, _ := strings.Cut(strings.ToLower(given.path), ":")
		near := usage.Nearest(scheme, strings.Fields(registered))
		warning := fmt.Sprintf(": %s is no usual scheme; did you mean %s:%s?", scheme, near,
			given.path[len(given.path)-len(rest):])
		switch {
		case given.path != console.NoPasswords(given.path):
			warning = ": the URL has a password, which will be in every link; leave it out"
		case near == "" || strings.Contains(registered, " "+scheme+" "):
			continue
		}
		r.Warnings.Add(1)
		r.log.Warn(given.flag + warning)
	}
}

// reportPlaces warns if flags select no link, because one of them may be mistyped. --status and --exclude may well do
// so.
func (r *run) reportPlaces() {
	c, given := r.options.choice, ""
	mark := strings.IndexByte(c.include.String(), '?')
	for i, value := range []string{c.places.String(), c.schemes.String(), c.include.String()} {
		if value != "" {
			given += " " + []string{"--place ", "--scheme ", "--include "}[i] + value
		}
	}
	if given == "" || r.Found.Load() > 0 || r.Done.Load() == 0 || len(c.statuses.chosen)+len(c.exclude.chosen) > 0 {
		return
	}
	what, advice := "no link matches", `; "absolink links" without it prints the links`
	switch {
	case c.selects() == nil:
		what = "no link has such a place"
		advice = `; "absolink links --fields place" prints the places of the documents`
	case mark > 0 && strings.IndexByte(`]\)*+s(`, c.include.String()[mark-1]) < 0:
		advice = `; in a regular expression ? is an operator, and \? is a question mark`
	}
	if r.batch.Finds == batch.FindsEdits {
		what = "no such link was changed"
		if c.selects() == nil {
			what = "no link at such a place was changed"
		}
	}
	r.Warnings.Add(1)
	r.log.Warn(given[1:] + ": " + what + advice)
}

// reportUnused reports the flags that select documents or set their URLs, and matched no document. It skips a shard and
// a resumed run, because the document may be in another part, unless all parts before had none.
func (r *run) reportUnused() (unused []string) {
	o, read := r.options, r.Done.Load()
	seen := read + r.Failed.Load() + r.Others.Load()
	earlier := r.batch.Journal.Unused
	if !o.shard.IsAll() || r.Before.Load() && len(earlier) == 0 {
		return nil
	}
	switch {
	case r.in.Matched == 0 && r.in.Tried > 0:
		unused = append(unused, fmt.Sprintf("--glob matches 0 of %d files in the folders; absolink help inputs "+
			"explains patterns", r.in.Tried))
	case seen > 0 || o.resume != "":
	case r.in.Listed:
		r.log.Warn("there is no document to read: the list has none; -v prints what is skipped in folders")
	case r.in.Tried == 0 && !r.in.Globs.Empty():
		unused = append(unused, "--glob matches no file, because there is none to read in the folders; -v prints "+
			"what is skipped")
	default:
		unused = append(unused, "there is no document to read; -v prints what is skipped, and absolink help inputs "+
			"explains why")
	}
	if seen > 0 && len(o.only) > 0 && !r.Wanted.Load() {
		unused = append(unused, fmt.Sprintf(
			"--only %s matches 0 of %d documents; absolink help formats lists the types", o.only.String(), seen))
	}
	unused = append(unused, r.retrieval.Unmatched(read)...)
	if r.Before.Load() && seen == 0 {
		unused = earlier
	}
	for _, message := range unused {
		r.log.Error(message)
		r.unused = true
	}
	return unused
}

// showProgress begins the progress line on a terminal, unless --quiet is set.
func (r *run) showProgress() {
	columns, terminal := console.TerminalWidth(r.stderr)
	if r.printing && r.printed == nil {
		terminal = false // the rows go to a terminal, or to a pipe that may end there
	}
	if os.Getenv("TERM") == "dumb" {
		terminal = false // a line cannot be redrawn
	}
	if !terminal || r.options.quiet {
		return
	}
	go r.addUp()
	start, c := time.Now(), &r.Counts
	r.messages.Begin(func() []byte {
		return c.Line(r.batch.Finds, time.Since(start), cmp.Or(columns, console.UsualColumns))
	})
}

// addUp sums the sizes of the files to read, while the run reads them.
func (r *run) addUp() {
	total := int64(0)
	for src, err := range r.in.All(false) {
		var info fs.FileInfo
		if src.Stdin {
			info, err = r.stdin.Stat()
		} else if err == nil {
			info, err = os.Stat(src.Name)
		}
		if err == nil && info.Mode().IsRegular() {
			total += info.Size()
		}
	}
	r.Total.Store(total)
}

// pause keeps the run from replacing another file, and ends the files of --edits and --problems: what was done to the
// replaced files is written nowhere else.
func (r *run) pause() {
	r.batch.Pause()
	if r.batch.Out == nil {
		r.linked()
		_ = r.batch.Journal.End(nil)
		_ = r.batch.Edits.EndSide(nil)
		_ = r.problems.File.EndSide(nil)
	}
}

// interrupted prints how much was done, the state of the output, and how to resume the run.
func (r *run) interrupted() {
	b, c := r.batch, &r.Counts
	line := console.AppendCount([]byte("interrupted after "), c.Done.Load(), "documents")
	if n := b.Journal.Before(); n > 0 {
		line = fmt.Appendf(line, " (and %d in earlier runs)", n)
	}
	if n := c.Records.Load(); n > 0 {
		line = console.AppendCount(append(line, ", "...), n, "records")
	}
	line = console.AppendBytes(append(line, ", "...), float64(c.Bytes.Read.Load()))
	r.log.Error(string(console.AppendCount(append(line, ", "...), c.Found.Load(), b.Finds)))
	r.log.Error(r.leftOutput())
	if how := r.howToResume(); how != "" {
		r.log.Error(how)
	}
	_ = b.Journal.Flush() // on an error, the resumed run does the documents again whose lines were not written
}

// leftOutput returns the state of the output after an interruption, for the user.
func (r *run) leftOutput() string {
	o, out := r.options, r.batch.Out
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

// howToResume returns the command that resumes an interrupted run, or advice if the run has no journal. It returns ""
// if a journal would not help: the run reads a document from standard input, or writes one document or format as a
// whole.
func (r *run) howToResume() string {
	o, out := r.options, r.batch.Out
	toFile := out == nil || out.IsFile()
	switch {
	case o.resume != "":
		line := console.ShellLine(os.Args)
		if out != nil && out.Name == files.StdoutName {
			line += " >> " + console.ShellWord(cmp.Or(r.stdoutPath(), "FILE"))
		}
		if o.filesFrom == files.Std {
			return "to resume, with the same list on standard input: " + line
		}
		return "to resume: " + line
	case !r.journals, slices.Contains(r.in.Paths, files.Std), o.form == rows.Parquet, o.form == rows.JSON,
		r.batch.Finds == batch.FindsEdits && out != nil:
		return ""
	case toFile:
		return "this run has no journal; use --resume FILE, and the next run can be resumed"
	case r.printed != nil:
		return "this run has no journal; use --resume FILE, and >> instead of >, and the next run can be resumed"
	}
	return "this run has no journal; use --resume FILE and -o FILE, and the next run can be resumed"
}
