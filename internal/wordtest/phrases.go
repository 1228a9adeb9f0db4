package wordtest

import "regexp"

// A phrase is a wording that readers do not understand at the first reading, or a private word for a common thing.
type phrase struct {
	pattern *regexp.Regexp
	instead string // words to use instead
}

// phrases are matched without regard to upper and lower case. A single space in a pattern matches any white space.
var phrases = []phrase{
	{pattern(`(says?|tells?|knows?|asks?) (whether|if)`), "reports whether"},
	{pattern(`(says?|tells?|knows?) (what|which|where|how|who|that|nothing|no|none|of)`), "the thing itself: records, prints, determines, names"},
	{pattern(`gives (the|what|whether|it|them|back)`), "returns, sets, prints"},
	{pattern(`(is|are|was|were) told`), "is reported"},
	{pattern(`(takes?|taken|took) (down|back|apart)`), "records, removes, parses"},
	{pattern(`(is|are|be) asked`), "is used, is read"},
	{pattern(`pass(es|ed|ing) over`), "skip"},
	{pattern(`(goes|go|going|went) on`), "continue"},
	{pattern(`made true|stays? true`), "updated, still correct"},
	{pattern(`on (the|its|their) way`), "in memory, queued, while it reads"},
	{pattern(`in front of`), "before"},
	{pattern(`(is|are|stands?) behind|behind (it|them|that|the)`), "after"},
	{pattern(`beyond`), "more than, after, outside"},
	{pattern(`(as|what) (it|they) (is|are|was|were) before`), "unchanged"},
	{pattern(`as (it|they) (stands?|was|were)`), "unchanged"},
	{pattern(`(left|leaves?|stays?|kept|keeps?) as (it|they) (is|are)`), "unchanged"},
	{pattern(`stands? (in|at|on|there|beside|before|after|alone|within|where)`), "is in, is at"},
	{pattern(`(of|for|in|by|with|from|than|but|on|at|as) (what|that which|those which|those that|the one that)`), "the noun"},
	{pattern(`what is (within|inside|behind|before|after|left|there|wrong)`), "the noun: the embedded document, the rest, the fault"},
	{pattern(`so (does|do|is|are) `), "the whole sentence"},
	{pattern(`all of it|none of it|such (a|an) one|the like`), "the noun"},
	{pattern(`how(ever|soever) (many|far|late|long|much|deep)`), "any number of, at any depth"},
	{pattern(`nothing but|none but|naught|lest|whence|thereof|therein|wherein`), "only, except, so that ... not"},
	{pattern(`of which|those of which`), "two sentences"},
	{pattern(`(can|could) be had|for good|at hand|to the letter|of (its|their) own accord`), "a plain word: available, permanently, exactly"},
	{pattern(`may well be|needs must`), "a plain word"},
}

func pattern(text string) *regexp.Regexp {
	spaced := regexp.MustCompile(" ").ReplaceAllString(text, `\s+`)
	return regexp.MustCompile(`(?i)\b(` + spaced + `)\b`)
}
