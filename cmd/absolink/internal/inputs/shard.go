package inputs

import (
	"errors"
	"fmt"
	"hash/fnv"
	"strconv"
	"strings"
)

// Shard is one part of several that documents are divided into, for as many machines. By default the name of a document
// selects its part: the FNV-1a hash, of 64 bits, of its bytes, modulo the number of parts, plus 1. With ByLine the
// number of its PATH selects it: the number, from 0, modulo the number of parts, plus 1.
type Shard struct {
	part, of uint64 // part from 1; the zero Shard has all documents
	ByLine   bool
}

// IsAll reports whether all documents are in the shard, because there is only one.
func (s *Shard) IsAll() bool { return s.of == 0 }

// hasPath reports whether documents of a PATH may be in the shard. i is the number of the PATH, from 0.
func (s *Shard) hasPath(i int) bool {
	return s.of == 0 || !s.ByLine || uint64(i)%s.of == s.part-1
}

// has reports whether a document is in the shard, if its PATH is.
func (s *Shard) has(document string) bool {
	if s.of == 0 || s.ByLine {
		return true
	}
	h := fnv.New64a()
	_, _ = h.Write([]byte(document)) // a hash never returns an error
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
