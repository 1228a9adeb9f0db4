package codec

// The internal names that the tests of package codec_test use.
var (
	ErrLaw, ErrEdits = errLaw, errEdits
	Differ           = differ
)
