package main

import (
	"bytes"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/spf13/cobra"

	"absolink/cmd/absolink/internal/batch"
	"absolink/cmd/absolink/internal/codes"
	"absolink/cmd/absolink/internal/console"
	"absolink/cmd/absolink/internal/diff"
	"absolink/cmd/absolink/internal/files"
	"absolink/cmd/absolink/internal/inputs"
	"absolink/cmd/absolink/internal/mapping"
	"absolink/cmd/absolink/internal/rows"
	"absolink/extract"
)

type rewriting struct {
	*run
	o     *options
	tree  *files.Tree // of -o with several documents
	links files.Links // of the files that are rewritten in place

	accounted bool         // the last line says what was changed
	sized     atomic.Int64 // changed messages of a Maildir with their size in the name

	table *mapping.Table // of --map and --map-file; nil without these flags

	verifying *verifying // of --verify; nil without this flag
}

func (s *session) rewrite(cmd *cobra.Command, o *options, args []string) (err error) {
	if err := o.inPlace.checkSuffix(args); err != nil {
		return err
	}
	r := &rewriting{o: o}
	if r.run, err = s.newRun(cmd, o, args, batch.FindsEdits); err != nil {
		return err
	}
	o.set(&r.batch.Settings)
	r.in.Kept, r.in.InPlace = o.inPlace.suffix, o.inPlace.on
	if err := r.setMap(); err != nil {
		return err
	}
	if o.verify {
		r.verifying = o.newVerifying(r.table)
	}
	defer r.reportVerified()
	defer r.batch.ReportLeft(r.log, o.verbose)
	defer r.reportMap()
	if err := r.checkOutput(); err != nil {
		return err
	}
	if err := r.checkFound(args); err != nil {
		return err
	}
	if r.batch.Edits, err = r.openSide("--edits", o.edits); err != nil {
		return err
	}
	defer func() { err = r.batch.Edits.EndSide(err) }()
	r.dry = o.diff || o.dryRun
	r.in.Searches = r.batch.Left != nil && (r.dry || r.tree == nil) // with a tree, a warning names each hidden file
	r.afterAll = r.reportChanged
	switch {
	case o.diff:
		return r.diffs()
	case o.dryRun:
		return r.counts()
	case o.inPlace.on:
		r.linked = r.reportLinked
		return r.each(r.inPlace)
	case r.tree != nil:
		r.in.Empty = r.tree.MakeFolder
		r.batch.Journal.Sync = r.tree.Sync
		r.in.Missed = func(name, why string) {
			r.problems.Document(slog.LevelWarn, name, "not copied to "+r.tree.Root+": "+why)
		}
		err := r.each(r.intoTree)
		if r.unused && len(o.globs)+len(o.only) > 0 {
			r.tree.RemoveEmpty() // so that the right command can be run without --force
		}
		return err
	}
	return r.print()
}

// each runs do for each document. A document is not divided into records.
func (r *rewriting) each(do func(k *batch.Worker, src inputs.Source, d extract.Document) error) error {
	return r.do(func(k *batch.Worker) batch.Job {
		return func(src inputs.Source, d extract.Document) error {
			err := do(k, src, d)
			if err == nil && k.Account.Files > 0 && src.Kind != "" && strings.Contains(filepath.Base(src.Name), ",S=") {
				r.sized.Add(1)
			}
			return err
		}
	})
}

// checkOutput returns an error for flags that cannot work together. Nothing is written before it.
func (r *rewriting) checkOutput() error {
	o := r.o
	if o.output == files.Std {
		o.output = ""
	}
	dry := o.dryRun || o.diff
	if o.resume != "" &&
		(dry || !o.inPlace.on && !r.in.Several() && (o.output == "" || !files.IsFolderName(o.output))) {
		return fmt.Errorf("--resume works only with several documents, and -i or -o FOLDER; leave --resume out")
	}
	switch {
	case o.inPlace.on && slices.Contains(r.in.Paths, files.Std):
		return fmt.Errorf("standard input cannot be rewritten in place; leave out --in-place")
	case !dry && !o.inPlace.on && o.output == "" && r.in.Several():
		return fmt.Errorf("several documents cannot be written to standard output; use -o FOLDER, or -i to rewrite " +
			"them in place")
	}
	if o.inPlace.on {
		if err := r.onlyOnce(); err != nil {
			return err
		}
	}
	if err := r.apart(); err != nil {
		return err
	}
	if o.output == "" {
		return nil
	}
	if r.in.Several() || files.IsFolderName(o.output) {
		r.batch.Journal.Tree = o.output
		var err error
		// with a journal the folder is that of this run
		r.tree, err = r.newTree(o.output, o.force || o.resume != "" && files.Exists(o.resume))
		return err
	}
	return files.MayWriteFlag("-o", o.output, o.force)
}

// reportLinked reports the files with other hard links.
func (r *rewriting) reportLinked() {
	for _, name := range slices.Sorted(slices.Values(r.links.Kept())) {
		r.batch.Report(extract.Problem{Document: name, Code: codes.HardLinks, Severity: extract.SeverityNote,
			Detail: "the file has other hard links; they keep the old version"})
	}
}

