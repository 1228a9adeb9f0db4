package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"absolink/extract"
)

// rewriteOptions are the flags of rewrite alone.
type rewriteOptions struct {
	options
	fragments extract.Fragments
	baseURLs  extract.BaseURLs
	inPlace   inPlace
	dryRun    bool
	diff      bool
	edits     string

	breakSignatures bool
}

func newRewrite(s *session) *cobra.Command {
	o := &rewriteOptions{}
	cmd := &cobra.Command{
		Use:   "rewrite [PATH...]",
		Short: "Make every link absolute and leave every other byte as it was",
		Long: `rewrite prints the document with every link absolute and every other byte as it was. A
PATH is a file, a folder (its files and those below it, sorted, as help inputs tells) or -
for standard input.

Several documents need -o FOLDER or -i. With -o the tree is laid out again, and what holds
no links is copied as it is; a file given by name keeps its path below the current folder.
With -i a file that has nothing to change is not touched; of a folder, nor is the NAME+SUFFIX
that -i=SUFFIX has kept of the file NAME beside it. A file that changes while it is read stays
as it is; all the same lock an mbox that mail is delivered to, for absolink does not.`,
		Example: `  absolink rewrite page.html --url http://h/p/ > out.html
  absolink rewrite site/ --site http://h/ -o absolute/
  absolink rewrite site/ --site http://h/ --diff
  absolink rewrite -i=.orig page.html -u http://h/p/`,
		RunE: func(cmd *cobra.Command, args []string) error { return s.rewrite(cmd, o, args) },
	}
	f := cmd.Flags()
	o.inputs(f)
	o.document(f)
	o.finding(f)
	o.batch(f)
	f.Var(newChoice(&o.fragments, extract.FragmentsAbsolute, "absolute|keep", []named[extract.Fragments]{
		{"absolute", extract.FragmentsAbsolute}, {"keep", extract.FragmentsKeep},
	}), "fragments", "what becomes of references that are only a fragment: absolute, or keep them as they are")
	f.Var(newChoice(&o.baseURLs, extract.BaseKeep, "keep|empty|remove", []named[extract.BaseURLs]{
		{"keep", extract.BaseKeep}, {"empty", extract.BaseEmpty}, {"remove", extract.BaseRemove},
	}), "base", "what becomes of BASE elements: keep makes them absolute, empty writes href=\"\", remove takes them out")
	o.writing(f, "write to `PATH`: a file, or a folder when several documents come in")
	o.inPlace.add(f)
	f.BoolVar(&o.breakSignatures, "break-signatures", false, "change links inside what a signature covers, too")
	f.BoolVarP(&o.dryRun, "dry-run", "n", false, "only say how many edits each document would have")
	f.BoolVar(&o.diff, "diff", false, "only say what would change, as a unified diff")
	f.StringVar(&o.edits, "edits", "", "write the edits to `FILE` as JSON lines")
	o.reporting(f)
	return cmd
}

// inPlace is the flag -i[=SUFFIX].
type inPlace struct {
	on     bool
	suffix string // what the old file's name gets; "" does not keep it
}

func (i *inPlace) add(f *pflag.FlagSet) {
	f.VarP(i, "in-place", "i", "rewrite files where they stand; -i=SUFFIX keeps the old one as NAME+SUFFIX")
	f.Lookup("in-place").NoOptDefVal = "true"
}

// Set is part of pflag.Value.
func (i *inPlace) Set(s string) error {
	switch s {
	case "true": // no "="
		s = ""
	case "", "false": // of a variable that is not set the old files would not be kept
		return errors.New("give a suffix such as .orig, or leave the flag out")
	}
	for c := range len(s) {
		if os.IsPathSeparator(s[c]) {
			return errors.New("the suffix is a part of a file's name")
		}
	}
	i.on, i.suffix = true, s
	return nil
}

// looksLikeSuffix says whether a word may be meant as the suffix of -i, as sed has it.
func looksLikeSuffix(word string) bool {
	return strings.IndexAny(word, ".~_-") == 0 && !strings.ContainsRune(word, filepath.Separator)
}

// String is part of pflag.Value.
func (i *inPlace) String() string { return i.suffix }

// Type is part of pflag.Value. It is that of flags that need no value.
func (i *inPlace) Type() string { return "bool" }

// rewriting is one run of rewrite.
type rewriting struct {
	*walk
	o    *rewriteOptions
	tree *tree // of -o with several documents
}

