package grammar

import (
	"bytes"

	"absolink/extract/internal/ascii"
)

// HasPlaceholder reports whether a reference begins with a placeholder of a template language, or has one in its
// authority. Such a reference is not a link until the template is filled in:
//
//	{{ x }} {{{x}}} {% x %} {# x #}   Jinja, Liquid, Handlebars and others
//	{!! x !!} [% x %]                 Blade; Template Toolkit
//	{$x} ${x} $!{x}                   Smarty; JavaScript, Java, the shell; Velocity
//	<%= x %> <?= x ?>                 ERB, ASP; PHP
//	*|X|* %%=x=%%                     Mailchimp; AMPscript
//	[[x]] %x% {x} and others          only between open and end, as the table enclosed has it
//
// The first bytes are enough for most of them, because no URL has such bytes, and because the end may be missing:
// without quotes, the attribute href={{ x }} has the value "{{". absolute reports whether the reference has a scheme.
func HasPlaceholder(ref []byte, absolute bool) bool {
	return len(ref) > 1 && (absolute || firstBytes[ref[0]]) && hasPlaceholder(ref, absolute)
}

// hasPlaceholder is apart so that the compiler can inline HasPlaceholder: most references are plain.
func hasPlaceholder(ref []byte, absolute bool) bool {
	switch ref[0] {
	case '#', '_':
		return ref[1] == ref[0] && isEnclosed(ref) // a fragment has one "#"
	case '[', '%', '{', '$', '<', '*', ':':
		return bytes.HasPrefix(ref, []byte("%%=")) || opens(ref) || opensTag(ref) || isEnclosed(ref)
	}
	if bytes.IndexByte(ref, '{') < 0 && bytes.IndexByte(ref, '*') < 0 && bytes.IndexByte(ref, '<') < 0 {
		return false // three searches are faster than a look at each byte of the authority
	}
	i := 0
	if absolute {
		i = bytes.IndexByte(ref, ':') + 1
	}
	if !bytes.HasPrefix(ref[i:], []byte("//")) {
		return false
	}
	for i += 2; i < len(ref); i++ {
		if opens(ref[i:]) {
			return true
		}
		if c := ref[i]; c == '/' || c == '?' || c == '#' {
			return false
		}
	}
	return false
}

// opens reports whether text begins with the first bytes of a placeholder.
func opens(text []byte) bool {
	if len(text) < 2 {
		return false
	}
	switch string(text[:2]) {
	case "{{", "{%", "{#", "{!", "{$", "${", "<%", "<?", "*|":
		return true
	case "$!":
		return len(text) > 2 && text[2] == '{'
	}
	return false
}

// opensTag reports whether ref begins with "[%", and the "%" does not begin an escape.
func opensTag(ref []byte) bool {
	return ref[0] == '[' && ref[1] == '%' && (len(ref) < 4 || ascii.HexValue(ref[2]) < 0 || ascii.HexValue(ref[3]) < 0)
}

var (
	letters    = ascii.Range('A', 'Z').Or(ascii.Range('a', 'z'))
	capitals   = ascii.Range('A', 'Z')
	constant   = capitals.Or(ascii.Range('0', '9')).Or(ascii.SetOf("_"))
	identifier = constant.Or(letters)
	hex        = ascii.SetOf("0123456789abcdefABCDEF")

	firstBytes = *ascii.SetOf("{$<*[%/#_:")
)

// enclosed has the placeholders that a URL could begin like: a name between open and end, with a first byte of one set
// and the others of another. They are the whole reference, or with segment its first segment. The name never has the
// end in it, except in brackets, which may be nested.
var enclosed = []struct {
	open, end   string
	first, rest *ascii.Set
	segment     bool
}{
	// MODX [[~[[*id]]]]; [[1]] is a footnote
	{"[[", "]]", ascii.SetOf("0123456789]").Not(), new(ascii.Set).Not(), true},
	{"###", "###", letters, identifier, true},          // TYPO3
	{"::", "::", letters, identifier, true},            // Perl programs; ::1 is an address
	{"__", "__", capitals, constant, true},             // Ghost; not __init__.py
	{"%%", "%%", letters, new(ascii.Set).Not(), false}, // mailing services, as all below
	{"%", "%", letters, new(ascii.Set).Not(), false},
	{"{", "}", letters, identifier, false},
	{"[", "]", capitals, constant, false},
	{"$", "", capitals, identifier, false}, // SilverStripe; not $metadata of OData
	{":/", "", hex, hex, false},            // a note of Joplin, with 32 digits
}

func isEnclosed(ref []byte) bool {
	for i := range enclosed {
		row := &enclosed[i]
		name, ok := bytes.CutPrefix(ref, []byte(row.open))
		if !ok {
			continue
		}
		if row.segment {
			name, ok = firstSegment(name, row.end)
		} else {
			name, ok = bytes.CutSuffix(name, []byte(row.end))
		}
		if ok && len(name) > 0 && row.first[name[0]] && row.rest.Holds(name) &&
			(row.open != row.end || !bytes.Contains(name, []byte(row.end))) {
			return row.open != ":/" || len(name) == 32
		}
	}
	return false
}

// firstSegment returns the text before end, where end is followed by nothing or by what begins the rest of a reference.
func firstSegment(text []byte, end string) (before []byte, ok bool) {
	for from := 0; ; from++ {
		i := bytes.Index(text[from:], []byte(end))
		if i < 0 {
			return nil, false
		}
		from += i
		if after := text[from+len(end):]; len(after) == 0 || after[0] == '/' || after[0] == '?' || after[0] == '#' {
			return text[:from], true
		}
	}
}
