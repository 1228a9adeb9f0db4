package extract_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"absolink/extract"
)

// feed is an XML document that came from http://h/p/.
func feed(src string) extract.Document {
	return extract.Document{Type: "application/xml", URL: "http://h/p/", Bytes: []byte(src)}
}

// xmlEdits holds what other programs corrupt or miss, a row each.
var xmlEdits = []struct{ name, src, want string }{
	{"RSS", `<rss><channel><link>x</link><item><link> y
</link><guid>g</guid><guid isPermaLink="false">i</guid><enclosure url='e'/><source url="s">n</source><comments>c</comments></item></channel></rss>`,
		`<rss><channel><link>http://h/p/x</link><item><link> http://h/p/y
</link><guid>http://h/p/g</guid><guid isPermaLink="false">i</guid><enclosure url='http://h/p/e'/><source url="http://h/p/s">n</source><comments>http://h/p/c</comments></item></channel></rss>`},
	{"description, escaped", `<rss><description>&lt;a href="x?a&amp;amp;b"&gt;</description></rss>`, `<rss><description>&lt;a href="http://h/p/x?a&amp;amp;b"&gt;</description></rss>`},
	{"description, in CDATA", `<rss><description> <![CDATA[<a href="x?a&amp;b">]]></description></rss>`, `<rss><description> <![CDATA[<a href="http://h/p/x?a&amp;b">]]></description></rss>`},
	{"Atom with xml:base", `<feed xmlns="http://www.w3.org/2005/Atom" xml:base="http://b/"><link href="x"/><entry xml:base="e/"><link href="y"/><content type="html" xml:base="/c/">&lt;img src=z&gt;</content></entry><id>i</id></feed>`,
		`<feed xmlns="http://www.w3.org/2005/Atom" xml:base="http://b/"><link href="http://b/x"/><entry xml:base="http://b/e/"><link href="http://b/e/y"/><content type="html" xml:base="http://b/c/">&lt;img src=http://b/c/z&gt;</content></entry><id>http://b/i</id></feed>`},
}

func TestXMLEdits(t *testing.T) {
	for _, row := range xmlEdits {
		t.Run(row.name, func(t *testing.T) {
			var w extract.Walker
			got := rewrite(t, &w, feed(row.src))
			assert.Equal(t, row.want, got)
			assert.Equal(t, row.want, rewrite(t, &w, feed(got)), "twice is once")
		})
	}
}
