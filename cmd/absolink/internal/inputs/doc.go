// Package inputs finds the documents of a run and their retrieval URLs, and opens them.
//
//	PATHs of the command line, and of a list (ReadList)
//	     |
//	  Selection    folders, Maildirs, symbolic links, Globs, Shard; without the journal and finished documents
//	     |
//	  Source       a name, and its path in the tree that it belongs to
//	     |
//	  Opener  <--  Retrieval   --url, --url-map, --site, --mirror
//	     |    <--  evidence    the attributes of the file, where browsers record the URL
//	     |
//	  Reader and extract.Document
//
// Sources come in the order of the PATHs, and those of a folder are sorted by name. All flags are checked before any
// document is read.
package inputs
