// The field candidates: all candidates for a base.

package rows

import (
	"absolink/base"
)

// Candidates appends the candidates for a base: a list of JSON, or cells of a Parquet list.
func (f Form) Candidates(dst []byte, all []base.Candidate) []byte {
	switch f {
	case CSV:
		return appendCSV(dst, appendCandidates(nil, all))
	case Parquet:
		return appendParquet(dst, candidateCells(nil, all))
	}
	return appendCandidates(dst, all)
}

// appendCandidates appends the candidates as a list of JSON, the nearest first.
func appendCandidates(dst []byte, all []base.Candidate) []byte {
	sep := byte('[')
	for i := range all {
		c := &all[i]
		dst = appendJSON(append(append(dst, sep), `{"rung":`...), c.Rung.String())
		dst = appendJSON(append(dst, `,"source":`...), c.By)
		dst = appendJSON(append(dst, `,"value":`...), c.Value)
		dst = appendJSON(append(dst, `,"url":`...), c.URL)
		dst = appendJSON(append(dst, `,"verdict":`...), c.String())
		dst = append(dst, '}')
		sep = ','
	}
	return append(dst, ']')
}

// candidateCells appends the candidates as cells for a parquetWriter.
func candidateCells(dst []byte, all []base.Candidate) []byte {
	for i := range all {
		c := &all[i]
		for _, field := range []string{c.Rung.String(), c.By, c.Value, c.URL, c.String()} {
			dst = Parquet.Word(dst, field)
		}
	}
	return dst
}
