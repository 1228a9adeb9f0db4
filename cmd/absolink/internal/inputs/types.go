// Media types as the values of flags.

package inputs

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"absolink/extract"
)

// Type is the value of --type: a media type.
type Type string

// Set also accepts a short name.
func (t *Type) Set(s string) error {
	s = longType(s)
	if extract.FormatOf(s) == nil {
		return noSuchType(s)
	}
	*t = Type(s)
	return nil
}

func (*Type) Names() []string { return typeNames() }

func (t *Type) String() string { return string(*t) }

func (*Type) Type() string { return "MEDIATYPE" }

// Types is the value of --only: media types, or groups like text/*.
type Types []string

// Set adds media types, groups like text/*, and short names, separated by commas.
func (t *Types) Set(list string) error {
	for s := range strings.SplitSeq(list, ",") {
		s = longType(strings.TrimSpace(s))
		if f := extract.FormatOf(s); f != nil {
			s = f.Name
		}
		asked := Types{s}
		if !slices.ContainsFunc(extract.Formats(), func(f *extract.Format) bool { return asked.Has(f.Name) }) {
			return noSuchType(s)
		}
		*t = append(*t, s)
	}
	return nil
}

// Has reports whether a media type is one of the types or in one of the groups.
func (t Types) Has(mediaType string) bool {
	return slices.ContainsFunc(t, func(asked string) bool {
		all, ok := strings.CutSuffix(asked, "*")
		return asked == mediaType ||
			ok && strings.HasSuffix(all, "/") && len(mediaType) > len(all) &&
				strings.EqualFold(mediaType[:len(all)], all)
	})
}

func (*Types) Names() []string { return typeNames() }

func (t *Types) String() string { return strings.Join(*t, ",") }

func (t *Types) Type() string { return "TYPE,..." }

// shortNames are in the order of the help. Each format of package extract has one or more.
var shortNames = []struct{ name, mediaType string }{
	{"html", "text/html"}, {"xhtml", "application/xhtml+xml"}, {"xml", "application/xml"}, {"svg", "image/svg+xml"},
	{"atom", "application/atom+xml"}, {"rss", "application/rss+xml"}, {"rdf", "application/rdf+xml"},
	{"jsonfeed", "application/feed+json"}, {"css", "text/css"},
	{"markdown", "text/markdown"}, {"md", "text/markdown"}, {"text", "text/plain"}, {"url", "application/x-mswinurl"},
	{"webloc", "application/x-webloc"}, {"mail", "message/rfc822"}, {"eml", "message/rfc822"},
	{"mhtml", "multipart/related"}, {"emlx", "message/x-emlx"}, {"mbox", "application/mbox"}, {"http", "message/http"},
	{"warc", "application/warc"},
	{"arc", "application/x-internet-archive"}, {"har", "application/har+json"},
	{"webarchive", "application/x-webarchive"},
	{"enex", "application/enex+xml"}, {"wacz", "application/wacz"},
	{"zip", "application/zip"}, {"epub", "application/epub+zip"},
	{"tar", "application/x-tar"}, {"gzip", "application/gzip"}, {"zstd", "application/zstd"},
	{"bzip2", "application/bzip2"},
}

// longType returns the media type of a short name, in any case, with the parameters of s. It returns s if it is no
// short name.
func longType(s string) string {
	name, parameters, _ := strings.Cut(s, ";")
	for _, short := range shortNames {
		if strings.EqualFold(short.name, strings.TrimSpace(name)) {
			if parameters != "" {
				return short.mediaType + ";" + parameters
			}
			return short.mediaType
		}
	}
	return s
}

func ShortNames(f *extract.Format) (names []string) {
	for _, short := range shortNames {
		if extract.FormatOf(short.mediaType) == f {
			names = append(names, short.name)
		}
	}
	return names
}

// Formats returns the formats in the order of their short names.
func Formats() (all []*extract.Format) {
	for _, short := range shortNames {
		if f := extract.FormatOf(short.mediaType); !slices.Contains(all, f) {
			all = append(all, f)
		}
	}
	return all
}

func typeNames() (names []string) {
	for _, short := range shortNames {
		names = append(names, short.name)
	}
	var long []string
	for _, f := range extract.Formats() {
		long = append(long, f.Name)
	}
	slices.Sort(long)
	return append(names, long...)
}

// noSuchType is the error for a type that absolink does not read.
func noSuchType(s string) error {
	const others = " pdf doc docx odt rtf xls xlsx ods ppt pptx msg pst 7z rar "
	if name := s[strings.LastIndexByte(s, '/')+1:]; strings.Contains(others, " "+strings.ToLower(name)+" ") {
		return fmt.Errorf("%s is not read; absolink help formats lists the types that are", strings.ToUpper(name))
	}
	if s == "" {
		return errors.New("there is a comma too many; leave it out")
	}
	return errors.New("absolink does not read this type; use a media type such as text/html, or one of " +
		strings.Join(typeNames()[:len(shortNames)], ", "))
}
