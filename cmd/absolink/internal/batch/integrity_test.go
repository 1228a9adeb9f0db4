package batch

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"

	"absolink/cmd/absolink/internal/console"
	"absolink/extract"
)

// TestMostDigests: a run keeps so many digests of pages, and so many style sheets, and says if there are more.
func TestMostDigests(t *testing.T) {
	for _, changed := range []bool{false, true} {
		r := &Run{Counts: &console.Counts{}, integrity: integrity{map[string]*pages{}, map[string]string{}}}
		for n := range 3*mostDigests + 1 {
			r.integrity.add(told{extract.Problem{Document: "d"}, []string{fmt.Sprint(n)}, changed})
		}
		some, full := r.ReportIntegrity()
		assert.Equal(t, []any{!changed, true}, []any{some, full})
		assert.LessOrEqual(t, len(r.integrity.pages), mostDigests)
		assert.LessOrEqual(t, len(r.integrity.sheets), 3*mostDigests)
	}
}
