// The flags of rewrite that write other URLs than the absolute ones: --map, --map-file and --relative.

package main

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/spf13/pflag"

	"absolink/base"
	"absolink/cmd/absolink/internal/console"
	"absolink/cmd/absolink/internal/mapping"
	"absolink/extract"
	"absolink/resolve"
)

// mapFlags say which URL is written for a link.
type mapFlags struct {
	rules    mapping.Rules
	files    mapping.Files
	relative bool
}

func (m *mapFlags) add(f *pflag.FlagSet) {
	f.Var(&m.rules, "map", "replace OLD by NEW at the start of URLs (repeatable; the longest OLD wins)")
	f.Var(&m.files, "map-file", "read rules from FILE: lines of OLD, tab and NEW, or JSON lines with old and new")
	f.BoolVar(&m.relative, "relative", false, "write URLs of the page's own scheme and host as relative references")
}

// given reports whether one of the flags is given.
func (m *mapFlags) given() bool { return len(m.rules)+len(m.files) > 0 || m.relative }

// setMap sets what is written for a link. Links that are not chosen stay unchanged.
func (r *rewriting) setMap() (err error) {
	if r.table, err = mapping.New(r.o.rules, r.o.files); err != nil {
		return err
	}
	chooses := r.o.choice.Func()
	if chooses == nil && !r.o.given() {
		return nil
	}
	if r.o.relative {
		r.refuse = func(f *extract.Format) error {
			if f != nil && f.Embeds(func(string) bool { return false }) { // other documents than pages
				return fmt.Errorf("--relative works only for pages and style sheets, not for documents inside %s; leave --relative out", f.Name)
			}
			return nil
		}
	}
	r.batch.Map = func() func(*extract.Link) (string, bool) {
		m := &mapper{rewriting: r, chooses: chooses}
		return m.url
	}
	if r.table != nil {
		r.batch.Changed = func(c extract.Change) {
			if _, rule, ok := r.table.Map(nil, []byte(c.URL)); ok {
				r.table.Changed(rule)
			}
		}
	}
	return nil
}

// mapper returns what one worker writes for links.
type mapper struct {
	*rewriting
	chooses func(*extract.Link) bool // nil for all

	scope *base.Scope   // of the last link
	base  *resolve.Base // the base of that scope, as it is written
	room  []byte
}

// url is extract.Extractor.Map.
func (m *mapper) url(l *extract.Link) (string, bool) {
	if m.chooses != nil && !m.chooses(l) {
		return "", false
	}
	url := m.mapped(l.URL)
	if m.o.relative {
		if ref := m.relative(l, url); ref != nil {
			url = ref
		}
	}
	return string(url), true
}

// mapped returns the URL that the rules have for a URL.
func (m *mapper) mapped(url []byte) []byte {
	if m.table == nil {
		return url
	}
	out, _, ok := m.table.Map(m.room[:0], url)
	if !ok {
		return url
	}
	m.room = out
	return out
}

// relative returns the shortest reference that is not empty and means url in the rewritten page; nil if there is none. A
// declared base stays absolute.
func (m *mapper) relative(l *extract.Link, url []byte) []byte {
	if m.scope != l.Scope {
		m.scope, m.base = l.Scope, nil
		if own := l.Scope.Base().String(); own != "" {
			m.base, _ = m.o.standard.Base(string(bytes.Clone(m.mappedBase(own))))
		}
	}
	if place := l.Place(); m.base == nil || place == "base@href" || strings.HasSuffix(place, "xml:base") {
		return nil
	}
	ref, ok := m.base.AppendRelative(nil, url)
	if ok && len(ref) == 0 { // an empty reference is no link at some places
		ref, ok = m.named(url)
	}
	if !ok {
		return nil
	}
	return ref
}

// mappedBase returns the URL that a base has in the rewritten page.
func (m *mapper) mappedBase(url string) []byte {
	if m.table == nil {
		return []byte(url)
	}
	out, _, ok := m.table.Map(nil, []byte(url))
	if !ok {
		return []byte(url)
	}
	return out
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

// reportMap reports how many links each rule has changed, and the rules that match nothing.
func (r *rewriting) reportMap() {
	if r.table == nil || !r.o.shard.IsAll() || r.Before.Load() {
		return
	}
	unmatched, first := 0, ""
	for _, rule := range r.table.All() {
		if rule.Matched == 0 {
			if unmatched++; first == "" {
				first = rule.Old
			}
			continue
		}
		r.log.Info(string(console.AppendCount(fmt.Appendf(nil, "%s=%s: ", rule.Old, rule.New), rule.Changed, "links")) + " changed")
	}
	if unmatched > 0 {
		r.Warnings.Add(1)
		r.log.Warn(fmt.Sprintf("%d of %d rules of --map match no link, such as %s; absolink links prints the URLs to match", unmatched, r.table.Len(), first))
	}
}
