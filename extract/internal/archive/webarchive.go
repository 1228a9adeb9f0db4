package archive

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"slices"
	"sort"

	"absolink/extract/internal/codec"
	"absolink/extract/internal/codec/charsets"
	"absolink/extract/internal/codec/spell"
	"absolink/extract/internal/header"
	"absolink/extract/internal/http"
	"absolink/extract/internal/mark"
)

// Webarchive is the format of pages that Safari saves: a property list, binary or in XML. It has the page, the
// resources that the page has loaded, and its frames, which are archives themselves. Each has its retrieval URL. A
// library for property lists would not help: it returns values without their places in the file, and writes another
// file.
var Webarchive = &mark.Format{
	Name:     "application/x-webarchive",
	Exts:     []string{".webarchive"},
	Mark:     extractWebarchive,
	Holds:    mark.Captures,
	Fragment: true,
}

var resourceURLPlace = &mark.Place{Name: "WebResourceURL"}

// SniffWebarchive reports whether a file begins like a webarchive.
func SniffWebarchive(head []byte) bool {
	return (bytes.HasPrefix(head, []byte(plistMagic)) || bytes.Contains(head, []byte("<plist"))) &&
		bytes.Contains(head, []byte("WebMainResource"))
}

func extractWebarchive(src []byte, m *mark.Marks) {
	a := webarchive{src: src, marks: m, seen: map[int]bool{}, budget: len(src)}
	if bytes.HasPrefix(src, []byte(plistMagic)) {
		b, ok := readBinaryPlist(src)
		if !ok {
			m.Fault(max(0, len(src)-plistTrailer), mark.RecordTruncated,
				"the trailer of the property list is missing or damaged; the archive is not read")
			return
		}
		m.Mends(func(_ []byte, edits []codec.Edit) []codec.Edit { return b.mend(edits, a.resources) })
		a.plist = b
		a.archive(b.top, "", 0)
	} else {
		x, fault := readXMLPlist(src)
		if fault != nil {
			m.Fault(fault.Offset, fault.Code, fault.Detail+"; only the complete resources are read")
		}
		if a.plist = x; len(x.nodes) > 0 && len(x.within[0]) > 0 { // in the element plist
			a.archive(x.within[0][0], "", 0)
		}
	}
	if len(a.resources) == 0 {
		m.Fault(0, mark.RecordTruncated, "the property list is not a web archive: it has no WebMainResource")
	}
	a.mark()
}

// plist is a property list. An object is named by its number, or by -1 if there is none.
type plist interface {
	node(object int) plistNode
	inside(object int) []int // the elements of an array, or each key of a dict followed by its value
}

// plistNode is an object of a property list. Its kind is 0 if no archive needs it.
type plistNode struct {
	kind    byte
	content codec.Span // empty for a text that is not read
	spelled codec.Codec
}

// The kinds of objects are the markers of the binary form.
const plistInt, plistData, plistString, plistUTF16, plistArray, plistDict = 0x1, 0x4, 0x5, 0x6, 0xA, 0xD

// webarchive finds the resources in a property list. An object may be in many places, even inside itself, so each
// object is read only once, and the number of reads is limited to the number of bytes of the file.
type webarchive struct {
	src       []byte
	marks     *mark.Marks
	plist     plist
	seen      map[int]bool
	budget    int
	resources []webResource
}

type webResource struct {
	name      string
	object    int // data
	data, url plistNode
	format    *mark.Format
	charset   string
	unread    bool // its type is unknown
}

// archive finds the resources of an archive, and of the frames in it.
func (a *webarchive) archive(dict int, path string, depth int) {
	if !a.first(dict) {
		return
	}
	if depth > a.marks.MaxDepth {
		a.marks.Avoidable(0, mark.DepthLimit, mark.MaxDepth,
			fmt.Sprintf("skipped: the frame is nested more than %d levels deep", a.marks.MaxDepth))
		return
	}
	a.resource(a.value(dict, "WebMainResource"), path+"WebMainResource")
	for i, object := range a.elements(dict, "WebSubresources") {
		a.resource(object, path+mark.Numbered("WebSubresources", i+1))
	}
	for i, object := range a.elements(dict, "WebSubframeArchives") {
		a.archive(object, path+mark.Numbered("WebSubframeArchives", i+1)+"/", depth+1)
	}
}

