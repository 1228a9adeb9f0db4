// Tables as Parquet files.

package rows

import (
	"encoding/binary"
	"io"
	"reflect"
	"strconv"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/compress/zstd"
)

// rowGroup is how many bytes of rows make a row group. A group is kept in memory, encoded, until it is complete.
const rowGroup = 64 << 20

// Kind is the type of a column, for forms with types.
type Kind uint8

const (
	String        Kind = iota
	Label              // a short string that many rows have
	Optional           // a string that some rows do not have
	OptionalLabel      // a label that some rows do not have
	Number
	OptionalNumber // a number that some rows do not have
	Candidates
)

// kinds has the Go types and the struct tags from which parquet-go makes columns.
var kinds = [...]struct {
	goType reflect.Type
	tag    string
}{
	String:         {reflect.TypeFor[string](), ""},
	Label:          {reflect.TypeFor[string](), ",dict"},
	Optional:       {reflect.TypeFor[string](), ",optional"},
	OptionalLabel:  {reflect.TypeFor[string](), ",dict,optional"},
	Number:         {reflect.TypeFor[int64](), ",delta"},
	OptionalNumber: {reflect.TypeFor[int64](), ",delta,optional"},
	Candidates:     {reflect.TypeFor[[]candidate](), ",list"},
}

// parquetWriter writes a Parquet file. Each Write gets whole rows in the form Parquet, which are the cells of each row
// in order.
type parquetWriter struct {
	*parquet.Writer
	columns []parquetColumn
	group   int // bytes of rows in a row group
	size    int // bytes of rows in the current group
}

type parquetColumn struct {
	kind   Kind
	leaves []parquetLeaf
}

// parquetLeaf collects the values of the rows of one Write, because passing them to the library one at a time is
// several times slower.
type parquetLeaf struct {
	*parquet.ColumnWriter
	values []parquet.Value
}

func newParquetWriter[T any](w io.Writer, columns []Column[T], version, details string) *parquetWriter {
	p := &parquetWriter{group: rowGroup}
	var fields []reflect.StructField
	var long []bool // by leaf
	for i, c := range columns {
		kind := kinds[c.Kind]
		fields = append(fields, reflect.StructField{
			Name: "F" + strconv.Itoa(i),
			Type: kind.goType,
			Tag:  reflect.StructTag(`parquet:"` + c.Name + kind.tag + `"`),
		})
		leaves := make([]parquetLeaf, 1)
		if c.Kind == Candidates {
			leaves = make([]parquetLeaf, reflect.TypeFor[candidate]().NumField())
		}
		p.columns = append(p.columns, parquetColumn{c.Kind, leaves})
		for range leaves {
			long = append(long, c.Kind != Label && c.Kind != OptionalLabel && c.Kind != Number &&
				c.Kind != OptionalNumber)
		}
	}
	schema := parquet.SchemaOf(reflect.New(reflect.StructOf(fields)).Interface())
	// Without these options the footer and the header of each page hold the least and the greatest value in full, and a
	// data: URL of several megabytes would make the footer too long to read.
	options := []parquet.WriterOption{schema, parquet.Compression(&zstd.Codec{}), parquet.DataPageStatistics(false),
		parquet.CreatedBy("absolink", version, details)}
	for i, path := range schema.Columns() {
		if long[i] {
			options = append(options, parquet.SkipPageBounds(path...))
		}
	}
	p.Writer = parquet.NewWriter(w, options...)
	writers := p.ColumnWriters()
	for _, c := range p.columns {
		for i := range c.leaves {
			c.leaves[i].ColumnWriter, writers = writers[0], writers[1:]
		}
	}
	return p
}

func (p *parquetWriter) Write(rows []byte) (int, error) {
	for rest := rows; len(rest) > 0; {
		start := len(rest)
		for _, c := range p.columns {
			rest = c.cell(rest)
		}
		if p.size += start - len(rest); p.size < p.group {
			continue
		}
		p.size = 0
		if err := p.flush(); err != nil {
			return 0, err
		}
		if err := p.Flush(); err != nil {
			return 0, err
		}
	}
	return len(rows), p.flush()
}

func (p *parquetWriter) flush() error {
	for _, c := range p.columns {
		for i := range c.leaves {
			leaf := &c.leaves[i]
			if len(leaf.values) == 0 { // because the library takes the address of the first value
				continue
			}
			if _, err := leaf.WriteRowValues(leaf.values); err != nil {
				return err
			}
			leaf.values = leaf.values[:0]
		}
	}
	return nil
}

// cell adds the first cell of rows to the column, and returns the rest.
func (c parquetColumn) cell(rows []byte) []byte {
	text, ok, rest := cutCell(rows)
	switch {
	case !ok:
		c.leaves[0].add(parquet.NullValue())
	case c.kind == Number:
		c.leaves[0].add(parquet.Int64Value(int64(binary.LittleEndian.Uint64(text))))
	case c.kind == OptionalNumber:
		c.leaves[0].add(parquet.Int64Value(int64(binary.LittleEndian.Uint64(text))).Level(0, 1, 0))
	case c.kind == Optional, c.kind == OptionalLabel:
		c.leaves[0].add(parquet.ByteArrayValue(text).Level(0, 1, 0))
	case c.kind == Candidates:
		c.candidates(text)
	default:
		c.leaves[0].add(parquet.ByteArrayValue(text))
	}
	return rest
}

// candidates adds the candidates of one row, which has at least one: each has one cell for each field.
func (c parquetColumn) candidates(cells []byte) {
	for repetition := 0; len(cells) > 0; repetition = 1 {
		for i := range c.leaves {
			var field []byte
			field, _, cells = cutCell(cells)
			c.leaves[i].add(parquet.ByteArrayValue(field).Level(repetition, 1, 0))
		}
	}
}

func (l *parquetLeaf) add(v parquet.Value) { l.values = append(l.values, v) }

// appendParquet appends a cell: its length plus 1, and its bytes. A missing value is a 0.
func appendParquet[T string | []byte](dst []byte, s T) []byte {
	return append(binary.AppendUvarint(dst, uint64(len(s))+1), s...)
}

// cutCell reverses appendParquet. ok is false for a missing value.
func cutCell(cells []byte) (text []byte, ok bool, rest []byte) {
	length, n := binary.Uvarint(cells)
	if cells = cells[n:]; length == 0 {
		return nil, false, cells
	}
	return cells[:length-1], true, cells[length-1:]
}
