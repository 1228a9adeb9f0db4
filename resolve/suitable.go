package resolve

// Unsuitable returns "" or the reason why this URL cannot be the base of a
// document (RFC 1808, 2: "relative URLs cannot be used within documents
// that have unsuitable base URLs").
//
// Under the RFCs these are the schemes without a hierarchy and every URL
// whose text after the scheme does not start with a slash. Under WHATWG they
// are what HTML, 4.2.3 "set the frozen base URL" refuses: data and
// javascript. The base "" is not unsuitable, it is none.
func (b *Base) Unsuitable() string {
	if b.url == "" {
		return ""
	}
	scheme := b.url[:b.schemeEnd-1]
	if b.standard.rules == rulesWHATWG {
		if scheme == "data" || scheme == "javascript" {
			return "HTML does not take a " + scheme + ": URL as a base"
		}
		return ""
	}
	for _, flat := range [...]string{"mailto", "news", "telnet", "data", "javascript",
		"about", "blob", "cid", "mid", "tel", "urn"} {
		if isLower(scheme, flat) {
			return flat + ": URLs are never used with relative URLs"
		}
	}
	if b.schemeEnd == len(b.url) || b.url[b.schemeEnd] != '/' {
		return `nothing relative can be told from a URL that has no "/" after "` + scheme + `:"`
	}
	return ""
}
