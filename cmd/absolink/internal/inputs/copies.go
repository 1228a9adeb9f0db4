// Files of folders that are no documents: copies, for -i, and what HTTrack and wget keep for themselves.

package inputs

import (
	"bytes"
	"io"
	"io/fs"
	"os"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/text/encoding/htmlindex"

	"absolink/cmd/absolink/internal/files"
	"absolink/extract"
)

// Skipped counts files of folders that are not read for one reason.
type Skipped struct {
	N     int
	First string
}

func (s *Skipped) add(name string) {
	if s.N++; s.N == 1 {
		s.First = name
	}
}

// variant matches a part of a name after which a file is still a document: a number, as wget writes it, or a language
// or a charset, as httpd negotiates them. bak and old are languages, too, so only those of two letters are taken.
var variant = regexp.MustCompile(`^([0-9]*|[a-z]{2}([-_]([a-z]{2}|[0-9]{3}))?` +
	`|(iso|utf|ucs|cp|win|koi)-?[0-9][0-9a-z-]*|euc-[a-z]{2}|s?jis)$`)

// otherExts are the extensions of compressed files, and of documents that only their content tells.
const otherExts = " gz tgz bz2 tbz2 zst xz br php asp aspx jsp cgi cfm json "

// IsCopySuffix reports whether a file NAME with the suffix, beside a file NAME, is a copy of it, which -i leaves alone.
// Other suffixes are those of documents: index.html.de, index.html.1 and page.html.md are not copies.
func IsCopySuffix(suffix string) bool {
	x, dotted := strings.CutPrefix(strings.ToLower(suffix), ".")
	if !dotted || strings.Contains(x, "?") || extract.Detect("", suffix, nil) != nil {
		return suffix == "~"
	}
	parts := strings.Split(x, ".")
	isOther := func(part string) bool {
		_, err := htmlindex.Get(part)
		return err != nil && !variant.MatchString(part)
	}
	return !strings.Contains(otherExts, " "+parts[len(parts)-1]+" ") && slices.ContainsFunc(parts, isOther)
}

// isCopy reports whether a file is a copy of another file in its folder. A pattern of --glob that ends in the suffix
// asks for it, unless this run writes such copies.
func (f *folders) isCopy(path string) bool {
	for i := len(path) - 1; i > 0 && !os.IsPathSeparator(path[i-1]); i-- {
		suffix := path[i:]
		if suffix != "~" && suffix[0] != '.' || !IsCopySuffix(suffix) {
			continue
		}
		if of, err := os.Lstat(path[:i]); err == nil && !of.IsDir() {
			asks := func(pattern string) bool { return strings.HasSuffix(pattern, suffix) }
			return suffix == f.Kept || !slices.ContainsFunc(f.Globs.with, asks)
		}
	}
	return false
}

// NoDocument is the Kind of hidden files, and of those that HTTrack and wget keep for themselves. No format has this
// media type.
const NoDocument = "application/octet-stream"

var toolNames = regexp.MustCompile(`^(hts-cache/|hts-log\.txt|hts-[^/]*\.lock|wget-log[^/]*)$`)

// ofTool recognizes a file or folder that HTTrack or wget keeps for itself, at the root of a mirror or beside an index
// made by HTTrack.
func (f *folders) ofTool(path, rel, name string, mode fs.FileMode) bool {
	if mode.IsDir() {
		name += "/"
	}
	if known := toolNames.MatchString(name); !known || rel == "" && f.Mirror {
		return known
	}
	index, err := files.OpenRegular(files.Join(path, "index.html"))
	if err != nil {
		return false
	}
	defer index.Close()
	head, _ := io.ReadAll(io.LimitReader(index, 4<<10))
	return bytes.Contains(head, []byte("HTTrack Website Copier"))
}
