package resolve

import "errors"

// Errors of Base and AppendResolve. They are compared with errors.Is. Their
// texts stand in messages as they are; that of a malformed URL also says which
// validation error of the URL Standard it is.
var (
	// ErrNoBase: the reference is relative and there is nothing to resolve it
	// against, because the base is "" (RFC 1808, 3.4) or, under WHATWG,
	// because the base has an opaque path (missing-scheme-non-relative-URL).
	ErrNoBase = errors.New("relative reference without a base")
	// ErrRelative: what was to be the base has no scheme.
	ErrRelative = errors.New("base URL is not absolute")
	// ErrMalformed: the URL Standard's parser returns failure.
	ErrMalformed = errors.New("malformed URL")
)

// A malformed is the error of a URL for which the URL Standard's parser
// returns failure, with the name of the validation error that says why
// (1.1). They are made once, so that a failing reference costs nothing.
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

	// errLabelTooLong is not of the standard; see maxLabel.
	errLabelTooLong = &malformed{"label too long for IDNA"}
)
