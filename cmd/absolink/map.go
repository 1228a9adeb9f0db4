// The flags of rewrite that write URLs other than the absolute ones: --map, --map-file and --relative.

package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"

	"absolink/base"
	"absolink/cmd/absolink/internal/console"
	"absolink/cmd/absolink/internal/mapping"
	"absolink/extract"
	"absolink/resolve"
)

func parseMapFile(name string) (string, error) {
	if name == "" {
		return "", errors.New("the name is empty; use the name of a file of rules")
	}
	return name, nil
}

// set sets the fields of an Extractor that only rewriting uses.
func (o *options) set(x *extract.Extractor) {
	x.KeepFragments, x.BaseURLs = o.keepFragments, o.baseURLs
	x.BreakSignatures, x.KeepDKIM = o.breakSignatures, o.keepDKIM
}

func (o *options) maps() bool { return len(o.rules)+len(o.files.chosen) > 0 || o.relative }

// setMap sets the function that returns the new text of a link. Links that are not selected stay unchanged.
func (r *rewriting) setMap() (err error) {
	if r.table, err = mapping.New(r.o.rules, r.o.files.chosen); err != nil {
		return err
	}
	for _, doubt := range r.table.Doubts() {
		r.Warnings.Add(1)
		r.log.Warn(doubt)
	}
	r.batch.Map = r.o.newURLs(r.table)
	if r.o.relative {
		r.refuse = refuseEmbedding
	}
	r.batch.Left = mapping.NewLeft(r.table)
	r.rules = r.table
	r.batch.KeepsRelative = r.table != nil && r.o.url+r.o.site+r.o.mirror+r.o.urlMap+r.o.override == ""
	if r.table != nil || r.o.local || r.o.relative || r.o.baseURLs != extract.BaseKeep {
		r.batch.Changed = r.changed
	}
	return nil
}

// changed counts a link that was changed.
func (r *rewriting) changed(c extract.Change, a *console.Account) {
	if r.table != nil {
		to, rule, ok := r.table.Map(nil, []byte(c.URL))
		if ok && string(to) != c.URL && (!r.o.local || string(to) == c.NewRef) {
			a.Move(rule, 1)
			return
		}
	}
	switch colon := strings.IndexAny(c.NewRef, ":/?#"); {
	case c.NewRef == "": // a BASE element that is not needed any more
	case colon > 0 && c.NewRef[colon] == ':':
		a.Absolute++
	case r.o.local:
		a.Local++
	default:
		a.Relative++
	}
}

// reportChanged says what a rewriting has done, even in a pipe, where no progress is shown. Of one document that is
// written to a file it says so only with -v, and of one that is printed never.
func (r *rewriting) reportChanged() {
	a, o := &r.Account, r.o
	for rule, n := range a.Rules {
		r.table.Changed(rule, n)
	}
	for _, line := range a.DiskLines() {
		r.log.Warn(line)
	}
	if n := r.sized.Load(); n > 0 {
		r.log.Warn(string(console.AppendCount(nil, n, "messages")) + " with the old size in the name of the file " +
			"(S=); maildir_broken_filename_sizes makes Dovecot ignore it")
	}
	level := slog.LevelWarn
	if !r.in.Several() && !o.inPlace.on && r.tree == nil && !o.dryRun {
		level = slog.LevelInfo
	}
	if r.Done.Load() == 0 || level == slog.LevelInfo && (!o.verbose || o.output == "") {
		return
	}
	r.accounted = true
	r.problems.KeptTold = r.batch.KeepsRelative
	line := a.Line(r.Done.Load(), r.dry, r.table)
	if n := r.batch.Journal.Before(); n > 0 {
		line = string(console.AppendCount([]byte("in this run, "+line+"; earlier runs have done "), int64(n), "files"))
	}
	r.log.Log(context.Background(), level, line)
}

// newURLs returns what makes the Map of each worker's Extractor, or nil if all links get their absolute URLs. table may
// be nil.
func (o *options) newURLs(table *mapping.Table) func() func(*extract.Link) (string, bool) {
	chooses := o.choice.selects()
	if chooses == nil && !o.maps() {
		return nil
	}
	return func() func(*extract.Link) (string, bool) {
		m := &mapper{table: table, shortens: o.relative, standard: o.standard, chooses: chooses,
			partial: chooses != nil || len(o.choice.places.chosen) > 0}
		return m.url
	}
}

// refuseEmbedding returns an error for a format that --relative does not support: it embeds documents that are not
// pages.
func refuseEmbedding(f *extract.Format) error {
	if f != nil && f.Embeds(func(string) bool { return false }) {
		return fmt.Errorf("--relative works only for pages and style sheets, not for documents inside %s; leave "+
			"--relative out", f.Name)
	}
	return nil
}

