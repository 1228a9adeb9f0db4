package codec

// UnquotedParameter is the spelling of a URL that is a parameter's value without quotes. Encode adds quotes, because a token
// has no colon and no slash (RFC 2045 5.1).
var UnquotedParameter Codec = unquotedParameter{}

// unquotedParameter is how a URL is spelled that is the value of a parameter without quotes. It is written
// with them, for a token has no colon and no slash (RFC 2045 5.1).
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