// first reports whether the object exists and was not read before.
func (a *webarchive) first(object int) bool {
	if a.budget--; object < 0 || a.budget < 0 || a.seen[object] {
		return false
	}
	a.seen[object] = true
	return true
}

// value returns the value of a key of a dict, or -1.
func (a *webarchive) value(dict int, key string) int {
	if a.plist.node(dict).kind != plistDict {
		return -1
	}
	inside := a.plist.inside(dict)
	for i := 0; i+1 < len(inside); i += 2 {
		if at := a.plist.node(inside[i]).content; string(a.src[at.Start:at.End]) == key {
			return inside[i+1]
		}
	}
	return -1
}

// elements returns the array that is the value of a key.
func (a *webarchive) elements(dict int, key string) []int {
	if array := a.value(dict, key); a.first(array) && a.plist.node(array).kind == plistArray {
		return a.plist.inside(array)
	}
	return nil
}

func (a *webarchive) resource(dict int, name string) {
	if !a.first(dict) {
		return
	}
	object := a.value(dict, "WebResourceData")
	data, url := a.plist.node(object), a.plist.node(a.value(dict, "WebResourceURL"))
	if data.kind != plistData || data.content.Len() == 0 {
		return
	}
	if url.kind != plistString {
		url = plistNode{}
	}
	mediaType, _ := header.ContentType(a.string(dict, "WebResourceMIMEType"))
	format, wanted := http.FormatOf(a.marks.FormatOf, mediaType)
	a.resources = append(a.resources, webResource{name, object, data, url, format,
		string(a.string(dict, "WebResourceTextEncodingName")), !wanted})
}

// longestName is the number of bytes that are read of a media type or a charset's name. Many resources may share one
// long object, which would be decoded for each of them.
const longestName = 256

// string returns the string that is the value of a key, or nil.
func (a *webarchive) string(dict int, key string) []byte {
	n := a.plist.node(a.value(dict, key))
	if n.kind != plistString {
		return nil
	}
	text, _ := n.spelled.Decode(a.src[n.content.Start:min(n.content.End, n.content.Start+longestName)])
	return text
}

// mark marks the resources, and keeps only the marked ones, in the order of the bytes. In a binary list, resources with
// equal data share one object. Such data is not read if the resources have different URLs, because its links would have
// two bases, or if one of them is an image, which an edit would damage.
func (a *webarchive) mark() {
	all := a.resources
	slices.SortStableFunc(all, func(r, q webResource) int { return r.data.content.Start - q.data.content.Start })
	a.resources = nil
	for i := 0; i < len(all); {
		r, same, read := all[i], true, !all[i].unread
		data, url := r.data.content, string(a.src[r.url.content.Start:r.url.content.End])
		for end := data.End; i < len(all) && all[i].data.content.Start < end; i++ {
			q := &all[i]
			same = same && q.data.content == data && q.unread == r.unread &&
				string(a.src[q.url.content.Start:q.url.content.End]) == url
			read = read || !q.unread
			end = max(end, q.data.content.End)
		}
		switch {
		case read && same:
			scope := a.marks.Retrieved(resourceURLPlace, r.url.content, r.url.spelled)
			a.marks.Part(scope, &mark.Place{Name: r.name}, data.Start, data.End, r.data.spelled, r.format,
				mark.Part{Charset: r.charset})
			a.resources = append(a.resources, r)
		case read:
			a.marks.Fault(data.Start, mark.RewriteRefused,
				r.name+" shares its data with a resource that has another URL or type; neither is read")
		}
	}
}

// xmlPlist is a property list in XML (the DTD PropertyList-1.0): its elements, in the order of their start tags.
type xmlPlist struct {
	nodes  []plistNode
	within [][]int // the elements in each
}

var xmlKinds = map[string]byte{"dict": plistDict, "array": plistArray, "key": plistString, "string": plistString,
	"data": plistData}

// mostNodes limits the number of elements of a property list. A document in an archive needs about ten.
const mostNodes = 1 << 20

