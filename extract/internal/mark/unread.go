package mark

// Unread is a kind of documents that are not read. The engine reports all documents of one kind in a record as one note.
type Unread struct {
	What string // the documents, in the plural
	Why  string // the reason
}

// The kinds of documents that are not read.
var (
	SMIME     = &Unread{"S/MIME parts that are encrypted, compressed, or signed with their content inside", "absolink does not open them"}
	Encrypted = &Unread{"encrypted parts and texts, such as PGP", "absolink does not decrypt them"}
	Outlook   = &Unread{"parts in a format of Outlook, such as winmail.dat", "absolink does not open them"}
	Partial   = &Unread{"pieces of a divided message (message/partial)", "absolink does not join them"}
	UUEncoded = &Unread{"uuencoded attachments", "absolink does not decode them"}
	YEncoded  = &Unread{"attachments in yEnc", "absolink does not decode them"}
	Macintosh = &Unread{"attachments in BinHex, MacBinary or AppleSingle", "absolink does not decode them"}
	Archived  = &Unread{"archives in a format that absolink does not read, such as RAR or 7z", "absolink does not open them"}
	Misnamed  = &Unread{"attachments with the name of a document and a media type without links", "the media type counts"}
	Mistyped  = &Unread{"documents whose content looks like HTML, XML or JSON Feed, but whose type has no links", "they are not read, and stay unchanged"}
	Elsewhere = &Unread{"body parts that are not in the message", "Apple Mail keeps them in files of the folder Attachments"}
	Omitted   = &Unread{"entries without the content of the document", "the program that wrote the archive did not save it"}
)

// UnreadCount is the number of documents of one kind in a text.
type UnreadCount struct {
	*Unread
	N      int
	Place  string // the name of the first document in the entity; "" if the document is a part of the text
	Offset int    // of the first document; 0 with a Place
}

// Unread counts a document that is not read. The document has the name place in the entity. If place is "", it is the text at
// an offset.
func (m *Marks) Unread(kind *Unread, place string, offset int) {
	for i := range m.Notes.Unread {
		if count := &m.Notes.Unread[i]; count.Unread == kind {
			count.N++
			return
		}
	}
	m.Notes.Unread = append(m.Notes.Unread, UnreadCount{kind, 1, place, offset})
}
