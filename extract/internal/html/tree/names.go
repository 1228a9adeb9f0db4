package tree

import (
	"strings"
	"sync"

	"absolink/extract/internal/ascii"
)

// rule has the rules for the tags of one name.
type rule struct {
	name  string // in lower case
	class class
	start startRule // in the mode "in body"
	end   endRule
}

// otherRule is the rule of all names without rules.
var otherRule = &rule{}

// ruleTable has the rules of all names.
type ruleTable struct {
	byName   map[string]*rule
	initials [16]uint32 // the first letters of the names with rules, by the lengths of the names; a letter c is the bit c&31
}

// rules returns the table of rules. The first call completes the rules that the code uses by name.
var rules = sync.OnceValue(func() *ruleTable {
	t := &ruleTable{byName: make(map[string]*rule, 256)}
	for _, r := range namedRules {
		t.byName[r.name] = r
	}
	each := func(names string, set func(r *rule)) {
		for name := range strings.FieldsSeq(names) {
			if t.byName[name] == nil {
				t.byName[name] = &rule{name: name}
			}
			t.initials[len(name)] |= 1 << (name[0] & 31)
			set(t.byName[name])
		}
	}
	for _, c := range classes {
		each(c.names, func(r *rule) { r.class |= c.class })
	}
	for start, names := range startRules {
		each(names, func(r *rule) { r.start = startRule(start) })
	}
	for end, names := range endRules {
		each(names, func(r *rule) { r.end = endRule(end) })
	}
	each("mglyph malignmark mi mo mn ms mtext foreignobject desc title annotation-xml", func(*rule) {})
	return t
})

// ruleOf returns the rule of a name in any case.
func ruleOf(name []byte) *rule {
	t := rules()
	if n := len(name); n >= len(t.initials) || t.initials[n]>>(name[0]&31)&1 == 0 {
		return otherRule
	}
	var buf [len(t.initials)]byte
	if r := t.byName[string(ascii.Fold(buf[:0], name))]; r != nil {
		return r
	}
	return otherRule
}

// The rules that the code uses by name.
var (
	htmlRule     = &rule{name: "html"}
	headRule     = &rule{name: "head"}
	bodyRule     = &rule{name: "body"}
	tableRule    = &rule{name: "table"}
	tbodyRule    = &rule{name: "tbody"}
	trRule       = &rule{name: "tr"}
	captionRule  = &rule{name: "caption"}
	colgroupRule = &rule{name: "colgroup"}
	templateRule = &rule{name: "template"}
	selectRule   = &rule{name: "select"}
	optionRule   = &rule{name: "option"}
	optgroupRule = &rule{name: "optgroup"}
	rubyRule     = &rule{name: "ruby"}
	rtcRule      = &rule{name: "rtc"}
	buttonRule   = &rule{name: "button"}
	formRule     = &rule{name: "form"}
	liRule       = &rule{name: "li"}
	nobrRule     = &rule{name: "nobr"}
	aRule        = &rule{name: "a"}
	pRule        = &rule{name: "p"}
	brRule       = &rule{name: "br"}

	namedRules = [...]*rule{htmlRule, headRule, bodyRule, tableRule, tbodyRule, trRule, captionRule, colgroupRule, templateRule, selectRule,
		optionRule, optgroupRule, rubyRule, rtcRule, buttonRule, formRule, liRule, nobrRule, aRule, pRule, brRule}
)

// class is a set of properties of an element.
type class uint32

const (
	breakout    class = 1 << iota // its start tag ends foreign content (13.2.6.5)
	raw                           // its content is text (13.2.6.2)
	inHead                        // its start tag has rules "in head" (13.2.6.4.4)
	special                       // is in the special category (13.2.4.2)
	bound                         // ends a scope (13.2.4.2)
	listBound                     // ends a list item scope
	buttonBound                   // ends a button scope
	tableBound                    // ends a table scope
	implied                       // can be closed by an implied end tag (13.2.6.3)
	tablePart                     // a start tag that a cell or a caption closes for (13.2.6.4.11 and 15)
	rowGroup                      // tbody, tfoot, thead
	cell                          // td, th
	fosters                       // text and tags in it may move before the table (13.2.6.1)
	heading
)

