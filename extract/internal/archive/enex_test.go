package archive

import (
	"testing"

	"absolink/extract/internal/mark"
)

// TestENEX has a row for each way to spell the content of a note.
func TestENEX(t *testing.T) {
	const source = "<note-attributes><source-url>http://h/</source-url></note-attributes></note>"
	file := func(note string) string { return "<en-export>" + note + "</en-export>" }
	runStream(t, ENEX, []streamRow{
		{"a CDATA section", file("<note><content><![CDATA[<p>]]></content>" + source), []string{"http://h/ <p>"}, nil},
		{"CDATA sections side by side", file("<note><content><![CDATA[<p>]]]]><![CDATA[>x]]></content>" + source), []string{"http://h/ <p>]]>x"}, nil},
		{"references", file("<note><content>&lt;p></content>" + source), []string{"http://h/ <p>"}, nil},
		{"elements (Evernote for iOS)", file("<note><content><en-note>x</en-note></content>" + source), []string{"http://h/ <en-note>x</en-note>"}, nil},
		{"text and a CDATA section", file("<note><content>x<![CDATA[<p>]]></content>" + source), nil, []mark.Code{mark.Undecodable}},
		{"no source-url", file("<note><content>x</content></note>"), []string{"x"}, nil},
		{"two notes", file("<note><content>1</content></note>\n<note><content>2</content></note>"), []string{"1", "2"}, nil},
		{"the source-url of an attachment does not count", file("<note><content>1</content><resource><source-url>http://i/</source-url></resource></note>"), []string{"1"}, nil},
		{"a tag in a comment", file("<!-- <note> --><note><content>1</content></note>"), []string{"1"}, nil},
		{"the text of a note has the tag of a note, which ENML has not", file("<note><content><![CDATA[</note>]]></content></note>"), nil, truncated},
		{"the text of a note has the tag of its content", file("<note><content><![CDATA[<content></content>]]></content></note>"), []string{"<content></content>"}, nil},
		{"the source-url after the content, and before it", file("<note><content>1</content>" + source + "<note><note-attributes><source-url>\n http://h/\n</source-url></note-attributes><content>2</content></note>"),
			[]string{"http://h/ 1", "http://h/ 2"}, nil},
		{"no end tag", "<en-export><note><content>1</content>", []string{"1"}, truncated},
		{"no note", file(""), nil, nil},
	})
}
