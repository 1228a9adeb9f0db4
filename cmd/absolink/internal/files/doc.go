// Package files writes the output of a run: standard output, new files, files that are rewritten where
// they are, and folders of files. Whatever ends the run, a file has its old bytes or all of its new ones.
//
//	 rows, documents
//	        |
//	     Output            gathers what is appended to it, and writes it in long pieces
//	     |    |
//	stdout   Set.Create    a new file       Set.Update  a new version of a file, begun at its first change
//	             \          |                    /      Tree.Create  a file of the folder of -o
//	              temporary file  .absolink-*.tmp, with the id of the journal's run: see BelongTo
//	                        |  sync
//	                        |  rename           CommitAll: many of them together
//	                      target                owner, mode and attributes are those of the old file
//
// The package knows nothing of documents. It also words the errors of the system for people (WithAdvice) and
// compares paths (SamePath, Below).
package files
