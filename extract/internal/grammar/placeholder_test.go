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
		{"the whole reference", "[[x]]\n%%x%%\n%x%\n%view_online%\n%%a%b%%", true},
		{"later in the reference", "/v/{{ x }}\nv/{{x}}\n?n={{ x }}\n#{{ x }}\nhttp://h/{{ x }}\n//h?{{x}}\n//h#${x}\n//\ngo?to=https://{{x}}\nmailto:{{ x }}", false},
		{"one brace, as in RFC 6570", "{x}\n{?x}\n{+x}\n$x\n*x\n<x>\n{\n$\n<\n$!x\n$!\n[x]", false},
		{"percent-encoded", "%E4%BD%A0\na%20b%20c\n%20%\n%25\n%\n%%\n%%%%\n%a%b%\n%x%/y\n[%E4%BD%A0]", false},
		{"no name in brackets", "[[1]]\n[[]]\n[x]\n[[x]]/y\n[[x]]y]]\n[[", false},
		{"plain", "x.html\n/x\n../x\nhttp://h/x\ndata:,x\n[::1]", false},
	} {
		for ref := range strings.SplitSeq(row.refs, "\n") {
			absolute := strings.HasPrefix(ref, "h") || strings.HasPrefix(ref, "mailto:")
			assert.Equal(t, row.want, HasPlaceholder([]byte(ref), absolute), "%s: %s", row.name, ref)
		}
	}
	assert.False(t, HasPlaceholder(nil, false))
}
