package main

import (
	"io/fs"
	"log/slog"
	"os"
	"runtime"
	"time"

	"github.com/spf13/cobra"

	"absolink/cmd/absolink/internal/files"
	"absolink/extract"
)

// walk is a run over documents: what base, links, rewrite and explain have in common.
type walk struct {
	*session
	options   *options
	in        *selection
	opener    *opener
	retrieval *retrieval
	problems  *problems
	batch     *batchRun
}

// newWalk checks the flags and the PATHs. Nothing is written before it is done.
func (s *session) newWalk(cmd *cobra.Command, o *options, args []string, finds string) (*walk, error) {
	s.talk(o)
	if err := notEmpty(cmd); err != nil {
		return nil, err
	}
	if len(args) == 0 && o.filesFrom == "" {
		if _, terminal := terminalWidth(s.stdin); terminal {
			return nil, s.help(cmd)
		}
		args = []string{files.Std}
	}
	if err := o.check(cmd); err != nil {
		return nil, err
	}
	// What a document that was interrupted left can be taken back only where it stands behind all
	// that is done.
	o.unordered = o.unordered && o.resume == ""
	w := &walk{session: s, options: o, batch: &batchRun{finds: finds, counts: &s.counts}}
	if o.resume != "" {
		w.batch.journal.run = sameRun(cmd)
	}
	if err := w.choose(args); err != nil {
		return nil, err
	}
	var err error
	if w.retrieval, err = newRetrieval(o.retrieval()); err != nil {
		return nil, err
	}
	if err := w.checkBeside(); err != nil {
		return nil, err
	}
	s.strict = o.strict
	if o.stats != "" {
		w.batch.stats = newStats(finds)
	}
	w.problems = &problems{log: s.log, all: o.verbose, noBase: w.baseAdvice()}
	w.batch.settings = o.settings()
	w.opener = w.newOpener()
	return w, nil
}

// choose sets which documents come in.
func (w *walk) choose(args []string) error {
	o := w.options
	g, err := newGlobs(o.globs)
	if err != nil {
		return err
	}
	if o.filesFrom != "" {
		if args, err = readList(args, o.filesFrom, o.null, w.stdin); err != nil {
			return err
		}
	}
	w.in = newSelection(selectionConfig{
		paths: args, listed: o.filesFrom != "", globs: g, hidden: o.hidden, follow: o.follow, shard: o.shard, journal: o.resume,
	})
	w.in.done = func(document string) bool {
		done := w.batch.journal.has(document)
		if done {
			w.before.Store(true)
		}
		return done
	}
	w.in.missed = func(name, why string) { w.log.Info("passed over: "+why, slog.String("document", name)) }
	return w.checkPaths()
}

// baseAdvice returns what to do about a document without a base; "" if the flags give URLs already.
func (w *walk) baseAdvice() string {
	o := w.options
	switch {
	case o.url+o.urlMap+o.site+o.override != "" || o.mirror:
		return ""
	case w.in.several():
		return "give the URLs that the documents were retrieved from with --site, --mirror or --url-map"
	}
	return "give the URL that the document was retrieved from with --url"
}

// retrieval returns what the flags say of retrieval URLs.
func (o *options) retrieval() retrievalConfig {
	return retrievalConfig{url: o.url, urlMap: o.urlMap, site: o.site, mirror: o.mirror, override: o.override, standard: o.standard}
}

// settings returns what the flags ask of every worker.
func (o *options) settings() extract.Walker {
	return extract.Walker{
		Standard:  o.standard,
		Override:  o.override,
		Extended:  o.extended,
		MaxDepth:  o.maxDepth,
		MaxRecord: int(o.maxRecord),
		MaxRatio:  o.maxRatio,
		Mbox:      o.mbox,

		NoEvidence: o.noEvidence,
		Canonical:  o.canonical,
		Unarchive:  o.unarchive,
	}
}

