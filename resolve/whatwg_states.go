package resolve

import (
	"bytes"
	"strconv"

	"golang.org/x/text/encoding"
)

// A webParser is the basic URL parser (URL Standard, 4.4), without state override, together with the URL serializer
// (4.5). The parser meets the components in the order in which they are serialized, so each state appends its own to
// dst, and no URL record is needed.
//
// Each state of the standard is a method with its name, whose argument is the pointer of the standard, an index into
// in. Bytes are enough, because the states compare only ASCII code points, and encode others byte by byte.
type webParser struct {
	dst   []byte
	start int    // the start of the URL in dst
	in    []byte // from webInput
	base  *Base  // or nil
	query encoding.Encoding

	scheme  schemeKind
	hasHost bool // host is not null
	opaque  bool // path is opaque

	// Offsets into dst, as in Base.
	schemeEnd, authorityEnd, pathAt, queryAt, fragmentAt int
}

// special reports whether "url is special".
func (p *webParser) special() bool { return p.scheme != notSpecial }

// at returns the byte at i, or 0 for the EOF code point. Where a NUL in the input makes a difference, a state compares
// i with len(p.in).
func (p *webParser) at(i int) byte {
	if i < len(p.in) {
		return p.in[i]
	}
	return 0
}

// isSlash reports whether "c is U+002F (/), or url is special and c is U+005C (\)".
func (p *webParser) isSlash(c byte) bool {
	return c == '/' || c == '\\' && p.special()
}

// schemeStartState is the scheme start state and the scheme state.
func (p *webParser) schemeStartState() error {
	n := schemeLen3986(p.in)
	if n == 0 {
		return p.noSchemeState()
	}
	for _, c := range p.in[:n] {
		p.dst = append(p.dst, lower(c))
	}
	p.scheme = kindOf(p.dst[p.start:])
	p.dst = append(p.dst, ':')
	p.schemeEnd = len(p.dst)
	i := n + 1
	switch {
	case p.scheme == schemeFile:
		return p.fileState(i)
	case p.special() && p.base != nil && p.base.web.scheme == p.scheme:
		return p.specialRelativeOrAuthorityState(i)
	case p.special():
		return p.specialAuthoritySlashesState(i)
	case p.at(i) == '/':
		return p.pathOrAuthorityState(i + 1)
	}
	p.endAuthority(false)
	p.opaque = true
	return p.opaquePathState(i)
}

func (p *webParser) noSchemeState() error {
	b := p.base
	switch {
	case b == nil:
		return ErrNoBase
	case b.web.opaque:
		if p.at(0) != '#' {
			return ErrNoBase
		}
		p.inheritAuthority()
		p.opaque = true
		p.inheritPath(b.queryAt)
		p.endPath()
		p.inheritQuery()
		return p.fragmentState(1)
	case b.web.scheme == schemeFile:
		return p.fileState(0)
	}
	return p.relativeState(0)
}

func (p *webParser) specialRelativeOrAuthorityState(i int) error {
	if p.at(i) == '/' && p.at(i+1) == '/' {
		return p.specialAuthorityIgnoreSlashesState(i + 2)
	}
	return p.relativeState(i)
}

func (p *webParser) pathOrAuthorityState(i int) error {
	if p.at(i) == '/' {
		return p.authorityState(i + 1)
	}
	p.endAuthority(false)
	return p.pathState(i)
}

func (p *webParser) relativeState(i int) error {
	p.scheme = p.base.web.scheme
	if p.isSlash(p.at(i)) {
		return p.relativeSlashState(i + 1)
	}
	p.inheritAuthority()
	return p.afterInheriting(i, true)
}

