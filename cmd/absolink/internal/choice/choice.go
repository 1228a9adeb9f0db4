// Package choice selects links by the flags of the verbs links and rewrite.
//
//	--place     by the place in the document, before the link is resolved
//	--status    by the result of resolving
//	--rung      by the rung of the base
//	--scheme    by the scheme of the absolute URL
//	--include   by the absolute URL
//	--exclude
//
// A link is selected if all flags that are set select it. A link without an absolute URL has no scheme, and no pattern
// matches it.
package choice

import (
	"bytes"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"absolink/base"
	"absolink/cmd/absolink/internal/usage"
	"absolink/extract"
	"absolink/resolve"
)

// Choice selects links. The zero Choice selects every link.
type Choice struct {
	Places           Places
	Statuses         Names[extract.Status]
	Rungs            Names[base.Rung]
	Schemes          Schemes
	Include, Exclude Patterns
}

// New returns a Choice without restrictions, with the names that its flags accept.
func New() *Choice {
	c := &Choice{}
	c.Statuses.Kind, c.Statuses.All = "STATUS", []extract.Status{extract.StatusAbsolute, extract.StatusResolved, extract.StatusUnresolved}
	c.Rungs.Kind, c.Rungs.All = "RUNG", []base.Rung{base.RungOverride, base.RungEmbedded, base.RungEncapsulating, base.RungRetrieval, base.RungDefault}
	return c
}

// Func returns the function that reports whether a link is selected. It does not test the place, which the Extractor tests.
// Func returns nil if all links are selected.
func (c *Choice) Func() func(*extract.Link) bool {
	if len(c.Statuses.chosen)+len(c.Rungs.chosen)+len(c.Schemes)+len(c.Include)+len(c.Exclude) == 0 {
		return nil
	}
	return c.chooses
}

func (c *Choice) chooses(l *extract.Link) bool {
	hasURL := l.Status != extract.StatusUnresolved
	return c.Statuses.has(l.Status) && c.Rungs.has(l.Scope.Rung()) &&
		(len(c.Schemes) == 0 || hasURL && c.Schemes.has(l.URL)) &&
		(len(c.Include) == 0 || hasURL && c.Include.match(l.URL)) &&
		!(hasURL && c.Exclude.match(l.URL))
}

// Names is a set of values that have names.
type Names[T interface {
	comparable
	fmt.Stringer
}] struct {
	Kind   string // the word for a value in the help
	All    []T    // all possible values
	chosen []T
}

func (n *Names[T]) has(v T) bool { return len(n.chosen) == 0 || slices.Contains(n.chosen, v) }

// Set is part of pflag.Value. It adds the values of a list with commas, and ignores case.
func (n *Names[T]) Set(s string) error {
	for _, name := range strings.Split(s, ",") {
		i := slices.IndexFunc(n.All, func(v T) bool { return strings.EqualFold(v.String(), name) })
		if i < 0 {
			return errors.New("use one of " + strings.Join(n.Names(), ", "))
		}
		n.chosen = append(n.chosen, n.All[i])
	}
	return nil
}

// Names returns the names of all values, for the completion of the shell.
func (n *Names[T]) Names() (names []string) {
	for _, v := range n.All {
		names = append(names, v.String())
	}
	return names
}

// String is part of pflag.Value.
func (n *Names[T]) String() string {
	var names []string
	for _, v := range n.chosen {
		names = append(names, v.String())
	}
	return strings.Join(names, ",")
}

// Type is part of pflag.Value.
func (n *Names[T]) Type() string { return n.Kind + ",..." }

// Places are patterns for the places of links: see extract.Options.
type Places []string

// Set is part of pflag.Value. It adds the patterns of a list with commas.
func (p *Places) Set(s string) error {
	for _, pattern := range strings.Split(s, ",") {
		if pattern == "" {
			return errors.New("a pattern is empty; use a place such as a@href, or a pattern such as img@*")
		}
		if wrong, ok := errors.AsType[*extract.PlaceError](extract.CheckPlace(pattern)); ok {
			return fmt.Errorf("%w; %s", wrong, meant(wrong))
		}
		*p = append(*p, pattern)
	}
	return nil
}

// meant returns what to write instead of a pattern.
func meant(wrong *extract.PlaceError) string {
	if attribute := "*@" + wrong.Pattern; extract.CheckPlace(attribute) == nil {
		return "did you mean " + attribute + "?"
	}
	if near := usage.Nearest(wrong.Pattern, wrong.Names); near != "" {
		return "did you mean " + near + "?"
	}
	advice := `"absolink links --fields place" prints the places of documents`
	if !strings.ContainsAny(wrong.Pattern, "@*[") {
		advice += "; " + wrong.Pattern + "@* is for an element of XML"
	}
	return advice
}

// String is part of pflag.Value.
func (p *Places) String() string { return strings.Join(*p, ",") }

// Type is part of pflag.Value.
func (*Places) Type() string { return "PLACE,..." }

// Schemes are schemes of URLs.
type Schemes []string

// Set is part of pflag.Value. It adds the schemes of a list with commas. A scheme may end in a colon.
func (s *Schemes) Set(list string) error {
	none, err := resolve.RFC3986.Base("")
	if err != nil {
		return err
	}
	for _, scheme := range strings.Split(list, ",") {
		scheme = strings.TrimSuffix(scheme, ":")
		if strings.Contains(scheme, ":") || !none.IsAbsolute([]byte(scheme+":")) {
			return fmt.Errorf("%q is not a scheme; use names such as http,https", scheme)
		}
		*s = append(*s, scheme)
	}
	return nil
}

func (s Schemes) has(url []byte) bool {
	scheme, _, _ := bytes.Cut(url, []byte(":"))
	return slices.ContainsFunc(s, func(asked string) bool { return strings.EqualFold(asked, string(scheme)) })
}

// String is part of pflag.Value.
func (s *Schemes) String() string { return strings.Join(*s, ",") }

// Type is part of pflag.Value.
func (*Schemes) Type() string { return "SCHEME,..." }

// Patterns are regular expressions.
type Patterns []*regexp.Regexp

// Set is part of pflag.Value. It adds one pattern.
func (p *Patterns) Set(s string) error {
	if s == "" {
		return errors.New("the pattern is empty; it would match every URL")
	}
	pattern, err := regexp.Compile(s)
	if err != nil {
		return fmt.Errorf("%w; the syntax is that of RE2 (https://github.com/google/re2/wiki/Syntax)", err)
	}
	*p = append(*p, pattern)
	return nil
}

func (p Patterns) match(url []byte) bool {
	return slices.ContainsFunc(p, func(pattern *regexp.Regexp) bool { return pattern.Match(url) })
}

// String is part of pflag.Value.
func (p *Patterns) String() string {
	var all []string
	for _, pattern := range *p {
		all = append(all, pattern.String())
	}
	return strings.Join(all, " ")
}

// Type is part of pflag.Value.
func (*Patterns) Type() string { return "PATTERN" }