var classes = [...]struct {
	class class
	names string
}{
	{breakout, "b big blockquote body br center code dd div dl dt em embed h1 h2 h3 h4 h5 h6 head hr i img li listing menu meta " +
		"nobr ol p pre ruby s small span strong strike sub sup table tt u ul var"},
	{raw, "title textarea xmp iframe noembed noframes script style noscript plaintext"},
	{inHead, "base basefont bgsound link meta noframes script style template title"},
	{special, "address applet area article aside base basefont bgsound blockquote body br button caption center col colgroup " +
		"dd details dir div dl dt embed fieldset figcaption figure footer form frame frameset h1 h2 h3 h4 h5 h6 head header " +
		"hgroup hr html iframe img input keygen li link listing main marquee menu meta nav noembed noframes noscript object " +
		"ol p param plaintext pre script search section select source style summary table tbody td template textarea tfoot " +
		"th thead title tr track ul wbr xmp"},
	{bound, "applet caption html table td th marquee object select template"},
	{listBound, "applet caption html table td th marquee object select template ol ul"},
	{buttonBound, "applet caption html table td th marquee object select template button"},
	{tableBound, "html table template"},
	{implied, "dd dt li optgroup option p rb rp rt rtc"},
	{tablePart, "caption col colgroup tbody td tfoot th thead tr"},
	{rowGroup, "tbody tfoot thead"},
	{cell, "td th"},
	{fosters, "table tbody tfoot thead tr"},
	{heading, "h1 h2 h3 h4 h5 h6"},
}

// startRule is the rule for a start tag in the mode "in body".
type startRule uint8

const (
	startOther startRule = iota
	startNothing
	startHead
	startBody
	startFrameset
	startBlock
	startHeading
	startPre
	startForm
	startItem
	startButton
	startA
	startFormatting
	startNobr
	startMarker
	startTable
	startImage
	startInput
	startVoid
	startHr
	startText
	startXmp
	startSelect
	startOption
	startOptgroup
	startRb
	startRt
	startSVG
	startMath
)

var startRules = [...]string{
	startNothing:  "html caption col colgroup frame head tbody td tfoot th thead tr noembed noscript",
	startHead:     "base basefont bgsound link meta noframes script style template title",
	startBody:     "body",
	startFrameset: "frameset",
	startBlock: "address article aside blockquote center details dialog dir div dl fieldset figcaption figure footer header " +
		"hgroup main menu nav ol p search section summary ul plaintext",
	startHeading:    "h1 h2 h3 h4 h5 h6",
	startPre:        "pre listing",
	startForm:       "form",
	startItem:       "li dd dt",
	startButton:     "button",
	startA:          "a",
	startFormatting: "b big code em font i s small strike strong tt u",
	startNobr:       "nobr",
	startMarker:     "applet marquee object",
	startTable:      "table",
	startImage:      "area br embed img keygen wbr image",
	startInput:      "input",
	startVoid:       "param source track",
	startHr:         "hr",
	startText:       "textarea iframe",
	startXmp:        "xmp",
	startSelect:     "select",
	startOption:     "option",
	startOptgroup:   "optgroup",
	startRb:         "rb rtc",
	startRt:         "rp rt",
	startSVG:        "svg",
	startMath:       "math",
}

// endRule is the rule for an end tag in the mode "in body".
type endRule uint8

const (
	endOther endRule = iota
	endTemplate
	endBody
	endBlock
	endForm
	endP
	endLi
	endDefinition
	endHeading
	endFormatting
	endMarker
	endBr
)

var endRules = [...]string{
	endTemplate: "template",
	endBody:     "body html",
	endBlock: "address article aside blockquote button center details dialog dir div dl fieldset figcaption figure footer header " +
		"hgroup listing main menu nav ol pre search section select summary ul",
	endForm:       "form",
	endP:          "p",
	endLi:         "li",
	endDefinition: "dd dt",
	endHeading:    "h1 h2 h3 h4 h5 h6",
	endFormatting: "a b big code em font i nobr s small strike strong tt u",
	endMarker:     "applet marquee object",
	endBr:         "br",
}