func (s *session) rewrite(cmd *cobra.Command, o *rewriteOptions, args []string) (err error) {
	w, err := s.newWalk(cmd, &o.options, args, findsEdits)
	if err != nil {
		return err
	}
	w.settings.Fragments, w.settings.BaseURLs, w.settings.BreakSignatures = o.fragments, o.baseURLs, o.breakSignatures
	w.kept = o.inPlace.suffix
	r := &rewriting{walk: w, o: o}
	if err := r.check(); err != nil {
		return err
	}
	if o.edits != "" {
		if r.edits, err = s.openOutput(o.edits); err != nil {
			return err
		}
		defer func() { err = r.edits.endBeside(err) }()
	}
	switch {
	case o.diff:
		return r.diffs()
	case o.dryRun:
		return r.counts()
	case o.inPlace.on:
		return r.each(r.inPlace)
	case r.tree != nil:
		w.missed = func(name, why string) { w.log.Warn("not in "+r.tree.root+": "+why, slog.String("document", name)) }
		return r.each(r.intoTree)
	}
	return r.print()
}

// each is run for what needs all of a document at once.
func (r *rewriting) each(do func(k *worker, src source, d extract.Document) error) error {
	return r.run(func(k *worker) job {
		return job{document: func(src source, d extract.Document) error { return do(k, src, d) }}
	})
}

// check refuses what cannot work, before anything is written.
func (r *rewriting) check() error {
	o := r.o
	if o.output == stdinName {
		o.output = ""
	}
	dry := o.dryRun || o.diff
	if o.resume != "" && (dry || !o.inPlace.on && !r.several() && (o.output == "" || !isFolderName(o.output))) {
		return fmt.Errorf("--resume is for many documents, in place or into a folder; leave it out")
	}
	switch {
	case o.inPlace.on && o.output != "":
		return fmt.Errorf("--in-place and --output contradict each other; give one of them")
	case o.inPlace.on && o.follow:
		return fmt.Errorf("--in-place and --follow contradict each other; nothing is rewritten through a symbolic link")
	case o.diff && !o.dryRun && o.inPlace.on:
		return fmt.Errorf("--diff only says what would change; leave out --in-place, or add --dry-run")
	case o.diff && !o.dryRun && o.output != "":
		return fmt.Errorf("--diff only says what would change, on standard output; leave out --output, or add --dry-run")
	case !dry && !o.inPlace.on && o.output == "" && r.several():
		return fmt.Errorf("several documents cannot be printed as one; give -o FOLDER, or -i to rewrite them where they stand")
	}
	if o.inPlace.on {
		for _, path := range r.paths {
			if path == stdinName {
				return fmt.Errorf("standard input cannot be rewritten in place; leave out --in-place")
			}
			if o.inPlace.suffix == "" && looksLikeSuffix(path) && !exists(path) {
				return fmt.Errorf("%s: no such file or folder; a suffix is given as -i=%s", path, path)
			}
		}
		if err := r.onlyOnce(); err != nil {
			return err
		}
	}
	if err := mayWriteFlag("--edits", o.edits, o.force); err != nil {
		return err
	}
	if err := r.apart(outputFlag{"--edits", o.edits}, outputFlag{"--problems", o.problems}, outputFlag{"--stats", o.stats}, outputFlag{"-o", o.output}); err != nil {
		return err
	}
	if o.output == "" {
		return nil
	}
	if r.several() || isFolderName(o.output) {
		r.journal.tree = o.output
		var err error
		r.tree, err = r.newTree(o.output, o.force || o.resume != "" && exists(o.resume)) // a journal tells that it is of this run
		return err
	}
	return mayWriteFlag("-o", o.output, o.force)
}

// print prints the one document, or writes it to the file of -o.
func (r *rewriting) print() (err error) {
	if r.out, err = r.openOutput(r.o.output); err != nil {
		return err
	}
	err = r.run(func(k *worker) job {
		return job{
			document: func(_ source, d extract.Document) error { return k.walker.Rewrite(k.out, d) },
			record:   func(rec extract.Record) error { return k.walker.RewriteRecord(k.out, rec) },
			rewrites: true,
		}
	})
	if err == nil && r.done.Load() == 0 && r.out.file != nil {
		r.out.file.discard() // it failed, or was not chosen: there is no document to write
		return nil
	}
	return r.out.end(err)
}

