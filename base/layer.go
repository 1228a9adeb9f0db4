package base

import (
	"bytes"

	"absolink/resolve"
)

// A Layer is one of RFC 1808, section 3, as the entity that needs a base sees it. A lower value wins.
type Layer uint8

const (
	LayerOverride      Layer = 1 + iota // the user's base URL, which replaces all others
	LayerEmbedded                       // 3.1: declared in the content of the entity
	LayerEncapsulating                  // 3.2: declared by the message or document around it
	LayerRetrieval                      // 3.3: the URL that it was retrieved from
	LayerDefault                        // 3.4: the base URL is "", because none is known
)

// String returns the name of the layer, such as "embedded".
func (r Layer) String() string {
	return [...]string{"", "override", "embedded", "encapsulating", "retrieval", "default"}[r]
}

// Section returns the section of RFC 1808, such as "3.1", or "" for LayerOverride.
func (r Layer) Section() string {
	return [...]string{"", "", "3.1", "3.2", "3.3", "3.4"}[r]
}

// A Declaration says that a URL is the base URL of an entity.
type Declaration struct {
	Layer  Layer  // the layer, as the entity of the scope sees it; LayerDefault is ignored
	By     string // the source, such as "BASE element", "Content-Base" or "--url"
	Value  string // the URL, absolute or relative, without escapes such as "&amp;" and without blanks around it
	Offset int    // of Value in the bytes of the entity, or -1; package base only passes it on

	// Header says that a header such as Content-Base declares Value. An entity inside then has the same By, where it
	// would otherwise have its place, such as "iframe@srcdoc".
	Header bool

	// Refuse is why the format of the document does not accept Value, or "". The candidate is then rejected.
	Refuse string

	// Last puts Value after all other retrieval URLs, those of outer scopes included.
	Last bool

	// Redirect says that Value is the Location of a redirect (RFC 9110 10.2.2), for LayerRetrieval only. Pass the last
	// redirect first. Value is resolved against the URL of the request, and replaces it as the retrieval URL. If it
	// cannot be resolved, the URLs of all requests before it are rejected.
	Redirect bool

	// Archived says that Value is the original URL of a page from a web archive: see Scope.Archived.
	Archived bool
}

// A Reason is why a candidate is rejected.
type Reason uint8

const (
	ReasonNone       Reason = iota
	ReasonRefused           // see Declaration.Refuse
	ReasonEmpty             // the value is ""
	ReasonNoBase            // relative, and no later layer has a base URL
	ReasonUnsuitable        // see resolve.Base.Unsuitable
	ReasonMalformed         // the standard cannot parse it
	ReasonRedirected        // a later redirect leads to an unknown URL
)

// A Verdict is the result for a candidate.
type Verdict uint8

const (
	VerdictUsed      Verdict = 1 + iota // it is the base URL
	VerdictCompletes                    // it completes the relative candidate before it
	VerdictShadowed                     // it could be, but a candidate before it is
	VerdictRejected                     // it cannot be: see Candidate.Reason
)

// A Candidate is a Declaration with its verdict in one scope. Layer and By are as the entity of that scope sees them.
type Candidate struct {
	Declaration
	URL      string // absolute, or "" if the candidate is rejected
	Verdict  Verdict
	Reason   Reason // why it is rejected, or ReasonNone
	Why      string // Reason in words
	Relative bool   // Value is relative, which RFC 1808 3.1 does not allow
	Own      bool   // the entity or element of the scope itself declares it

	std  resolve.Standard // of the scope with the declaration
	base *resolve.Base
}

// String returns the verdict in words.
func (c Candidate) String() string {
	switch c.Verdict {
	case VerdictUsed, VerdictCompletes:
		return "used"
	case VerdictShadowed:
		return "shadowed"
	case VerdictRejected:
		return "rejected: " + c.Why
	}
	return ""
}

// Trouble returns what is wrong with the candidate, or "". Even one that is used can be relative.
func (c Candidate) Trouble() string {
	if c.Verdict != VerdictRejected && c.Relative {
		if c.Redirect {
			return "relative; resolved against the URL of the redirected request"
		}
		return "not absolute; resolved against the next layer"
	}
	return c.Why
}

