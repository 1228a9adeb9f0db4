package tree

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// The rows follow HTML 13.2.6.4.1, "initial", and the states of 13.2.5.53 to 68.
func TestInQuirks(t *testing.T) {
	for _, row := range []struct {
		markup string
		want   bool
	}{
		{"<!doctype html>", false},
		{"<!DOCTYPE\nHTML >", false},
		{"<!doctypehtml>", false},
		{"<!doctype>", true},
		{"<!doctype html", true},
		{"<!doctype htm>", true},
		{"<!doctype html x>", true},
		{`<!doctype html SYSTEM "about:legacy-compat">`, false},
		{`<!doctype html system'about:legacy-compat'>`, false},
		{`<!doctype html system "about:legacy-compat" x>`, false},
		{`<!doctype html system>`, true},
		{`<!doctype html system "x>`, true},
		{`<!doctype html public>`, true},
		{`<!doctype html public x>`, true},
		{`<!doctype html public "x>`, true},
		{`<!doctype html public "x" "y>`, true},
		{`<!doctype html public "x">`, false},
		{`<!doctype html public "x" y>`, true},
		{`<!doctype html public "x""y" z>`, false},
		{`<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Strict//EN" "http://www.w3.org/TR/xhtml1/DTD/xhtml1-strict.dtd">`, false},
		{`<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Transitional//EN">`, false}, // limited-quirks mode
		{`<!DOCTYPE HTML PUBLIC "-//W3C//DTD HTML 4.01//EN">`, false},
		{`<!DOCTYPE HTML PUBLIC "-//W3C//DTD HTML 4.01 Transitional//EN">`, true},
		{`<!DOCTYPE HTML PUBLIC "-//W3C//DTD HTML 4.01 Transitional//EN" "">`, false},
		{`<!DOCTYPE HTML PUBLIC "-//W3C//DTD HTML 4.01 Frameset//EN">`, true},
		{`<!DOCTYPE HTML PUBLIC "-//W3C//DTD HTML 4.0 Transitional//EN" "http://www.w3.org/TR/REC-html40/loose.dtd">`, true},
		{`<!DOCTYPE HTML PUBLIC "-//IETF//DTD HTML//EN">`, true},
		{`<!DOCTYPE html PUBLIC "-/W3C/DTD HTML 4.0 Transitional/EN">`, true},
		{`<!DOCTYPE html PUBLIC "html">`, true},
		{`<!DOCTYPE html SYSTEM "http://www.ibm.com/data/dtd/v11/ibmxhtml1-transitional.dtd">`, true},
	} {
		assert.Equal(t, row.want, inQuirks([]byte(row.markup)), row.markup)
	}
}
