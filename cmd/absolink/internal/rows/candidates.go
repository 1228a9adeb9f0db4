package rows

import "absolink/base"

// candidate is a candidate for the base, as JSON and Parquet spell it.
type candidate struct {
	Layer   string `json:"layer" parquet:"layer,dict"`
	Source  string `json:"source" parquet:"source,dict"`
	Value   string `json:"value" parquet:"value,dict"`
	URL     string `json:"url" parquet:"url,dict"`
	Verdict string `json:"verdict" parquet:"verdict,dict"`
}

// Candidates appends the candidates for a base, the nearest first, as a JSON list or the cells of a Parquet list.
func (f Form) Candidates(dst []byte, all []base.Candidate) []byte {
	list := make([]candidate, len(all))
	var cells []byte
	for i, c := range all {
		list[i] = candidate{c.Layer.String(), c.By, c.Value, c.URL, c.String()}
		if f == Parquet {
			for _, field := range []string{list[i].Layer, list[i].Source, list[i].Value, list[i].URL, list[i].Verdict} {
				cells = f.Word(cells, field)
			}
		}
	}
	switch f {
	case Parquet:
		return appendParquet(dst, cells)
	case CSV:
		return appendCSV(dst, AppendJSON(nil, list))
	}
	return AppendJSON(dst, list)
}