// newOpener returns what opens the documents. What standard output goes to is not known yet.
func (w *walk) newOpener() *opener {
	o := w.options
	bytes := &w.counts.bytes
	opener := &opener{retrieval: w.retrieval, kind: o.mediaType, only: o.only,
		stdin: &reader{file: w.stdin, meter: bytes}, meter: bytes, stray: w.problems.stray}
	switch {
	case o.noEvidence:
		opener.evidence = evidenceNever
	case w.batch.finds == findsBases:
		opener.evidence = evidenceAlways
	}
	return opener
}

// run opens the files of --problems and --stats, has the documents walked, and tidies up.
func (w *walk) run(newJob func(*worker) job) (err error) {
	b, o := w.batch, w.options
	if name := o.problems; name != "" {
		if w.problems.file, err = w.openOutput(name); err != nil {
			b.out.Leave()
			return err
		}
		defer func() { err = w.problems.file.EndBeside(err) }()
	}
	if name := o.stats; name != "" {
		var file *files.Output
		if file, err = w.openOutput(name); err != nil {
			b.out.Leave()
			return err
		}
		defer func() {
			file.Buf = b.stats.append(file.Buf, &w.counts)
			err = file.EndBeside(err)
		}()
	}
	if err := b.journal.open(o.resume, b.out, o.force); err != nil {
		return err
	}
	defer b.journal.close()
	w.setUp()
	w.showProgress() // from here on others look at what the PATHs are, too
	defer w.messages.end()
	defer w.problems.last()
	err = b.do(newJob)
	if err == nil && w.foundNone() {
		which := "to read"
		if !w.in.globs.empty() {
			which = "that --glob chooses"
		}
		w.log.Warn("there is no document " + which + "; -v tells what is passed over, and absolink help inputs why")
	}
	return err
}

// setUp gives the batch what it works on and how.
func (w *walk) setUp() {
	b, o := w.batch, w.options
	w.opener.output = w.printed
	b.sources, b.opener = w.in.all(true), w.opener
	if !w.in.several() {
		b.alone = &source{name: w.in.paths[0]}
	}
	b.jobs, b.unordered, b.failFast = o.jobs, o.unordered, o.failFast
	if b.jobs == 0 {
		b.jobs = runtime.GOMAXPROCS(0)
	}
	b.reporter, b.logger = w.problems, w.log
}

// foundNone reports whether there was no document in the PATHs, which may be meant only if some are chosen.
func (w *walk) foundNone() bool {
	o := w.options
	return w.done.Load()+w.failed.Load() == 0 && o.filesFrom == "" && o.resume == "" && o.shard.isAll() && len(o.only) == 0
}

// showProgress begins the line, if there is to be one.
func (w *walk) showProgress() {
	const usualColumns = 80
	columns, terminal := terminalWidth(w.stderr)
	if w.printing && w.printed == nil {
		terminal = false // the rows are what people look at, behind a pipe, too
	}
	if os.Getenv("TERM") == "dumb" {
		terminal = false // a line cannot be drawn anew
	}
	if w.options.progress == never || w.options.progress == auto && !terminal {
		return
	}
	if columns == 0 {
		columns = usualColumns
	}
	go w.addUp()
	start, c := time.Now(), &w.counts
	w.messages.begin(func() []byte {
		s := state{
			read: c.bytes.read.Load(), skipped: c.bytes.skipped.Load(), total: c.total.Load(),
			documents: c.done.Load(), found: c.found.Load(), wrong: c.wrong.Load(),
			finds: w.batch.finds, elapsed: time.Since(start),
		}
		if name := c.document.Load(); name != nil {
			s.document = *name
		}
		return s.line(columns)
	})
}

// addUp finds out how many bytes there are to read, while others are read already.
func (w *walk) addUp() {
	total := int64(0)
	for src, err := range w.in.all(false) {
		var info fs.FileInfo
		if src.name == files.Std {
			info, err = w.stdin.Stat()
		} else if err == nil {
			info, err = os.Stat(src.name)
		}
		if err == nil && info.Mode().IsRegular() {
			total += info.Size()
		}
	}
	w.total.Store(total)
}
