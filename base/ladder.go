package base

import (
	"bytes"

	"absolink/resolve"
)

// A Rung is a layer of RFC 1808, section 3, as seen from the entity that needs
// a base. A lower value wins before a higher one. The zero value is no layer.
type Rung uint8

const (
	Override      Rung = 1 + iota // the user replaces all other layers
	Embedded                      // 3.1: in the content of the document
	Encapsulating                 // 3.2: in the message or document around it
	Retrieval                     // 3.3: the URL used to retrieve the document
	Default                       // 3.4: no base, the base URL is ""
)

// String returns the name of the rung in lower case, such as "embedded".
func (r Rung) String() string {
	return [...]string{"", "override", "embedded", "encapsulating", "retrieval", "default"}[r]
}

// Section returns the number of the rung's section in RFC 1808, such as "3.1".
// For Override it returns "".
func (r Rung) Section() string {
	return [...]string{"", "", "3.1", "3.2", "3.3", "3.4"}[r]
}

// A Declaration declares a base URL for an entity.
type Declaration struct {
	// Rung is the layer, as seen from the entity that the caller declares it
	// for. A Declaration without a Rung declares nothing.
	Rung Rung

	// By names the source: "BASE element", "Content-Base", "--url".
	By string

	// Value is the URL as text, absolute or relative: unescaped, without
	// blanks at its ends.
	Value string

	// Offset is where Value starts in the bytes of the entity, or -1.
	Offset int

	// Header reports whether a header declares Value. An entity inside sees
	// such a declaration under By, and others under the place of the entity.
	Header bool

	// Refuse is the reason why the format does not accept Value as a base,
	// or "". A refused declaration is listed, and rejected.
	Refuse string

	// Last reports, for rung Retrieval, whether Value is used only after all
	// other declarations of that rung, in inner and outer scopes.
	Last bool

	// Redirect reports, for rung Retrieval, whether Value is the Location of a
	// redirect (RFC 9110, 10.2.2). It replaces the retrieval URL before it, and
	// is resolved against that URL. The latest redirect is declared first. If
	// a redirect is rejected, the retrieval URLs before it are rejected, too.
	Redirect bool
}

// A Reason is why a candidate was rejected.
type Reason uint8

const (
	NotRejected Reason = iota
	Refused            // the format does not accept it: it is the second BASE element, for example
	Empty              // the value is "": the next rung decides
	NoBase             // the value is relative, and no rung below has a base for it
	Unsuitable         // relative URLs cannot be resolved against it: RFC 1808, 2, or the rules of HTML
	Malformed          // the standard cannot parse it
	Redirected         // a redirect replaces it by a URL that is not known
)

// A Verdict is the result for a candidate. The zero value is no verdict.
type Verdict uint8

const (
	Used     Verdict = 1 + iota // this base applies
	Shadowed                    // it could be the base, but a nearer one applies
	Rejected                    // it cannot be a base, for a Reason
)

// A Candidate is a declaration that was considered, and its verdict.
type Candidate struct {
	Declaration
	URL      string // the absolute URL, "" if rejected
	Verdict  Verdict
	Reason   Reason // set if Rejected
	Why      string // the Reason in words
	Relative bool   // Value is not absolute (RFC 1808, 3.1 requires an absolute one)
	Own      bool   // the scope's own entity or element declares it, not an outer one

	std  resolve.Standard // of the scope that declares it
	base *resolve.Base
}

// String returns the verdict in words: "used", "shadowed", or "rejected: " and
// the reason.
func (c Candidate) String() string {
	switch c.Verdict {
	case Used:
		return "used"
	case Shadowed:
		return "shadowed"
	case Rejected:
		return "rejected: " + c.Why
	}
	return ""
}

// Trouble returns the problem with a candidate in words, or "". A candidate with
// a problem may still be Used.
func (c Candidate) Trouble() string {
	if c.Verdict != Rejected && c.Relative {
		if c.Redirect {
			return "relative; resolved against the URL before it"
		}
		return "not absolute; resolved against the next rung"
	}
	return c.Why
}

