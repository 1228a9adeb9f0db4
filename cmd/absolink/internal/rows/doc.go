// Package rows writes rows of fields in the formats of the output.
//
//	row of type T --- Column[T].Value ---> fields --- Form ---> text   fields separated by tabs, for people
//	                                                           TSV    text with a line of names
//	table[T]: the selected columns, in order                   CSV    RFC 4180
//	                                                           JSONL  an object a line
//	                                                           JSON   one array of these objects
//	                                                           cells  of Parquet, which parquetWriter encodes
//
// Everything is appended to a buffer, so that most rows allocate no memory. Text keeps the bytes of the document, and
// the other forms are UTF-8.
//
// Two kinds of JSON lines are no tables: the edits of --edits and the problems of --problems.
package rows
