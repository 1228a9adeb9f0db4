package codec

var (
	ErrLaw, ErrEdits = errLaw, errEdits
	Differ           = differ
)
