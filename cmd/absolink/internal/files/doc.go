// Package files writes the output of a run: standard output, new files, files that are rewritten in place, and folders
// of files. Even if the run is interrupted, a file has either all of its old bytes or all of its new ones.
//
//	 rows, documents
//	        |
//	     Output            collects bytes and writes them in long pieces
//	     |    |
//	stdout   Set.Create    a new file       Set.Update  a new version of a file, begun at the first change
//	             \          |                    /      Tree.Create  a file of the folder of -o
//	              temporary file  .absolink-*.tmp; with a journal it has the id of the run (BelongTo)
//	                        |  sync              not for most files of a new folder: Tree.Sync syncs them later
//	                        |  rename           CommitAll commits many files together
//	                      target                with the owner, mode and attributes of the old file
//
// The package knows nothing of documents. It also rewords system errors for the user (WithAdvice), compares paths
// (SamePath, Below), and reads lists (ReadLines).
package files
