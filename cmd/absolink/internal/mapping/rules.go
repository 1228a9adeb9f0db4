package mapping

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"strconv"
	"strings"
	"unicode/utf8"

	"absolink/cmd/absolink/internal/files"
)

// Rules is the value of --map.
type Rules []rule

// Set adds one rule.
func (r *Rules) Set(s string) error {
	old, new, err := cut(s)
	if err == nil {
		err = r.Add(old, new)
	}
	return err
}

func (r *Rules) Add(old, new string) error {
	err := check(old, new)
	if err == nil {
		*r = append(*r, rule{old: old, new: new})
	}
	return err
}

func (r *Rules) String() string {
	var all []string
	for _, rule := range *r {
		all = append(all, rule.old+"="+rule.new)
	}
	return strings.Join(all, " ")
}

func (*Rules) Type() string { return "OLD=NEW" }

// cut cuts the value of --map at the first "=" before a scheme and a colon, so that OLD can have a query:
//
//	http://old.example/?id=7=https://new.example/7
//
// It returns an error if OLD has a query and there are several such places, because the right one is not clear.
func cut(s string) (old, new string, err error) {
	at := -1
	for i := range len(s) {
		if s[i] != '=' || schemeEnd(s[i+1:]) == 0 {
			continue
		}
		if at < 0 {
			at = i
		} else if strings.Contains(s[:at], "?") {
			return "", "", errors.New(`more than one "=" is followed by a URL; ` +
				`write the rule in a file for --map-file, with a tab between OLD and NEW`)
		}
	}
	old, new, _ = strings.Cut(s, "=")
	switch {
	case at >= 0:
		return s[:at], s[at+1:], nil
	case s != "" && s == old && schemeEnd(s) == 0:
		return "", "", fmt.Errorf("this is no rule; did you mean --map-file %s?", s)
	case old != "" && new != "" && strings.Count(s, "=") == 1:
		return old, new, nil // check says what is missing
	default:
		return "", "", errors.New(`write OLD=NEW with two absolute URLs; ` +
			`the rule is cut at the first "=" that a scheme follows, such as "=https:"`)
	}
}

// New returns the table of the rules of --map and of the files of --map-file, which it reads and checks, or nil if
// there are neither.
//
// A file is UTF-8, with one rule on each line in one of two forms. Empty lines are skipped. There are no comments.
//
//	http://old.example/	https://new.example/
//	{"old": "http://old.example/", "new": "https://new.example/"}
//
// The first form has a tab between OLD and NEW. An error names the flag and, for a file, the line. It is an error if
// one OLD has two different NEW.
func New(rules Rules, names []string) (*Table, error) {
	if len(rules)+len(names) == 0 {
		return nil, nil
	}
	t := &Table{index: map[string]int{}}
	for _, r := range rules {
		if err := t.add(r); err != nil {
			return nil, fmt.Errorf("--map %s=%s: %w", r.old, r.new, err)
		}
	}
	for _, name := range names {
		if err := t.readFile(name); err != nil {
			return nil, fmt.Errorf("--map-file %w", err)
		}
	}
	t.counts = make([]counts, len(t.rules))
	return t, nil
}

// add adds a valid rule, unless the table has it.
func (t *Table) add(r rule) error {
	key := string(split([]byte(r.old), math.MaxInt).key)
	if i, found := t.index[key]; found {
		if other := &t.rules[i]; other.new != r.new {
			return fmt.Errorf("OLD %s already has another NEW, %s (%s); leave out one of the two rules", r.old,
				other.new, cmp.Or(where(other.from, other.line), "--map "+other.old+"="+other.new))
		}
		return nil
	}
	t.index[key] = len(t.rules)
	t.rules = append(t.rules, r)
	if n := len(key) + 1 - len(t.lengths); n > 0 {
		t.lengths = append(t.lengths, make([]bool, n)...)
	}
	t.lengths[len(key)] = true
	return nil
}

func (t *Table) readFile(name string) error {
	file, err := os.Open(name)
	if err != nil {
		return fmt.Errorf("%s: %w", name, files.WithAdvice(err))
	}
	defer file.Close()
	return t.read(file, name)
}

func (t *Table) read(in io.Reader, name string) error {
	empty := true
	err := files.ReadLines(in, "rule", func(n int, line []byte) error {
		empty = false
		if !utf8.Valid(line) {
			return errors.New("not UTF-8; save the file as UTF-8")
		}
		old, new, err := files.ParsePair(line, "old", "new")
		if err == nil {
			err = check(old, new)
		}
		if err == nil {
			err = t.add(rule{old, new, name, n})
		}
		return err
	})
	if empty {
		t.empty = append(t.empty, name)
	}
	if line, is := errors.AsType[*files.LineError](err); is {
		return fmt.Errorf("%s: %w", where(name, line.N), line.Err)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}

// where returns the line of a rule in a file, for messages, or "" for a rule without a file.
func where(file string, line int) string {
	if file == "" {
		return ""
	}
	return file + ":" + strconv.Itoa(line)
}
