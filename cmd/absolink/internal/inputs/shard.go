package inputs

import (
	"errors"
	"fmt"
	"hash/fnv"
	"strconv"
	"strings"
)

// Shard is one of several parts of the documents, for as many machines. By default the FNV-1a hash (64 bits) of the
// document's name, modulo the number of parts, selects the part. With ByLine it is the number of its PATH, from 0.
type Shard struct {
	part, of uint64 // part is from 1 to of; the zero Shard has all documents
	ByLine   bool
}

// IsAll reports whether there is only one part.
func (s *Shard) IsAll() bool { return s.of == 0 }

// hasPath reports whether documents of PATH number i, from 0, may be in the shard.
func (s *Shard) hasPath(i int) bool {
	return s.of == 0 || !s.ByLine || uint64(i)%s.of == s.part-1
}

// has reports whether a document is in the shard, given that its PATH is.
func (s *Shard) has(document string) bool {
	if s.of == 0 || s.ByLine {
		return true
	}
	h := fnv.New64a()
	_, _ = h.Write([]byte(document))
	return h.Sum64()%s.of == s.part-1
}

func (s *Shard) Set(value string) error {
	part, of, _ := strings.Cut(value, "/")
	i, err := strconv.ParseUint(part, 10, 32)
	n, errOf := strconv.ParseUint(of, 10, 32)
	if err != nil || errOf != nil || i < 1 || i > n {
		return errors.New("use I/N with I from 1 to N, such as 3/8")
	}
	s.part, s.of = i, n
	return nil
}

func (s *Shard) String() string {
	if s.of == 0 {
		return ""
	}
	return fmt.Sprintf("%d/%d", s.part, s.of)
}

func (s *Shard) Type() string { return "I/N" }
