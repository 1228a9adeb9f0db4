package spell

import "absolink/extract/internal/codec"

// UnquotedParameter is the spelling of a URL that is a parameter's value without quotes. The source is one atom. Encode
// adds quotes, because a token has no colon and no slash (RFC 2045 5.1), and Decode reads them.
//
//	URL=x.html           source x.html, text x.html
//	URL="http://h/x"     the same place after a change
var UnquotedParameter codec.Codec = unquotedParameter{}

type unquotedParameter struct {
	codec.OneAtom
}

func (unquotedParameter) Decode(src []byte) ([]byte, error) {
	if len(src) > 1 && src[0] == '"' && src[len(src)-1] == '"' {
		src = src[1 : len(src)-1]
	}
	return HeaderURL.Decode(src)
}

func (unquotedParameter) Encode(dst, _ []byte, _ codec.Span, text []byte) ([]byte, error) {
	out, err := HeaderURL.Encode(append(dst, '"'), nil, codec.Span{}, text)
	if err != nil {
		return dst, err
	}
	return append(out, '"'), nil
}
