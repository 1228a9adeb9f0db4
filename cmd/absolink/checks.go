// The checks before a run: flags that cannot be combined, PATHs that have no URL, and outputs that would overwrite an
// input or another output. Nothing is written before these checks.

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
	"absolink/cmd/absolink/internal/rows"
	"absolink/cmd/absolink/internal/usage"
	"absolink/extract"
)

// output begins the output file of -o, or returns standard output.
func (r *run) output() (*files.Output, error) {
	o := r.options
	if err := r.apart(); err != nil {
		return nil, err
	}
	if o.output == files.Std {
		o.output = ""
	}
	if o.output != "" && files.IsFolderName(o.output) {
		return nil, fmt.Errorf("-o %s: this is the name of a folder; use a file name", o.output)
	}
	if o.resume != "" && o.output != "" {
		return r.files.AppendTo("-o", o.output)
	}
	if o.resume != "" {
		if path := r.stdoutPath(); path != "" {
			r.batch.Journal.Run += " >> " + filepath.Base(path)
		}
	}
	if err := files.MayWriteFlag("-o", o.output, o.force); err != nil {
		return nil, err
	}
	if o.unknown != "" {
		r.log.Warn(fmt.Sprintf("-o %s: no format has the extension %s, so the file is text; choose another format "+
			"with -f", o.output, o.unknown))
	}
	out, err := r.openOutput(o.output)
	if err == nil && out.Escape != nil && o.form == rows.Parquet {
		return nil, fmt.Errorf("-f parquet cannot be shown on a terminal; use -o FILE, or a pipe")
	}
	return out, err
}

// end ends the output. If no input could be read, it removes the new file instead, so that an old file stays unchanged,
// and the next run needs no --force.
func (r *run) end(err error) error {
	if err == nil && r.ReadNone() && r.batch.Out.Discard() {
		return nil
	}
	return r.batch.Out.End(err)
}

// outputFlag is an output file and the flag that names it. The paths "" and "-" are not files.
type outputFlag struct{ flag, path string }

// continues reports whether a resumed run continues the file of the flag, because it has lines of each document.
func (r *run) continues(flag string) bool {
	return r.options.resume != "" && (flag == "--edits" || flag == "--problems")
}

// sideFiles returns the output files beside that of -o.
func (o *options) sideFiles() []outputFlag {
	return []outputFlag{{"--edits", o.edits}, {"--problems", o.problems}, {"--stats", o.stats}, {"--report", o.report}}
}

// outputs returns all output files.
func (o *options) outputs() []outputFlag { return append(o.sideFiles(), outputFlag{"-o", o.output}) }

// apart returns an error if an output would overwrite another output or a file that the run reads. --force does not
// change this.
func (r *run) apart() error {
	outputs := r.options.outputs()
	others := []outputFlag{{"--resume", r.options.resume}, {"--url-map", r.options.urlMap},
		{"--files-from", r.options.filesFrom}}
	for i, out := range outputs {
		if out.path == "" || out.path == files.Std {
			continue
		}
		for _, other := range append(outputs[:i:i], others...) {
			if other.path != "" && files.SamePath(other.path, out.path) {
				return fmt.Errorf("%s: %s is also the file of %s; choose another file name", out.flag, out.path,
					other.flag)
			}
		}
		if of, ok := strings.CutSuffix(out.path, r.in.Kept); ok && r.in.Kept != "" && files.Exists(of) {
			return fmt.Errorf("%s: %s is the file in which -i keeps the old %s; choose another file name", out.flag,
				out.path, of)
		}
		if !files.Exists(out.path) && (out.flag != "-o" || r.options.resume == "") {
			continue // a file that does not exist is not an input
		}
		if err := r.apartFromInputs(out); err != nil {
			return err
		}
	}
	return nil
}

