// Package rows writes rows of fields in the formats of the output.
//
//	row of type T --- Column[T].Value ---> fields --- Form ---> text   fields separated by tabs, for people
//	                                                           TSV    text with a line of names
//	table[T]: the selected columns, in order                   CSV    RFC 4180
//	                                                           JSONL  an object a line
//	                                                           JSON   one array of these objects
//	                                                           cells  of Parquet, which parquetWriter encodes
//
// All functions append to a buffer, so a row allocates no memory. Text has the bytes of the document. The other forms are
// UTF-8.
//
// Two kinds of JSON lines are not tables: the edits of --edits and the problems of --problems.
package rows
