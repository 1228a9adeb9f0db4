package main

import (
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"absolink/extract"
)

// stdinName is the PATH that means standard input.
const stdinName = "-"

// source is one document that comes in.
type source struct {
	name  string      // what it is called: the PATH, for a file found in a folder joined with "/"
	rel   string      // its path in the tree it belongs to, with "/"; "" if it is in none
	kind  string      // its media type, if the folder tells
	found bool        // in a folder, not given by name
	file  *os.File    // nil if it is not open yet
	info  fs.FileInfo // of the open file
}

// walk is a run over documents: what base, links, rewrite and explain have in common.
type walk struct {
	*session
	options   *options
	paths     []string
	kinds     []pathKind // of each, as far as they were asked for
	globs     globs
	kept      string  // see folders
	piped     *reader // standard input
	retrieval *retrieval
	reporter  *reporter
	settings  extract.Walker // of every worker
	finds     string         // one of those below
	stats     *stats         // nil without --stats
	journal   journal
	out       *output // what the documents come to, one after the other; nil if they have files of their own
	edits     *output // of --edits; nil without

	// missed is told of what stands in a folder and is no document. If it is nil, run has it logged.
	missed func(name, why string)
}

// What a walk finds, as people call it.
const (
	findsLinks = "links"
	findsBases = "bases"
	findsEdits = "edits"
)

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
		args = []string{stdinName}
	}
	if err := o.check(cmd); err != nil {
		return nil, err
	}
	// What a document that was interrupted left can be taken back only where it stands behind all
	// that is done.
	o.unordered = o.unordered && o.resume == ""
	w := &walk{session: s, options: o, finds: finds, piped: &reader{file: s.stdin, counts: &s.counts}}
	if o.resume != "" {
		w.journal.run = sameRun(cmd)
	}
	var err error
	if w.globs, err = newGlobs(o.globs); err != nil {
		return nil, err
	}
	if w.paths, err = s.listed(o, args); err != nil {
		return nil, err
	}
	w.kinds = make([]pathKind, len(w.paths))
	if err := w.checkPaths(); err != nil {
		return nil, err
	}
	if w.retrieval, err = newRetrieval(o); err != nil {
		return nil, err
	}
	for _, out := range []outputFlag{{"--problems", o.problems}, {"--stats", o.stats}} {
		if err := mayWriteFlag(out.flag, out.path, o.force); err != nil {
			return nil, err
		}
	}
	if journal, err := os.Stat(o.resume); err == nil && s.isStdout(journal) {
		return nil, fmt.Errorf("--resume: %s is where standard output goes; name another file", o.resume)
	}
	if o.resume != "" && !exists(o.resume) {
		if err := mayCreateIn(filepath.Dir(o.resume)); err != nil {
			return nil, fmt.Errorf("--resume: %w", err)
		}
	}
	s.strict = o.strict
	if o.stats != "" {
		w.stats = newStats(finds)
	}
	w.reporter = &reporter{session: s, all: o.verbose, stats: w.stats}
	switch {
	case o.url+o.urlMap+o.site+o.override != "" || o.mirror:
	case w.several():
		w.reporter.noBase = "give the URLs that the documents were retrieved from with --site, --mirror or --url-map"
	default:
		w.reporter.noBase = "give the URL that the document was retrieved from with --url"
	}
	w.settings = extract.Walker{Options: extract.Options{
		Standard:   o.standard,
		Override:   o.override,
		Extended:   o.extended,
		MaxDepth:   o.maxDepth,
		MaxRecord:  int(o.maxRecord),
		MaxRatio:   o.maxRatio,
		Mbox:       o.mbox,
		NoEvidence: o.noEvidence,
		Canonical:  o.canonical,
		Unarchive:  o.unarchive,
	}}
	return w, nil
}

// mostJobs is more workers than there are cores anywhere, and not so many that they fill the memory.
const mostJobs = 1024

// check refuses flags that do not go together, and values that make no sense.
func (o *options) check(cmd *cobra.Command) error {
	for _, flags := range [][]string{{"quiet", "verbose"}, {"url", "site", "mirror"}, {"url", "url-map"}, {"no-evidence", "canonical"}} {
		if err := exclusive(cmd, flags...); err != nil {
			return err
		}
	}
	switch {
	case o.maxDepth < 1:
		return fmt.Errorf("--max-depth %d: give a number from 1", o.maxDepth)
	case o.maxRatio < 1:
		return fmt.Errorf("--max-ratio %d: give a number from 1", o.maxRatio)
	case o.jobs < 0 || o.jobs > mostJobs:
		return fmt.Errorf("--jobs %d: give a number up to %d, or 0 for one a core", o.jobs, mostJobs)
	case o.resume != "" && o.form == asParquet:
		return fmt.Errorf("--resume goes on with a file, and Parquet is written as a whole; give another --format")
	case o.resume == stdinName:
		return fmt.Errorf("--resume names a file; give one")
	case o.null && o.filesFrom == "":
		return fmt.Errorf("--null is about the list of --files-from; give it")
	}
	return nil
}

