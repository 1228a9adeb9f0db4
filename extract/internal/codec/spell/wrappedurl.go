package spell

import (
	"absolink/extract/internal/ascii"
	"absolink/extract/internal/codec"
)

// WrappedURL is the spelling of a URL that goes over several lines of a text. The source may have quote marks at the
// start of each line, and the spaces of soft line breaks (RFC 3676). No other character of the URL is white space or
// ">".
//
//	source   http://h/a/␠␍␊>␠b     the break is a space, CRLF, a quote mark and a space
//	text     http://h/a/b
//
// The new URL keeps the line breaks outside its changed part. It gets no new ones, so a line may become long.
var WrappedURL codec.Codec = wrappedURL{}

type wrappedURL struct{ codec.Simple }

// inWrapping has the bytes that are not part of a wrapped URL.
var inWrapping = ascii.SetOf(" \t\r\n>")

func (c wrappedURL) Decode(src []byte) ([]byte, error) { return c.read(src, nil) }

func (c wrappedURL) Map(src, _ []byte, atoms *codec.Atoms) { c.read(src, atoms) }

func (wrappedURL) read(src []byte, atoms *codec.Atoms) ([]byte, error) {
	return without(inWrapping, src, atoms), nil
}

func (wrappedURL) Encode(dst, src []byte, at codec.Span, text []byte) ([]byte, error) {
	return TextURL.Encode(dst, src, at, text)
}
