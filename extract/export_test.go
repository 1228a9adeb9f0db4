package extract

// AtOnce sets how many findings are kept in memory, and how many make a chunk, and gives what sets
// both back.
func AtOnce(n int) (restore func()) {
	wasKept, wasChunk := atOnce, perChunk
	atOnce, perChunk = n, n
	return func() { atOnce, perChunk = wasKept, wasChunk }
}