// checkPaths refuses PATHs that do not go with the flags about URLs.
func (w *walk) checkPaths() error {
	o, stdins := w.options, 0
	if o.filesFrom == stdinName {
		stdins++
	}
	for _, path := range w.paths {
		if path == stdinName {
			stdins++
		}
	}
	switch {
	case stdins > 1:
		return fmt.Errorf("- is given more than once; standard input can be read only once")
	case o.url != "" && w.several():
		return fmt.Errorf("--url is the URL of one document; for several give --site URL or --url-map FILE")
	case stdins > 0 && o.filesFrom != stdinName && o.resume != "":
		return fmt.Errorf("--resume knows documents by their names, and standard input has none; give files")
	case stdins > 0 && o.filesFrom != stdinName && (o.site != "" || o.mirror):
		return fmt.Errorf("standard input stands in no tree; give --url for it")
	}
	if o.site == "" && !o.mirror {
		return nil
	}
	for i, path := range w.paths {
		if relative(path) == "" && !w.isFolder(i) {
			return fmt.Errorf("%s is not below the current folder, so it has no place in the tree; give the folder that is the tree's root", path)
		}
	}
	return nil
}

// several says whether more than one document may come in. A list may be of one today
// and of two tomorrow.
func (w *walk) several() bool {
	return w.options.filesFrom != "" || len(w.paths) > 1 || w.isFolder(0)
}

func isFolder(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// pathKind is what a PATH was found to be, so that the disk is asked once.
type pathKind uint8

const (
	notAsked pathKind = iota
	isFile            // or cannot be looked at, which whoever opens it tells
	isTree
)

// isFolder says whether the PATH of that number is a folder.
func (w *walk) isFolder(i int) bool {
	if w.kinds[i] == notAsked && w.paths[i] != stdinName {
		w.kinds[i] = isFile
		if isFolder(w.paths[i]) {
			w.kinds[i] = isTree
		}
	}
	return w.kinds[i] == isTree
}

// relative gives a path that is below the current folder relative to it, with "/"; "" if
// it is not below.
func relative(path string) string {
	if filepath.Separator == '/' && fs.ValidPath(path) {
		return path // as most are
	}
	if filepath.IsAbs(path) {
		here, err := os.Getwd()
		if err != nil {
			return ""
		}
		if path, err = filepath.Rel(here, path); err != nil {
			return ""
		}
	}
	path = filepath.Clean(path)
	if !filepath.IsLocal(path) {
		return ""
	}
	return filepath.ToSlash(path)
}

// sources gives the documents of all PATHs, those of a folder sorted by name. An error is
// about the source it comes with. If they are to be read, files may come open, and missed is
// told of what stands in a folder and is none.
func (w *walk) sources(read bool) iter.Seq2[source, error] {
	missed := func(name, why string) {}
	if read {
		missed = w.missed
	}
	return func(yield func(source, error) bool) {
		o := w.options
		f := &folders{globs: w.globs, hidden: o.hidden, follow: o.follow, opens: read, kept: w.kept, missed: missed,
			yield: func(src source, err error) bool {
				if o.shard.has(src.name) && !(src.found && w.isJournal(src.name)) {
					if !w.journal.has(src.name) {
						return yield(src, err)
					}
					w.before.Store(true)
				}
				if src.file != nil {
					src.file.Close()
				}
				return true
			}}
		for i, path := range w.paths {
			more := false
			if w.kinds[i] == isFile {
				more = f.yield(source{name: path, rel: relative(path)}, nil)
			} else {
				more = f.path(path)
			}
			if !more {
				return
			}
		}
	}
}

// isJournal says whether a file is the journal of the run, which may stand in a folder that is read.
func (w *walk) isJournal(name string) bool {
	resume := w.options.resume
	return resume != "" && filepath.Base(name) == filepath.Base(resume) && samePath(name, resume)
}

// join puts a name behind a folder as it was given.
func join(folder, name string) string {
	if folder == "" || strings.HasSuffix(folder, "/") {
		return folder + name
	}
	return folder + "/" + name
}

// withAdvice says what happened in the words of this command, and what to do about it.
// The name that package os puts in front is left out: it stands there already.
func withAdvice(err error) error {
	var path *fs.PathError
	var link *os.LinkError
	var done advised
	switch {
	case errors.As(err, &done): // with what was put in front of it since
		return err
	case isUnknownType(err):
		return fmt.Errorf("%w; say with --type what it is", err)
	case errors.Is(err, fs.ErrNotExist):
		return advised{err, "no such file or folder; look at the PATH"}
	case errors.Is(err, fs.ErrPermission):
		return advised{err, "permission denied; see who may do this"}
	case errors.Is(err, syscall.EISDIR):
		return advised{err, "is a folder; name a file"}
	case errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EDQUOT):
		return advised{err, "no space left; make room, or write elsewhere"}
	case errors.Is(err, syscall.EPIPE):
		return err
	case errors.As(err, &path):
		return advised{err, path.Op + ": " + path.Err.Error()}
	case errors.As(err, &link):
		return advised{err, link.Op + ": " + link.Err.Error()}
	}
	return err
}

// isUnknownType says whether an error is that no format claims a document.
func isUnknownType(err error) bool {
	_, is := errors.AsType[*extract.UnknownTypeError](err)
	return is
}

// advised is an error in other words.
type advised struct {
	error
	text string
}

func (a advised) Error() string { return a.text }
func (a advised) Unwrap() error { return a.error }
