package base

import (
	"bytes"

	"absolink/resolve"
)

// A Rung is a layer of RFC 1808, section 3, as seen from the entity that needs a
// base URL. A lower value wins over a higher value. The zero Rung is no layer.
type Rung uint8

const (
	RungOverride      Rung = 1 + iota // the user's base URL, which replaces all others
	RungEmbedded                      // 3.1: declared in the content of the entity
	RungEncapsulating                 // 3.2: declared by the message or document around the entity
	RungRetrieval                     // 3.3: the URL that the entity was retrieved from
	RungDefault                       // 3.4: no base URL is known, and the base URL is ""
)

// String returns the name of the rung in lower case, such as "embedded".
func (r Rung) String() string {
	return [...]string{"", "override", "embedded", "encapsulating", "retrieval", "default"}[r]
}

// Section returns the number of the rung's section in RFC 1808, such as "3.1", or
// "" for Override.
func (r Rung) Section() string {
	return [...]string{"", "", "3.1", "3.2", "3.3", "3.4"}[r]
}

// A Declaration is a statement of a document or of the user that a URL is the base
// URL of an entity.
type Declaration struct {
	// Rung is the layer, as seen from the entity of the scope that has the
	// Declaration. A scope may have declarations of every rung. A Declaration
	// with the rung Default, or without a rung, is ignored.
	Rung Rung

	// By names the source: "BASE element", "Content-Base", "--url".
	By string

	// Value is the URL as text, absolute or relative. Escapes of the document,
	// such as "&amp;", are decoded, and white space at both ends is removed.
	Value string

	// Offset is the offset of Value in the bytes of the entity, or -1 if Value
	// is not there. Package base does not use it.
	Offset int

	// Header reports whether a header declares Value, such as the field
	// Content-Base of a message. It matters only for rung Embedded, and only for
	// the scopes of inner entities. There the rung is Encapsulating. If Header is
	// true, By is still "Content-Base". Otherwise By is the place of the inner
	// entity, such as "iframe@srcdoc".
	Header bool

	// Refuse is the reason why the format of the document does not accept Value
	// as a base, or "". The candidate of a refused declaration is rejected.
	Refuse string

	// Last reports whether Value is tried only after all other declarations of
	// rung Retrieval, in inner and outer scopes. It has no effect for other
	// rungs.
	Last bool

	// Redirect reports whether Value is the Location of a redirect (RFC 9110,
	// 10.2.2). Set it only for rung Retrieval. Declare the last redirect first.
	//
	// Value is resolved against the URL of the request that was redirected, and
	// replaces this URL as the retrieval URL. The URL of the first request is
	// the first usable Retrieval candidate without Redirect and Last. The URL of
	// each later request is the URL of the redirect before it. If a redirect is
	// rejected, the retrieval URLs of all earlier requests are rejected, too.
	Redirect bool

	// Archived reports whether Value is the original URL of a page that was
	// retrieved from a web archive. Package base only passes it on: see
	// Scope.Archived.
	Archived bool
}

// A Reason is the reason why a candidate is rejected.
type Reason uint8

const (
	ReasonNone       Reason = iota
	ReasonRefused           // the format does not accept it, such as a second BASE element
	ReasonEmpty             // the value is "", so the next rung decides
	ReasonNoBase            // the value is relative, and no later rung has a base URL
	ReasonUnsuitable        // relative URLs cannot be resolved against it (RFC 1808, 2; HTML, 4.2.3)
	ReasonMalformed         // the standard cannot parse it
	ReasonRedirected        // a later redirect leads to an unknown URL
)

// A Verdict is the result for a candidate. The zero Verdict is no result. Candidate.String returns the verdict in words.
type Verdict uint8

const (
	VerdictUsed     Verdict = 1 + iota // the candidate is the base URL
	VerdictShadowed                    // the candidate could be the base URL, but a candidate before it is used
	VerdictRejected                    // the candidate cannot be a base URL; Reason has the reason
)

// A Candidate is a Declaration with its verdict in one scope. Its Rung and By are
// those that the entity of the scope sees.
type Candidate struct {
	Declaration
	URL      string // the absolute URL, or "" if the candidate is rejected
	Verdict  Verdict
	Reason   Reason // ReasonNone, or the reason if the candidate is rejected
	Why      string // Reason in words, or ""
	Relative bool   // Value is relative; RFC 1808, 3.1 requires an absolute URL
	Own      bool   // declared by the entity or element of the scope itself

	std  resolve.Standard // of the scope with the declaration
	base *resolve.Base
}

// String returns only the verdict, in words: used, shadowed, or rejected with the reason.
func (c Candidate) String() string {
	switch c.Verdict {
	case VerdictUsed:
		return "used"
	case VerdictShadowed:
		return "shadowed"
	case VerdictRejected:
		return "rejected: " + c.Why
	}
	return ""
}

