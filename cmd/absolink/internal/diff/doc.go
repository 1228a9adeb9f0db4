// Package diff makes unified diffs of bytes from the edits of a document.
//
//	edits (offset, old, new) ---.
//	                             >--- Writer --- hunks, with three lines around each ---> Output
//	the rewritten document -----'
//
// The old document is not read: it is the rewritten document without the edits. Only the current hunk and the lines before the
// next hunk are in memory. The hunk is a script, which has the text of both sides once.
package diff
