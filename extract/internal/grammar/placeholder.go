package grammar

import (
	"bytes"

	"absolink/extract/internal/ascii"
)

// HasPlaceholder reports whether a reference begins with a placeholder of a template language, or has one in its authority.
// Such a reference is not a link until the template is filled in:
//
//	{{ x }} {{{x}}} {% x %} {# x #}   Jinja, Liquid, Handlebars and others
//	{!! x !!} [% x %]                 Blade; Template Toolkit
//	{$x} ${x} $!{x}                   Smarty; JavaScript, Java, the shell; Velocity
//	<%= x %> <?= x ?>                 ERB, ASP; PHP
//	*|X|* %%=x=%%                     Mailchimp; AMPscript
//	[[x]] %%x%% %x%                   mailing services, only as the whole reference: x begins with a letter
//
// The first bytes are enough for most of them, because no URL has such bytes, and because the end may be missing: without quotes,
// the attribute href={{ x }} has the value "{{". absolute reports whether the reference has a scheme.
func HasPlaceholder(ref []byte, absolute bool) bool {
	return len(ref) > 1 && (absolute || firstBytes[ref[0]]) && hasPlaceholder(ref, absolute)
}

// hasPlaceholder is apart so that the compiler can inline HasPlaceholder: most references are plain.
func hasPlaceholder(ref []byte, absolute bool) bool {
	switch ref[0] {
	case '[', '%':
		return bytes.HasPrefix(ref, []byte("%%=")) || opensTag(ref) || isVariable(ref, "[[", "]]") || isVariable(ref, "%%", "%%") || isVariable(ref, "%", "%")
	case '{', '$', '<', '*':
		return opens(ref)
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

var firstBytes = *ascii.SetOf("{$<*[%/")

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

// isVariable reports whether ref is a name between open and end.
func isVariable(ref []byte, open, end string) bool {
	name, opened := bytes.CutPrefix(ref, []byte(open))
	name, ended := bytes.CutSuffix(name, []byte(end))
	return opened && ended && len(name) > 0 && ascii.IsLetter(name[0]) && !bytes.Contains(name, []byte(end))
}
