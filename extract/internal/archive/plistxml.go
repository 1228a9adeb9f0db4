package archive

import (
	"bytes"
	"fmt"

	"absolink/extract/internal/ascii"
	"absolink/extract/internal/codec"
	"absolink/extract/internal/codec/spell"
	"absolink/extract/internal/mark"
)

// xmlPlist is a property list in XML (the DTD PropertyList-1.0): a tree of elements.
type xmlPlist struct {
	src   []byte
	nodes []plistNode
	open  []int // the nodes that are open at this point, the outermost first
}

// plistNode is one element.
type plistNode struct {
	kind    plistKind
	content codec.Span // of a key, string or data
	inside  []int      // of an array: the values; of a dict: each key, followed by its value
}

type plistKind uint8

const (
	plistOther plistKind = iota
	plistDict
	plistArray
	plistKey
	plistString
	plistData
)

// plistKinds has the kinds of elements by their names.
var plistKinds = map[string]plistKind{"dict": plistDict, "array": plistArray, "key": plistKey, "string": plistString, "data": plistData}

// mostNodes limits the number of elements of a property list. A document in an archive needs about ten elements.
const mostNodes = 1 << 20

// readXMLPlist returns the elements of a property list. If the list is damaged, it returns a Fault, and the elements before
// the damage.
func readXMLPlist(src []byte) (*xmlPlist, *mark.Fault) {
	x := &xmlPlist{src: src}
	for p := 0; ; {
		i := bytes.IndexByte(src[p:], '<')
		if i < 0 {
			break
		}
		next, fault := x.read(p + i)
		if fault != nil {
			return x, fault
		}
		p = next
	}
	if len(x.open) > 0 {
		return x, plistTruncated(len(src), "the property list ends before the last end tag")
	}
	return x, nil
}

// plistTruncated returns the Fault of a property list that ends too early.
func plistTruncated(offset int, detail string) *mark.Fault {
	return &mark.Fault{Offset: offset, Code: mark.RecordTruncated, Detail: detail}
}

// read reads the comment or the tag whose "<" is at start, and returns the index after it. After a start tag it reads the
// text of the element, too.
func (x *xmlPlist) read(start int) (next int, fault *mark.Fault) {
	src, p := x.src, start+1
	if bytes.HasPrefix(src[p:], []byte("!--")) {
		end := bytes.Index(src[p:], []byte("-->"))
		if end < 0 {
			return 0, plistTruncated(start, "a comment in the property list has no end")
		}
		return p + end, nil
	}
	end := bytes.IndexByte(src[p:], '>')
	if end < 0 {
		return 0, plistTruncated(start, "the property list ends inside a tag")
	}
	name, empty := plistTag(src[p : p+end])
	p += end + 1
	kind := plistKinds[string(name)]
	switch {
	case string(name) == "/dict" || string(name) == "/array":
		if len(x.open) > 0 {
			x.open = x.open[:len(x.open)-1]
		}
	case kind == plistOther && (len(name) == 0 || name[0] == '/' || name[0] == '!' || name[0] == '?' || string(name) == "plist"):
	case len(x.nodes) == mostNodes:
		return 0, &mark.Fault{Offset: start, Code: mark.SizeLimit, Detail: fmt.Sprintf("the property list has more than %d elements", mostNodes)}
	case empty:
		x.add(plistNode{kind: kind})
	case kind == plistDict || kind == plistArray:
		x.add(plistNode{kind: kind})
		x.open = append(x.open, len(x.nodes)-1)
	default:
		end := bytes.IndexByte(src[p:], '<')
		if end < 0 {
			return 0, plistTruncated(start, "the property list ends inside an element")
		}
		if !bytes.HasPrefix(src[p+end:], []byte("</")) {
			kind = plistOther // a CDATA section: no known program writes one here
		}
		x.add(plistNode{kind: kind, content: codec.Span{Start: p, End: p + end}})
		p += end
	}
	return p, nil
}

// plistTag returns the name in a tag. The name of an end tag begins with "/". empty reports whether the tag is that of an
// empty element, such as <true/>.
func plistTag(tag []byte) (name []byte, empty bool) {
	empty = len(tag) > 0 && tag[len(tag)-1] == '/'
	for i, c := range tag {
		if ascii.IsSpace(c) || c == '/' && i > 0 {
			return tag[:i], empty
		}
	}
	return tag, empty
}

// add adds an element to the innermost open element.
func (x *xmlPlist) add(n plistNode) {
	if len(x.open) > 0 {
		outer := &x.nodes[x.open[len(x.open)-1]]
		outer.inside = append(outer.inside, len(x.nodes))
	}
	x.nodes = append(x.nodes, n)
}

// top returns the outermost element, or -1.
func (x *xmlPlist) top() int { return min(0, len(x.nodes)-1) }

// node returns an object, or nil if it is of another kind.
func (x *xmlPlist) node(object int, kind plistKind) *plistNode {
	if object < 0 || x.nodes[object].kind != kind {
		return nil
	}
	return &x.nodes[object]
}

func (x *xmlPlist) member(dict int, key string) int {
	d := x.node(dict, plistDict)
	if d == nil {
		return -1
	}
	for i := 0; i+1 < len(d.inside) && i < 2*mostKeys; i += 2 {
		if k := x.node(d.inside[i], plistKey); k != nil && string(x.bytes(k.content)) == key {
			return d.inside[i+1]
		}
	}
	return -1
}

func (x *xmlPlist) elements(array int) []int {
	if a := x.node(array, plistArray); a != nil {
		return a.inside
	}
	return nil
}

func (x *xmlPlist) text(object int) (codec.Span, codec.Codec) {
	if s := x.node(object, plistString); s != nil {
		return s.content, spell.CharData
	}
	return codec.Span{}, nil
}

func (x *xmlPlist) data(object int) (codec.Span, codec.Codec) {
	if d := x.node(object, plistData); d != nil {
		if bytes.IndexByte(x.bytes(d.content), '\n') < 0 {
			return d.content, spell.Base64Line // without newlines, and rewritten without newlines
		}
		return d.content, spell.Base64
	}
	return codec.Span{}, nil
}

func (x *xmlPlist) bytes(s codec.Span) []byte { return x.src[s.Start:s.End] }
