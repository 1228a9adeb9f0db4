package html

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

// find ignores case and the bytes after the name, and tells a name from similar ones and from those with the same key.
func TestNameTable(t *testing.T) {
	for _, table := range []*nameTable{&elements, &attributes} {
		find := func(name, after string) string {
			return table.names[table.find([]byte("<"+name+after), 1, 1+len(name))]
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
			for _, after := range []string{"", ">", " x=yyyyyyy", "\x00\x00\x00\x00\x00\x00\x00\x00"} {
				assert.Equal(t, name, find(name, after))
				assert.Equal(t, name, find(strings.ToUpper(name), after))
				assert.Equal(t, name, find(mixed, after))
				for i := range len(name) {
					for _, other := range []string{name + "\x00", name + name[i:], name[:i], name[i+1:], name[:i] + string(name[i]^0x20) + name[i+1:],
						name[:i] + "\x00" + name[i+1:]} {
						if lower := strings.ToLower(other); !known[lower] {
							assert.Empty(t, find(other, after), "%q", other)
						}
					}
				}
			}
		}
	}
}
