package mark

import (
	"hash"

	"absolink/extract/internal/codec"
	"absolink/extract/internal/codec/spell"
)

// MendDigest returns the edit that updates the digest of the region of, or nil if the digest was wrong before the edits. Each function
// of spellings writes a sum as text, in base64 for one, and the digest keeps the spelling that it has. The digest of a chunked region
// (RFC 9112 7.1) may be that of the region or that of the data in the chunks.
func MendDigest(src []byte, edits []codec.Edit, digest, of codec.Span, newHash func() hash.Hash, spellings ...func([]byte) string) []codec.Edit {
	for _, read := range []codec.Codec{codec.Identity, spell.Chunked} {
		was, err := read.Decode(src[of.Start:of.End])
		if err != nil {
			continue
		}
		h := newHash()
		h.Write(was)
		sum := h.Sum(nil)
		for _, spell := range spellings {
			if spell(sum) != string(src[digest.Start:digest.End]) {
				continue
			}
			h.Reset()
			if read == codec.Identity {
				WriteEdited(h, src, of, edits)
			} else {
				now, _ := read.Decode(Edited(src, of, edits))
				h.Write(now)
			}
			return []codec.Edit{{Span: digest, New: []byte(spell(h.Sum(nil)))}}
		}
	}
	return nil
}
