package archive

import (
	"bytes"

	"absolink/extract/internal/ascii"
	"absolink/extract/internal/codec"
	"absolink/extract/internal/mark"
)

// xmlPlist is a property list in XML (the DTD PropertyList-1.0), as a tree of those elements
// that a web archive has.
type xmlPlist struct {
	src   []byte
	nodes []plistNode
}

// plistNode is one element: of a dict the keys and values in turn, of an array the values.
type plistNode struct {
	kind    plistKind
	content codec.Span // of a key, string or data
	inside  []int
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

// plistKinds are the kinds by the names of elements.
var plistKinds = map[string]plistKind{"dict": plistDict, "array": plistArray, "key": plistKey, "string": plistString, "data": plistData}

// mostNodes bounds what is kept of a property list. Each thing in an archive has some ten.
const mostNodes = 1 << 20

// readXMLPlist reads what there is, with what is wrong with the rest.
func readXMLPlist(src []byte) (*xmlPlist, *mark.Fault) {
	x := &xmlPlist{src: src}
	var open []int
	add := func(n plistNode) {
		if len(open) > 0 {
			outer := &x.nodes[open[len(open)-1]]
			outer.inside = append(outer.inside, len(x.nodes))
		}
		x.nodes = append(x.nodes, n)
	}
	for p := 0; ; {
		i := bytes.IndexByte(src[p:], '<')
		if i < 0 {
			break
		}
		start := p + i
		p = start + 1
		if bytes.HasPrefix(src[p:], []byte("!--")) {
			end := bytes.Index(src[p:], []byte("-->"))
			if end < 0 {
				return x, &mark.Fault{Offset: start, Code: mark.RecordTruncated, Detail: "a comment of the property list has no end"}
			}
			p += end
			continue
		}
		end := bytes.IndexByte(src[p:], '>')
		if end < 0 {
			return x, &mark.Fault{Offset: start, Code: mark.RecordTruncated, Detail: "the property list ends inside a tag"}
		}
		tag := src[p : p+end]
		p += end + 1
		name := tag
		for i, c := range tag {
			if ascii.IsSpace(c) || c == '/' && i > 0 {
				name = tag[:i]
				break
			}
		}
		empty := len(tag) > 0 && tag[len(tag)-1] == '/'
		kind := plistKinds[string(name)]
		switch {
		case string(name) == "/dict" || string(name) == "/array":
			if len(open) > 0 {
				open = open[:len(open)-1]
			}
		case kind == plistOther && (len(name) == 0 || name[0] == '/' || name[0] == '!' || name[0] == '?' || string(name) == "plist"):
		case len(x.nodes) == mostNodes:
			return x, &mark.Fault{Offset: start, Code: mark.SizeLimit, Detail: "the property list has too many elements"}
		case empty:
			add(plistNode{kind: kind})
		case kind == plistDict || kind == plistArray:
			add(plistNode{kind: kind})
			open = append(open, len(x.nodes)-1)
		default:
			end := bytes.IndexByte(src[p:], '<')
			if end < 0 {
				return x, &mark.Fault{Offset: start, Code: mark.RecordTruncated, Detail: "the property list ends inside an element"}
			}
			if !bytes.HasPrefix(src[p+end:], []byte("</")) {
				kind = plistOther // a CDATA section, which no writer makes
			}
			add(plistNode{kind: kind, content: codec.Span{Start: p, End: p + end}})
			p += end
		}
	}
	if len(open) > 0 {
		return x, &mark.Fault{Offset: len(src), Code: mark.RecordTruncated, Detail: "the property list has elements without end"}
	}
	return x, nil
}

// top is the outermost element.
func (x *xmlPlist) top() int { return min(0, len(x.nodes)-1) }

// node gives an object of a kind; nil if it is of another.
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
		return s.content, codec.CharData
	}
	return codec.Span{}, nil
}

func (x *xmlPlist) data(object int) (codec.Span, codec.Codec) {
	if d := x.node(object, plistData); d != nil {
		if bytes.IndexByte(x.bytes(d.content), '\n') < 0 {
			return d.content, codec.Base64Line // as it was
		}
		return d.content, codec.Base64
	}
	return codec.Span{}, nil
}

func (x *xmlPlist) bytes(s codec.Span) []byte { return x.src[s.Start:s.End] }
