package markdown

import (
	"bytes"

	"absolink/extract/internal/ascii"
)

// Autolinks in angle brackets (CommonMark 6.5).

// angleEnd returns the offset after the autolink at b[i], and its kind. The offset is -1 if there is no autolink.
func angleEnd(b []byte, i int) (int, foundKind) {
	p := i + 1
	for p < len(b) && p <= i+33 && (ascii.IsAlnum(b[p]) || b[p] == '+' || b[p] == '.' || b[p] == '-') {
		p++
	}
	if p < len(b) && b[p] == ':' && ascii.IsLetter(b[i+1]) && 2 <= p-i-1 && p-i-1 <= 32 {
		for p++; p < len(b) && b[p] != ' ' && b[p] != '<' && b[p] != '>' && !isControl(b[p]); {
			p++
		}
		if p < len(b) && b[p] == '>' {
			return p + 1, angleURI
		}
		return -1, 0
	}
	for p = i + 1; p < len(b) && (ascii.IsAlnum(b[p]) || bytes.IndexByte([]byte(".!#$%&'*+/=?^_`{|}~-"), b[p]) >= 0); {
		p++
	}
	if p == i+1 || p == len(b) || b[p] != '@' {
		return -1, 0
	}
	if p = hostEnd(b, p+1); p < len(b) && b[p] == '>' {
		return p + 1, angleMail
	}
	return -1, 0
}

// hostEnd returns the offset after the host of an email address at b[p], or len(b) if it is not valid. A host has labels
// of letters, digits and hyphens. A label has at most 63 bytes, and no hyphen at its ends.
func hostEnd(b []byte, p int) int {
	for {
		start := p
		for p < len(b) && (ascii.IsAlnum(b[p]) || b[p] == '-') {
			p++
		}
		if p == start || p-start > 63 || b[start] == '-' || b[p-1] == '-' {
			return len(b)
		}
		if p == len(b) || b[p] != '.' {
			return p
		}
		p++
	}
}

// Autolinks without angle brackets (GFM 6.9). A link cannot contain such an autolink. An open square bracket may become a
// link, so after it the text of the autolink is read, too.

// plainURL reads the autolink whose "://" is at b[i].
func (p *inlines) plainURL(i int) int {
	if !bytes.HasPrefix(p.b[i:], []byte("://")) {
		return i + 1
	}
	start := i
	for start > max(p.auto, i-5) && ascii.IsLetter(p.b[start-1]) {
		start--
	}
	var buf [8]byte
	switch string(ascii.Fold(buf[:0], p.b[start:i])) {
	case "http", "https", "ftp":
		return p.plain(plainURL, start, i+3)
	}
	return i + 1
}

// plainWWW reads the autolink that begins with "www." at b[i].
func (p *inlines) plainWWW(i int) int {
	if !bytes.HasPrefix(p.b[i:], []byte("www.")) {
		return i + 1
	}
	return p.plain(plainWWW, i, i+4)
}

// plain adds the autolink at b[start], if its host at b[host] is valid. It returns the offset at which reading continues.
func (p *inlines) plain(kind foundKind, start, host int) int {
	if start < p.auto || !p.canBegin(start) {
		return host
	}
	end, ok := domainEnd(p.b, host)
	if !ok {
		return host
	}
	for end < len(p.b) && !ascii.IsWhite(p.b[end]) && p.b[end] != '<' {
		end++
	}
	end = trimAutolink(p.b, start, end)
	p.add(kind, start, end)
	p.auto, p.autos = end, p.found.n
	if p.open.len() > 0 {
		return host
	}
	return end
}

// canBegin reports whether an autolink without angle brackets can begin at b[i].
func (p *inlines) canBegin(i int) bool {
	return i == 0 || ascii.IsWhite(p.b[i-1]) || bytes.IndexByte([]byte("*_~("), p.b[i-1]) >= 0
}

