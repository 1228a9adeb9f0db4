// Package diff makes unified diffs of bytes from the edits of a document.
//
//	edits (offset, old, new) ---.
//	                             >--- Writer --- hunks, with three lines around each ---> Output
//	the rewritten document -----'
//
// The old document is never read: it is the rewritten one with the edits taken back. In memory are the hunk at
// hand and the lines before the next one.
package diff
