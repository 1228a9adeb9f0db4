package mark

import "absolink/extract/internal/codec"

// Unread is a kind of documents, or of references, that are not read. The engine reports all of one kind in a record as
// one note.
type Unread struct {
	What string // in the plural
	Why  string
	Code Code // of the note; "" for NotRead

	Summed bool // they often have links that nothing else reports, so the command sums them up
}

// The kinds of documents that are not read.
var (
	SMIME = &Unread{What: "S/MIME parts",
		Why:    "they are encrypted, compressed, or signed with their content inside, and absolink does not open them",
		Summed: true}
	Encrypted = &Unread{What: "encrypted texts", Why: "absolink does not decrypt PGP and other encryptions",
		Summed: true}
	Outlook = &Unread{What: "Outlook parts", Why: "absolink does not open formats of Outlook, such as winmail.dat",
		Summed: true}
	Partial   = &Unread{What: "pieces of a divided message (message/partial)", Why: "absolink does not join them"}
	UUEncoded = &Unread{What: "uuencoded attachments", Why: "absolink does not decode them"}
	YEncoded  = &Unread{What: "attachments in yEnc", Why: "absolink does not decode them"}
	Macintosh = &Unread{What: "attachments in BinHex, MacBinary or AppleSingle", Why: "absolink does not decode them"}
	Archived  = &Unread{What: "archives", Why: "absolink does not open formats such as RAR and 7z", Summed: true}
	Misnamed  = &Unread{What: "attachments with the name of a document and a media type without links",
		Why: "the media type decides", Code: ContentMismatch}
	Unencoded = &Unread{What: "undeclared quoted-printable parts",
		Why:  "their Content-Transfer-Encoding is missing or wrong, so they stay unchanged; put it right",
		Code: ContentMismatch, Summed: true}
	Mistyped = &Unread{What: "documents whose content looks like HTML, XML or JSON Feed, but whose type has no links",
		Why: "they are not read, and stay unchanged", Code: ContentMismatch}
	Elsewhere = &Unread{What: "body parts that are not in the message",
		Why: "Apple Mail keeps them in files of the folder Attachments"}
	CrawlLog  = &Unread{What: "crawl logs", Why: "they say what was fetched, and stay unchanged", Summed: true}
	CrawlData = &Unread{What: "WAT records", Why: "absolink does not read the URLs in them", Summed: true}
	Omitted   = &Unread{What: "entries without the content of the document",
		Why: "the program that wrote the archive did not save it"}
)

// Parts of pages and messages that are normal, and may have links.
var (
	Conditional = &Unread{What: "conditional comments", Why: "only Outlook and old browsers read them",
		Code: LinksNotRead, Summed: true}
	JSONLD = &Unread{What: "JSON-LD", Why: "absolink does not read the URLs in it", Code: LinksNotRead,
		Summed: true}
	Extended = &Unread{What: "relative data and meta links", Why: "only scripts and crawlers read them",
		Code: LinksNotRead, Summed: true}
	Literal = &Unread{What: "XSLT links", Why: "absolink does not change the pages that a stylesheet makes",
		Code: LinksNotRead, Summed: true}
	Custom = &Unread{What: "custom elements",
		Why: "whether their src, srcset, href and poster are links is up to scripts", Code: LinksNotRead, Summed: true}
	Doxygen = &Unread{What: "tag files of Doxygen", Why: "absolink does not read the names of files in them",
		Code: LinksNotRead, Summed: true}
	OtherText = &Unread{What: "other text parts",
		Why:  "absolink does not read calendars, vCards, patches, reports and the like",
		Code: LinksNotRead, Summed: true}
)

// References of a template that is not filled in.
var (
	Template = &Unread{What: "references that a template fills in, such as {{ link }}",
		Why: "they have no URL, and stay unchanged", Code: Placeholder}
	ResolvedTemplate = &Unread{What: Template.What, Why: "they are resolved, as browsers do", Code: Placeholder}
)

// UnreadCount counts the documents of one kind in a text.
type UnreadCount struct {
	*Unread
	N      int
	Place  string // the name of the first one in the entity; "" if it is a part of the text
	Offset int    // of the first one; 0 with a Place
}

// Unread counts a document that is not read. place is its name in the entity, or "" if it is a part of the text, at an
// offset.
func (m *Marks) Unread(kind *Unread, place string, offset int) {
	for i := range m.Notes.Unread {
		if count := &m.Notes.Unread[i]; count.Unread == kind {
			count.N++
			return
		}
	}
	m.Notes.Unread = append(m.Notes.Unread, UnreadCount{kind, 1, place, offset})
}

// Skip notes a place that is only marked with Settings.Extended, and counts it unless kind is nil.
func (m *Marks) Skip(kind *Unread, start, end int) {
	if m.Rewriting && len(m.Notes.Skipped) < mostFaults {
		m.Notes.Skipped = append(m.Notes.Skipped, codec.Span{Start: start, End: end})
	}
	if kind != nil {
		m.Unread(kind, "", start)
	}
}