// judge sets the verdict of every candidate. The nearest comes first. It starts with the farthest, because a relative
// candidate needs the base URL of those after it. Each is parsed by the standard of its own scope: the query of a base
// URL is in the encoding of the page that declares it.
//
// layers may be only the nearest of all, if these all have one standard. Then under is the base of the
// remaining part, parsed by the same standard; it is nil if there is none.
func judge(layers []Candidate, under *resolve.Base) {
	below := ""     // the base URL of the candidates after this one
	last := ""      // the base URL of the declarations that are Last, which redirects do not replace
	requested := "" // the URL of the last request
	if under != nil {
		below = under.String()
	}
	for i := len(layers) - 1; i >= 0; i-- {
		c := &layers[i]
		if c.Redirect {
			below = requested
		}
		if under != nil && (under.String() != below || i+1 < len(layers) && layers[i+1].std != c.std) {
			under = nil // another base, or the same one by another standard
		}
		c.weigh(below, under)
		if c.Reason != ReasonNone {
			c.Verdict = VerdictRejected
			if c.Redirect {
				below, requested = last, ""
				leave(layers[i+1:])
			}
			continue
		}
		c.URL, c.Verdict = c.base.String(), VerdictShadowed
		under = c.base
		if below = c.URL; c.Layer == LayerDefault {
			below = layers[0].override()
		}
		if c.Layer == LayerDefault || c.Last {
			last = below
		}
		if !c.Last {
			requested = below
		}
	}
	use(layers)
}

// override returns the value of an Override that can be a base, or "". A relative Content-Location is also a link,
// which Rewrite makes absolute with the Override, so a base that is resolved against it must be the same before and
// after.
func (c *Candidate) override() string {
	if b, err := c.std.Base(c.Value); c.Layer != LayerOverride || err != nil || b.Unsuitable() != "" {
		return ""
	}
	return c.Value
}

// use marks the first candidate that can be the base, and those that complete it. A relative redirect is completed by
// the URL of the redirected request, which is never a candidate that is Last.
func use(layers []Candidate) {
	verdict, redirect := VerdictUsed, false
	for i := range layers {
		c := &layers[i]
		if c.Verdict != VerdictShadowed || redirect && c.Last {
			continue
		}
		if c.Verdict = verdict; !c.Relative {
			return
		}
		verdict, redirect = VerdictCompletes, c.Redirect
	}
}

// leave rejects the retrieval URLs of the requests before a redirect to an unknown URL.
func leave(before []Candidate) {
	for i := range before {
		c := &before[i]
		if c.Redirect && c.Verdict == VerdictRejected {
			return // the URLs before it are rejected already
		}
		if c.Layer == LayerRetrieval && !c.Last && c.Verdict != VerdictRejected {
			c.reject(ReasonRedirected, "a later redirect leads to an unknown URL")
			c.Verdict = VerdictRejected
		}
	}
}

// weigh parses the candidate's base, or rejects the candidate. below is the base URL of the candidates after it, and
// under is below if it is already parsed.
func (c *Candidate) weigh(below string, under *resolve.Base) {
	switch {
	case c.Layer == LayerDefault:
		c.base, _ = c.std.Base("")
		return
	case c.Refuse != "":
		c.reject(ReasonRefused, c.Refuse)
		return
	case c.Value == "":
		c.reject(ReasonEmpty, "empty, so the next layer decides")
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
			c.reject(ReasonNoBase, "relative, and no later layer has a base URL")
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
	// The fragment stays. It is not part of the URL (RFC 1808, 2.4.1), but an empty reference inherits it (4, step 2
	// a).
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

// usualURL is the longest base for which weigh allocates all memory at once. A relative value may drop most bytes of a
// longer one, which many candidates may share.
const usualURL = 4096

func (c *Candidate) reject(r Reason, why string) { c.URL, c.Reason, c.Why = "", r, why }
