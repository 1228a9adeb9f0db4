// The files beside the documents in the list of --url-map, for --local.

package inputs

import (
	"context"
	"io"
	"os"
	"path"
	"path/filepath"
	"strings"

	"absolink/extract"
)

// Needed returns the files below the folders of the listed documents that they show or link to, except pages that they
// only link to, and lists their URLs. Without inPlace, it leaves out files that have no place in the folder of -o.
func Needed(c Config, r *Retrieval, x extract.Extractor, inPlace bool) (found []Source) {
	folders, seen, hit := map[string]bool{}, map[string]bool{}, ""
	var all []Source
	for _, name := range c.Paths {
		folders[path.Dir(path.Clean(filepath.ToSlash(name)))] = true
		seen[pathKey(name)] = true
		if info, err := os.Stat(name); err == nil && info.Mode().IsRegular() {
			all = append(all, Source{Name: name})
		}
	}
	x.Places = nil // a link that this run does not select leads to the file, too
	x.OnLink = func(l *extract.Link) {
		name, leads := hit, l.Place() == "a@href" || l.Place() == "area@href"
		hit = ""
		src, key := Source{Name: name, Rel: Relative(name), Found: true, needed: true}, pathKey(name)
		if name == "" || seen[key] || src.Rel == "" && !inPlace || leads && isPage(name) {
			return
		}
		found, all, seen[key] = append(found, src), append(all, src), true
		if format := extract.Detect("", name, nil); format == nil || !format.Archive {
			url, _, _ := strings.Cut(string(l.URL), "#")
			r.listed[key] = &listedURL{url: url}
		}
	}
	opener := &Opener{Retrieval: r, Meter: &Meter{}}
	for i := 0; i < len(all); i++ {
		in, d, err := opener.Open(all[i], func(extract.Problem) {})
		d.Local = func(target string) string {
			if !c.isBelow(folders, target) {
				return ""
			}
			hit = target
			return target
		}
		if err == nil && d.MemberURL == nil {
			_, _ = x.Rewrite(context.Background(), io.Discard, d) // the run reports the error
		}
		if in != nil {
			in.Close()
		}
	}
	return found
}

// isBelow reports whether a path is that of a file below one of the folders, which this run would read in a folder.
func (c *Config) isBelow(folders map[string]bool, file string) bool {
	for at := file; ; at = path.Dir(at) {
		info, err := os.Lstat(at)
		if err != nil || at == path.Dir(at) || path.Base(at)[0] == '.' && !c.Hidden ||
			at == file && !info.Mode().IsRegular() || at != file && !info.IsDir() {
			return false
		}
		if folders[path.Dir(at)] {
			return true
		}
	}
}
