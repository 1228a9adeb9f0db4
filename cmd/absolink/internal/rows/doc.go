// Package rows spells rows of fields in the forms that a run can print.
//
//	row of type T --- Column[T].Value ---> fields --- Form ---> text   fields between tabs, for people
//	                                                           TSV    text with a line of names
//	Table[T]: the columns that are asked for, in order         CSV    RFC 4180
//	                                                           JSONL  an object a line
//	                                                           JSON   one array of these objects
//	                                                           cells  of Parquet, which parquetWriter encodes
//
// A column appends its field to a buffer, and so does everything else here: a row costs no memory of its own.
// Text holds the bytes of the document. The other forms are UTF-8.
//
// Two kinds of JSON lines are no tables: the edits of --edits and the problems of --problems.
package rows