// mapper computes the new text of links, for one worker.
type mapper struct {
	table    *mapping.Table           // nil without --map
	shortens bool                     // --relative
	standard resolve.Standard         // of the bases
	chooses  func(*extract.Link) bool // nil selects all links
	partial  bool                     // some links are not selected, and perhaps a declared base

	scope *base.Scope                     // of the last link
	base  *resolve.Base                   // the base of this scope in the rewritten page
	bases map[*resolve.Base]*resolve.Base // some bases, and the same bases in the rewritten page; nil for no base
}

// mostBases is how many bases a mapper keeps, so that a long base around many elements with bases of their own is not
// parsed for each of them.
const mostBases = 128

func (m *mapper) url(l *extract.Link) (string, bool) {
	if m.chooses != nil && !m.chooses(l) {
		return "", false
	}
	var buf [256]byte
	url := m.mapped(buf[:0], l.URL)
	if m.shortens {
		if ref := m.relative(l, url); ref != nil {
			url = ref
		}
	}
	return string(url), true
}

// mapped returns the URL after the rules of --map. It may append the URL to dst.
func (m *mapper) mapped(dst, url []byte) []byte {
	if m.table != nil {
		if out, _, ok := m.table.Map(dst, url); ok {
			return out
		}
	}
	return url
}

// relative returns the shortest non-empty reference that resolves to url in the rewritten page, or nil if there is
// none. A declared base stays absolute, and so do URLs that other programs could not resolve.
func (m *mapper) relative(l *extract.Link, url []byte) []byte {
	if m.scope != l.Scope {
		m.scope, m.base = l.Scope, m.rewritten(l.Scope)
	}
	if m.base == nil || l.NeedsAbsolute() {
		return nil
	}
	ref, ok := m.base.AppendRelative(nil, url)
	if ok && len(ref) == 0 { // at some places an empty reference is not a link
		ref, ok = m.named(url)
	}
	if !ok {
		return nil
	}
	return ref
}

// rewritten returns the base of a scope as it is in the rewritten page, or nil if it has none, or a declared one that
// may not move: it is perhaps not selected, and an xml:base in HTML is not rewritten.
func (m *mapper) rewritten(s *base.Scope) *resolve.Base {
	b := s.Base()
	if b.String() == "" {
		return nil
	}
	now, known := m.bases[b]
	if !known {
		if m.bases == nil || len(m.bases) == mostBases {
			m.bases = map[*resolve.Base]*resolve.Base{}
		}
		if m.table == nil || !m.partial && s.By() != "xml:base" || s.Layer() == base.LayerRetrieval {
			now, _ = m.standard.Base(string(m.mapped(nil, []byte(b.String()))))
		}
		m.bases[b] = now
	}
	return now
}

// named returns the reference to the page itself by its name, or by "./".
func (m *mapper) named(url []byte) (ref []byte, ok bool) {
	path, _, _ := bytes.Cut(url, []byte("?"))
	ref = url[bytes.LastIndexByte(path, '/')+1:]
	if len(ref) == 0 || ref[0] == '?' {
		ref = append([]byte("./"), ref...)
	}
	means, err := m.base.AppendResolve(nil, ref)
	return ref, err == nil && bytes.Equal(means, url)
}

// reportMap logs the number of links that each other rule changed, and warns about rules that match no link. A shard, a
// resumed run, and a run that could read nothing have not seen all links, so nothing is said about them.
func (r *rewriting) reportMap() {
	if r.table == nil || !r.o.shard.IsAll() || r.Before.Load() || r.Done.Load() == 0 {
		return
	}
	unmatched, first := 0, ""
	for i, rule := range r.table.All() {
		if rule.Matched == 0 {
			if unmatched++; first == "" {
				first = rule.Old
			}
			continue
		}
		if r.o.inPlace.on && !r.dry && strings.HasPrefix(rule.New, rule.Old) {
			r.log.Warn("the rule " + rule.Old + "=" + rule.New +
				" matches the URLs that it wrote, so do not run it on these files again")
		}
		if !r.accounted || !r.Account.Shows(i) {
			line := fmt.Appendf(nil, "%s=%s: ", rule.Old, rule.New)
			r.log.Info(string(console.AppendCount(line, rule.Changed, "links")) + " changed")
		}
	}
	if unmatched > 0 {
		r.Warnings.Add(1)
		what := "link"
		if c := r.o.choice; len(c.places.chosen) > 0 || c.selects() != nil {
			what = "selected link"
		}
		rules := "the rule " + first + "=... matches no " + what
		if unmatched > 1 {
			rules = fmt.Sprintf("%d of %d rules match no %s, such as %s=...", unmatched, r.table.Len(), what, first)
		}
		if strings.Contains(first, "*") {
			rules += "; * is no wildcard, and OLD matches all that begins with it"
		}
		r.log.Warn(rules + "; absolink links prints the URLs to match")
	}
}