// apartFromInputs returns an error if an output file is an input, is in an input folder, or is the file of standard
// output.
func (r *run) apartFromInputs(out outputFlag) error {
	there, _ := os.Stat(out.path)
	if out.flag != "-o" && r.isStdout(there) {
		return fmt.Errorf("%s: standard output also goes to %s; choose another file name", out.flag, out.path)
	}
	for i, path := range r.in.Paths {
		in, _ := os.Stat(path)
		switch folder := r.in.IsFolder(i); {
		case folder && !files.IsFolder(out.path) && files.Below(out.path, path):
			return fmt.Errorf("%s: %s is a file in an input folder; choose another file name", out.flag, out.path)
		case folder || path == files.Std || !os.SameFile(in, there):
		case out.flag == "-o":
			return fmt.Errorf("-o: %s is an input file; choose another file name, or use rewrite -i to rewrite it "+
				"in place", out.path)
		default:
			return fmt.Errorf("%s: %s is an input file; choose another file name", out.flag, out.path)
		}
	}
	return nil
}

// openOutput begins a file, or returns standard output if name is "". The caller has checked that the file may be
// written.
func (s *session) openOutput(name string) (*files.Output, error) {
	if name == "" {
		return s.stdoutput(), nil
	}
	out, err := s.files.Output(name)
	if err != nil {
		return nil, err
	}
	return forTerminal(out), nil
}

// openSide begins a file beside that of -o. It returns nil if its path is "".
func (r *run) openSide(flag, path string) (out *files.Output, err error) {
	if path == "" {
		return nil, nil
	}
	if r.continues(flag) {
		out, err = r.files.AppendTo(flag, path)
		r.continued = append(r.continued, out)
	} else {
		out, err = r.openOutput(path)
	}
	if err != nil {
		r.batch.Out.Leave()
	}
	return out, err
}

// forTerminal sets the escapes of an output that is a terminal.
func forTerminal(out *files.Output) *files.Output {
	if _, terminal := console.TerminalWidth(out.Target()); terminal {
		out.Escape = console.PrintableLines
	}
	return out
}

// checkSideFiles returns an error if a file beside that of -o, or the file of --resume, cannot be written.
func (r *run) checkSideFiles() error {
	o := r.options
	for _, out := range o.sideFiles() {
		if r.continues(out.flag) && files.Exists(o.resume) {
			continue // the file is that of this run
		}
		if err := files.MayWriteFlag(out.flag, out.path, o.force || r.batch.Journal.Resumed); err != nil {
			return err
		}
	}
	if journal, err := os.Stat(o.resume); err == nil {
		switch {
		case r.isStdout(journal):
			return fmt.Errorf("--resume: standard output also goes to %s; choose another file name", o.resume)
		case journal.IsDir():
			return fmt.Errorf("--resume %s: this is a folder; use a file name", o.resume)
		case !journal.Mode().IsRegular():
			return fmt.Errorf("--resume %s: the journal must be a regular file; choose another file name", o.resume)
		}
	}
	if o.resume != "" && !files.Exists(o.resume) {
		if err := files.MayCreateIn(filepath.Dir(o.resume)); err != nil {
			return fmt.Errorf("--resume: %w", err)
		}
	}
	return nil
}

// checkPaths returns an error if the PATHs do not fit the flags about URLs, names or shards.
func (r *run) checkPaths(cmd *cobra.Command) error {
	o, stdins := r.options, 0
	if o.filesFrom == files.Std {
		stdins++
	}
	for _, path := range r.in.Paths {
		if path == files.Std {
			stdins++
		}
	}
	if err := r.checkFetched(cmd); err != nil {
		return err
	}
	fromStdin := stdins > 0 && o.filesFrom != files.Std
	switch {
	case stdins > 1:
		return fmt.Errorf("standard input can be read only once; use - once")
	case o.shard.ByLine && len(r.in.Paths) < 2 && !r.in.Listed:
		return fmt.Errorf("--shard-by line divides a list of PATHs, but there is only one PATH; use --files-from " +
			"FILE, or leave --shard-by out")
	case o.url != "" && r.in.Several():
		return fmt.Errorf("--url is the URL of one document; for several documents use --site URL or --url-map FILE")
	case o.name != "" && !fromStdin:
		return fmt.Errorf("--name is the name of standard input, but standard input is not read; use - as PATH, or " +
			"leave --name out")
	case fromStdin && o.resume != "" && o.name == "":
		return fmt.Errorf("--resume needs the names of documents, and standard input has none; use --name NAME, or " +
			"name a file")
	case fromStdin && o.site+o.mirror != "" && inputs.Stdin(r.in.Stdin).Rel == "":
		return fmt.Errorf("standard input has no path, so --site and --mirror have no URL for it; use --name with a " +
			"path below the current folder, such as --name site.tar for an archive, or --url if it is not an archive")
	}
	if o.site+o.mirror == "" {
		return nil
	}
	if path := r.outside(); path != "" {
		return fmt.Errorf("%s is not below the current folder, so --site and --mirror have no URL for it; use the "+
			"root folder of the site as PATH", path)
	}
	return nil
}

