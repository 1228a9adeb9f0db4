package base

import "absolink/resolve"

// Rung is a layer of RFC 1808 section 3, as seen from the entity that asks.
// The lower the value, the nearer the layer: nearer beats farther.
type Rung uint8

const (
	Override      Rung = iota // the user insists
	Embedded                  // 3.1: in the document's own content
	Encapsulating             // 3.2: from the message or document around it
	Retrieval                 // 3.3: the URL used to retrieve it
	Default                   // 3.4: none, the base URL is ""
)

// String gives the name that the command prints.
func (r Rung) String() string {
	return [...]string{"override", "embedded", "encapsulating", "retrieval", "default"}[r]
}

// Section is the clause of RFC 1808 that the rung stands for, "" for Override.
func (r Rung) Section() string {
	return [...]string{"", "3.1", "3.2", "3.3", "3.4"}[r]
}

// Declaration says that something declares a base URL.
type Declaration struct {
	Rung   Rung   // to be set: the zero value is Override, before all others
	By     string // what declares it: "BASE element", "Content-Base", "--url"
	Value  string // the URL as text: unescaped, blanks at its ends removed, perhaps relative
	Offset int    // where Value is spelled in the entity's bytes; -1 if it is not in them
	Header bool   // a header declares it: an entity inside sees it under By, not under the place that it stands in
	Refuse string // not empty: listed, but no base, for this reason
	Last   bool   // of rung Retrieval: asked after all others of that rung, those of outer scopes too
}

// Reason says why a candidate was rejected.
type Reason uint8

const (
	NotRejected Reason = iota
	Refused            // the format knows that it is none: a second BASE element, say
	Empty              // href="": the next rung is asked
	NoBase             // relative, and nothing below to resolve it
	Unsuitable         // it cannot carry relative URLs: RFC 1808 2.3, or HTML's own rule
	Malformed          // the standard cannot parse it
)

// Verdict says what became of a candidate.
type Verdict uint8

const (
	Used     Verdict = iota // in force
	Shadowed                // it could be, but a nearer one is
	Rejected                // it cannot be, for a Reason
)

// Candidate is a declaration that was considered, and its verdict.
type Candidate struct {
	Declaration
	URL      string // absolute, "" when rejected
	Verdict  Verdict
	Reason   Reason // set when Rejected
	Why      string // Reason in words
	Relative bool   // Value was not absolute (RFC 1808 3.1 wants it so)
	Own      bool   // declared by the entity that asks, not by one around it

	std  resolve.Standard // of the scope that declares it
	base *resolve.Base
}

// String gives the verdict as the command prints it.
func (c Candidate) String() string {
	switch c.Verdict {
	case Used:
		return "used"
	case Shadowed:
		return "shadowed"
	}
	return "rejected: " + c.Why
}

// Trouble says what is wrong with a candidate, used or not; "" if nothing is.
func (c Candidate) Trouble() string {
	if c.Verdict != Rejected && c.Relative {
		return "not absolute; resolved against the next rung"
	}
	return c.Why
}

// judge gives every declaration its verdict, farthest first, so that a relative one finds
// the base of the rungs below it. Each is read by the standard of its own scope: a base's
// query is in the encoding of the page that declares it. The slice is changed in place.
// Of the nearest part of a ladder, under is the base of the rungs below it in the standard of
// all of them; of a whole one it is nil.
func judge(ladder []Candidate, under *resolve.Base) {
	below := ""
	for i := len(ladder) - 1; i >= 0; i-- {
		c := &ladder[i]
		c.base, c.Reason, c.Why = nil, NotRejected, ""
		c.weigh(below, under)
		if c.Reason != NotRejected {
			c.Verdict = Rejected
			continue
		}
		c.URL, c.Verdict = c.base.String(), Shadowed
		under = nil
		if below = c.URL; c.Rung == Default && ladder[0].Rung == Override {
			// A Content-Location that is relative is a link, too, and what the user insists on makes it
			// absolute. So what is resolved against it has the same base before and after.
			below = ladder[0].Value
		}
	}
	for i := range ladder {
		if ladder[i].Verdict == Shadowed {
			ladder[i].Verdict = Used
			return
		}
	}
}

// weigh prepares the candidate's base, or says why there is none. below is the base URL
// of the rungs below it, and under the same when it is prepared already, else nil.
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
	// A fragment is not part of the URL (RFC 1808 2.4.1), but an empty reference
	// inherits it (step 2a), so it is kept.
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

func (c *Candidate) reject(r Reason, why string) { c.URL, c.Reason, c.Why = "", r, why }
