package resolve

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A row is a reference and its URL.
type row struct{ ref, want string }

// rfcBase is the base of the examples in RFC 3986, 5.4. RFC 1808, 5 has the same base with the fragment "#f".
const rfcBase = "http://a/b/c/d;p?q"

var rfc1808Normal = []row{
	{"g:h", "g:h"},
	{"g", "http://a/b/c/g"},
	{"./g", "http://a/b/c/g"},
	{"g/", "http://a/b/c/g/"},
	{"/g", "http://a/g"},
	{"//g", "http://g"},
	{"?y", "http://a/b/c/d;p?y"},
	{"g?y", "http://a/b/c/g?y"},
	{"g?y/./x", "http://a/b/c/g?y/./x"},
	{"#s", "http://a/b/c/d;p?q#s"},
	{"g#s", "http://a/b/c/g#s"},
	{"g#s/./x", "http://a/b/c/g#s/./x"},
	{"g?y#s", "http://a/b/c/g?y#s"},
	{";x", "http://a/b/c/d;x"},
	{"g;x", "http://a/b/c/g;x"},
	{"g;x?y#s", "http://a/b/c/g;x?y#s"},
	{".", "http://a/b/c/"},
	{"./", "http://a/b/c/"},
	{"..", "http://a/b/"},
	{"../", "http://a/b/"},
	{"../g", "http://a/b/g"},
	{"../..", "http://a/"},
	{"../../", "http://a/"},
	{"../../g", "http://a/g"},
}

var rfc1808Abnormal = []row{
	{"", "http://a/b/c/d;p?q#f"},
	{"../../../g", "http://a/../g"},
	{"../../../../g", "http://a/../../g"},
	{"/./g", "http://a/./g"},
	{"/../g", "http://a/../g"},
	{"g.", "http://a/b/c/g."},
	{".g", "http://a/b/c/.g"},
	{"g..", "http://a/b/c/g.."},
	{"..g", "http://a/b/c/..g"},
	{"./../g", "http://a/b/g"},
	{"./g/.", "http://a/b/c/g/"},
	{"g/./h", "http://a/b/c/g/h"},
	{"g/../h", "http://a/b/c/h"},
	{"http:g", "http:g"},
	{"http:", "http:"},
}

var rfc3986Normal = []row{
	{"g:h", "g:h"},
	{"g", "http://a/b/c/g"},
	{"./g", "http://a/b/c/g"},
	{"g/", "http://a/b/c/g/"},
	{"/g", "http://a/g"},
	{"//g", "http://g"},
	{"?y", "http://a/b/c/d;p?y"},
	{"g?y", "http://a/b/c/g?y"},
	{"#s", "http://a/b/c/d;p?q#s"},
	{"g#s", "http://a/b/c/g#s"},
	{"g?y#s", "http://a/b/c/g?y#s"},
	{";x", "http://a/b/c/;x"},
	{"g;x", "http://a/b/c/g;x"},
	{"g;x?y#s", "http://a/b/c/g;x?y#s"},
	{"", "http://a/b/c/d;p?q"},
	{".", "http://a/b/c/"},
	{"./", "http://a/b/c/"},
	{"..", "http://a/b/"},
	{"../", "http://a/b/"},
	{"../g", "http://a/b/g"},
	{"../..", "http://a/"},
	{"../../", "http://a/"},
	{"../../g", "http://a/g"},
}

var rfc3986Abnormal = []row{
	{"../../../g", "http://a/g"},
	{"../../../../g", "http://a/g"},
	{"/./g", "http://a/g"},
	{"/../g", "http://a/g"},
	{"g.", "http://a/b/c/g."},
	{".g", "http://a/b/c/.g"},
	{"g..", "http://a/b/c/g.."},
	{"..g", "http://a/b/c/..g"},
	{"./../g", "http://a/b/g"},
	{"./g/.", "http://a/b/c/g/"},
	{"g/./h", "http://a/b/c/g/h"},
	{"g/../h", "http://a/b/c/h"},
	{"g;x=1/./y", "http://a/b/c/g;x=1/y"},
	{"g;x=1/../y", "http://a/b/c/y"},
	{"g?y/./x", "http://a/b/c/g?y/./x"},
	{"g?y/../x", "http://a/b/c/g?y/../x"},
	{"g#s/./x", "http://a/b/c/g#s/./x"},
	{"g#s/../x", "http://a/b/c/g#s/../x"},
	{"http:g", "http:g"},
}

// checkRows resolves the reference of each row against base.
func checkRows(t *testing.T, s Standard, base string, rows []row) {
	t.Helper()
	b, err := s.Base(base)
	require.NoError(t, err)
	for _, r := range rows {
		got, err := b.Resolve(r.ref)
		assert.NoError(t, err, r.ref)
		assert.Equal(t, r.want, got, "%q", r.ref)
	}
}

func TestPublishedExamples(t *testing.T) {
	t.Run("RFC 1808, 5.1", func(t *testing.T) { checkRows(t, RFC1808, rfcBase+"#f", rfc1808Normal) })
	t.Run("RFC 1808, 5.2", func(t *testing.T) { checkRows(t, RFC1808, rfcBase+"#f", rfc1808Abnormal) })
	t.Run("RFC 3986, 5.4.1", func(t *testing.T) { checkRows(t, RFC3986, rfcBase, rfc3986Normal) })
	t.Run("RFC 3986, 5.4.2", func(t *testing.T) { checkRows(t, RFC3986, rfcBase, rfc3986Abnormal) })
	t.Run("RFC 1808, 10", func(t *testing.T) {
		checkRows(t, RFC1808, "http://www.ics.uci.edu/Test/a/b/c", []row{{"../x", "http://www.ics.uci.edu/Test/a/x"}})
	})
}
