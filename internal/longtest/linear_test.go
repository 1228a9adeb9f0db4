package longtest

import (
	"math/bits"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
)

// TestGrowth has a clock that only the algorithms move. The growth tells a quadratic algorithm from a linear one, and a
// disturbance that ends changes nothing.
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
