package mapping

import (
	"bytes"
	"iter"
	"math"
	"strings"
	"sync/atomic"
)

type Rule struct {
	Old, New string
	Matched  int64 // how many URLs Table.Map has replaced by this rule
	Changed  int64 // how many links it has changed
}

// Table holds all rules. Its methods are safe for many goroutines at once.
//
// A lookup takes one access to a hash table for each boundary of the URL, however many rules there are.
type Table struct {
	rules   []rule
	index   map[string]int // the rule of each OLD, by its key in parts
	lengths []bool         // whether an OLD of this length exists
	counts  []counts
	empty   []string // the files without a rule
}

// rule has its source in from and line: a file and a line, or "" and 0 for a flag.
type rule struct {
	old, new string
	from     string
	line     int
}

type counts struct{ matched, changed atomic.Int64 }

// Map appends the new URL for url to dst, returns the index of the rule, and counts the match. If no rule matches, ok
// is false and dst is unchanged. url is an absolute URL, and must not overlap the free part of dst.
func (t *Table) Map(dst, url []byte) (out []byte, rule int, ok bool) {
	rule, length, ok := t.find(url)
	if !ok {
		return dst, 0, false
	}
	t.counts[rule].matched.Add(1)
	r := &t.rules[rule]
	if r.old == r.new { // an exception to another rule, which keeps the spelling
		return append(dst, url...), rule, true
	}
	return appendMoved(dst, r.old, r.new, url[length:]), rule, true
}

// Changed counts links that a rule changed. rule is an index from Map.
func (t *Table) Changed(rule int, n int64) { t.counts[rule].changed.Add(n) }

// Rule returns the rule with an index from Map.
func (t *Table) Rule(rule int) Rule {
	r, n := &t.rules[rule], &t.counts[rule]
	return Rule{r.old, r.new, n.matched.Load(), n.changed.Load()}
}

// Doubts returns a message for each file without a rule, and each rule OLD=OLD that is no exception to another rule. t
// may be nil.
func (t *Table) Doubts() (all []string) {
	if t == nil {
		return nil
	}
	for _, name := range t.empty {
		all = append(all, "--map-file "+name+": there is no rule in the file")
	}
	for i, r := range t.rules {
		if r.old == r.new {
			key := string(split([]byte(r.old), math.MaxInt).key)
			delete(t.index, key)
			if _, _, ok := t.find([]byte(r.old)); !ok {
				all = append(all, "the rule "+r.old+"="+r.new+
					" changes nothing, and is no exception to another rule; leave it out")
			}
			t.index[key] = i
		}
	}
	return all
}

func (t *Table) Len() int { return len(t.rules) }

// All returns the rules in the order in which they were given, with the indexes that Map returns.
func (t *Table) All() iter.Seq2[int, Rule] {
	return func(yield func(int, Rule) bool) {
		for i := range t.rules {
			if !yield(i, t.Rule(i)) {
				return
			}
		}
	}
}

// find returns the rule with the longest OLD that matches url, and how much of url it matches.
func (t *Table) find(url []byte) (rule, length int, ok bool) {
	u := split(url, len(t.lengths)) // an OLD that ends at the end of this part is too long to exist
	get := func(key []byte) bool {
		if length = len(key); length < len(t.lengths) && t.lengths[length] {
			rule, ok = t.index[string(key)]
		}
		return ok
	}
	if get(u.key) || u.query < len(u.key) && get(u.key[:u.query]) || u.path < u.query && get(u.key[:u.path]) {
		return rule, u.in(url, length), true
	}
	for end := u.path; ; {
		i := bytes.LastIndexByte(u.key[u.head:end], '/')
		if i < 0 {
			break
		}
		end = u.head + i
		if get(u.key[:end+1]) || get(u.key[:end]) {
			return rule, u.in(url, length), true
		}
	}
	if u.authority && u.path == u.head { // the path "" is "/"
		var buf [64]byte
		get(append(append(buf[:0], u.key[:u.head]...), '/'))
	}
	return rule, u.in(url, u.head), ok
}

// appendMoved appends the new URL for one that matches the rule old=new. rest is what follows old in it.
func appendMoved(dst []byte, old, new string, rest []byte) []byte {
	fragment := ""
	if i := strings.IndexByte(new, '#'); i >= 0 {
		new, fragment = new[:i], new[i:]
		rest, _, _ = bytes.Cut(rest, []byte("#"))
	}
	dst = append(dst, new...)
	end := bytes.IndexAny(rest, "?#")
	switch {
	case strings.Contains(new, "?"):
		if end >= 0 && rest[end] == '?' {
			dst = append(append(dst, rest[:end]...), '&')
			rest = rest[end+1:]
		}
	case len(rest) > 0 && end != 0: // a path
		if !strings.HasSuffix(old, "/") {
			rest = rest[1:]
		}
		if !strings.HasSuffix(new, "/") {
			dst = append(dst, '/')
		}
	}
	return append(append(dst, rest...), fragment...)
}
