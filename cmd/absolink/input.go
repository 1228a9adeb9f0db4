package main

import (
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"log/slog"
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
	name  string // what it is called: the PATH, for a file found in a folder joined with "/"
	rel   string // its path in the tree it belongs to, with "/"; "" if it is in none
	found bool   // in a folder, not given by name
}

// walk is a run over documents: what base, links, rewrite and explain have in common.
type walk struct {
	*session
	options   *options
	paths     []string
	retrieval *retrieval
	reporter  *reporter
	walker    *extract.Walker

	// missed is told of what stands in a folder and is no document. It may be nil.
	missed func(name, why string)
}

// newWalk checks the flags and the PATHs. Nothing is written before it is done.
func (s *session) newWalk(cmd *cobra.Command, o *options, args []string) (*walk, error) {
	if len(args) == 0 {
		if _, terminal := terminalWidth(s.stdin); terminal {
			return nil, s.help(cmd)
		}
		args = []string{stdinName}
	}
	for _, flags := range [][]string{{"quiet", "verbose"}, {"url", "site", "mirror"}, {"url", "url-map"}, {"no-evidence", "canonical"}} {
		if err := exclusive(cmd, flags...); err != nil {
			return nil, err
		}
	}
	if o.maxDepth < 1 {
		return nil, fmt.Errorf("--max-depth %d: give a number from 1", o.maxDepth)
	}
	if o.maxRatio < 1 {
		return nil, fmt.Errorf("--max-ratio %d: give a number from 1", o.maxRatio)
	}
	w := &walk{session: s, options: o, paths: args}
	if err := w.checkPaths(); err != nil {
		return nil, err
	}
	var err error
	if w.retrieval, err = newRetrieval(o); err != nil {
		return nil, err
	}
	if err := mayWriteFlag("--problems", o.problems, o.force); err != nil {
		return nil, err
	}
	s.talk(o)
	s.strict = o.strict
	w.reporter = &reporter{session: s, all: o.verbose}
	w.walker = &extract.Walker{
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

		OnProblem: w.reporter.problem,
	}
	return w, nil
}

// talk sets how much is said on standard error.
func (s *session) talk(o *options) {
	switch {
	case o.quiet:
		s.level.Set(slog.LevelError)
	case o.verbose:
		s.level.Set(slog.LevelDebug)
	}
}

// checkPaths refuses PATHs that do not go with the flags about URLs.
func (w *walk) checkPaths() error {
	o, stdins := w.options, 0
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
	case stdins > 0 && (o.site != "" || o.mirror):
		return fmt.Errorf("standard input stands in no tree; give --url for it")
	}
	if o.site == "" && !o.mirror {
		return nil
	}
	for _, path := range w.paths {
		if !isFolder(path) && relative(path) == "" {
			return fmt.Errorf("%s is not below the current folder, so it has no place in the tree; give the folder that is the tree's root", path)
		}
	}
	return nil
}

// several says whether more than one document may come in.
func (w *walk) several() bool { return len(w.paths) > 1 || isFolder(w.paths[0]) }

func isFolder(path string) bool {
	if path == stdinName {
		return false
	}
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// relative gives a path that is below the current folder relative to it, with "/"; "" if
// it is not below.
func relative(path string) string {
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

// run opens the file of --problems, calls do for every document, and tidies up. An error
// of do is one of that document, unless it is an *outputError.
func (w *walk) run(do func(source, extract.Document) error) (err error) {
	if name := w.options.problems; name != "" {
		if w.reporter.file, err = w.openOutput(name); err != nil {
			return err
		}
		defer func() { err = w.reporter.file.end(err) }()
	}
	if w.missed == nil {
		w.missed = func(name, why string) { w.log.Info("passed over: "+why, slog.String("document", name)) }
	}
	for src, err := range w.sources() {
		if err == nil {
			err = w.one(src, do)
		}
		if stop := (*outputError)(nil); errors.As(err, &stop) {
			return err
		}
		unknown := (*extract.UnknownTypeError)(nil)
		switch {
		case err == nil:
			w.done++
		case src.found && errors.As(err, &unknown):
			w.log.Debug("passed over: "+err.Error(), slog.String("document", src.name))
		default:
			w.failed++
			w.log.Error(withAdvice(err).Error(), slog.String("document", src.name))
		}
	}
	return nil
}

// one opens a document and calls do with it.
func (w *walk) one(src source, do func(source, extract.Document) error) error {
	d := extract.Document{Name: src.name, Type: w.options.mediaType}
	d.URL, d.URLBy = w.retrieval.of(src)
	if d.URL == "" && w.options.mirror && src.rel != "" {
		w.log.Warn("in no host's folder, so --mirror does not tell its URL", slog.String("document", src.name))
	}
	if src.name == stdinName {
		d.Reader = w.stdin
	} else {
		file, err := os.Open(src.name)
		if err != nil {
			return err
		}
		defer file.Close()
		d.Reader = file
		if !w.options.noEvidence {
			d.Evidence = fileEvidence(src.name)
		}
	}
	defer w.reporter.end(src.name)
	return do(src, d)
}

// sources gives the documents of all PATHs, those of a folder sorted by name. An error is
// about the source it comes with.
func (w *walk) sources() iter.Seq2[source, error] {
	return func(yield func(source, error) bool) {
		for _, path := range w.paths {
			if path == stdinName {
				if !yield(source{name: path}, nil) {
					return
				}
				continue
			}
			info, err := os.Stat(path)
			switch {
			case err == nil && info.IsDir():
				if !w.folder(path, "", yield) {
					return
				}
			case !yield(source{name: path, rel: relative(path)}, err):
				return
			}
		}
	}
}

// folder gives the files of a folder and those below it. Symbolic links in it are not
// followed, and what is neither file nor folder is no document.
func (w *walk) folder(path, rel string, yield func(source, error) bool) bool {
	entries, err := os.ReadDir(path)
	if err != nil && !yield(source{name: path}, err) {
		return false
	}
	for _, entry := range entries {
		src := source{name: join(path, entry.Name()), rel: join(rel, entry.Name()), found: true}
		switch {
		case isTemp(entry.Name()):
		case entry.IsDir():
			if !w.folder(src.name, src.rel, yield) {
				return false
			}
		case entry.Type()&fs.ModeSymlink != 0:
			w.miss(src.name, "a symbolic link in a folder is not followed")
		case !entry.Type().IsRegular():
			w.miss(src.name, "neither a file nor a folder")
		case !yield(src, nil):
			return false
		}
	}
	return true
}

func (w *walk) miss(name, why string) {
	if w.missed != nil {
		w.missed(name, why)
	}
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
	var unknown *extract.UnknownTypeError
	var path *fs.PathError
	var link *os.LinkError
	switch {
	case errors.As(err, &unknown):
		return fmt.Errorf("%w; say with --type what it is", err)
	case errors.Is(err, fs.ErrNotExist):
		return advised{err, "no such file or folder; look at the PATH"}
	case errors.Is(err, fs.ErrPermission):
		return advised{err, "permission denied; see who may do this"}
	case errors.Is(err, syscall.ENOSPC):
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

// advised is an error in other words.
type advised struct {
	error
	text string
}

func (a advised) Error() string { return a.text }
func (a advised) Unwrap() error { return a.error }