// readXMLPlist returns the elements of a property list, up to the fault if there is one. It relies on what programs
// write: each tag has its counterpart, and no comment has a tag in it.
func readXMLPlist(src []byte) (x xmlPlist, fault *mark.Fault) {
	var open []int // elements, the innermost last
	for p := 0; ; {
		i := bytes.IndexByte(src[p:], '<')
		if i < 0 {
			break
		}
		start := p + i
		n := bytes.IndexByte(src[start:], '>')
		if n < 0 {
			return x, &mark.Fault{Offset: start, Code: mark.RecordTruncated,
				Detail: "the property list ends inside a tag"}
		}
		p = start + n + 1
		tag := src[start+1 : p-1]
		last := len(open) - 1
		switch {
		case len(tag) == 0 || tag[0] == '!' || tag[0] == '?' || tag[0] == '/' && last < 0:
		case tag[0] == '/':
			x.nodes[open[last]].close(src, start)
			open = open[:last]
		case len(x.nodes) == mostNodes:
			return x, &mark.Fault{Offset: start, Code: mark.SizeLimit,
				Detail: fmt.Sprintf("the property list has more than %d elements", mostNodes)}
		default:
			if last >= 0 {
				x.within[open[last]] = append(x.within[open[last]], len(x.nodes))
			}
			if tag[len(tag)-1] != '/' {
				open = append(open, len(x.nodes))
			}
			name, _, _ := bytes.Cut(bytes.TrimRight(tag, "/"), []byte(" "))
			x.nodes = append(x.nodes, plistNode{xmlKinds[string(name)], codec.Span{Start: p, End: p}, codec.Identity})
			x.within = append(x.within, nil)
		}
	}
	if len(open) > 0 {
		return x, &mark.Fault{Offset: len(src), Code: mark.RecordTruncated,
			Detail: "the property list ends before the last end tag"}
	}
	return x, nil
}

// close sets the content of an element, whose end tag is at end. No program writes a tag or a CDATA section in a text.
func (n *plistNode) close(src []byte, end int) {
	content := src[n.content.Start:end]
	switch isText := bytes.IndexByte(content, '<') < 0; {
	case isText && n.kind == plistString:
		n.content.End, n.spelled = end, spell.CharData
	case isText && n.kind == plistData && bytes.IndexByte(content, '\n') < 0:
		n.content.End, n.spelled = end, spell.Base64Line // rewritten without newlines
	case isText && n.kind == plistData:
		n.content.End, n.spelled = end, spell.Base64
	}
}

func (x xmlPlist) node(object int) plistNode {
	if object < 0 {
		return plistNode{}
	}
	return x.nodes[object]
}

func (x xmlPlist) inside(object int) []int { return x.within[object] }

// plistMagic begins a binary property list, and is followed by the version. The comments of CFBinaryPList.c describe
// the format:
//
//	bplist00 | object | object | object ... | table | trailer
//
//	object   a marker with the type and the length; then bytes, or the numbers of other objects
//	table    the offset of each object
//	trailer  32 bytes: the sizes of an offset and of a number, the count of objects, the number of the top object,
//	         the offset of the table
const (
	plistMagic   = "bplist0"
	plistTrailer = 32

	// mostKeys limits the search in a dict. The dicts of a web archive have fewer keys.
	mostKeys = 64

	plistLong = 0xF // the length of an object whose length is in an integer after the marker
)

type binaryPlist struct {
	src                 []byte
	offsetSize, refSize int
	count, top, table   int
}

// readBinaryPlist reads the trailer of a property list.
func readBinaryPlist(src []byte) (b *binaryPlist, ok bool) {
	room := len(src) - plistTrailer
	if room < len(plistMagic)+1 {
		return nil, false
	}
	t := src[room:]
	offsetSize, refSize := uint64(t[6]), uint64(t[7])
	count, top, table := bigEndian(t[8:16]), bigEndian(t[16:24]), bigEndian(t[24:32])
	if offsetSize-1 > 7 || refSize-1 > 7 || table > uint64(room) || count > (uint64(room)-table)/offsetSize {
		return nil, false
	}
	return &binaryPlist{src, int(offsetSize), int(refSize), int(count), int(top), int(table)}, true
}

// bigEndian returns the big-endian number in b, which has at most 8 bytes.
func bigEndian(b []byte) (n uint64) {
	for _, c := range b {
		n = n<<8 | uint64(c)
	}
	return n
}

