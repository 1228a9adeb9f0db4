package resolve

// prepareShort decides whether references to this base may take the short
// path.
func (b *Base) prepareShort() {}

// appendShort appends the URL of a reference of a common shape, or reports
// that it is none.
func (b *Base) appendShort(dst, ref []byte) ([]byte, bool) { return dst, false }
