package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"maps"
	"os"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/spf13/cobra"

	"absolink/cmd/absolink/internal/batch"
	"absolink/cmd/absolink/internal/codes"
	"absolink/cmd/absolink/internal/console"
	"absolink/cmd/absolink/internal/files"
	"absolink/cmd/absolink/internal/inputs"
	"absolink/cmd/absolink/internal/mapping"
	"absolink/cmd/absolink/internal/verify"
	"absolink/extract"
)

// verifying checks rewritten documents. Several workers may use it.
type verifying struct {
	config    verify.Config
	maxRecord int
	kept      bool // the documents are those of NEW, which has the name

	proved, unable, failed atomic.Int64 // documents
	missing                atomic.Int64 // documents that are not in NEW
	swapped                sync.Once    // whether OLD and NEW are swapped is tried once
	same                   atomic.Int64 // documents without a change
	links                  atomic.Int64 // links that are right
	stay, records          atomic.Int64 // messages and other records: those that stay, and all
	unit                   atomic.Value // what they are; "records" if not all are the same

	mu      sync.Mutex
	reasons map[string]*reason // by kind: why documents and links were not checked
}

// reason counts what was not checked for one reason.
type reason struct {
	places, documents int
	example, document string // the example in the first document, by name
}

// newVerifying returns the check for the flags of a rewriting. table may be nil.
func (o *options) newVerifying(table *mapping.Table) *verifying {
	v := &verifying{maxRecord: int(o.maxRecord), config: verify.Config{
		Standard: o.standard.String(), Override: o.override, AllLocal: o.local && o.choice.selects() == nil &&
			len(o.choice.places.chosen)+len(o.only) == 0, Relative: o.relative, KeepFragments: o.keepFragments,
		Base: map[extract.BaseURLs]string{extract.BaseKeep: "keep", extract.BaseEmpty: "empty",
			extract.BaseRemove: "remove"}[o.baseURLs],
		Added: verify.NewPlaces(o.choice.added.chosen),
		Mbox: map[extract.Mbox]string{extract.MboxO: "mboxo", extract.MboxRD: "mboxrd", extract.MboxCL: "mboxcl",
			extract.MboxCL2: "mboxcl2"}[o.mbox],
		Extended: o.extended, Unarchive: o.unarchive, MaxRatio: o.maxRatio, NoEvidence: o.noEvidence,
		Canonical: o.canonical,
	}}
	if table != nil {
		var rules []verify.Rule
		for _, rule := range table.All() {
			rules = append(rules, verify.Rule{Old: rule.Old, New: rule.New})
		}
		v.config.Rules = verify.NewRules(rules)
	}
	return v
}

// linksOf returns the links of a document as absolink reads it, by the path of their entity, and which entities it
// calls malformed.
func linksOf(ctx context.Context, x extract.Extractor, d extract.Document, text []byte) (links map[string][]verify.Link,
	malformed map[string]bool) {
	x.OnLink, x.OnRecord, x.Map = nil, nil, nil
	x.OnProblem = func(p extract.Problem) {
		malformed[p.Entity] = malformed[p.Entity] || p.Code == extract.CodeHeaderMalformed
	}
	x.Places, x.Only, x.MaxRecord = nil, nil, 0 // even the links that the rewriting leaves as they are
	d.Bytes, d.Reader = text, nil
	links, malformed = map[string][]verify.Link{}, map[string]bool{}
	var last verify.Link // most links share their strings with the one before
	for l, err := range x.Links(ctx, d) {
		if err != nil {
			break // the rewriting reports it
		}
		link := verify.Link{Start: l.Offset, End: l.Offset + len(l.Raw), Ref: string(l.Ref), Place: l.Place(),
			Unresolved: l.Status == extract.StatusUnresolved && l.Part == ""}
		if b := l.Scope.Base(); b != nil {
			link.Base = b.String()
		}
		if link.Base == last.Base {
			link.Base = last.Base
		}
		if link.Place == last.Place {
			link.Place = last.Place
		}
		last = link
		links[l.Entity.Path] = append(links[l.Entity.Path], link)
	}
	return links, malformed
}

// versions returns both versions of a document.
func (v *verifying) versions(ctx context.Context, x extract.Extractor, d extract.Document, old,
	new []byte) verify.Document {
	evidence := ""
	if len(d.Evidence) > 0 {
		evidence = d.Evidence[0].URL // the best one in the attributes of the file
	}
	links, malformed := linksOf(ctx, x, d, old)
	return verify.Document{
		Type: typeOf(d.Type, d.Name, old), URL: d.URL, Evidence: evidence, Guessed: d.MemberURL != nil &&
			len(d.Evidence) > 0, Old: old, New: new,
		MemberURL: func(name string) string {
			if d.MemberURL == nil {
				return ""
			}
			url, _ := d.MemberURL(name)
			return url
		},
		Path: d.Name, Local: d.Local, FileURL: d.FileURL, RecordedURL: d.RecordedURL,
		TypeOf: func(name string, head []byte) string { return typeOf("", name, head) },
		Links:  links, Malformed: malformed,
	}
}