// maxDomain is the largest length of a domain name (RFC 1035 2.3.4, without the empty label).
const maxDomain = 253

// domainEnd returns the offset after the domain at b[p], and reports whether the domain is valid. A domain has segments of
// letters, digits, hyphens and underscores, with at least one period between them. The last two segments must not have an
// underscore. All bytes from 0x80 are letters.
func domainEnd(b []byte, p int) (end int, ok bool) {
	if p == len(b) || !isHost(b[p]) {
		return p, false
	}
	last, lastButOne, underscore := -1, p-1, p-1 // the offsets of the last period, the period before it, and the last underscore
	for end = p; end < len(b) && end < p+maxDomain; end++ {
		switch c := b[end]; {
		case c == '_':
			underscore = end
		case c == '.':
			if end+1 == len(b) || !isHost(b[end+1]) {
				return end, last >= 0 && underscore <= lastButOne
			}
			if last >= 0 {
				lastButOne = last
			}
			last = end
		case !isHost(c):
			return end, last >= 0 && underscore <= lastButOne
		}
	}
	return end, last >= 0 && underscore <= lastButOne
}

func isHost(c byte) bool { return ascii.IsAlnum(c) || c == '-' || c == '_' || c >= 0x80 }

// trimAutolink returns the end of the autolink b[start:end] without trailing punctuation (extended autolink path
// validation).
func trimAutolink(b []byte, start, end int) int {
	surplus := 0 // the number of closing parentheses without an opening parenthesis
	for _, c := range b[start:end] {
		switch c {
		case '(':
			surplus--
		case ')':
			surplus++
		}
	}
	for end > start {
		switch c := b[end-1]; c {
		case '?', '!', '.', ',', ':', '*', '_', '~':
			end--
		case ')':
			if surplus <= 0 {
				return end
			}
			surplus--
			end--
		case ';':
			name := end - 1
			for name > start && ascii.IsAlnum(b[name-1]) {
				name--
			}
			if name == end-1 || name == start || b[name-1] != '&' {
				return end
			}
			end = name - 1
		default:
			return end
		}
	}
	return end
}

// plainMail adds the email address around the @ at b[i].
func (p *inlines) plainMail(i int) int {
	start := i
	for start > p.auto && isLocal(p.b[start-1]) {
		start--
	}
	end, last := i+1, -1
	for end < len(p.b) && (ascii.IsAlnum(p.b[end]) || p.b[end] == '-' || p.b[end] == '_' || p.b[end] == '.') {
		if p.b[end] == '.' && end+1 < len(p.b) && ascii.IsAlnum(p.b[end+1]) {
			last = end
		}
		end++
	}
	for end > i+1 && p.b[end-1] == '.' {
		end--
	}
	if start == i || last < 0 || !p.canBegin(start) || p.b[end-1] == '-' || p.b[end-1] == '_' {
		return i + 1
	}
	p.add(plainMail, start, end)
	p.auto = end
	if p.open.len() > 0 {
		return i + 1
	}
	return end
}

func isLocal(c byte) bool { return ascii.IsAlnum(c) || c == '.' || c == '-' || c == '_' || c == '+' }

// readsAngle reports whether bytes in angle brackets are an autolink.
func readsAngle(spelled []byte) bool {
	b := append(append([]byte{'<'}, spelled...), '>')
	end, _ := angleEnd(b, 0)
	return end == len(b)
}

// readsPlain reports whether the bytes are one autolink without angle brackets.
func readsPlain(spelled []byte) bool {
	p := inlines{b: spelled}
	p.plainWWW(0)
	if i := bytes.IndexByte(spelled, ':'); p.found.n == 0 && i > 0 {
		p.plainURL(i)
	}
	if i := bytes.IndexByte(spelled, '@'); p.found.n == 0 && i > 0 {
		p.plainMail(i)
	}
	return p.found.n == 1 && p.found.at(0).start == 0 && p.found.at(0).end() == len(spelled)
}
