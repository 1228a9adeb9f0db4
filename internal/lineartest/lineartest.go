// Package lineartest checks that the time of an algorithm grows with the size of its input, and not with
// the square of that size.
package lineartest

import (
	"math"
	"runtime"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
)

const (
	// factor is how much larger the large input is. It is timed once, the small one that many times in a row:
	// so a busy machine interrupts both as often. A linear algorithm takes as long for both, a quadratic
	// one takes 8 times as long for the large input.
	factor = 8
	// limit is the geometric mean of 1 and 8.
	limit = 2.83

	enough = 2 * time.Millisecond // the small input takes so long, if there is one that does
	fast   = 4 * time.Millisecond // a large input that takes less is not compared

	runs   = 2                    // of each size; the shortest one counts
	rounds = 24                   // of runs, before a check fails
	pause  = 5 * time.Millisecond // before each round, and longer each time: what keeps the machine busy may end
)

// Check fails the test if the time grows too fast. prepare returns the function that is timed, for an input
// of n units. The largest n is most; a megabyte is a good size for it. The small size is the first one that
// takes some milliseconds, so that a quadratic algorithm fails soon. Check measures a suspicious growth
// again before it fails, since other processes may take the time.
func Check(t testing.TB, name string, most int, prepare func(n int) func()) {
	t.Helper()
	grown, n := growth(most, prepare)
	assert.Less(t, grown, limit, "%s: an input of %d units takes so many times as long as %d inputs of %d", name, n*factor, factor, n)
}

// growth returns how many times as long the large input takes as so many small ones, and the size of those.
func growth(most int, prepare func(n int) func()) (grown float64, n int) {
	n = max(most/1024, 1)
	small := prepare(n)
	for shortest(math.MaxInt64, 1, small) < enough && n*2*factor <= most {
		n *= 2
		small = prepare(n)
	}
	large := prepare(n * factor)
	one, many := time.Duration(math.MaxInt64), time.Duration(math.MaxInt64)
	for round := range rounds {
		time.Sleep(time.Duration(round) * pause)
		runtime.GC() // no collection of old garbage comes between
		if one = shortest(one, 1, large); one < fast {
			return 1, n
		}
		many = shortest(many, factor, small)
		if grown = float64(one) / float64(many); grown < limit {
			break
		}
	}
	return grown, n
}

// shortest returns the time of the shortest of several runs, each of which is so many calls, or least if that
// is shorter.
func shortest(least time.Duration, calls int, run func()) time.Duration {
	for range runs {
		start := time.Now()
		for range calls {
			run()
		}
		least = min(least, max(time.Since(start), 1))
	}
	return least
}
