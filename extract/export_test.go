package extract

// AtOnce sets how many findings are kept as they are, and gives what sets it back.
func AtOnce(n int) (restore func()) {
	was := atOnce
	atOnce = n
	return func() { atOnce = was }
}