// checkFetched returns an error if a PATH is a URL, or the scheme of --mirror, unless a file of this name exists.
func (r *run) checkFetched(cmd *cobra.Command) error {
	if r.in.Listed {
		return nil // an error of one document, when it is opened
	}
	for _, path := range r.in.Paths {
		if meant := usage.MeantPath(cmd.Flags(), os.Args, path); meant != "" && !files.Exists(path) {
			return fmt.Errorf("%s: no such file or folder; %s", path, meant)
		}
	}
	for _, path := range r.in.Paths {
		err := usage.URLAsPath(cmd.Name(), path)
		if scheme := strings.ToLower(path); r.options.mirror != "" && (scheme == "http" || scheme == "https") {
			err = fmt.Errorf("%s: no such file or folder; did you mean --mirror=%s?", path, scheme)
		}
		if err != nil && !files.Exists(path) {
			return err
		}
	}
	return nil
}

// checkRoots refuses --site for several folders, and warns if a file outside the folder gets the same URL. PATHs from a
// list are checked at the end, because looking at each file of a long list would take longer than opening it.
func (r *run) checkRoots() error {
	if r.options.site == "" || r.in.Listed {
		return nil
	}
	var roots, folders []string
	for i, path := range r.in.Paths {
		root := "."
		if r.in.IsFolder(i) {
			root = filepath.Clean(path)
			if !slices.Contains(folders, root) {
				folders = append(folders, root)
			}
		}
		if !slices.Contains(roots, root) {
			roots = append(roots, root)
		}
	}
	if len(folders) > 1 {
		return errors.New(severalRoots(folders))
	}
	r.warnOfRoots(roots)
	r.warnOfGlob()
	return nil
}

// warnOfGlob warns if the PATHs are files of one folder below that of --site, which is then probably not the site.
func (r *run) warnOfGlob() {
	first := filepath.Clean(r.in.Paths[0])
	top, _, below := strings.Cut(filepath.ToSlash(first), "/")
	inOne := func(path string) bool { return filepath.Dir(path) == filepath.Dir(first) && files.Exists(path) }
	pages, _ := filepath.Glob("*.htm*")
	if !below || top == "" || len(pages) > 0 {
		return
	}
	f, _ := formatOf(string(r.options.mediaType), first) // an archive is the root of its files
	for i, path := range r.in.Paths {
		if r.in.IsFolder(i) || !inOne(path) || f != nil && f.Archive {
			return
		}
	}
	r.Warnings.Add(1)
	r.log.Warn(fmt.Sprintf("--site is the URL of the current folder, so the URL of %s ends in /%[1]s; "+
		"if the site is in %s, name that folder: %[2]s/", filepath.ToSlash(first), top))
}

// warnOfRoots warns if --site gives several folders the same URL. roots are those of Selection.Roots.
func (r *run) warnOfRoots(roots []string) {
	if r.options.site != "" && len(roots) > 1 {
		r.Warnings.Add(1)
		r.log.Warn(severalRoots(roots))
	}
}