// Trouble returns the problem of the candidate in words, or "". It is the reason
// of a rejected candidate. A relative candidate has a problem, too, but it may be
// Used.
func (c Candidate) Trouble() string {
	if c.Verdict != VerdictRejected && c.Relative {
		if c.Redirect {
			return "relative; resolved against the URL of the redirected request"
		}
		return "not absolute; resolved against the next rung"
	}
	return c.Why
}

// judge sets the verdict of every candidate of a new ladder, in place. The nearest candidate is first. judge starts with
// the farthest candidate, because a relative candidate needs the base URL of the candidates after it. Each candidate is
// parsed by the standard of its own scope: the query of a base URL is in the encoding of the page that declares it.
//
// ladder may be only the nearest part of a ladder, whose candidates all have one standard. Then under is the base URL of
// the remaining part, in the same standard. Otherwise under is nil. A base that is parsed already is not parsed again.
func judge(ladder []Candidate, under *resolve.Base) {
	below := ""     // the base URL of the candidates after this one
	last := ""      // the base URL of the declarations that are Last, which redirects do not replace
	requested := "" // the URL of the last request
	if under != nil {
		below = under.String()
	}
	for i := len(ladder) - 1; i >= 0; i-- {
		c := &ladder[i]
		if c.Redirect {
			below = requested
		}
		if under != nil && (under.String() != below || i+1 < len(ladder) && ladder[i+1].std != c.std) {
			under = nil // another base, or the same one by another standard
		}
		c.weigh(below, under)
		if c.Reason != ReasonNone {
			c.Verdict = VerdictRejected
			if c.Redirect {
				below, requested = last, ""
				leave(ladder[i+1:])
			}
			continue
		}
		c.URL, c.Verdict = c.base.String(), VerdictShadowed
		under = c.base
		if below = c.URL; c.Rung == RungDefault && ladder[0].Rung == RungOverride {
			// A relative Content-Location is also a link, and Rewrite makes it absolute with the Override. The
			// bases that are resolved against it must be equal before and after a rewrite.
			below = ladder[0].Value
		}
		if c.Rung == RungDefault || c.Last {
			last = below
		}
		if !c.Last {
			requested = below
		}
	}
	for i := range ladder {
		if ladder[i].Verdict == VerdictShadowed {
			ladder[i].Verdict = VerdictUsed
			return
		}
	}
}

// leave rejects the retrieval URLs of the requests before a redirect to an unknown URL.
func leave(before []Candidate) {
	for i := range before {
		c := &before[i]
		if c.Redirect && c.Verdict == VerdictRejected {
			return // the URLs before it are rejected already
		}
		if c.Rung == RungRetrieval && !c.Last && c.Verdict != VerdictRejected {
			c.reject(ReasonRedirected, "a later redirect leads to an unknown URL")
			c.Verdict = VerdictRejected
		}
	}
}

// weigh parses the candidate's base, or rejects the candidate. below is the base URL of the candidates after it. under is
// this base if it is already parsed, else nil.
func (c *Candidate) weigh(below string, under *resolve.Base) {
	switch {
	case c.Rung == RungDefault:
		c.base, _ = c.std.Base("")
		return
	case c.Refuse != "":
		c.reject(ReasonRefused, c.Refuse)
		return
	case c.Value == "":
		c.reject(ReasonEmpty, "empty, so the next rung decides")
		return
	}
	if under == nil {
		var err error
		if under, err = c.std.Base(below); err != nil {
			c.reject(ReasonMalformed, err.Error())
			return
		}
	}
	value := []byte(c.Value)
	c.Relative = !under.IsAbsolute(value)
	room := len(value)
	if c.Relative {
		if under.String() == "" && c.Redirect {
			c.reject(ReasonNoBase, "relative, and the URL of the redirected request is unknown")
			return
		}
		if under.String() == "" {
			c.reject(ReasonNoBase, "relative, and no later rung has a base URL")
			return
		}
		room += min(len(under.String()), usualURL) + 1
	}
	url, err := under.AppendResolve(make([]byte, 0, room), value)
	if err != nil {
		c.reject(ReasonMalformed, err.Error())
		return
	}
	if c.Redirect {
		url, _, _ = bytes.Cut(url, []byte("#")) // a request is sent without the fragment
	}
	// Keep the fragment: it is not part of the URL (RFC 1808, 2.4.1), but an empty reference inherits it (4, step 2 a).
	b, err := c.std.Base(string(url))
	if err != nil {
		c.reject(ReasonMalformed, err.Error())
		return
	}
	if why := b.Unsuitable(); why != "" {
		c.reject(ReasonUnsuitable, why)
		return
	}
	c.base = b
}

// reject sets the reason why the candidate cannot be a base.
// usualURL is the longest base for which weigh allocates memory at once. A longer base may lose most of its bytes, and
// many candidates may have the same base.
const usualURL = 4096

func (c *Candidate) reject(r Reason, why string) { c.URL, c.Reason, c.Why = "", r, why }
