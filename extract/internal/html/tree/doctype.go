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
	for _, prefix := range quirkyPublic {
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
var quirkyPublic = strings.Split(strings.ToLower(`+//Silmaril//dtd html Pro v0r11 19970101//
-//AS//DTD HTML 3.0 asWedit + extensions//
-//AdvaSoft Ltd//DTD HTML 3.0 asWedit + extensions//
-//IETF//DTD HTML 2.0 Level 1//
-//IETF//DTD HTML 2.0 Level 2//
-//IETF//DTD HTML 2.0 Strict Level 1//
-//IETF//DTD HTML 2.0 Strict Level 2//
-//IETF//DTD HTML 2.0 Strict//
-//IETF//DTD HTML 2.0//
-//IETF//DTD HTML 2.1E//
-//IETF//DTD HTML 3.0//
-//IETF//DTD HTML 3.2 Final//
-//IETF//DTD HTML 3.2//
-//IETF//DTD HTML 3//
-//IETF//DTD HTML Level 0//
-//IETF//DTD HTML Level 1//
-//IETF//DTD HTML Level 2//
-//IETF//DTD HTML Level 3//
-//IETF//DTD HTML Strict Level 0//
-//IETF//DTD HTML Strict Level 1//
-//IETF//DTD HTML Strict Level 2//
-//IETF//DTD HTML Strict Level 3//
-//IETF//DTD HTML Strict//
-//IETF//DTD HTML//
-//Metrius//DTD Metrius Presentational//
-//Microsoft//DTD Internet Explorer 2.0 HTML Strict//
-//Microsoft//DTD Internet Explorer 2.0 HTML//
-//Microsoft//DTD Internet Explorer 2.0 Tables//
-//Microsoft//DTD Internet Explorer 3.0 HTML Strict//
-//Microsoft//DTD Internet Explorer 3.0 HTML//
-//Microsoft//DTD Internet Explorer 3.0 Tables//
-//Netscape Comm. Corp.//DTD HTML//
-//Netscape Comm. Corp.//DTD Strict HTML//
-//O'Reilly and Associates//DTD HTML 2.0//
-//O'Reilly and Associates//DTD HTML Extended 1.0//
-//O'Reilly and Associates//DTD HTML Extended Relaxed 1.0//
-//SQ//DTD HTML 2.0 HoTMetaL + extensions//
-//SoftQuad Software//DTD HoTMetaL PRO 6.0::19990601::extensions to HTML 4.0//
-//SoftQuad//DTD HoTMetaL PRO 4.0::19971010::extensions to HTML 4.0//
-//Spyglass//DTD HTML 2.0 Extended//
-//Sun Microsystems Corp.//DTD HotJava HTML//
-//Sun Microsystems Corp.//DTD HotJava Strict HTML//
-//W3C//DTD HTML 3 1995-03-24//
-//W3C//DTD HTML 3.2 Draft//
-//W3C//DTD HTML 3.2 Final//
-//W3C//DTD HTML 3.2//
-//W3C//DTD HTML 3.2S Draft//
-//W3C//DTD HTML 4.0 Frameset//
-//W3C//DTD HTML 4.0 Transitional//
-//W3C//DTD HTML Experimental 19960712//
-//W3C//DTD HTML Experimental 970421//
-//W3C//DTD W3 HTML//
-//W3O//DTD W3 HTML 3.0//
-//WebTechs//DTD Mozilla HTML 2.0//
-//WebTechs//DTD Mozilla HTML//`), "\n")
