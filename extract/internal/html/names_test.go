package html

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

// A name is found in any case, with anything behind it; what only looks like it, or folds to the
// same key, is not.
func TestNameTable(t *testing.T) {
	for _, table := range []*nameTable{&elements, &attributes} {
		find := func(name, behind string) string {
			return table.names[table.find([]byte("<"+name+behind), 1, 1+len(name))]
		}
		known := map[string]bool{"": true}
		for _, name := range table.names {
			known[name] = true
		}
		for name := range known {
			if name == "" {
				continue
			}
			mixed := strings.ToUpper(name[:1]) + name[1:]
			for _, behind := range []string{"", ">", " x=yyyyyyy", "\x00\x00\x00\x00\x00\x00\x00\x00"} {
				assert.Equal(t, name, find(name, behind))
				assert.Equal(t, name, find(strings.ToUpper(name), behind))
				assert.Equal(t, name, find(mixed, behind))
				for i := range len(name) {
					for _, other := range []string{name + "\x00", name + name[i:], name[:i], name[i+1:], name[:i] + string(name[i]^0x20) + name[i+1:],
						name[:i] + "\x00" + name[i+1:]} {
						if lower := strings.ToLower(other); !known[lower] {
							assert.Empty(t, find(other, behind), "%q", other)
						}
					}
				}
			}
		}
	}
}
