// Package extracttest has what the tests of the engine and of the formats share: a walker, documents, and checks that
// hold for any document. Tests import it with a dot: its names are the words of their tables.
package extracttest

import (
	"context"
	"io"

	"absolink/extract"
)

// Walker is an Extractor that takes functions instead of returning iterators, and no context.
type Walker struct{ extract.Extractor }

func (w *Walker) Links(d extract.Document, visit func(*extract.Link) error) error {
	for l, err := range w.Extractor.Links(context.Background(), d) {
		if err == nil {
			err = visit(l)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (w *Walker) Bases(d extract.Document, visit func(*extract.Entity) error) error {
	for e, err := range w.Extractor.Bases(context.Background(), d) {
		if err == nil {
			err = visit(e)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (w *Walker) Rewrite(dst io.Writer, d extract.Document) error {
	_, err := w.Extractor.Rewrite(context.Background(), dst, d)
	return err
}

func (w *Walker) Open(d extract.Document, dst io.Writer) (*extract.Stream, error) {
	return w.Extractor.Open(context.Background(), d, dst)
}
