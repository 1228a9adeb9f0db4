package charsets

// This file has the characters that x/text lacks, or reads from other bytes than the Encoding Standard.

import "sync"

// freed is the sequence of four bytes for freedText since GB 18030-2005, which gave the two bytes of freedText to
// another character (6, "index gb18030 ranges code point"). x/text reads freed as that other character, as GB
// 18030-2000 did.
const freed, freedText = "\x81\x35\xF4\x37", "\uE7C7"

// differs decodes a sequence that x/text decodes otherwise or not at all. It returns "" if the Encoding Standard does
// not define the sequence.
func (c stateless) differs(src []byte) string {
	switch {
	case c.singleByte() && src[0] < 0xA0: // 9, the indexes have a C1 control where a code page has no character
		return string(rune(src[0]))
	case c.isGB() && string(src) == freed:
		return freedText
	case len(src) != 2:
		return ""
	}
	lead, trail := int(src[0]), int(src[1])
	switch {
	case c.name == "Shift_JIS": // 12.3.1, the end-user-defined characters
		if 0xF0 <= lead && lead <= 0xF9 && trail >= 0x40 && trail != 0x7F && trail <= 0xFC {
			if trail > 0x7F {
				trail--
			}
			return string(rune(0xE000 + (lead-0xF0)*188 + trail - 0x40))
		}
	case c.isGB():
		for _, g := range gb18030Gaps() {
			if at := lead<<8 + trail - g.sequence; 0 <= at && at < g.n {
				return string(g.text + rune(at))
			}
		}
	}
	return ""
}

// gap is a run of n consecutive sequences of two bytes, which stand for the n characters from text on.
type gap struct {
	sequence int
	text     rune
	n        int
}

// gb18030Gaps has the sequences of index gb18030 that x/text lacks: the characters that newer versions of GB 18030
// moved out of the private use area, the places for user-defined characters, and other unassigned places.
var gb18030Gaps = sync.OnceValue(func() []gap {
	gaps := []gap{
		{0xA6D9, 0xFE10, 1}, {0xA6DA, 0xFE12, 1}, {0xA6DB, 0xFE11, 1}, {0xA6DC, 0xFE13, 4}, {0xA6EC, 0xFE17, 2},
		{0xA6F3, 0xFE19, 1}, {0xA8BC, 0x1E3F, 1},
		{0xFE59, 0x9FB4, 1}, {0xFE61, 0x9FB5, 1}, {0xFE66, 0x9FB6, 2}, {0xFE6D, 0x9FB8, 1}, {0xFE7E, 0x9FB9, 1},
		{0xFE90, 0x9FBA, 1}, {0xFEA0, 0x9FBB, 1},

		{0xA2AB, 0xE766, 6}, {0xA2E4, 0xE76D, 1}, {0xA2EF, 0xE76E, 2}, {0xA2FD, 0xE770, 2}, {0xA4F4, 0xE772, 11},
		{0xA5F7, 0xE77D, 8},
		{0xA6B9, 0xE785, 8}, {0xA6F6, 0xE797, 9}, {0xA7C2, 0xE7A0, 15}, {0xA7F2, 0xE7AF, 13}, {0xA896, 0xE7BC, 11},
		{0xA8C1, 0xE7C9, 4},
		{0xA8EA, 0xE7CD, 21}, {0xA958, 0xE7E2, 1}, {0xA95B, 0xE7E3, 1}, {0xA95D, 0xE7E4, 3}, {0xA997, 0xE7F4, 13},
		{0xA9F0, 0xE801, 15},
		{0xD7FA, 0xE810, 5}, {0xFE51, 0xE816, 3}, {0xFE6C, 0xE831, 1}, {0xFE76, 0xE83B, 1}, {0xFE91, 0xE855, 1},
	}
	for i := range 7 {
		if i < 6 {
			gaps = append(gaps, gap{0xAAA1 + i<<8, rune(0xE000 + 94*i), 94})
		}
		gaps = append(gaps, gap{0xF8A1 + i<<8, rune(0xE234 + 94*i), 94},
			gap{0xA140 + i<<8, rune(0xE4C6 + 96*i), 63}, gap{0xA180 + i<<8, rune(0xE4C6 + 96*i + 63), 33})
	}
	return gaps
})

// gb18030Moved has the old code points of the characters that GB 18030-2022 moved. They are written as the two bytes of
// the new ones (10.2.2, step 5).
var gb18030Moved = []gap{
	{0xA6D9, 0xE78D, 7}, {0xA6EC, 0xE794, 2}, {0xA6F3, 0xE796, 1}, {0xFE59, 0xE81E, 1}, {0xFE61, 0xE826, 1},
	{0xFE66, 0xE82B, 2},
	{0xFE6D, 0xE832, 1}, {0xFE7E, 0xE843, 1}, {0xFE90, 0xE854, 1}, {0xFEA0, 0xE864, 1},
}
