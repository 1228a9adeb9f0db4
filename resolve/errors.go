package resolve

import "errors"

// The errors of Standard.Base, Base.AppendResolve and Base.Resolve. Compare
// them with errors.Is: the text of a malformed URL's error also has the name of
// the validation error in the URL Standard.
var (
	// ErrNoBase is the error of a relative reference without a base: the base
	// is "" (RFC 1808, 3.4). Under WHATWG it is also the error of a relative
	// reference to a base with an opaque path (missing-scheme-non-relative-URL).
	ErrNoBase = errors.New("relative reference without a base")

	// ErrRelative is the error of a base URL that has no scheme.
	ErrRelative = errors.New("base URL is not absolute")

	// ErrMalformed is the error of a URL for which the parser of the URL
	// Standard returns failure.
	ErrMalformed = errors.New("malformed URL")
)

// A malformed is an ErrMalformed with the name of the validation error in the URL Standard, 1.1. The values
// are made once, so that a failing reference allocates nothing.
type malformed struct{ name string }

func (m *malformed) Error() string { return ErrMalformed.Error() + ": " + m.name }

// Unwrap makes errors.Is(err, ErrMalformed) true.
func (m *malformed) Unwrap() error { return ErrMalformed }

var (
	errDomainToASCII   = &malformed{"domain-to-ASCII"}
	errHostInvalid     = &malformed{"host-invalid-code-point"}
	errHostMissing     = &malformed{"host-missing"}
	errPortRange       = &malformed{"port-out-of-range"}
	errPortInvalid     = &malformed{"port-invalid"}
	errIPv4TooMany     = &malformed{"IPv4-too-many-parts"}
	errIPv4NonNumeric  = &malformed{"IPv4-non-numeric-part"}
	errIPv4Range       = &malformed{"IPv4-out-of-range-part"}
	errIPv6Unclosed    = &malformed{"IPv6-unclosed"}
	errIPv6Compression = &malformed{"IPv6-invalid-compression"}
	errIPv6TooMany     = &malformed{"IPv6-too-many-pieces"}
	errIPv6Multiple    = &malformed{"IPv6-multiple-compression"}
	errIPv6Invalid     = &malformed{"IPv6-invalid-code-point"}
	errIPv6TooFew      = &malformed{"IPv6-too-few-pieces"}
	errIPv4In6TooMany  = &malformed{"IPv4-in-IPv6-too-many-pieces"}
	errIPv4In6Invalid  = &malformed{"IPv4-in-IPv6-invalid-code-point"}
	errIPv4In6Range    = &malformed{"IPv4-in-IPv6-out-of-range-part"}
	errIPv4In6TooFew   = &malformed{"IPv4-in-IPv6-too-few-parts"}

	// errLabelTooLong is not in the standard; see maxLabel.
	errLabelTooLong = &malformed{"label too long for IDNA"}
)