// counts says how many edits each document would have.
func (r *rewriting) counts() error {
	r.out = r.stdoutput()
	err := r.each(func(k *worker, src source, d extract.Document) error {
		if err := k.walker.Rewrite(io.Discard, d); err != nil {
			return err
		}
		k.out.buf = append(appendCount(append(appendCell(k.out.buf, src.name), ": "...), int64(k.count), findsEdits), '\n')
		return k.out.spill()
	})
	return r.out.end(err)
}

// diffs prints what would change.
func (r *rewriting) diffs() error {
	r.out = r.stdoutput()
	colors := colorsOf(r.o.color, r.stdout)
	r.settings.Unpacked = true
	err := r.each(func(k *worker, src source, d extract.Document) error {
		diff := newDiff(k.out, src.name, colors)
		k.edit = diff.edit
		if err := k.walker.Rewrite(diff, d); err != nil {
			return err
		}
		return diff.end()
	})
	return r.out.end(err)
}

// inPlace rewrites a file where it stands.
func (r *rewriting) inPlace(k *worker, src source, d extract.Document) error {
	info, err := os.Lstat(src.name)
	switch {
	case err != nil:
		return err
	case !info.Mode().IsRegular():
		return errors.New("is no plain file, so it is not rewritten in place; name the file itself")
	}
	file, err := r.files.late(src.name)
	if err != nil {
		return err
	}
	defer file.old.Close()
	changed := false
	if file.info, err = d.Reader.(fs.File).Stat(); err == nil { // it was opened before, and may be another
		err = k.walker.Rewrite(file, d)
	}
	if err == nil {
		changed, err = file.end()
	}
	if err == nil && changed && r.o.inPlace.suffix != "" {
		err = r.keep(src.name, src.name+r.o.inPlace.suffix, info)
	}
	if err != nil {
		file.discard()
		return err
	}
	if !changed {
		return nil
	}
	if src.kind != "" { // in a Maildir the time is when the message came
		if err := os.Chtimes(file.out.Name(), time.Time{}, file.info.ModTime()); err != nil {
			file.discard()
			return err
		}
	}
	return k.commit(file.out)
}

// onlyOnce refuses a file that two PATHs lead to, where the old one is to be kept, which the second
// time would be what the first has made of it, or the edits are: they would be there twice.
func (r *rewriting) onlyOnce() error {
	var what string
	switch {
	case len(r.paths) < 2:
		return nil
	case r.o.inPlace.suffix != "":
		what = "of which there is one old version to keep"
	case r.o.edits != "":
		what = "whose edits can be made once"
	default:
		return nil
	}
	names, realNames := map[string]string{}, realNames{}
	for src, err := range r.sources(false) {
		if err != nil {
			continue // it is told when the document is opened
		}
		name := realNames.of(src.name)
		if other, twice := names[name]; twice {
			return fmt.Errorf("%s and %s are one file, %s; give it once", other, src.name, what)
		}
		names[name] = src.name
	}
	return nil
}

// keep keeps the old file, unless an interrupted run has done so.
func (r *rewriting) keep(name, backup string, info fs.FileInfo) error {
	switch there, err := os.Lstat(backup); {
	case err != nil: // not there
	case os.SameFile(there, info), there.Mode().IsRegular() && sameBytes(name, backup): // a copy where links cannot be
		return nil
	case !r.o.force:
		return fmt.Errorf("%s exists; --force overwrites it", backup)
	}
	if err := r.files.keep(name, backup, info); err != nil {
		return fmt.Errorf("%s: %w", backup, withAdvice(err))
	}
	return nil
}

// intoTree writes a document to its place in the tree of -o.
func (r *rewriting) intoTree(k *worker, src source, d extract.Document) error {
	like, err := d.Reader.(fs.File).Stat()
	if err != nil {
		return err
	}
	file, err := r.tree.create(src, like)
	if err != nil {
		return err
	}
	err = k.walker.Rewrite(file, d)
	if src.found && isUnknownType(err) {
		r.log.Debug("copied as it is: "+err.Error(), slog.String("document", src.name))
		err = copyFrom(file, src.name)
	}
	if err != nil {
		file.discard()
		return err
	}
	return k.commit(file)
}

// copyFrom copies a file as it is.
func copyFrom(dst io.Writer, name string) error {
	in, err := os.Open(name)
	if err != nil {
		return err
	}
	defer in.Close()
	_, err = io.Copy(dst, in)
	return err
}