// newTree returns the tree of -o. Each document has its own path in the tree, and no path is that of an input.
func (r *rewriting) newTree(root string, force bool) (*files.Tree, error) {
	const archives = " .zip .tar .tgz .gz .bz2 .xz .zst .7z .rar .epub .maff .wacz "
	if strings.Contains(archives, " "+strings.ToLower(filepath.Ext(root))+" ") && !files.Exists(root) {
		return nil, fmt.Errorf("-o %s: this would be a folder, because there are several documents; use the name of "+
			"a folder, "+
			"and pack it afterwards", root)
	}
	t, err := files.NewTree(r.files, root, force)
	if err != nil {
		return nil, err
	}
	for i, path := range r.in.Paths {
		if path == files.Std && r.in.Stdin == files.Std {
			return nil, fmt.Errorf("-o: standard input has no file name; use --name NAME, or -o FILE if it is the " +
				"only document")
		}
		if r.in.IsFolder(i) && files.Below(t.Root, path) {
			return nil, fmt.Errorf("-o: %s is inside the input folder %s; choose a folder outside it", t.Root, path)
		}
	}
	return t, t.Check(r.documents())
}

// documents yields the name and the path in the tree of each document that exists. Opening reports the others as
// errors.
func (r *rewriting) documents() iter.Seq2[string, string] {
	return func(yield func(name, rel string) bool) {
		for src, err := range r.in.All(false) {
			if err == nil && !yield(src.Name, src.Rel) {
				return
			}
		}
	}
}

// print prints the one document, or writes it to the file of -o.
func (r *rewriting) print() (err error) {
	if r.batch.Out, err = r.openOutput(r.o.output); err != nil {
		return err
	}
	r.batch.Out.Copy = true
	r.batch.Records, r.batch.Rewrites = !r.o.verify, true
	r.batch.Out.Escape = nil // as cat: the bytes of the document are what the user wants
	err = r.do(func(k *batch.Worker) batch.Job {
		return func(_ inputs.Source, d extract.Document) error { return r.rewriteOne(k, k.Out, d) }
	})
	if err == nil && r.Done.Load() == 0 && r.batch.Out.Discard() {
		return nil // the document failed or was not selected: there is nothing to write
	}
	if src := r.batch.Alone; err == nil && src != nil && !src.Stdin && r.Found.Load() == 0 && r.batch.Out.IsFile() &&
		r.isRepacked(src.Name) {
		err = r.batch.Out.Become(src.Name)
	}
	return r.batch.Out.End(err)
}

// rewriteOne rewrites a document as Worker.Rewrite does. With --verify it rewrites the document in memory first, and
// checks the result. A document that fails is copied unchanged.
func (r *rewriting) rewriteOne(k *batch.Worker, dst io.Writer, d extract.Document) error {
	v := r.verifying
	if v == nil {
		return k.Rewrite(dst, d)
	}
	old, whole, err := v.read(d.Reader)
	if err != nil {
		return err
	}
	if !whole {
		v.tell(d, k.Extractor.OnProblem, nil, tooLong, false)
		d.Reader = io.MultiReader(bytes.NewReader(old), d.Reader)
		return k.Rewrite(dst, d)
	}
	d.Bytes = old
	var out bytes.Buffer
	x := k.Extractor
	x.OnProblem, x.OnLink, x.OnRecord, x.OnEdit, x.OnChange = nil, nil, nil, nil, nil
	x.OnIntegrity, x.OnCanonical, x.OnLocal, x.Old = nil, nil, nil, nil
	if _, err := x.Rewrite(k.Context, &out, d); err != nil {
		return err
	}
	both := v.versions(k.Context, x, d, old, out.Bytes())
	result := v.config.Check(both)
	failed, kept := result.Wrong, map[string]bool{}
	for _, f := range failed {
		kept[f.Record] = true
	}
	if result.Failed != nil && !kept[""] { // only these records stay, if the whole is right then
		x.Keep, both.Kept = func(path string) bool { return kept[path] }, kept
		out.Reset()
		if _, err := x.Rewrite(k.Context, &out, d); err != nil {
			return err
		}
		both.New = out.Bytes()
		if again := v.config.Check(both); again.Failed == nil {
			result, k.Extractor.Keep = again, x.Keep
			defer func() { k.Extractor.Keep = nil }()
		}
	}
	v.tell(d, k.Extractor.OnProblem, failed, result, bytes.Equal(old, both.New))
	if result.Failed != nil {
		v.stay.Add(int64(result.All))
		if x.Keep, x.Old = func(string) bool { return true }, k.Extractor.Old; x.Old != nil { // all old URLs are left
			_, _ = x.Rewrite(k.Context, io.Discard, d)
		}
		_, err := dst.Write(old)
		return err
	}
	v.stay.Add(int64(len(failed)))
	return k.Rewrite(dst, d)
}

