package markdown_test

import (
	"bytes"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"absolink/extract/internal/codec"
	"absolink/extract/internal/markdown"
)

// nothing is a Sink that ignores all spans.
type nothing struct{}

func (nothing) Link(string, int, int, codec.Codec) {}
func (nothing) HTML([]codec.Span)                  {}

// BenchmarkExtract reads the README of this project, and the examples of CommonMark, which have very much syntax.
func BenchmarkExtract(b *testing.B) {
	readme, err := os.ReadFile("../../../README.md")
	require.NoError(b, err)
	var examples []byte
	for _, e := range commonMarkExamples(b) {
		examples = append(append(examples, e.Markdown...), "\n\n"...)
	}
	for _, row := range []struct {
		name string
		doc  []byte
	}{
		{"README", bytes.Repeat(readme, 1<<20/len(readme)+1)},
		{"examples", bytes.Repeat(examples, 1<<20/len(examples)+1)},
	} {
		b.Run(row.name, func(b *testing.B) {
			b.SetBytes(int64(len(row.doc)))
			b.ReportAllocs()
			var s markdown.Scanner
			for b.Loop() {
				s.Scan(row.doc, nothing{})
			}
		})
	}
}
