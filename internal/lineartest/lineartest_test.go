package lineartest

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/assert"
)

// TestGrowthLinear has a bad parser, which searches at each unit for an end that is missing, and two linear parsers.
func TestGrowthLinear(t *testing.T) {
	scan := func(rest func(src []byte, i int) []byte) func(n int) func() {
		return func(n int) func() {
			src, found := bytes.Repeat([]byte("a"), n), 0
			return func() {
				for i := range src {
					found += bytes.IndexByte(rest(src, i), '>')
				}
			}
		}
	}
	quadratic, _ := growth(1<<17, scan(func(src []byte, i int) []byte { return src[i:] }))
	assert.Greater(t, quadratic, limit)
	linear, _ := growth(4<<20, scan(func(src []byte, i int) []byte { return src[i : i+1] }))
	assert.Less(t, linear, limit)
	fast, _ := growth(1<<20, scan(func(src []byte, i int) []byte { return nil }))
	assert.Less(t, fast, limit)
}