// afterInheriting is the common end of the relative state and the file state, when dst has the authority of the base.
// What follows from the path of the base depends on the byte at i: all of it, or before a path all but the last
// segment, or without shorten nothing. The last segment is not copied first, because it may be much longer than the
// URL.
func (p *webParser) afterInheriting(i int, shorten bool) error {
	switch {
	case i == len(p.in):
		p.inheritPath(p.base.queryAt)
		p.endPath()
		p.inheritQuery()
		p.fragmentAt = len(p.dst)
		return nil
	case p.in[i] == '?':
		p.inheritPath(p.base.queryAt)
		p.endPath()
		return p.queryState(i + 1)
	case p.in[i] == '#':
		p.inheritPath(p.base.queryAt)
		p.endPath()
		p.inheritQuery()
		return p.fragmentState(i + 1)
	}
	if shorten {
		p.inheritPath(p.base.web.shortAt)
	}
	return p.pathState(i)
}

func (p *webParser) relativeSlashState(i int) error {
	if p.special() && p.isSlash(p.at(i)) {
		p.inheritScheme()
		return p.specialAuthorityIgnoreSlashesState(i + 1)
	}
	if p.at(i) == '/' {
		p.inheritScheme()
		return p.authorityState(i + 1)
	}
	p.inheritAuthority()
	return p.pathState(i)
}

func (p *webParser) specialAuthoritySlashesState(i int) error {
	if p.at(i) == '/' && p.at(i+1) == '/' {
		i += 2
	}
	return p.specialAuthorityIgnoreSlashesState(i)
}

func (p *webParser) specialAuthorityIgnoreSlashesState(i int) error {
	for c := p.at(i); c == '/' || c == '\\'; c = p.at(i) {
		i++
	}
	return p.authorityState(i)
}

// authorityState searches for the end of the authority, where the standard moves a pointer back. The last "@" ends the
// credentials.
func (p *webParser) authorityState(i int) error {
	p.dst = append(p.dst, "//"...)
	end := i
	for end < len(p.in) {
		c := p.in[end]
		if c == '?' || c == '#' || p.isSlash(c) {
			break
		}
		end++
	}
	if at := bytes.LastIndexByte(p.in[i:end], '@'); at >= 0 {
		if i+at+1 == end {
			return errHostMissing
		}
		p.credentials(p.in[i : i+at])
		i += at + 1
	}
	return p.hostState(i, end)
}

// credentials appends the username, the password and "@".
func (p *webParser) credentials(userinfo []byte) {
	username, password, _ := bytes.Cut(userinfo, colon)
	if len(username)+len(password) == 0 {
		return
	}
	p.dst = appendEncoded(p.dst, username, encodeUserinfo)
	if len(password) > 0 {
		p.dst = append(p.dst, ':')
		p.dst = appendEncoded(p.dst, password, encodeUserinfo)
	}
	p.dst = append(p.dst, '@')
}

var colon = []byte(":")

func (p *webParser) hostState(i, end int) error {
	host, insideBrackets, port := p.in[i:end], false, -1
	for j, c := range host {
		if c == '[' {
			insideBrackets = true
		} else if c == ']' {
			insideBrackets = false
		} else if c == ':' && !insideBrackets {
			host, port = host[:j], i+j+1
			break
		}
	}
	if len(host) == 0 && (p.special() || port >= 0) {
		return errHostMissing
	}
	if err := p.host(host); err != nil {
		return err
	}
	if port >= 0 {
		if err := p.portState(p.in[port:end]); err != nil {
			return err
		}
	}
	p.endAuthority(true)
	return p.pathStartState(end)
}

func (p *webParser) portState(digits []byte) error {
	port := 0
	for _, c := range digits {
		if class[c]&isDigit == 0 {
			return errPortInvalid
		}
		// A port may have any number of digits.
		port = min(port*10+int(c-'0'), 1<<16)
	}
	if port == 1<<16 {
		return errPortRange
	}
	if len(digits) > 0 && port != p.scheme.defaultPort() {
		p.dst = append(p.dst, ':')
		p.dst = strconv.AppendInt(p.dst, int64(port), 10)
	}
	return nil
}

func (p *webParser) fileState(i int) error {
	p.scheme = schemeFile
	if p.isSlash(p.at(i)) {
		return p.fileSlashState(i + 1)
	}
	if p.base == nil || p.base.web.scheme != schemeFile {
		p.emptyHost()
		return p.pathState(i)
	}
	p.inheritAuthority()
	return p.afterInheriting(i, !startsWithDriveLetter(p.in[i:]))
}

