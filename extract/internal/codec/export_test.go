package codec

// The internal names that the tests of package codec_test use.
var (
	ErrLaw, ErrEdits = errLaw, errEdits
	NewPieces        = newStretches
	Differ           = differ
)

// SmallMap returns the SourceMap of a source that is cut into pieces of at least least bytes.
func SmallMap(c Codec, src, text []byte, least int) SourceMap {
	p, _ := cut(c, src, text, least)
	return p.span
}