// judge sets the verdict of every candidate of a new ladder, in place. It starts with the farthest one, because
// a relative candidate needs the base of the rungs below it. Each candidate is parsed by the standard of its
// own scope: the query of a base is in the encoding of the page that declares it.
//
// If ladder is only the nearest part of a ladder, under is the base of the rungs below, in the standard of
// all candidates. Otherwise under is nil.
func judge(ladder []Candidate, under *resolve.Base) {
	below := ""
	last, requested := "", "" // URLs that redirects do not replace: the farthest; that of the last request
	for i := len(ladder) - 1; i >= 0; i-- {
		c := &ladder[i]
		if c.Redirect {
			below = requested
		}
		c.weigh(below, under)
		if c.Reason != NotRejected {
			c.Verdict = Rejected
			if c.Redirect {
				below, requested = last, ""
				leave(ladder[i+1:])
			}
			continue
		}
		c.URL, c.Verdict = c.base.String(), Shadowed
		under = nil
		if below = c.URL; c.Rung == Default && ladder[0].Rung == Override {
			// A relative Content-Location is a link, too, and the Override makes it absolute. So the URLs
			// resolved against it are equal before and after a rewrite.
			below = ladder[0].Value
		}
		if c.Rung == Default || c.Last {
			last = below
		}
		if !c.Last {
			requested = below
		}
	}
	for i := range ladder {
		if ladder[i].Verdict == Shadowed {
			ladder[i].Verdict = Used
			return
		}
	}
}

// leave rejects the retrieval URLs that a redirect to an unknown URL replaces.
func leave(before []Candidate) {
	for i := range before {
		c := &before[i]
		if c.Redirect && c.Verdict == Rejected {
			return // the URLs before it are rejected already
		}
		if c.Rung == Retrieval && !c.Last && c.Verdict != Rejected {
			c.reject(Redirected, "a later request has a URL that is not known")
			c.Verdict = Rejected
		}
	}
}

// weigh prepares the candidate's base, or rejects the candidate. below is the base URL of the rungs below it.
// under is that base if it is already prepared, else nil.
func (c *Candidate) weigh(below string, under *resolve.Base) {
	switch {
	case c.Rung == Default:
		c.base, _ = c.std.Base("")
		return
	case c.Refuse != "":
		c.reject(Refused, c.Refuse)
		return
	case c.Value == "":
		c.reject(Empty, "empty, the next rung is asked")
		return
	}
	if under == nil {
		var err error
		if under, err = c.std.Base(below); err != nil {
			c.reject(Malformed, err.Error())
			return
		}
	}
	value := []byte(c.Value)
	c.Relative = !under.IsAbsolute(value)
	room := len(value)
	if c.Relative {
		if under.String() == "" && c.Redirect {
			c.reject(NoBase, "relative, and the URL before it is not known")
			return
		}
		if under.String() == "" {
			c.reject(NoBase, "relative, and no rung below to resolve it")
			return
		}
		room += len(under.String()) + 1
	}
	url, err := under.AppendResolve(make([]byte, 0, room), value)
	if err != nil {
		c.reject(Malformed, err.Error())
		return
	}
	if c.Redirect {
		url, _, _ = bytes.Cut(url, []byte("#")) // it is not sent with the request
	}
	// A fragment is not part of the URL (RFC 1808, 2.4.1), but an empty reference inherits it (4, step 2 a).
	b, err := c.std.Base(string(url))
	if err != nil {
		c.reject(Malformed, err.Error())
		return
	}
	if why := b.Unsuitable(); why != "" {
		c.reject(Unsuitable, why)
		return
	}
	c.base = b
}

// reject sets why the candidate cannot be a base.
func (c *Candidate) reject(r Reason, why string) { c.URL, c.Reason, c.Why = "", r, why }
