package grammar

import (
	"bytes"
	"slices"

	"absolink/extract/internal/ascii"
	"absolink/extract/internal/codec"
	"absolink/extract/internal/mark"
)

// SpeculationRules is the content of a script element with the type speculationrules (HTML 7.6.1.2). The standard does not
// pass an encoding to the URL parser, so queries are encoded in UTF-8.
var SpeculationRules = &mark.Format{Name: "speculation rules", UTF8: true, Extract: extractSpeculationRules}

const (
	setTag = iota
	setPrefetch
	setPrerender
	setFields
)

var ruleSetKeys = []string{setTag: "tag", setPrefetch: "prefetch", setPrerender: "prerender"}

const (
	ruleSource = iota
	ruleURLs
	ruleWhere
	ruleRelativeTo
	ruleEagerness
	ruleReferrerPolicy
	ruleTag
	ruleRequires
	ruleNoVarySearch
	ruleTargetHint
	ruleFields
)

var ruleKeys = []string{
	ruleSource: "source", ruleURLs: "urls", ruleWhere: "where", ruleRelativeTo: "relative_to", ruleEagerness: "eagerness",
	ruleReferrerPolicy: "referrer_policy", ruleTag: "tag", ruleRequires: "requires", ruleNoVarySearch: "expects_no_vary_search",
	ruleTargetHint: "target_hint",
}

// ruleValues has the valid values in a rule with URLs. Both values of relative_to mean the base of the document, because
// the rules are in the document.
var ruleValues = [ruleFields][]string{
	ruleSource:     {"list"},
	ruleRelativeTo: {"ruleset", "document"},
	ruleEagerness:  {"immediate", "eager", "moderate", "conservative"},
	ruleReferrerPolicy: {"", "no-referrer", "no-referrer-when-downgrade", "same-origin", "origin", "strict-origin",
		"origin-when-cross-origin", "strict-origin-when-cross-origin", "unsafe-url"},
}

var requirements = []string{"anonymous-client-ip-when-cross-origin"}

// extractSpeculationRules marks the URLs of the valid list rules. The patterns of document rules are not URLs, but a
// relative pattern needs the base.
func extractSpeculationRules(src []byte, m *mark.Marks) {
	s := newScriptJSON(src, m)
	p, ok := s.object()
	if !ok {
		return
	}
	var at [setFields]int
	s.fields(p, ruleSetKeys, at[:])
	if tag := at[setTag]; tag > 0 && !s.isTag(tag) {
		s.wrong(tag, `"tag" of the speculation rules is not a string of ASCII characters; browsers ignore the rules`)
		return
	}
	s.Members(p, func(_ codec.Span, value int) int {
		if value != at[setPrefetch] && value != at[setPrerender] {
			return s.Skip(value)
		}
		if src[value] != '[' {
			s.wrong(value, "a list of speculation rules is not an array; browsers ignore it")
		}
		return s.Elements(value, s.rule)
	})
}

// rule marks the URLs of the rule at p, and returns the offset after it (HTML, "parse a speculation rule").
func (s *scriptJSON) rule(p int) int {
	var at [ruleFields]int
	unknown := s.fields(p, ruleKeys, at[:])
	switch {
	case s.Src[p] != '{':
		s.wrong(p, "a speculation rule is not an object; browsers skip it")
	case at[ruleURLs] == 0:
		if at[ruleWhere] > 0 {
			s.predicate(at[ruleWhere])
		}
	case unknown.Len() > 0:
		s.wrong(p, "a speculation rule has the unknown key "+mark.Quote(s.text(inside(unknown)))+"; browsers skip it")
	default:
		s.urls(p, at[:])
	}
	return s.Skip(p)
}

// predicate reads the URL patterns in a predicate of a document rule, and returns the offset after it (Speculation Rules,
// "parse a document rule predicate").
func (s *scriptJSON) predicate(p int) int {
	if s.Src[p] == '[' {
		return s.Elements(p, s.predicate)
	}
	if s.Src[p] != '{' {
		return s.Skip(p)
	}
	return s.Members(p, func(key codec.Span, value int) int {
		if s.Is(key, "href_matches") {
			return s.pattern(value)
		}
		return s.predicate(value)
	})
}

// pattern sets NeedsBase if the URL pattern at p, or a pattern in the list at p, may be relative. It returns the offset
// after the value. An object may always be relative: it gets any missing part of its URL from the base, except the
// protocol.
func (s *scriptJSON) pattern(p int) int {
	if s.Src[p] == '[' {
		return s.Elements(p, s.pattern)
	}
	text, _ := s.Text(p)
	if s.Src[p] == '{' || s.isString(p) && !isAbsolutePattern(s.text(text)) {
		s.m.Notes.NeedsBase = true
	}
	return s.Skip(p)
}

// isAbsolutePattern reports whether a URL pattern has a protocol: a scheme, "*" or "http{s}?" before "://".
func isAbsolutePattern(pattern []byte) bool {
	protocol, _, ok := bytes.Cut(pattern, []byte("://"))
	if string(protocol) == "*" {
		return ok
	}
	protocol = bytes.TrimSuffix(protocol, []byte("{s}?"))
	scheme, _ := ascii.CutScheme(string(protocol) + ":")
	return ok && scheme != ""
}

// urls marks the URLs of the rule at p. at has the offsets of its values. If a value is not valid, urls adds a fault, and
// marks no URL.
func (s *scriptJSON) urls(p int, at []int) {
	for field, value := range at {
		if value > 0 && !s.allowed(field, value) {
			s.wrong(p, "a speculation rule has a wrong value of "+mark.Quote([]byte(ruleKeys[field]))+"; browsers skip it")
			return
		}
	}
	s.Elements(at[ruleURLs], func(p int) int {
		url, end := s.Text(p)
		s.link(scriptPlace, url)
		return end
	})
}

// allowed reports whether a rule with URLs may have the value at p in a field.
func (s *scriptJSON) allowed(field, p int) bool {
	switch field {
	case ruleWhere:
		return false
	case ruleURLs:
		return s.every(p, s.isString)
	case ruleRequires:
		return s.every(p, func(p int) bool { return s.isOneOf(p, requirements) })
	case ruleTag:
		return s.isTag(p)
	case ruleNoVarySearch:
		return s.isString(p)
	case ruleTargetHint:
		return true
	}
	return s.isOneOf(p, ruleValues[field])
}

// every reports whether the value at p is an array, and is returns true for each element.
func (s *scriptJSON) every(p int, is func(p int) bool) bool {
	all := s.Src[p] == '['
	s.Elements(p, func(p int) int {
		all = all && is(p)
		return s.Skip(p)
	})
	return all
}

func (s *scriptJSON) isString(p int) bool { return s.Src[p] == '"' }

func (s *scriptJSON) isOneOf(p int, values []string) bool {
	text, _ := s.Text(p)
	return s.isString(p) && slices.Contains(values, string(s.text(text)))
}

// isTag reports whether the value at p is a speculation rule tag: a string of ASCII characters without controls, or null.
func (s *scriptJSON) isTag(p int) bool {
	text, _ := s.Text(p)
	for _, c := range s.text(text) {
		if c < ' ' || c > '~' {
			return false
		}
	}
	return s.isString(p) || s.Src[p] == 'n'
}
