package main

import (
	"encoding/binary"
	"io"
	"reflect"
	"strconv"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/compress/zstd"
)

// rowGroup is how many bytes of rows a row group of Parquet holds. They are in memory,
// encoded, until the group is whole.
const rowGroup = 64 << 20

// kind is what a column holds, for forms in which columns have types.
type kind uint8

const (
	asString kind = iota
	asLabel       // a short string that many rows have
	asMaybe       // a string that most rows do not have
	asNumber
	asMaybeNumber // one that some rows do not have
	asCandidates
)

// kinds are the kinds as parquet-go reads them from the fields of a struct.
var kinds = [...]struct {
	goType reflect.Type
	tag    string
}{
	asString:      {reflect.TypeFor[string](), ""},
	asLabel:       {reflect.TypeFor[string](), ",dict"},
	asMaybe:       {reflect.TypeFor[string](), ",optional"},
	asNumber:      {reflect.TypeFor[int64](), ",delta"},
	asMaybeNumber: {reflect.TypeFor[int64](), ",delta,optional"},
	asCandidates:  {reflect.TypeFor[[]parquetCandidate](), ",list"},
}

// parquetCandidate is a candidate for the base. Its fields are those of its JSON.
type parquetCandidate struct {
	Rung    string `parquet:"rung,dict"`
	By      string `parquet:"by,dict"`
	Value   string `parquet:"value,dict"`
	URL     string `parquet:"url,dict"`
	Verdict string `parquet:"verdict,dict"`
}

// parquetWriter makes a Parquet file of the rows that are written to it, each spelled
// asParquet: its cells in their order, and every Write is of whole rows.
type parquetWriter struct {
	*parquet.Writer
	columns []parquetColumn
	row     parquet.Row
	group   int // bytes of rows in a row group
	size    int // those of the one at hand
}

// parquetColumn is a column, which is one or more leaves of the file's schema.
type parquetColumn struct {
	kind  kind
	first int // leaf
}

// newParquetWriter begins a file with the columns of a table.
func newParquetWriter[T any](w io.Writer, columns []column[T]) *parquetWriter {
	p := &parquetWriter{group: rowGroup}
	var fields []reflect.StructField
	var long []bool // by leaf
	for i, c := range columns {
		kind := kinds[c.kind]
		fields = append(fields, reflect.StructField{
			Name: "F" + strconv.Itoa(i),
			Type: kind.goType,
			Tag:  reflect.StructTag(`parquet:"` + c.name + kind.tag + `"`),
		})
		p.columns = append(p.columns, parquetColumn{c.kind, len(long)})
		leaves := 1
		if c.kind == asCandidates {
			leaves = reflect.TypeFor[parquetCandidate]().NumField()
		}
		for range leaves {
			long = append(long, c.kind != asLabel && c.kind != asNumber && c.kind != asMaybeNumber)
		}
	}
	build := thisBuild()
	schema := parquet.SchemaOf(reflect.New(reflect.StructOf(fields)).Interface())
	// The least and the greatest value go into the footer and, if let, into the header of
	// every page, whole. A data: URL of megabytes makes a footer that nobody reads.
	options := []parquet.WriterOption{schema, parquet.Compression(&zstd.Codec{}), parquet.DataPageStatistics(false),
		parquet.CreatedBy("absolink", build.version, build.detail)}
	for i, path := range schema.Columns() {
		if long[i] {
			options = append(options, parquet.SkipPageBounds(path...))
		}
	}
	p.Writer = parquet.NewWriter(w, options...)
	return p
}

// Write is io.Writer.
func (p *parquetWriter) Write(rows []byte) (int, error) {
	for rest := rows; len(rest) > 0; {
		start := len(rest)
		p.row = p.row[:0]
		for _, c := range p.columns {
			rest = p.cell(c, rest)
		}
		if _, err := p.WriteRows([]parquet.Row{p.row}); err != nil {
			return len(rows) - len(rest), err
		}
		if p.size += start - len(rest); p.size < p.group {
			continue
		}
		p.size = 0
		if err := p.Flush(); err != nil {
			return len(rows) - len(rest), err
		}
	}
	return len(rows), nil
}

// cell takes the first cell of rows into the row, and gives what is behind it.
func (p *parquetWriter) cell(c parquetColumn, rows []byte) []byte {
	text, ok, rest := cutCell(rows)
	switch {
	case !ok:
		p.row = append(p.row, parquet.NullValue().Level(0, 0, c.first))
	case c.kind == asNumber:
		p.row = append(p.row, parquet.Int64Value(int64(binary.LittleEndian.Uint64(text))).Level(0, 0, c.first))
	case c.kind == asMaybeNumber:
		p.row = append(p.row, parquet.Int64Value(int64(binary.LittleEndian.Uint64(text))).Level(0, 1, c.first))
	case c.kind == asMaybe:
		p.row = append(p.row, parquet.ByteArrayValue(text).Level(0, 1, c.first))
	case c.kind == asCandidates:
		p.candidates(c, text)
	default:
		p.row = append(p.row, parquet.ByteArrayValue(text).Level(0, 0, c.first))
	}
	return rest
}

// candidates takes a cell of cells, one after the other for each field of each candidate,
// into the row, which wants those of one field together. There is always a candidate.
func (p *parquetWriter) candidates(c parquetColumn, cells []byte) {
	var fields [][]byte
	for len(cells) > 0 {
		var field []byte
		field, _, cells = cutCell(cells)
		fields = append(fields, field)
	}
	each := reflect.TypeFor[parquetCandidate]().NumField()
	for leaf := range each {
		for i := leaf; i < len(fields); i += each {
			repetition := 1
			if i == leaf {
				repetition = 0
			}
			p.row = append(p.row, parquet.ByteArrayValue(fields[i]).Level(repetition, 1, c.first+leaf))
		}
	}
}

// appendParquet appends a cell: its length, counted from 1, and its bytes. A cell that is
// not there is a 0.
func appendParquet[T string | []byte](dst []byte, s T) []byte {
	return append(binary.AppendUvarint(dst, uint64(len(s))+1), s...)
}

// cutCell cuts what appendParquet appended off the front of cells.
func cutCell(cells []byte) (text []byte, ok bool, rest []byte) {
	length, n := binary.Uvarint(cells)
	if cells = cells[n:]; length == 0 {
		return nil, false, cells
	}
	return cells[:length-1], true, cells[length-1:]
}
