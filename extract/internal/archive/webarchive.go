package archive

import (
	"bytes"
	"sort"

	"absolink/extract/internal/codec"
	"absolink/extract/internal/header"
	"absolink/extract/internal/mark"
)

// Webarchive is a page as Safari saves it: a property list, binary or XML, with the page,
// what it has loaded, and its frames, which are archives again. Each has the URL that it was
// retrieved from.
var Webarchive = &mark.Format{
	Name:     "application/x-webarchive",
	Exts:     []string{".webarchive"},
	Extract:  extractWebarchive,
	Holds:    mark.Captures,
	Fragment: true,
}

var resourceURLPlace = &mark.Place{Name: "WebResourceURL"}

func SniffWebarchive(head []byte) bool {
	return (bytes.HasPrefix(head, []byte(plistMagic)) || bytes.Contains(head, []byte("<plist"))) && bytes.Contains(head, []byte("WebMainResource"))
}

func extractWebarchive(src []byte, f *mark.Marks) {
	a, top := webarchive{f: f, seen: map[int]bool{}, budget: len(src)}, 0
	if bytes.HasPrefix(src, []byte(plistMagic)) {
		b, problem := readBinaryPlist(src)
		if problem != nil {
			f.Fault(problem.Offset, problem.Code, problem.Detail+"; the archive is left as it is")
			return
		}
		f.Mends(b.mend)
		a.plist, top = b, b.top
	} else {
		x, problem := readXMLPlist(src)
		if problem != nil {
			f.Fault(problem.Offset, problem.Code, problem.Detail+"; what is whole is read")
		}
		a.plist, top = x, x.top()
	}
	a.archive(top, "", 0)
	if len(a.resources) == 0 {
		f.Fault(0, mark.RecordTruncated, "there is no WebMainResource, as a web archive has it")
	}
	a.mark()
}

// webarchive is what is found in a property list. An object in it may stand in many places,
// in itself too: each is looked at once, and no more of them than the file is long.
type webarchive struct {
	f         *mark.Marks
	plist     plist
	seen      map[int]bool
	budget    int
	resources []webResource
}

// plist is a property list: objects by their numbers, -1 for none.
type plist interface {
	// member gives the value of a key.
	member(dict int, key string) int
	elements(array int) []int
	// text and data give what an object spells, and how; an empty span for an object of
	// another type.
	text(object int) (codec.Span, codec.Codec)
	data(object int) (codec.Span, codec.Codec)
	bytes(codec.Span) []byte
}

// webResource is one thing that was loaded.
type webResource struct {
	name             string
	data, url        codec.Span
	spelled, urlText codec.Codec
	format           *mark.Format
	charset          string
	unread           bool // its type is not known
}

func (a *webarchive) archive(dict int, path string, depth int) {
	if !a.first(dict) {
		return
	}
	if depth > a.f.Limits.Depth {
		a.f.Fault(0, mark.DepthLimit, "frames within frames beyond the limit; what is deeper is left as it is")
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

// elements gives those of the array that a key has.
func (a *webarchive) elements(dict int, key string) []int {
	if array := a.plist.member(dict, key); a.first(array) {
		return a.plist.elements(array)
	}
	return nil
}

// first says whether an object is there, and was not looked at yet.
func (a *webarchive) first(object int) bool {
	if a.budget--; object < 0 || a.budget < 0 || a.seen[object] {
		return false
	}
	a.seen[object] = true
	return true
}

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
	r.format = a.f.FormatOf(mediaType)
	r.unread = r.format == nil && mediaType != ""
	r.charset = string(a.string(dict, "WebResourceTextEncodingName"))
	a.resources = append(a.resources, r)
}

// longestName is how much is read of a media type or the name of a charset: many resources may
// share one.
const longestName = 256

// string is the text of a member, which is a name; nil without one.
func (a *webarchive) string(dict int, key string) []byte {
	span, spelled := a.plist.text(a.plist.member(dict, key))
	if span.Len() == 0 {
		return nil
	}
	span.End = min(span.End, span.Start+longestName)
	text, _ := spelled.Decode(a.plist.bytes(span))
	return text
}

// mark marks the resources in the order of the bytes. Writers keep equal data once: where it
// is from two URLs its links would be two, and where it is an image as well it would break
// that, so it is left as it is.
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
			a.f.Fault(r.data.Start, mark.RewriteRefused, r.name+" shares its bytes with another resource; both are left as they are")
		}
		if !same || !read {
			continue
		}
		scope := a.f.Retrieved(resourceURLPlace, r.url, r.urlText)
		a.f.Part(scope, &mark.Place{Name: r.name}, r.data.Start, r.data.End, r.spelled, r.format, mark.Part{Charset: r.charset})
	}
}
