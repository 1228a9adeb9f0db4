// Package pack reads compressed streams and archives of files, and writes them again when documents in them have
// changed. It does not depend on the formats of these documents.
//
// A compressed stream (RFC 1952, RFC 8878, bzip2) is a Packing around another stream, which may itself be compressed.
// The engine reads the decompressed bytes through the Packings, and the rewritten bytes go back through the same ones:
//
//	a.warc.gz.zst --> Packing zstd --> Packing gzip --> records
//	                      |              |             |
//	a.warc.gz.zst <-- compressor <-- compressor <-- rewritten records
//
// In some files, for example .warc.gz, each record is a member of gzip of its own (RFC 1952 2.2), so that an index can
// have the offset of a record, and a reader can begin there. Memberwise keeps this division, and copies the compressed
// bytes of records that do not change.
//
//	| member | member          | member | 0 0 0   | damaged member ...
//	| record | record   record | record | padding |
//	  copied   both are copied   copied   copied    copied
//	           if none changes
//
// Archives are formats. Tar splits a stream into files. Zip, EPUB and WACZ mark the files in a text, and their Menders
// update sizes, offsets and checksums when a file changes:
//
//	tar   | header | file | padding | header | file | padding | zeros |
//	zip   | header | file | header | file | central directory | end |
//
// An archive inside a page or a picture is sealed, which means read but not rewritten: see SelfExtracting.
//
// A path in an archive is only the name of an entity. This package never opens a file by it.
package pack
