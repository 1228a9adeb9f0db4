package resolve

import "golang.org/x/text/encoding"

// webBase is what a Base knows under WHATWG only.
type webBase struct{}

func (s Standard) WithQueryEncoding(e encoding.Encoding) Standard { return s }

func (b *Base) prepareWeb() error { return b.prepare3986() }

func (b *Base) appendWeb(dst, ref []byte) ([]byte, error) { return b.append3986(dst, ref) }

func (b *Base) isAbsoluteWeb(ref []byte) bool { return schemeLen3986(ref) > 0 }
