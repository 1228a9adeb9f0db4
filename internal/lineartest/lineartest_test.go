package lineartest

import (
	"bytes"
	"math/bits"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"absolink/internal/longtest"
)

// TestGrowth has a clock that only the algorithms move. The growth decides between linear and quadratic algorithms, and a
// disturbance that ends does not change the decision.
func TestGrowth(t *testing.T) {
	for _, row := range []struct {
		name   string
		cost   func(n int) int // in nanoseconds
		linear bool
		rounds int // in which the clock is disturbed
	}{
		{"linear", func(n int) int { return 100 * n }, true, 0},
		{"n log n", func(n int) int { return 10 * n * bits.Len(uint(n)) }, true, 0},
		{"quadratic", func(n int) int { return n * n }, false, 0},
		{"quadratic, and always a constant time", func(n int) int { return 1e6 + n*n }, false, 0},
		{"fast", func(n int) int { return n }, true, 0},
		{"linear, disturbed", func(n int) int { return 100 * n }, true, 3},
	} {
		now, slept := time.Duration(0), 0
		c := clock{func() time.Duration { return now }, func(time.Duration) { slept++ }, 2 * time.Millisecond}
		grown, n := c.growth(1<<20, func(n int) func() {
			return func() {
				now += time.Duration(row.cost(n))
				if n >= 1<<16 && slept <= row.rounds && row.rounds > 0 {
					now += time.Second
				}
			}
		})
		assert.Equal(t, row.linear, grown < limit, "%s: %.2f with %d units", row.name, grown, n)
		assert.LessOrEqual(t, n*factor, 1<<20, row.name)
		if !row.linear {
			assert.Equal(t, rounds, slept, row.name)
		}
	}
}

// TestCheck has a bad parser, which searches at each unit for an end that is missing, and two linear parsers. A plain test
// checks that they run.
func TestCheck(t *testing.T) {
	for _, row := range []struct {
		name   string
		most   int
		linear bool
		rest   func(src []byte, i int) []byte
	}{
		{"quadratic", 1 << 17, false, func(src []byte, i int) []byte { return src[i:] }},
		{"linear", 4 << 20, true, func(src []byte, i int) []byte { return src[i : i+1] }},
		{"fast", 1 << 20, true, func(src []byte, i int) []byte { return nil }},
	} {
		found, fails := 0, failures{TB: t}
		Check(&fails, row.name, row.most, func(n int) func() {
			src := bytes.Repeat([]byte(">"), n)
			return func() {
				for i := range src {
					found += bytes.Count(row.rest(src, i), []byte("<")) + 1
				}
			}
		})
		assert.Positive(t, found, row.name)
		assert.Equal(t, longtest.On() && !row.linear, fails.n > 0, row.name)
	}
}

// failures counts the failures of a test, and does not fail.
type failures struct {
	testing.TB
	n int
}

func (f *failures) Errorf(string, ...any) { f.n++ }
