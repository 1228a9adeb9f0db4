package codec

// This file has UnquotedParameter, a URL in a parameter of a header field without quotes.

// UnquotedParameter is the spelling of a URL that is a parameter's value without quotes. The source is one atom. Encode
// adds quotes, because a token has no colon and no slash (RFC 2045 5.1). Decode reads a source with quotes too.
//
//	URL=x.html           source x.html, text x.html
//	URL="http://h/x"     the same place after a change
var UnquotedParameter Codec = unquotedParameter{}

type unquotedParameter struct{}

func (unquotedParameter) Decode(src []byte) ([]byte, error) {
	if len(src) > 1 && src[0] == '"' && src[len(src)-1] == '"' {
		src = src[1 : len(src)-1]
	}
	return HeaderURL.Decode(src)
}

func (u unquotedParameter) Map(src []byte) ([]byte, Atoms, error) {
	text, err := u.Decode(src)
	return text, Atoms{{N: 1, SrcLen: len(src), TextLen: len(text)}}, err
}

func (unquotedParameter) Encode(dst, _ []byte, _ Span, text []byte) ([]byte, error) {
	out, err := HeaderURL.Encode(append(dst, '"'), nil, Span{}, text)
	if err != nil {
		return dst, err
	}
	return append(out, '"'), nil
}
