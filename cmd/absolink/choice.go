// The flags of links and rewrite that select links.

package main

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"absolink/cmd/absolink/internal/usage"
	"absolink/extract"
)

// choice selects the links that all given flags select. A link without an absolute URL has no scheme, and no pattern
// matches it.
type choice struct {
	places           placeList // before the link is resolved: see extract.Extractor
	added            list[string]
	statuses         list[extract.Status]
	schemes          list[string]
	include, exclude list[*regexp.Regexp]
}

func newChoice() *choice {
	c := &choice{
		added:    list[string]{kind: "PLACE,...", sep: ",", parse: parseAddedPlace},
		statuses: named("STATUS,...", extract.StatusAbsolute, extract.StatusResolved, extract.StatusUnresolved),
		schemes:  list[string]{kind: "SCHEME,...", sep: ",", parse: parseScheme},
		include:  list[*regexp.Regexp]{kind: "PATTERN", parse: parsePattern},
		exclude:  list[*regexp.Regexp]{kind: "PATTERN", parse: parsePattern},
	}
	c.places.list = list[string]{kind: "PLACE,...", sep: ",",
		parse: func(pattern string) (string, error) { return parsePlace(pattern, c.added.chosen) }}
	return c
}

// selects returns the function that reports whether a link is selected, or nil if all links are. The Extractor tests
// their places.
func (c *choice) selects() func(*extract.Link) bool {
	if len(c.statuses.chosen)+len(c.schemes.chosen)+len(c.include.chosen)+len(c.exclude.chosen) == 0 {
		return nil
	}
	return func(l *extract.Link) bool {
		hasURL := l.Status != extract.StatusUnresolved
		matches := func(pattern *regexp.Regexp) bool { return hasURL && pattern.Match(l.URL) }
		hasScheme := func(scheme string) bool {
			is, _, _ := bytes.Cut(l.URL, []byte(":"))
			return hasURL && strings.EqualFold(scheme, string(is))
		}
		return c.statuses.allows(func(s extract.Status) bool { return s == l.Status }) &&
			c.schemes.allows(hasScheme) && c.include.allows(matches) && !slices.ContainsFunc(c.exclude.chosen, matches)
	}
}

// list is the value of a flag that can be given again: each value adds to the list.
type list[T any] struct {
	kind   string // the word for a value in the help
	sep    string // between the elements of one value; "" for one element
	parse  func(string) (T, error)
	names  []string // of all values; nil if there are others
	chosen []T
}

func (l *list[T]) Set(s string) error {
	elements := []string{s}
	if l.sep != "" {
		elements = strings.Split(s, l.sep)
	}
	for _, element := range elements {
		if element == "" && len(elements) > 1 {
			return errors.New("there is a comma too many; leave it out")
		}
		v, err := l.parse(element)
		if err != nil {
			return err
		}
		l.chosen = append(l.chosen, v)
	}
	return nil
}

func (l *list[T]) String() string {
	var all []string
	for _, v := range l.chosen {
		all = append(all, fmt.Sprint(v))
	}
	return strings.Join(all, cmp.Or(l.sep, " "))
}

func (l *list[T]) Type() string { return l.kind }

// allows reports whether the list is empty or has an element for which is returns true.
func (l *list[T]) allows(is func(T) bool) bool {
	return len(l.chosen) == 0 || slices.ContainsFunc(l.chosen, is)
}

// Names returns the names of the values, for completion.
func (l *list[T]) Names() []string { return l.names }

func named[T fmt.Stringer](kind string, all ...T) list[T] {
	var names []string
	for _, v := range all {
		names = append(names, v.String())
	}
	return list[T]{kind: kind, sep: ",", names: names, parse: func(name string) (v T, err error) {
		i := slices.IndexFunc(names, func(known string) bool { return strings.EqualFold(known, name) })
		if i < 0 {
			return v, errors.New("use one of " + strings.Join(names, ", "))
		}
		return all[i], nil
	}}
}

// placeList is the value of --place. Its patterns are parsed when all flags are known, because --add-place may follow
// it.
type placeList struct {
	list[string]
	given []string
	known bool // all flags are known
}

func (l *placeList) Set(s string) error {
	if l.known {
		return l.list.Set(s)
	}
	l.given = append(l.given, s)
	return nil
}

func (l *placeList) parse(cmd *cobra.Command) error {
	l.known = true
	for _, s := range l.given {
		if err := cmd.Flags().Set("place", s); err != nil {
			return cmd.FlagErrorFunc()(cmd, err)
		}
	}
	return nil
}

func parsePlace(pattern string, added []string) (string, error) {
	if pattern == "" {
		return "", errors.New("a pattern is empty; use a place such as a@href, or a pattern such as img@*")
	}
	if attribute, ok := strings.CutPrefix(pattern, "@"); ok {
		return "", fmt.Errorf("no place begins with @; did you mean *@%s?", attribute)
	}
	if wrong, ok := errors.AsType[*extract.PlaceError](extract.CheckPlace(pattern, added...)); ok {
		return "", fmt.Errorf("%w; %s", wrong, meant(wrong))
	}
	return pattern, nil
}

func parseAddedPlace(pattern string) (string, error) {
	if err := extract.CheckAddedPlace(pattern); err != nil {
		return "", fmt.Errorf("%w; use an element and an attribute, as in model-viewer@src, or an element of XML "+
			"with a prefix, as in acme:image_url", err)
	}
	return pattern, nil
}

// meant returns what to write instead of the pattern of a place.
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

// parseScheme parses a scheme, which may end in a colon.
func parseScheme(scheme string) (string, error) {
	scheme = strings.TrimSuffix(scheme, ":")
	if !regexp.MustCompile(`^[A-Za-z][A-Za-z0-9+.-]*$`).MatchString(scheme) {
		return "", fmt.Errorf("%q is not a scheme; use names such as http,https", scheme)
	}
	return scheme, nil
}

func parsePattern(s string) (*regexp.Regexp, error) {
	if s == "" {
		return nil, errors.New("the pattern is empty; it would match every URL")
	}
	pattern, err := regexp.Compile(s)
	if glob, ok := strings.CutPrefix(s, "*"); err != nil && ok {
		meant := strings.ReplaceAll(regexp.QuoteMeta(glob), `\*`, ".*") + "$"
		return nil, fmt.Errorf("this is a regular expression: use '%s', or -g '%s' for the names of files",
			strings.TrimSuffix(strings.TrimLeft(meant, "*"), ".*$"), s)
	}
	if err != nil {
		return nil, fmt.Errorf("%w; the syntax is that of RE2 (https://github.com/google/re2/wiki/Syntax)", err)
	}
	return pattern, nil
}
