// Package lineartest checks that the time of an algorithm grows with the size of its input, and not with
// the square of that size.
package lineartest

import (
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
)

const (
	// factor is how much larger the large input is. A linear algorithm takes 8 times as long for it, a
	// quadratic one 64 times.
	factor = 8
	// limit is between the two: the geometric mean is 22.6.
	limit = 22.0

	enough = 2 * time.Millisecond // the small input takes so long, if there is one that does
	fast   = 4 * time.Millisecond // a large input that takes less is not compared

	runs   = 3 // of each size; the shortest one counts
	rounds = 4 // of runs, before a check fails
)

// Check fails the test if the time grows too fast. prepare returns the function that is timed, for an input
// of n units. The largest n is most; a megabyte is a good size for it. The small size is the first one that
// takes some milliseconds, so that a quadratic algorithm fails soon. Check measures a suspicious growth
// again before it fails, since other processes may take the time.
func Check(t testing.TB, name string, most int, prepare func(n int) func()) {
	t.Helper()
	grown, n := growth(most, prepare)
	assert.Less(t, grown, limit, "%s: %d times the input of %d units takes so many times as long", name, factor, n)
}

// growth returns how many times as long the large input takes, and the size of the small one.
func growth(most int, prepare func(n int) func()) (grown float64, n int) {
	n = max(most/1024, 1)
	small := prepare(n)
	least := shortest(math.MaxInt64, small)
	for least < enough && n*2*factor <= most {
		n *= 2
		small = prepare(n)
		least = shortest(math.MaxInt64, small)
	}
	large, longer := prepare(n*factor), time.Duration(math.MaxInt64)
	for range rounds {
		longer = shortest(longer, large)
		if grown = float64(longer) / float64(least); grown < limit || longer < fast {
			break
		}
		least = shortest(least, small)
	}
	if longer < fast {
		return factor, n
	}
	return grown, n
}

// shortest returns the time of the shortest of several runs, or least if that is shorter.
func shortest(least time.Duration, run func()) time.Duration {
	for range runs {
		start := time.Now()
		run()
		least = min(least, max(time.Since(start), 1))
	}
	return least
}
