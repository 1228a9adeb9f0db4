package extract

import (
	"absolink/extract/internal/mark"
)

// AtOnce sets how many findings are kept as they are, and gives what sets it back.
func AtOnce(n int) (restore func()) {
	was := mark.AtOnce
	mark.AtOnce = n
	return func() { mark.AtOnce = was }
}
