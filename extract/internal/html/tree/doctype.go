package tree

import (
	"bytes"
	"strings"

	"absolink/extract/internal/ascii"
)

// inQuirks reports whether a doctype puts a page into quirks mode (HTML 13.2.6.4.1). Then a table does not close a p.
func inQuirks(markup []byte) bool {
	d := doctype{rest: bytes.TrimSuffix(markup[len("<!doctype"):], []byte(">"))}
	if len(d.rest)+len("<!doctype") == len(markup) {
		return true // the file ends in it
	}
	name := d.word()
	public, hasPublic, system, hasSystem := d.identifiers()
	public, system = ascii.Lower(public), ascii.Lower(system)
	switch {
	case d.force, name != "html":
		return true
	case hasPublic && (public == "-//w3o//dtd w3 html strict 3.0//en//" || public == "-/w3c/dtd html 4.0 transitional/en" || public == "html"):
		return true
	case hasSystem && system == "http://www.ibm.com/data/dtd/v11/ibmxhtml1-transitional.dtd":
		return true
	case !hasSystem && (strings.HasPrefix(public, "-//w3c//dtd html 4.01 frameset//") || strings.HasPrefix(public, "-//w3c//dtd html 4.01 transitional//")):
		return true
	}
	for prefix := range strings.SplitSeq(quirkyPublic, "\n") {
		if strings.HasPrefix(public, prefix) {
			return true
		}
	}
	return false
}

// doctype reads a doctype (13.2.5.53 to 68).
type doctype struct {
	rest  []byte
	force bool // the force-quirks flag
}

// word returns the next word in lower case, or "".
func (d *doctype) word() string {
	d.skipSpace()
	n := 0
	for n < len(d.rest) && !ascii.IsSpace(d.rest[n]) {
		n++
	}
	word := ascii.Fold(nil, d.rest[:n])
	d.rest = d.rest[n:]
	return string(word)
}

func (d *doctype) skipSpace() { d.rest = d.rest[ascii.SkipSpace(d.rest, 0):] }

// identifiers returns the public and the system identifier.
func (d *doctype) identifiers() (public string, hasPublic bool, system string, hasSystem bool) {
	d.skipSpace()
	if len(d.rest) == 0 {
		return "", false, "", false
	}
	const length = len("public")
	switch {
	case len(d.rest) >= length && ascii.FoldEqual(d.rest[:length], "public"):
		d.rest = d.rest[length:]
		public, hasPublic = d.quoted()
		d.force = d.force || !hasPublic
		system, hasSystem = d.quoted()
		d.force = d.force || !hasSystem && len(d.rest) > 0
	case len(d.rest) >= length && ascii.FoldEqual(d.rest[:length], "system"):
		d.rest = d.rest[length:]
		system, hasSystem = d.quoted()
		d.force = d.force || !hasSystem
	default:
		d.force = true
	}
	return public, hasPublic, system, hasSystem
}

// quoted returns an identifier in quotes. ok is false if there is none.
func (d *doctype) quoted() (id string, ok bool) {
	d.skipSpace()
	if len(d.rest) == 0 || d.rest[0] != '"' && d.rest[0] != '\'' {
		return "", false
	}
	end := bytes.IndexByte(d.rest[1:], d.rest[0])
	if end < 0 {
		d.force, d.rest = true, nil
		return "", true
	}
	id = string(d.rest[1 : 1+end])
	d.rest = d.rest[2+end:]
	return id, true
}

// quirkyPublic has the starts of the public identifiers of quirks mode, in lower case.
const quirkyPublic = `+//silmaril//dtd html pro v0r11 19970101//
-//as//dtd html 3.0 aswedit + extensions//
-//advasoft ltd//dtd html 3.0 aswedit + extensions//
-//ietf//dtd html 2.0 level 1//
-//ietf//dtd html 2.0 level 2//
-//ietf//dtd html 2.0 strict level 1//
-//ietf//dtd html 2.0 strict level 2//
-//ietf//dtd html 2.0 strict//
-//ietf//dtd html 2.0//
-//ietf//dtd html 2.1e//
-//ietf//dtd html 3.0//
-//ietf//dtd html 3.2 final//
-//ietf//dtd html 3.2//
-//ietf//dtd html 3//
-//ietf//dtd html level 0//
-//ietf//dtd html level 1//
-//ietf//dtd html level 2//
-//ietf//dtd html level 3//
-//ietf//dtd html strict level 0//
-//ietf//dtd html strict level 1//
-//ietf//dtd html strict level 2//
-//ietf//dtd html strict level 3//
-//ietf//dtd html strict//
-//ietf//dtd html//
-//metrius//dtd metrius presentational//
-//microsoft//dtd internet explorer 2.0 html strict//
-//microsoft//dtd internet explorer 2.0 html//
-//microsoft//dtd internet explorer 2.0 tables//
-//microsoft//dtd internet explorer 3.0 html strict//
-//microsoft//dtd internet explorer 3.0 html//
-//microsoft//dtd internet explorer 3.0 tables//
-//netscape comm. corp.//dtd html//
-//netscape comm. corp.//dtd strict html//
-//o'reilly and associates//dtd html 2.0//
-//o'reilly and associates//dtd html extended 1.0//
-//o'reilly and associates//dtd html extended relaxed 1.0//
-//sq//dtd html 2.0 hotmetal + extensions//
-//softquad software//dtd hotmetal pro 6.0::19990601::extensions to html 4.0//
-//softquad//dtd hotmetal pro 4.0::19971010::extensions to html 4.0//
-//spyglass//dtd html 2.0 extended//
-//sun microsystems corp.//dtd hotjava html//
-//sun microsystems corp.//dtd hotjava strict html//
-//w3c//dtd html 3 1995-03-24//
-//w3c//dtd html 3.2 draft//
-//w3c//dtd html 3.2 final//
-//w3c//dtd html 3.2//
-//w3c//dtd html 3.2s draft//
-//w3c//dtd html 4.0 frameset//
-//w3c//dtd html 4.0 transitional//
-//w3c//dtd html experimental 19960712//
-//w3c//dtd html experimental 970421//
-//w3c//dtd w3 html//
-//w3o//dtd w3 html 3.0//
-//webtechs//dtd mozilla html 2.0//
-//webtechs//dtd mozilla html//`
