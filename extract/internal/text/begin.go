package text

import (
	"bytes"

	"absolink/extract/internal/ascii"
	"absolink/extract/internal/mark"
	"absolink/extract/internal/sniff"
)

// The lines that begin a signed or encrypted text, or an attachment that an old mail program wrote into the text:
//
//	-----BEGIN PGP SIGNED MESSAGE-----
//	-----BEGIN PGP MESSAGE-----
//	begin 644 page.html        uuencode (POSIX); a line of data follows
//	begin-base64 644 page.html uuencode -m
//	=ybegin line=128 size=9 name=page.html
//	                           yEnc
//	(This file must be converted with BinHex 4.0)

// An inline PGP signature covers the text between signedBegin and signedEnd; encryptedBegin starts an encrypted text
// (RFC 9580 6.2 and 7).
var (
	signedBegin    = []byte("-----BEGIN PGP SIGNED MESSAGE-----")
	signedEnd      = []byte("-----END PGP SIGNATURE-----")
	encryptedBegin = []byte("-----BEGIN PGP MESSAGE")
)

var (
	uuBegin     = []byte("begin")
	yBegin      = []byte("=ybegin line=")
	binHexBegin = []byte(sniff.BinHex)
)

// markLines marks the parts that inline PGP signatures cover, and notes encrypted texts and attachments as not read. It
// ignores lines that are quoted in a reply.
func markLines(src []byte, m *mark.Marks) {
	for p := 0; p < len(src); p = ascii.LineEnd(src, p) {
		switch src[p] {
		case '-':
			if line := src[p:]; bytes.HasPrefix(line, encryptedBegin) {
				m.Unread(mark.Encrypted, "", p)
			} else if bytes.HasPrefix(line, signedBegin) {
				end := len(src)
				if n := bytes.Index(line, signedEnd); n >= 0 {
					end = p + n
				}
				m.Signed(p, end)
				p = end
			}
		case 'b':
			if line := src[p:]; bytes.HasPrefix(line, uuBegin) && isUUEncoded(line[len(uuBegin):]) {
				m.Unread(mark.UUEncoded, "", p)
			}
		case '=':
			if bytes.HasPrefix(src[p:], yBegin) {
				m.Unread(mark.YEncoded, "", p)
			}
		case '(':
			if bytes.HasPrefix(src[p:], binHexBegin) {
				m.Unread(mark.Macintosh, "", p)
			}
		}
	}
}

// isUUEncoded reports whether text continues a line after "begin" as uuencode does: with the mode and the name of the
// file, and then a line of data. The data is checked because people start lines with "begin" as well.
func isUUEncoded(text []byte) bool {
	line, next, _ := bytes.Cut(text, []byte("\n"))
	line, inBase64 := bytes.CutPrefix(line, []byte("-base64"))
	mode, name, _ := bytes.Cut(bytes.TrimPrefix(line, []byte(" ")), []byte(" "))
	if len(line) == 0 || line[0] != ' ' || len(mode) < 3 || len(mode) > 4 || len(bytes.Trim(mode, "01234567")) > 0 ||
		len(ascii.Trimmed(name)) == 0 {
		return false
	}
	return inBase64 || isUULine(bytes.TrimRight(next[:ascii.LineEnd(next, 0)], "\r\n"))
}

// isUULine reports whether a line has no more characters than its first one announces, and a checksum. Spaces may be
// missing at its end.
func isUULine(line []byte) bool {
	if len(line) == 0 || bytes.ContainsFunc(line, func(c rune) bool { return c < ' ' || c > '`' }) {
		return false
	}
	n := int(line[0]-' ') & 63
	return n > 0 && len(line) > 1 && len(line) <= 1+(n+2)/3*4+2
}
