package usage

import (
	"fmt"
	"strings"
)

// URLAsPath returns the error for a URL where a verb expects a PATH, with the line that fetches the URL. It returns nil
// for other words.
func URLAsPath(verb, word string) error {
	scheme, rest, ok := strings.Cut(word, "://")
	switch scheme = strings.ToLower(scheme); {
	case !ok || rest == "":
		return nil
	case scheme == "file":
		return fmt.Errorf("%s: absolink reads files by their paths, not by URLs; leave out file://", word)
	case scheme != "http" && scheme != "https" && scheme != "ftp":
		return nil
	}
	url, _, _ := strings.Cut(word, "#") // no request has the fragment
	url = "'" + strings.ReplaceAll(url, "'", `'\''`) + "'"
	flags := "-iLsS"
	if strings.ContainsAny(url, "[]{}") {
		flags += "g" // else curl expands them
	}
	return fmt.Errorf("%s: absolink reads files and never fetches; run: curl %s %s | absolink %s -u %s -", word, flags, url, verb, url)
}
