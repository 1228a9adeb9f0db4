package markdown

import (
	"bytes"

	"absolink/extract/internal/ascii"
)

// Autolinks in angle brackets (CommonMark 6.5).

// angleEnd returns the offset after the autolink at b[i], and its kind. The offset is -1 if there is no autolink.
func angleEnd(b []byte, i int) (int, kind) {
	p := i + 1
	for p < len(b) && p <= i+33 && (ascii.IsAlnum(b[p]) || b[p] == '+' || b[p] == '.' || b[p] == '-') {
		p++
	}
	if p < len(b) && b[p] == ':' && ascii.IsLetter(b[i+1]) && 2 <= p-i-1 && p-i-1 <= 32 {
		for p++; p < len(b) && b[p] != '<' && b[p] != '>' && !endsURL(b[p]); {
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

// hostEnd returns the offset after the host of an email address at b[p], or len(b) if it is not valid. The labels of a
// host are letters, digits and hyphens, at most 63 bytes, without a hyphen at either end.
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

// plain reads the autolink without angle brackets (GFM 6.9) whose "://", "@" or "www." is at b[i], and returns the
// offset at which reading continues. After an open bracket this is inside the autolink, because the bracket may become
// a link, which cannot contain an autolink.
func (p *inlines) plain(i int) int {
	f, ok := plainAt(p.b, i, p.auto)
	if !ok {
		return i + 1
	}
	p.add(f.kind, f.start, f.end)
	if p.auto = f.end; len(p.open) > 0 {
		return i + 1
	}
	return f.end
}

// plainAt reads the autolink whose "://", "@" or "www." is at b[i]. It does not begin before b[from].
func plainAt(b []byte, i, from int) (found, bool) {
	start := i
	switch rest := b[i:]; {
	case rest[0] == '@':
		return mailAt(b, i, from)
	case bytes.HasPrefix(rest, []byte("www.")):
		return urlAt(b, plainWWW, i, i+len("www."), from)
	case bytes.HasPrefix(rest, []byte("://")):
		for start > max(from, i-len("https")) && ascii.IsLetter(b[start-1]) {
			start--
		}
	}
	switch ascii.Lower(string(b[start:i])) {
	case "http", "https", "ftp":
		return urlAt(b, plainURL, start, i+len("://"), from)
	}
	return found{}, false
}

// urlAt reads the autolink at b[start], whose host is at b[host].
func urlAt(b []byte, kind kind, start, host, from int) (found, bool) {
	if start < from || !canBegin(b, start) {
		return found{}, false
	}
	end, ok := domainEnd(b, host)
	if !ok {
		return found{}, false
	}
	for end < len(b) && !ascii.IsWhite(b[end]) && b[end] != '<' {
		end++
	}
	return found{start, trimAutolink(b, start, end), kind}, true
}

// canBegin reports whether an autolink without angle brackets can begin at b[i].
func canBegin(b []byte, i int) bool {
	return i == 0 || ascii.IsWhite(b[i-1]) || bytes.IndexByte([]byte("*_~("), b[i-1]) >= 0
}

// maxDomain is the largest length of a domain name (RFC 1035 2.3.4, without the empty label).
const maxDomain = 253

// domainEnd returns the offset after the domain at b[p], and reports whether the domain is valid. A domain has segments
// of letters, digits, hyphens and underscores, with at least one period between them. The last two segments must not
// have an underscore. All bytes from 0x80 are letters.
func domainEnd(b []byte, p int) (end int, ok bool) {
	for end = p; end < len(b) && end < p+maxDomain; end++ {
		if !isHost(b[end]) && (b[end] != '.' || end == p || end+1 == len(b) || !isHost(b[end+1])) {
			break
		}
	}
	domain := b[p:end]
	last := bytes.LastIndexByte(domain, '.')
	two := bytes.LastIndexByte(domain[:max(last, 0)], '.') + 1 // the start of the last two segments
	return end, last > 0 && bytes.IndexByte(domain[two:], '_') < 0
}

func isHost(c byte) bool { return ascii.IsAlnum(c) || c == '-' || c == '_' || c >= 0x80 }

// trimAutolink returns the end of the autolink b[start:end] without trailing punctuation (extended autolink path
// validation).
func trimAutolink(b []byte, start, end int) int {
	surplus := bytes.Count(b[start:end], []byte(")")) - bytes.Count(b[start:end], []byte("("))
	for end > start {
		switch c := b[end-1]; {
		case bytes.IndexByte([]byte("?!.,:*_~"), c) >= 0:
			end--
		case c == ')' && surplus > 0:
			surplus--
			end--
		case c == ';':
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

// mailAt reads the email address around the @ at b[i], with "mailto:" or "xmpp:" before it (extended protocol
// autolink).
func mailAt(b []byte, i, from int) (found, bool) {
	start := i
	for start > from && isLocal(b[start-1]) {
		start--
	}
	end, dotted := i+1, false
	for ; end < len(b) && b[end] != '+' && isLocal(b[end]); end++ {
		dotted = dotted || b[end] == '.' && end+1 < len(b) && ascii.IsAlnum(b[end+1])
	}
	for b[end-1] == '.' {
		end--
	}
	if start == i || !dotted || b[end-1] == '-' || b[end-1] == '_' {
		return found{}, false
	}
	kind := plainMail
	switch {
	case bytes.HasSuffix(b[from:start], []byte("mailto:")):
		kind, start = plainURL, start-len("mailto:")
	case bytes.HasSuffix(b[from:start], []byte("xmpp:")):
		kind, start, end = plainURL, start-len("xmpp:"), resourceEnd(b, end)
	}
	return found{start, end, kind}, canBegin(b, start)
}

// resourceEnd returns the offset after the resource of an XMPP address at b[p], or p if there is none.
func resourceEnd(b []byte, p int) int {
	end := p
	if end < len(b) && b[end] == '/' {
		for end++; end < len(b) && (ascii.IsAlnum(b[end]) || b[end] == '@' || b[end] == '.'); {
			end++
		}
		for b[end-1] == '.' || b[end-1] == '/' {
			end--
		}
	}
	return max(end, p)
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
	for i, c := range spelled {
		if c == ':' || c == '@' || c == 'w' {
			if f, ok := plainAt(spelled, i, 0); ok {
				return f.start == 0 && f.end == len(spelled)
			}
		}
	}
	return false
}
