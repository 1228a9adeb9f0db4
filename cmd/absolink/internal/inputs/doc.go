// Package inputs finds the documents of a run, tells their retrieval URLs, and opens them.
//
//	PATHs of the command line, and of a list (ReadList)
//	     |
//	  Selection    folders, Maildirs, symbolic links, Globs, Shard; not the journal, nor what is done already
//	     |
//	  Source       a name, and its path in the tree that it belongs to
//	     |
//	  Opener  <--  Retrieval   --url, --url-map, --site, --mirror
//	     |    <--  evidence    the attributes of the file: where a browser has put the URL
//	     |
//	  Reader and extract.Document
//
// A Source comes in the order of the PATHs, those of a folder sorted by name. Whatever the user says of one
// document is checked before any document is read.
package inputs
