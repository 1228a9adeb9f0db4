package mark

import (
	"bytes"
	"crypto/sha256"
	"crypto/sha512"
	"encoding/base64"
	"hash"
	"slices"
	"strings"

	"absolink/extract/internal/ascii"
	"absolink/extract/internal/codec"
	"absolink/extract/internal/codec/spell"
)

// MendDigest returns the edit that updates the digest of the region of, or nil if the digest was wrong before the
// edits. Each function of spellings writes a sum as text, in base64 for one, and the digest keeps the spelling that it
// has. The digest of a chunked region (RFC 9112 7.1) may be that of the region or that of the data in the chunks.
func MendDigest(src []byte, edits []codec.Edit, digest, of codec.Span, newHash func() hash.Hash,
	spellings ...func([]byte) string) []codec.Edit {
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

// Sums returns the digests of a content by each algorithm of Subresource Integrity (3.2), without padding.
func Sums(content []byte) []string {
	a, b, c := sha256.Sum256(content), sha512.Sum384(content), sha512.Sum512(content)
	text := base64.RawStdEncoding.EncodeToString
	return []string{"sha256-" + text(a[:]), "sha384-" + text(b[:]), "sha512-" + text(c[:])}
}

// digestsIn returns the digests in an attribute as Sums spells them.
func digestsIn(value []byte) (digests []string) {
	lengths := map[string]int{"sha256": 43, "sha384": 64, "sha512": 86}
	ends := func(r rune) bool { return r <= ' ' || strings.ContainsRune(";,'=?", r) }
	for _, word := range strings.FieldsFunc(string(value), ends) {
		algorithm, sum, _ := strings.Cut(word, "-")
		if algorithm = ascii.Lower(algorithm); sum != "" && len(sum) == lengths[algorithm] {
			digests = append(digests, algorithm+"-"+strings.NewReplacer("-", "+", "_", "/").Replace(sum))
		}
	}
	return digests
}

// Integrity adds the digests of an integrity attribute by its strongest algorithm, which browsers compare (3.3.3).
func (m *Marks) Integrity(value []byte) {
	all := digestsIn(value)
	slices.Sort(all)
	for _, one := range all {
		if one[:len("sha256")] == all[len(all)-1][:len("sha256")] {
			m.Notes.Integrity = append(m.Notes.Integrity, one)
		}
	}
}

// Policy adds the hashes of a Content-Security-Policy, which hold for what comes after it.
func (m *Marks) Policy(policy []byte) {
	for _, one := range digestsIn(policy) {
		if m.Notes.policy == nil {
			m.Notes.policy = map[string]bool{}
		}
		m.Notes.policy[one] = true
	}
}

// Allowed adds the fault of changing the inline style or script src[start:end], if a policy allows it by its hash (CSP
// 3, 6.7.2.3).
func (m *Marks) Allowed(src []byte, start, end int, c codec.Codec) {
	if m.Notes.policy == nil {
		return
	}
	text, _ := c.Decode(src[start:end])
	text = bytes.ReplaceAll(bytes.ReplaceAll(text, []byte("\r\n"), []byte("\n")), []byte("\r"), []byte("\n"))
	if slices.ContainsFunc(Sums(text), func(sum string) bool { return m.Notes.policy[sum] }) {
		m.Breaks(codec.Span{Start: start, End: end}, start, DigestBroken,
			"the style or script was changed, and its hash in the Content-Security-Policy was not: browsers refuse it")
	}
}
