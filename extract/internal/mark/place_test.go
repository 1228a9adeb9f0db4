package mark

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestFits(t *testing.T) {
	for _, c := range []struct {
		pattern, name string
		number        int
		want          bool
	}{
		{"a@href", "a@href", 0, true},
		{"A@HREF", "a@href", 0, true},
		{"a@hre", "a@href", 0, false},
		{"a@hrefs", "a@href", 0, false},
		{"", "a@href", 0, false},
		{"*", "a@href", 0, true},
		{"*", "", 0, true},
		{"img@*", "img@src", 0, true},
		{"img@*", "img@", 0, true},
		{"img@*", "image@src", 0, false},
		{"*@src", "img@src", 0, true},
		{"*@src", "img@srcset", 0, false},
		{"*@src*", "img@srcset", 2, true},
		{"*g*s*t", "img@srcset", 0, true},
		{"*g*g*", "img@srcset", 0, false},
		{"a*a", "a", 0, false},
		{"a**a", "aa", 0, true},
		{"img@srcset", "img@srcset", 2, true},
		{"img@srcset[2]", "img@srcset", 2, true},
		{"img@srcset[2]", "img@srcset", 12, false},
		{"img@srcset[*2]", "img@srcset", 12, true},
		{"img@srcset[1]", "img@srcset", 0, false},
		{"IMG", "img@srcset", 2, true},
		{"img", "image@src", 0, false},
		{"src", "img@src", 0, false},
		{"script[importmap]", "script[importmap]", 3, true},
		{"script[importmap][3]", "script[importmap]", 3, true},
		{"script[importmap][2]", "script[importmap]", 3, false},
		{"img@[s]rc", "img@src", 0, false}, // only "*" is special
		{"img@sr?", "img@src", 0, false},
	} {
		assert.Equal(t, c.want, Fits(c.pattern, c.name, c.number), "%s, %s, %d", c.pattern, c.name, c.number)
	}
}

// want has, for each pattern, the forms of which it may fit a place.
func TestMayFit(t *testing.T) {
	forms := []string{"a@href", "*@src", "*@*:href", "script[importmap]", "text"}
	for pattern, want := range map[string][]string{
		"a@href":               {"a@href"},
		"A@*":                  {"a@href", "*@src", "*@*:href"},
		"a@href[12]":           {"a@href"},
		"a@href[*2]":           {"a@href"},
		"a@href[x]":            nil,
		"a@h*f*":               {"a@href", "*@*:href"},
		"img@scr":              nil,
		"x:img@SRC":            {"*@src"},
		"b@x:href":             {"*@*:href"},
		"b@href":               nil,
		"*e*t":                 {"text"},
		"te*xt":                {"text"},
		"tex*xt":               nil,
		"script[importmap]":    {"script[importmap]"},
		"script[importmap][3]": {"script[importmap]"},
		"":                     nil,
	} {
		var got []string
		for _, form := range forms {
			if MayFit(pattern, form) {
				got = append(got, form)
			}
		}
		assert.Equal(t, want, got, pattern)
	}
}
