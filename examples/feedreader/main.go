// Feedreader reads an Atom feed on standard input, and prints it as JSON with absolute links, even in the HTML of the
// entries. Any element of a feed may have an xml:base, which may be relative to the one around it.
//
//	go run ./examples/feedreader -url http://site.example/feed.atom < examples/feedreader/testdata/feed.atom
package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"encoding/xml"
	"flag"
	"fmt"
	"io"
	"os"
	"strings"

	"absolink/extract"
	"absolink/resolve"
)

func main() {
	url := flag.String("url", "", "the `URL` that the feed was retrieved from")
	flag.Parse()
	if err := convert(context.Background(), os.Stdout, os.Stdin, *url, os.Stderr); err != nil {
		fmt.Fprintln(os.Stderr, "feedreader:", err)
		os.Exit(1)
	}
}

// feed has the elements of an Atom feed (RFC 4287) that this program prints.
type feed struct {
	XMLName xml.Name `xml:"http://www.w3.org/2005/Atom feed" json:"-"`
	Title   text     `xml:"title" json:"title"`
	Links   []link   `xml:"link" json:"links,omitempty"`
	Entries []entry  `xml:"entry" json:"entries,omitempty"`
}

type entry struct {
	ID      string `xml:"id" json:"id"`
	Title   text   `xml:"title" json:"title"`
	Updated string `xml:"updated" json:"updated"`
	Links   []link `xml:"link" json:"links,omitempty"`
	Summary *text  `xml:"summary" json:"summary,omitempty"`
	Content *text  `xml:"content" json:"content,omitempty"`
}

type link struct {
	Rel string `xml:"rel,attr" json:"rel,omitempty"`
	URL string `xml:"href,attr" json:"url"`
}

// text is a title, a summary or a content. Its type is "text", "html", "xhtml" or a media type.
type text struct {
	Type  string `json:"type"`
	Value string `json:"value,omitempty"`
	URL   string `json:"url,omitempty"` // of content outside the feed
}

// UnmarshalXML reads the text between the tags: escaped text, or elements if the type is "xhtml".
func (t *text) UnmarshalXML(d *xml.Decoder, start xml.StartElement) error {
	var element struct {
		Type  string `xml:"type,attr"`
		Src   string `xml:"src,attr"`
		Text  string `xml:",chardata"`
		Inner string `xml:",innerxml"`
	}
	if err := d.DecodeElement(&element, &start); err != nil {
		return err
	}
	*t = text{Type: cmp.Or(element.Type, "text"), Value: strings.TrimSpace(element.Text), URL: element.Src}
	if element.Type == "xhtml" || strings.HasSuffix(element.Type, "xml") {
		t.Value = strings.TrimSpace(element.Inner)
	}
	return nil
}

// convert makes the links of a feed absolute, writes the feed to out as JSON, and its problems to problems.
func convert(ctx context.Context, out io.Writer, in io.Reader, url string, problems io.Writer) error {
	x := extract.Extractor{
		Standard: resolve.RFC3986, // the standard of RFC 4287 and XML Base
		OnProblem: func(p extract.Problem) {
			if p.Severity != extract.SeverityNote {
				fmt.Fprintln(problems, p.Error())
			}
		},
	}
	var absolute bytes.Buffer
	_, err := x.Rewrite(ctx, &absolute, extract.Document{Name: "feed", Type: "application/atom+xml", URL: url,
		Reader: in})
	if err != nil {
		return err
	}
	var f feed
	if err := xml.Unmarshal(absolute.Bytes(), &f); err != nil {
		return err
	}
	to := json.NewEncoder(out)
	to.SetEscapeHTML(false) // keeps "<", so that people can read the output
	to.SetIndent("", "  ")
	return to.Encode(f)
}
