package longtest

import (
	"math"
	"runtime"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
)

const (
	// factor is the size of the large input divided by that of the small one. The large input is timed once and the
	// small one factor times in a row, so that other processes disturb both equally often.
	factor = 8
	// limit is the geometric mean of 1, for a linear algorithm, and 8, for a quadratic one.
	limit = 2.83

	runs   = 2  // of each size, of which the shortest is used
	rounds = 24 // of runs, before a check fails
	// before the second round, and longer before each later one, so that other processes may end
	pause = 5 * time.Millisecond
)

// Linear fails a long test if an algorithm does not take linear time. Use it to test parsers with hostile input.
//
//	longtest.Linear(t, "many colons", 1<<20, func(n int) func() {
//		src := strings.Repeat(":", n)
//		return func() { parse(src) }
//	})
//
// prepare returns the function to time, for an input of n units. name is the input in the message of a failure. A plain
// test only runs the function on small inputs. A long test compares the time of one large input with that of eight
// small ones:
//
//	large   |xxxxxxxxxxxxxxxxxxxxxxx|    one call
//	small   |xx|xx|xx|xx|xx|xx|xx|xx|    eight calls
//
// A linear algorithm takes the same time for both, a quadratic one eight times as long for the large input.
//
// most is the largest n, and one megabyte is a good value. Linear selects a small size that takes a few milliseconds,
// so that a quadratic algorithm fails soon. The time is the CPU time of one thread. Because other processes share its
// caches, Linear measures again before it fails.
func Linear(t testing.TB, name string, most int, prepare func(n int) func()) {
	t.Helper()
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	check(t, name, most, prepare, clock{threadTime, time.Sleep, 2 * time.Millisecond})
}

// LinearProcesses is Linear for functions that start processes and wait for them, and measures their CPU time.
func LinearProcesses(t testing.TB, name string, most int, prepare func(n int) func()) {
	t.Helper()
	check(t, name, most, prepare, clock{processTime, time.Sleep, 50 * time.Millisecond})
}

func check(t testing.TB, name string, most int, prepare func(n int) func(), c clock) {
	t.Helper()
	if !On() {
		for _, n := range []int{1, max(most/1024, 2)} {
			prepare(n)()
		}
		return
	}
	grown, n := c.growth(most, prepare)
	assert.Less(t, grown, limit, "%s: not linear: time of one input of %d units, divided by the time of %d inputs "+
		"of %d units", name, n*factor, factor, n)
}

type clock struct {
	now   func() time.Duration
	sleep func(time.Duration)

	// enough is the least time of the small input, if the largest input permits it. A large input that takes less than
	// twice as long passes.
	enough time.Duration
}

// growth returns the time of the large input divided by that of factor small ones, and the size of a small one.
func (c clock) growth(most int, prepare func(n int) func()) (grown float64, n int) {
	n = max(most/1024, 1)
	small := prepare(n)
	for c.shortest(math.MaxInt64, 1, small) < c.enough && n*2*factor <= most {
		n *= 2
		small = prepare(n)
	}
	large := prepare(n * factor)
	one, many := time.Duration(math.MaxInt64), time.Duration(math.MaxInt64)
	for round := range rounds {
		c.sleep(time.Duration(round) * pause)
		runtime.GC() // so that no collection of old garbage happens during a run
		if one = c.shortest(one, 1, large); one < 2*c.enough {
			return 1, n
		}
		many = c.shortest(many, factor, small)
		if grown = float64(one) / float64(many); grown < limit {
			break
		}
	}
	return grown, n
}

// shortest returns the time of the shortest run, or least if that is shorter. Each run calls the function calls times.
func (c clock) shortest(least time.Duration, calls int, run func()) time.Duration {
	for range runs {
		start := c.now()
		for range calls {
			run()
		}
		least = min(least, max(c.now()-start, 1))
	}
	return least
}
