package extracttest

import "strings"

// URLAttributes has the attributes of HTML 4 and HTML whose value is a URL, with their elements.
var URLAttributes = map[string]string{
	"href": "a area link", "src": "img source video audio track embed bgsound script iframe frame input layer ilayer",
	"longdesc": "img iframe frame", "lowsrc": "img", "dynsrc": "img", "usemap": "img input object", "poster": "video",
	"action": "form isindex", "formaction": "button input", "codebase": "object applet", "classid": "object",
	"data": "object",
	"code": "applet", "object": "applet", "cite": "blockquote q ins del",
	"background": "body table thead tbody tfoot tr td th layer",
	"profile":    "head", "manifest": "html", "icon": "menuitem command", "itemid": "*",
}

// In reports whether a list of words contains a word. The list "*" contains every word.
func In(list, word string) bool {
	return list == "*" || list != "" && strings.Contains(" "+list+" ", " "+word+" ")
}