// tell counts and reports the result for a document. failed are the differences, even if their records were left as
// they are and r is the result without them. Each kind of reason why something was not checked is reported once.
func (v *verifying) tell(d extract.Document, report func(extract.Problem), failed []*verify.Difference, r verify.Result,
	same bool) {
	for _, f := range failed {
		report(extract.Problem{Document: d.Name, Entity: f.Entity, Offset: f.Old, Code: codes.VerifyFailed,
			Severity: extract.SeverityError, Detail: f.Error()})
	}
	if r.Failed != nil || same { // where nothing was to change, nothing was left unchecked
		r.Links, r.Unable = 0, nil
	}
	for _, why := range r.Unable {
		detail := notChecked(why.Places, 0, why.Kind)
		if why.Example != "" {
			detail += "; for example " + why.Example
		}
		report(extract.Problem{Document: d.Name, Code: codes.VerifyUnable, Severity: extract.SeverityWarning,
			Detail: detail})
		v.count(d.Name, why)
	}
	v.links.Add(int64(r.Links))
	if v.records.Add(int64(r.All)); r.All > 0 && !v.unit.CompareAndSwap(nil, r.Unit) && v.unit.Load() != r.Unit {
		v.unit.Store("records")
	}
	switch {
	case len(failed) > 0:
		v.failed.Add(1)
	case len(r.Unable) > 0:
		v.unable.Add(1)
	case same:
		v.same.Add(1)
	default:
		v.proved.Add(1)
	}
}

func (v *verifying) count(document string, r verify.Reason) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.reasons == nil {
		v.reasons = map[string]*reason{}
	}
	all := v.reasons[r.Kind]
	if all == nil {
		all = &reason{}
		v.reasons[r.Kind] = all
	}
	all.places += r.Places
	if all.documents++; all.documents == 1 || document < all.document {
		all.document, all.example = document, r.Example
	}
}

// notChecked returns the text about places that were not checked. documents is 0 in the text about one document.
func notChecked(places, documents int, why string) string {
	text := console.AppendCount(nil, int64(places), "places")
	if documents > 0 {
		text = console.AppendCount(append(text, " in "...), int64(documents), "documents")
	}
	if places == 1 {
		return string(text) + " was not checked: " + why
	}
	return string(text) + " were not checked: " + why
}

// report prints one line for each reason why something was not checked.
func (v *verifying) report(r *run) {
	for _, kind := range slices.Sorted(maps.Keys(v.reasons)) {
		if why := v.reasons[kind]; !r.problems.Quiet {
			example := "; for example " + why.document
			if why.example != "" {
				example += ": " + why.example
			}
			r.log.Warn(notChecked(why.places, why.documents, kind)+example,
				slog.String("code", string(codes.VerifyUnable)))
		}
	}
}

func (v *verifying) append(dst []byte) []byte {
	dst = console.AppendCount(append(dst, "proved: "...), v.proved.Load(), "files")
	dst = console.AppendCount(append(dst, " ("...), v.links.Load(), batch.FindsLinks)
	return fmt.Appendf(dst, "); unchanged: %d; not fully checked: %d; failed: %d", v.same.Load(), v.unable.Load(),
		v.failed.Load())
}

// typeOf returns the media type of a document, or "" if it is unknown. For a compressed document it is that of the
// content.
func typeOf(mediaType, name string, head []byte) string {
	head = head[:min(len(head), verifyHead)]
	if f, _ := extract.DetectUnpacked(mediaType, name, head); f == nil {
		return ""
	} else if mediaType == "" {
		return f.Name
	}
	return mediaType
}

// verifyHead is the number of bytes that determine the type of a document. A compressed document may need a whole
// block.
const verifyHead = 1 << 20

