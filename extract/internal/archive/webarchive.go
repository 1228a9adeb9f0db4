package archive

import (
	"bytes"
	"fmt"
	"sort"

	"absolink/extract/internal/codec"
	"absolink/extract/internal/header"
	"absolink/extract/internal/http"
	"absolink/extract/internal/mark"
)

// Webarchive is the format of pages that Safari saves: a property list, binary or in XML. It has the page, the resources
// that the page has loaded, and its frames, which are archives, too. Each of them has its retrieval URL.
var Webarchive = &mark.Format{
	Name:     "application/x-webarchive",
	Exts:     []string{".webarchive"},
	Extract:  extractWebarchive,
	Holds:    mark.Captures,
	Fragment: true,
}

var resourceURLPlace = &mark.Place{Name: "WebResourceURL"}

// SniffWebarchive reports whether a file begins like a webarchive.
func SniffWebarchive(head []byte) bool {
	return (bytes.HasPrefix(head, []byte(plistMagic)) || bytes.Contains(head, []byte("<plist"))) && bytes.Contains(head, []byte("WebMainResource"))
}

func extractWebarchive(src []byte, m *mark.Marks) {
	a, top := webarchive{marks: m, seen: map[int]bool{}, budget: len(src)}, 0
	if bytes.HasPrefix(src, []byte(plistMagic)) {
		b, problem := readBinaryPlist(src)
		if problem != nil {
			m.Fault(problem.Offset, problem.Code, problem.Detail+"; the archive is not read")
			return
		}
		m.Mends(b.mend)
		a.plist, top = b, b.top
	} else {
		x, problem := readXMLPlist(src)
		if problem != nil {
			m.Fault(problem.Offset, problem.Code, problem.Detail+"; only the complete resources are read")
		}
		a.plist, top = x, x.top()
	}
	a.archive(top, "", 0)
	if len(a.resources) == 0 {
		m.Fault(0, mark.RecordTruncated, "the property list is not a web archive: it has no WebMainResource")
	}
	a.mark()
}

// webarchive finds the resources in a property list. An object may be in many places, even inside itself. So each object
// is read once, and the number of reads is limited to the number of bytes of the file.
type webarchive struct {
	marks     *mark.Marks
	plist     plist
	seen      map[int]bool
	budget    int
	resources []webResource
}

// plist is a property list. An object is named by its number; -1 means no object.
type plist interface {
	member(dict int, key string) int // returns the value of a key
	elements(array int) []int

	// text and data return the span and the codec of an object. The span is empty if the object has another type.
	text(object int) (codec.Span, codec.Codec)
	data(object int) (codec.Span, codec.Codec)
	bytes(codec.Span) []byte
}

// webResource is one document in an archive.
type webResource struct {
	name             string
	data, url        codec.Span
	spelled, urlText codec.Codec
	format           *mark.Format
	charset          string
	unread           bool // its type is unknown
}

// archive finds the resources of an archive, and of the frames in it.
func (a *webarchive) archive(dict int, path string, depth int) {
	if !a.first(dict) {
		return
	}
	if depth > a.marks.Limits.Depth {
		a.marks.Avoidable(0, mark.DepthLimit, mark.MaxDepth, fmt.Sprintf("skipped: the frame is nested more than %d levels deep", a.marks.Limits.Depth))
		return
	}
	a.resource(a.plist.member(dict, "WebMainResource"), path+"WebMainResource")
	for i, object := range a.elements(dict, "WebSubresources") {
		a.resource(object, path+mark.Numbered("WebSubresources", i+1))
	}
	for i, object := range a.elements(dict, "WebSubframeArchives") {
		a.archive(object, path+mark.Numbered("WebSubframeArchives", i+1)+"/", depth+1)
	}
}

// elements returns the elements of an array. The array is the value of a key.
func (a *webarchive) elements(dict int, key string) []int {
	if array := a.plist.member(dict, key); a.first(array) {
		return a.plist.elements(array)
	}
	return nil
}

// first reports whether the object exists and was not read before. It marks the object as read.
func (a *webarchive) first(object int) bool {
	if a.budget--; object < 0 || a.budget < 0 || a.seen[object] {
		return false
	}
	a.seen[object] = true
	return true
}

// resource adds the resource that a dictionary describes.
func (a *webarchive) resource(dict int, name string) {
	if !a.first(dict) {
		return
	}
	r := webResource{name: name}
	r.data, r.spelled = a.plist.data(a.plist.member(dict, "WebResourceData"))
	if r.data.Len() == 0 {
		return
	}
	r.url, r.urlText = a.plist.text(a.plist.member(dict, "WebResourceURL"))
	mediaType, _ := header.ContentType(a.string(dict, "WebResourceMIMEType"))
	format, wanted := http.FormatOf(a.marks.FormatOf, mediaType)
	r.format, r.unread = format, !wanted
	r.charset = string(a.string(dict, "WebResourceTextEncodingName"))
	a.resources = append(a.resources, r)
}

// longestName is the number of bytes that are read of a media type or the name of a charset. Many resources may share one
// long object, which would be decoded for each of them.
const longestName = 256

// string returns the text of a string. The string is the value of a key. It returns nil if there is no such string.
func (a *webarchive) string(dict int, key string) []byte {
	span, spelled := a.plist.text(a.plist.member(dict, key))
	if span.Len() == 0 {
		return nil
	}
	span.End = min(span.End, span.Start+longestName)
	text, _ := spelled.Decode(a.plist.bytes(span))
	return text
}

// mark marks the resources in the order of the bytes. Resources with equal data may share one object. If they have
// different URLs, a link in the data has two bases. If one of the resources is an image, an edit would damage the image.
// In both cases the data is not read.
func (a *webarchive) mark() {
	sort.SliceStable(a.resources, func(i, j int) bool { return a.resources[i].data.Start < a.resources[j].data.Start })
	for i := 0; i < len(a.resources); {
		r, n, same, read := &a.resources[i], i+1, true, !a.resources[i].unread
		for end := r.data.End; n < len(a.resources) && a.resources[n].data.Start < end; n++ {
			next := &a.resources[n]
			same = same && next.data == r.data && next.unread == r.unread && bytes.Equal(a.plist.bytes(next.url), a.plist.bytes(r.url))
			read = read || !next.unread
			end = max(end, next.data.End)
		}
		i = n
		if !same && read {
			a.marks.Fault(r.data.Start, mark.RewriteRefused, r.name+" shares its data with a resource that has another URL or type; neither is read")
		}
		if !same || !read {
			continue
		}
		scope := a.marks.Retrieved(resourceURLPlace, r.url, r.urlText)
		a.marks.Part(scope, &mark.Place{Name: r.name}, r.data.Start, r.data.End, r.spelled, r.format, mark.Part{Charset: r.charset})
	}
}