func (p *webParser) fileSlashState(i int) error {
	if p.isSlash(p.at(i)) {
		return p.fileHostState(i + 1)
	}
	if p.base == nil || p.base.web.scheme != schemeFile {
		p.emptyHost()
		return p.pathState(i)
	}
	p.inheritAuthority()
	if drive := p.base.drive(); drive != "" && !startsWithDriveLetter(p.in[i:]) {
		p.dst = append(p.dst, drive...)
	}
	return p.pathState(i)
}

func (p *webParser) fileHostState(i int) error {
	end := i
	for end < len(p.in) {
		c := p.in[end]
		if c == '/' || c == '\\' || c == '?' || c == '#' {
			break
		}
		end++
	}
	host := p.in[i:end]
	p.emptyHost()
	if isDriveLetter(host) {
		return p.pathState(i) // a quirk of the standard: the path starts with the drive letter
	}
	if len(host) > 0 {
		at := len(p.dst)
		if err := p.host(host); err != nil {
			return err
		}
		if string(p.dst[at:]) == "localhost" {
			p.dst = p.dst[:at]
		}
		p.endAuthority(true)
	}
	return p.pathStartState(end)
}

func (p *webParser) pathStartState(i int) error {
	switch {
	case p.isSlash(p.at(i)):
		return p.pathState(i + 1)
	case p.special():
		return p.pathState(i)
	}
	return p.afterPath(i) // the input ends here, or a "?" or a "#" follows
}

func (p *webParser) queryState(i int) error {
	p.dst = append(p.dst, '?')
	end := len(p.in)
	if j := bytes.IndexByte(p.in[i:], '#'); j >= 0 {
		end = i + j
	}
	query := p.in[i:end]
	switch {
	case !p.special():
		p.dst = appendEncoded(p.dst, query, encodeQuery)
	case p.query == nil || p.scheme == schemeWS || p.scheme == schemeWSS:
		p.dst = appendEncoded(p.dst, query, encodeSpecialQuery)
	default:
		p.dst = appendQuery(p.dst, query, p.query)
	}
	if end < len(p.in) {
		return p.fragmentState(end + 1)
	}
	p.fragmentAt = len(p.dst)
	return nil
}

func (p *webParser) fragmentState(i int) error {
	p.fragmentAt = len(p.dst)
	p.dst = append(p.dst, '#')
	p.dst = appendEncoded(p.dst, p.in[i:], encodeFragment)
	return nil
}

// inheritScheme replaces the URL in dst with the base's scheme.
func (p *webParser) inheritScheme() {
	p.dst = append(p.dst[:p.start], p.base.url[:p.base.schemeEnd]...)
	p.schemeEnd = len(p.dst)
}

// inheritAuthority replaces the URL in dst with the base's scheme, username, password, host and port.
func (p *webParser) inheritAuthority() {
	b := p.base
	p.scheme = b.web.scheme
	p.dst = append(p.dst[:p.start], b.url[:b.web.authorityEnd]...)
	p.schemeEnd = p.start + b.schemeEnd
	p.endAuthority(b.hasNetLoc)
}

// inheritPath appends the base's path up to the offset end in the base.
func (p *webParser) inheritPath(end int) {
	p.dst = append(p.dst, p.base.url[p.base.pathAt:end]...)
}

func (p *webParser) inheritQuery() {
	p.dst = append(p.dst, p.base.url[p.base.queryAt:p.base.fragmentAt]...)
}

// emptyHost replaces the URL in dst with "file://": the host of a file URL is never null.
func (p *webParser) emptyHost() {
	p.dst = append(p.dst[:p.start], "file://"...)
	p.schemeEnd = p.start + len("file:")
	p.endAuthority(true)
}

// endAuthority sets the offsets for a path that starts here.
func (p *webParser) endAuthority(hasHost bool) {
	p.hasHost = hasHost
	p.authorityEnd = len(p.dst)
	p.pathAt = len(p.dst)
}