func (s *session) verify(cmd *cobra.Command, o *options, args []string) error {
	if len(args) == 0 {
		return s.help(cmd)
	}
	if len(args) != 2 || args[0] == files.Std || args[1] == files.Std {
		return fmt.Errorf("verify needs two PATHs, OLD and NEW; both are files, or both are folders")
	}
	var versions [2]os.FileInfo
	for i, path := range args {
		var err error
		if versions[i], err = os.Stat(path); err != nil {
			return fmt.Errorf("%s: %w", path, files.WithAdvice(err))
		}
	}
	if os.SameFile(versions[0], versions[1]) {
		return fmt.Errorf("OLD and NEW are the same; to check files that -i rewrites, run rewrite with --verify")
	}
	if files.IsFolder(args[0]) != files.IsFolder(args[1]) {
		return fmt.Errorf("%s and %s are a file and a folder; use two files, or two folders", args[0], args[1])
	}
	// The copy that -i.bak kept is no document of its own: NEW has the name that sets type and URL.
	kept := strings.HasPrefix(args[0], args[1]+".") && !versions[0].IsDir()
	if kept {
		args = []string{args[1], args[0]}
	}
	r, err := s.newRun(cmd, o, args[:1], batch.FindsLinks)
	if err != nil {
		return err
	}
	table, err := mapping.New(o.rules, o.files.chosen)
	if err != nil {
		return err
	}
	v := o.newVerifying(table)
	v.kept = kept
	r.problems.Each = codes.VerifyFailed
	r.batch.Out = s.stdoutput()
	seen := map[string]bool{} // the paths in NEW that have a document in OLD
	if r.in.IsFolder(0) {
		for src, err := range r.in.All(false) {
			if err == nil {
				seen[src.Rel] = true
			}
		}
		r.afterAll = func() { v.reportAdded(r, o, args[1], seen) }
	}
	err = r.do(func(k *batch.Worker) batch.Job {
		return func(src inputs.Source, d extract.Document) error {
			if src.Found {
				path := files.Join(args[1], src.Rel)
				return v.document(k, src, d, path, files.OpenRegular)
			}
			return v.document(k, src, d, args[1], os.Open)
		}
	})
	v.report(r)
	if n, all := v.missing.Load(), int64(len(seen)); n > all/2 && n > 1 {
		r.log.Warn(fmt.Sprintf("%d of %d files of %s are not in %s; check whether it is the folder of -o", n, all,
			args[0], args[1]), slog.String("code", string(codes.VerifyFailed)))
	}
	if err == nil && !r.ReadNone() {
		r.batch.Out.Buf = append(v.append(r.batch.Out.Buf), '\n')
	}
	return r.batch.Out.End(err)
}

// document compares a document with the file at path, which open opens.
func (v *verifying) document(k *batch.Worker, src inputs.Source, d extract.Document, path string,
	open func(string) (*os.File, error)) error {
	new, err := open(path)
	if errors.Is(err, fs.ErrNotExist) {
		v.failed.Add(1)
		v.missing.Add(1)
		k.Extractor.OnProblem(extract.Problem{Document: src.Name, Code: codes.VerifyFailed,
			Severity: extract.SeverityError, Detail: "there is no file " + path})
		return nil
	}
	if err != nil {
		return err
	}
	defer new.Close()
	old, whole, err := v.read(d.Reader)
	if err != nil {
		return err
	}
	text, wholeNew, err := v.read(new)
	if err != nil {
		return err
	}
	if v.kept {
		old, text = text, old
	}
	if !whole || !wholeNew {
		v.tell(d, k.Extractor.OnProblem, nil, tooLong, false)
		return nil
	}
	result := v.config.Check(v.versions(k.Context, k.Extractor, d, old, text))
	if result.Failed != nil {
		v.swapped.Do(func() {
			if back := v.config.Check(v.versions(k.Context, k.Extractor, d, text, old)); back.Failed == nil &&
				back.Links > 0 {
				result.Failed.What = "OLD and NEW seem to be swapped, give the old version first; " + result.Failed.What
			}
		})
	}
	v.tell(d, k.Extractor.OnProblem, result.Wrong, result, bytes.Equal(old, text))
	return nil
}

var tooLong = verify.Result{Unable: []verify.Reason{{Kind: "the document is longer than --max-record; raise " +
	"--max-record to check it", Places: 1}}}

// read reads a document. whole is false if the document is longer than the limit: then the text is its beginning.
func (v *verifying) read(in io.Reader) (text []byte, whole bool, err error) {
	text, err = io.ReadAll(io.LimitReader(in, int64(v.maxRecord)+1))
	return text, len(text) <= v.maxRecord, err
}

// reportAdded reports the files in the folder NEW that are not in OLD.
func (v *verifying) reportAdded(r *run, o *options, root string, seen map[string]bool) {
	if len(o.globs) > 0 {
		return
	}
	added := inputs.Select(inputs.Config{Paths: []string{root}, Hidden: o.hidden, Follow: o.follow})
	for src, err := range added.All(false) {
		if err == nil && !seen[src.Rel] {
			r.batch.Report(extract.Problem{Document: src.Name, Code: codes.VerifyFailed,
				Severity: extract.SeverityError, Detail: "the old folder has no such file"})
			r.Incomplete.Add(1)
			v.failed.Add(1)
		}
	}
}

func (r *rewriting) reportVerified() {
	if r.verifying != nil {
		r.verifying.report(r.run)
		r.log.Warn("verified; "+string(r.verifying.append(nil)), slog.String("verb", "rewrite"))
		if stay, all := r.verifying.stay.Load(), r.verifying.records.Load(); stay > 0 {
			r.log.Error(fmt.Sprintf("%s of %s %s stay unchanged (%s)", console.Number(stay), console.Number(all),
				console.Things(all, r.verifying.unit.Load().(string)), codes.VerifyFailed))
		}
	}
}