func (b *binaryPlist) offset(object int) uint64 {
	return bigEndian(b.src[b.table+object*b.offsetSize:][:b.offsetSize])
}

func (b *binaryPlist) node(object int) plistNode {
	if object < 0 || object >= b.count {
		return plistNode{}
	}
	at, objects := b.offset(object), b.src[:b.table]
	if at < uint64(len(plistMagic)+1) || at >= uint64(b.table) {
		return plistNode{}
	}
	n := plistNode{kind: objects[at] >> 4, spelled: codec.Identity}
	length, start := uint64(objects[at]&0xF), int(at)+1
	if length == plistLong {
		if start == len(objects) || objects[start]>>4 != plistInt || objects[start]&0xF > 3 {
			return plistNode{}
		}
		size := 1 << (objects[start] & 0xF)
		if start++; size > len(objects)-start {
			return plistNode{}
		}
		length = bigEndian(objects[start : start+size])
		start += size
	}
	size := 1
	switch n.kind {
	case plistUTF16:
		n.kind, size = plistString, 2
		n.spelled, _, _ = charsets.Of("utf-16be")
	case plistArray:
		size = b.refSize
	case plistDict:
		size = 2 * b.refSize
	}
	if length > uint64((len(objects)-start)/size) {
		return plistNode{}
	}
	n.content = codec.Span{Start: start, End: start + int(length)*size}
	return n
}

func (b *binaryPlist) inside(object int) (all []int) {
	n := b.node(object)
	count, keys := n.content.Len()/b.refSize, 1
	if n.kind == plistDict {
		if count > 2*mostKeys {
			return nil
		}
		keys = 2 // all keys are before the values
	}
	for i := range count {
		at := n.content.Start + (i/keys+i%keys*count/2)*b.refSize
		all = append(all, int(bigEndian(b.src[at:at+b.refSize])))
	}
	return all
}

// mend updates the lengths of the resources that change, the table of offsets, and the trailer.
func (b *binaryPlist) mend(edits []codec.Edit, resources []webResource) (out []codec.Edit) {
	for _, r := range resources {
		if grown := mark.Growth(edits, r.data.content); grown != 0 {
			head := codec.Span{Start: int(b.offset(r.object)), End: r.data.content.Start}
			kind, length := b.src[head.Start]>>4, uint64(r.data.content.Len()+grown)
			if kind == plistUTF16 {
				length /= 2
			}
			out = append(out, codec.Edit{Span: head, New: plistHead(kind, length)})
		}
	}
	all := append(slices.Clone(edits), out...)
	codec.SortEdits(all)
	moves := make([]int, len(all)+1) // by how many bytes the text after each edit moves
	for i, e := range all {
		moves[i+1] = moves[i] + len(e.New) - e.Len()
	}
	moved := func(at uint64) uint64 {
		return at + uint64(moves[sort.Search(len(all), func(i int) bool { return uint64(all[i].End) > at })])
	}

	table, size := moved(uint64(b.table)), b.offsetSize
	for table>>(8*size) > 0 {
		size++
	}
	var offsets []byte
	for i := range b.count {
		offsets = appendBigEndian(offsets, moved(b.offset(i)), size)
	}
	trailer := len(b.src) - plistTrailer
	out = append(out, codec.Edit{Span: codec.Span{Start: b.table, End: b.table + b.count*b.offsetSize}, New: offsets})
	out = mark.Changed(out, b.src, trailer+6, []byte{byte(size)})
	return mark.Changed(out, b.src, trailer+24, appendBigEndian(nil, table, 8))
}

// plistHead returns the marker of an object, with its length.
func plistHead(kind byte, length uint64) []byte {
	if length < plistLong {
		return []byte{kind<<4 | byte(length)}
	}
	log := 0
	for length>>(8<<log) > 0 {
		log++
	}
	return appendBigEndian([]byte{kind<<4 | plistLong, plistInt<<4 | byte(log)}, length, 1<<log)
}

// appendBigEndian appends a number in size bytes.
func appendBigEndian(dst []byte, n uint64, size int) []byte {
	return append(dst, binary.BigEndian.AppendUint64(nil, n)[8-size:]...)
}