func severalRoots(roots []string) string {
	name := func(root string) string {
		if root == "." {
			return "the current folder"
		}
		return root
	}
	return fmt.Sprintf("--site is the URL of %d folders, such as %s and %s; use one run for each folder", len(roots),
		name(roots[0]), name(roots[1]))
}

// checkFound returns an error if a PATH of the command line does not exist and the run rewrites files in place or into
// a folder, because some files would be rewritten and others not.
func (r *rewriting) checkFound(args []string) error {
	if r.o.dryRun || r.o.diff || !r.o.inPlace.on && r.tree == nil {
		return nil
	}
	for _, path := range args {
		if path == files.Std {
			continue
		}
		if _, err := os.Stat(path); err != nil {
			return fmt.Errorf("%s: %w; nothing was written", cmp.Or(path, `""`), files.WithAdvice(err))
		}
	}
	return nil
}

// mayDiffer are the flags that may differ when a run is resumed: they select documents, or are about workers and
// messages. --output, --edits and --problems may not: resuming truncates their files to the lengths in the journal.
var mayDiffer = strings.Fields(`files-from null name glob only hidden follow shard shard-by force resume jobs fail-fast
	quiet verbose strict stats report color`)

// sameRun returns the verb and the flags that must be the same when a run is resumed.
func sameRun(cmd *cobra.Command) string {
	words := []string{cmd.Name()}
	cmd.Flags().Visit(func(f *pflag.Flag) {
		switch {
		case slices.Contains(mayDiffer, f.Name), f.Value.String() == f.DefValue:
		case f.Value.String() == "true":
			words = append(words, "--"+f.Name)
		default:
			words = append(words, "--"+f.Name+"="+f.Value.String())
		}
	})
	return strings.Join(words, " ")
}

// outside returns a PATH for which --site and --mirror have no URL, because it is a single file that is not below the
// current folder, or "". An archive is the root of its files, so it may be anywhere.
func (r *run) outside() string {
	for i, path := range r.in.Paths {
		if inputs.Relative(path) != "" || r.in.IsFolder(i) {
			continue
		}
		if f, _ := formatOf(string(r.options.mediaType), path); f == nil || !f.Archive {
			return path
		}
	}
	return ""
}

// formatOf returns the format in a file, or nil, and whether the file is compressed. If the file cannot be read, only
// the name decides.
func formatOf(mediaType, name string) (*extract.Format, bool) {
	file, err := files.OpenRegular(name)
	if err != nil {
		return extract.Detect(mediaType, name, nil), false
	}
	defer file.Close()
	head, _ := inputs.NewReader(file, &inputs.Meter{}).Peek(inputs.HeadLen)
	return extract.DetectUnpacked(mediaType, name, head)
}

// baseAdvice returns the advice for documents without a base, or "" if a flag sets the URL of every document. setting
// is that of the problem, and tells the kind of the document. The advice names no flag that the run would refuse.
func (r *run) baseAdvice(setting string) string {
	o, several, stdin := r.options, r.in.Several(), slices.Contains(r.in.Paths, files.Std) &&
		inputs.Stdin(r.in.Stdin).Rel == ""
	archive := setting == "MemberURL"
	switch {
	case o.url+o.override != "" || r.batch.KeepsRelative:
		return ""
	case setting == "Override" && several:
		return "read an archive alone, and use --override-base URL to set the base URL of all documents in it"
	case setting == "Override":
		return "use --override-base URL to set the base URL of all documents in the archive"
	case o.urlMap+o.site+o.mirror != "" || (several || archive) && (r.outside() != "" || several && stdin):
		if archive && !several {
			return "use --url-map with a line for each of these documents, as ARCHIVE/NAME"
		}
		return "use --url-map with a line for each of these documents"
	case several:
		return "use --site, --mirror or --url-map to set the URLs that the documents were retrieved from"
	case archive && stdin:
		return "use --site URL and --name to set the URL of the root folder of the archive"
	case archive:
		return "use --site URL to set the URL of the root folder of the archive"
	}
	return "use --url URL to set the URL that the document was retrieved from"
}
