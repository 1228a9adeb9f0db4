// Package pack reads compressed streams and archives of files, and writes them again after the documents in them have
// changed. It knows no document.
//
// A compressed stream (RFC 1952, RFC 8878, bzip2) is a Layer around another stream. Layers nest. The engine reads the
// decompressed bytes through the Layers. What it writes goes back through the same Layers:
//
//	a.warc.gz.zst --> Layer zstd --> Layer gzip --> records
//	                      |              |             |
//	a.warc.gz.zst <-- compressor <-- compressor <-- rewritten records
//
// In some files, such as .warc.gz, each record is a member of gzip of its own (RFC 1952 2.2), so that an index can
// name the offset of a record. Memberwise keeps that. A record that does not change is copied with its compressed bytes.
//
//	| member | member          | member | 0 0 0 | damaged member ...
//	| record | record   record | record |       |
//	  copied   one unit: copied if neither changes
//
// Archives are formats: Tar cuts a stream into files, and Zip and MAFF mark the files in a text. Their Menders keep
// sizes, offsets and checksums true when a file changes.
//
//	tar   | header | file | padding | header | file | padding | zeros |
//	zip   | header | file | header | file | central directory | end |
//
// A name in an archive is the name of an entity, and nothing else. No path in an archive is ever followed.
package pack
