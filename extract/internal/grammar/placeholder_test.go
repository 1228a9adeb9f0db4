package grammar

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestHasPlaceholder(t *testing.T) {
	for _, row := range []struct {
		name, refs string // between newlines
		want       bool
	}{
		{"at the start", "{{ x }}\n{{{x}}}\n{{ x }}/y.html\n{% url 'x' %}\n{# x #}\n{!! x !!}\n[% x %]\n[%- x -%]/y\n[%x%]\n[%first_name%]\n%%=v(@x)=%%?y\n$!{x}\n{$x}\n${x}\n<%= x %>\n<?= x ?>\n<?php x ?>\n*|X|*", true},
		{"cut off by a space", "{{\n<%=\n{%\n{!!\n[%\n[%a", true},
		{"in the authority", "//{{ x }}\nhttps://{{ x }}/\nhttps://u@{{ x }}:80/\nhttp://a.${x}/\nh1+.-://*|X|*", true},
		{"the whole reference", "%%x%%\n%x%\n%view_online%\n%%a%b%%\n{x}\n{Link_URL2}\n[X]\n[UNSUBSCRIBE_URL2]\n$X\n$UnsubscribeLink\n:/0123456789abcdef0123456789ABCDEF", true},
		{"the first segment", "[[x]]\n[[x]]/y\n[[+x]]\n[[~12]]?y\n[[~[[*id]]]]\n[[~[[*id]]? &scheme=`full`]]#y\n###x_Y###\n###x###/y\n::x1::\n::x::/y\n__X__\n__SITE_URL2__/x.png\n__X__#y\n__X__?y", true},
		{"later in the reference", "/v/{{ x }}\nv/{{x}}\n?n={{ x }}\n#{{ x }}\nhttp://h/{{ x }}\n//h?{{x}}\n//h#${x}\n//\ngo?to=https://{{x}}\nmailto:{{ x }}", false},
		{"an expression of RFC 6570, or a part of it", "{?x}\n{+x}\n{x,y}\n{x}/y\n{x\n{}\n{1}\n{\na{b}\n{x}{y}", false},
		{"a name with a dollar, or a price", "$metadata\n$colon$colon\n$Gson$Types.html\n$1.50\n$X/y\n$x\n$\n$!x\n$!\n($app-environment)\n($X)", false},
		{"names of files", "__pycache__/\n__init__.py\n__X__.py\n__X__y\n__A__B__/x\n____\n__X_\n_X_\n__1__\n~user\n(x)", false},
		{"an address, or a name with colons", "::1\n::1::\n::x\n::x::y\n::\n::::\n:/\n:/x\n:/0123456789abcdef0123456789abcde\n:/0123456789abcdef0123456789abcdef/x\n:x", false},
		{"a fragment", "#x\n##x##\n###x\n###\n######\n###1###\n#x###\n###x###y\n#{x}\n#[X]", false},
		{"other signs", "*x\n<x>\n<", false},
		{"percent-encoded", "%E4%BD%A0\na%20b%20c\n%20%\n%25\n%\n%%\n%%%%\n%a%b%\n%x%/y\n[%E4%BD%A0]", false},
		{"no name in brackets", "[[1]]\n[1]\n[X1]/y\n[X y]\n[]\n[[]]\n[x]\n[X\n[[x]]y\n[[", false},
		{"plain", "x.html\n/x\n../x\nhttp://h/x\ndata:,x\n[::1]", false},
	} {
		for ref := range strings.SplitSeq(row.refs, "\n") {
			absolute := strings.HasPrefix(ref, "h") || strings.HasPrefix(ref, "mailto:")
			assert.Equal(t, row.want, HasPlaceholder([]byte(ref), absolute), "%s: %s", row.name, ref)
		}
	}
	assert.False(t, HasPlaceholder(nil, false))
}