// isRepacked reports whether a document without an edit may have been compressed again to other bytes, so that its
// output must become a copy of the file. This is a compressed regular file that may have many records.
func (r *rewriting) isRepacked(name string) bool {
	if f := extract.Detect(r.batch.Opener.Kind, name, nil); f != nil && !f.Records {
		return false
	}
	f, packed := formatOf(r.batch.Opener.Kind, name)
	return packed && f != nil && f.Records
}

// counts prints the number of links that would change in each document.
func (r *rewriting) counts() error {
	r.batch.Out = r.stdoutput()
	err := r.each(func(k *batch.Worker, src inputs.Source, d extract.Document) error {
		if err := k.Rewrite(io.Discard, d); err != nil || k.Count == 0 {
			return err
		}
		k.Out.Buf = append(console.AppendCount(append(rows.AppendCell(k.Out.Buf, src.Name), ": "...), int64(k.Changed),
			batch.FindsLinks), '\n')
		return k.Out.Spill()
	})
	return r.batch.Out.End(err)
}

func (r *rewriting) diffs() error {
	r.batch.Out = r.stdoutput()
	look := diff.Look{Colors: console.ColorsOf(r.o.color, r.stdout), Escape: r.batch.Out.Escape}
	r.batch.Out.Escape = nil // hunks escapes the lines, and then colors them
	r.batch.Settings.Decompress = true
	err := r.each(func(k *batch.Worker, src inputs.Source, d extract.Document) error {
		hunks := diff.New(k.Out, src.Name, look)
		k.Edit = hunks.Edit
		if err := k.Rewrite(hunks, d); err != nil {
			return err
		}
		return hunks.End()
	})
	return r.batch.Out.End(err)
}

func (r *rewriting) inPlace(k *batch.Worker, src inputs.Source, d extract.Document) error {
	info, err := os.Lstat(src.Name)
	switch {
	case err != nil:
		return err
	case !info.Mode().IsRegular():
		return inputs.ErrNotRegular
	}
	r.files.Sweep(filepath.Dir(src.Name))    // even if the file does not change
	opened, err := d.Reader.(fs.File).Stat() // it was opened before Lstat, so it may be another file
	if err != nil {
		return err
	}
	file, err := r.files.Update(src.Name, opened)
	if err != nil {
		return err
	}
	defer file.Close()
	changed := false
	err = r.rewriteOne(k, file, d)
	if err == nil && k.Count > 0 { // without an edit the file stays, even if it was compressed again
		changed, err = file.Changed()
	}
	linked := func() {}
	if err == nil && changed {
		linked = r.links.Replace(src.Name, r.backup(src.Name), info)
	}
	if err == nil && changed && r.o.inPlace.suffix != "" {
		err = r.files.Backup(src.Name, r.backup(src.Name), info, r.o.force)
	}
	if err != nil {
		file.Discard()
		return err
	}
	if !changed {
		k.Account = console.Account{}
		file.Discard()
		return nil
	}
	if src.Kind != "" { // in a Maildir the time of a file is that of its delivery
		if err := file.KeepTime(); err != nil {
			file.Discard()
			return err
		}
	}
	k.Commit(file.New, linked)
	return nil
}

// backup returns the name that keeps the old version of a file, or "" if it is not kept.
func (r *rewriting) backup(name string) string {
	if r.o.inPlace.suffix == "" {
		return ""
	}
	return name + r.o.inPlace.suffix
}

// onlyOnce returns an error if two PATHs lead to one file and the run keeps old versions or writes edits. The second
// rewriting would keep the new version as the old one, and would write the edits again.
func (r *rewriting) onlyOnce() error {
	var what string
	switch {
	case len(r.in.Paths) < 2:
		return nil
	case r.o.inPlace.suffix != "":
		what = "and -i can keep only one old version of it"
	case r.o.edits != "":
		what = "and its edits would be in --edits twice"
	default:
		return nil
	}
	names, realNames := map[string]string{}, files.RealNames{}
	for path := range r.documents() {
		name := realNames.Of(path)
		if other, twice := names[name]; twice {
			return fmt.Errorf("%s and %s are the same file, %s; name it once", other, path, what)
		}
		names[name] = path
	}
	return nil
}

func (r *rewriting) intoTree(k *batch.Worker, src inputs.Source, d extract.Document) error {
	in := d.Reader.(*inputs.Reader)
	like, err := in.Stat()
	if err != nil {
		return err
	}
	if !like.Mode().IsRegular() {
		like = nil // a file does not get the mode of a pipe
	}
	file, err := r.tree.Create(src.Name, src.Rel, in.Name(), like)
	if err != nil {
		return err
	}
	err = r.rewriteOne(k, file, d)
	switch {
	case src.Found && batch.IsUnknownType(err):
		err = files.CopyFrom(file, src.Name)
	case err == nil && k.Count == 0 && like != nil && r.isRepacked(src.Name):
		err = file.Become(src.Name)
	}
	if err != nil {
		file.Discard()
		return err
	}
	k.Commit(file, nil)
	return nil
}
