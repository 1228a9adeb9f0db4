package verify

import "strconv"

var (
	appleLength = pattern(`^(\d+)[ \t]*(\r?\n)`)
	appleList   = pattern(`^\s*(?:<\?xml|<!DOCTYPE plist|<plist|bplist0|$)`)
)

// emlx compares two files of Apple Mail: the lengths in their first lines, the messages, and the property lists.
func (k *checker) emlx(e entity) *Difference {
	before, old, list := appleMail(e.old)
	if !appleList().Match(list) || before == "" {
		return k.unable(e.path, "the first line does not have the length of the message")
	}
	after, new, newList := appleMail(e.new)
	if string(list) != string(newList) {
		return e.differText(string(list), string(newList), len(e.old)-len(list), len(e.new)-len(newList), "the length does not fit the new message, or the text after it changed")
	}
	if digits := len(strconv.Itoa(len(new))); len(after) != max(len(before), digits) {
		return e.differText(before, after, 0, 0, "the first line has another width")
	}
	return k.check(e.inner("message", "message/rfc822", old, new, e.bases))
}

// appleMail returns the length in the first line with the blanks after it, the message, and the text after the message. It
// returns "" for a file without a length.
func appleMail(src []byte) (length string, message, list []byte) {
	line := appleLength().FindSubmatchIndex(src)
	if line == nil {
		return "", nil, src
	}
	n, err := strconv.Atoi(string(src[:line[3]]))
	if err != nil || n > len(src)-line[1] {
		return "", nil, src
	}
	return string(src[:line[4]]), src[line[1] : line[1]+n], src[line[1]+n:]
}
