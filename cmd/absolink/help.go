package main

import (
	"github.com/spf13/cobra"
)

// newInputs is not a verb: it is what the help of four verbs has in common. What the manual
// is not to take for Markdown stands four columns in.
func newInputs() *cobra.Command {
	return &cobra.Command{
		Use:   "inputs",
		Short: "Which documents come in: PATHs, lists, patterns, Maildirs, shards",
		Long: `A PATH is a file, a folder (its files and those below it, sorted) or - for standard input.
--files-from FILE lists more of them.

Of a folder, what no format claims is passed over, and, unless --hidden or --follow say
otherwise, files and folders whose names begin with a dot, and symbolic links. A folder
with the folders cur and new is a Maildir: the files in these are messages whatever their
names, those in tmp are passed over, and its folders .NAME that are Maildirs are read.

Patterns (--glob) choose among the files of a folder. One without a slash is matched
against the file's name, one with a slash against its path in the folder.

    *        any characters but a slash        [abc]    one of these, [a-z] of this range
    ?        any character but a slash         [!abc]   one character but these
    **       any folders, or none              {a,b}    a or b, which may be patterns
    /NAME    NAME in the folder itself         \*       the character itself

A file is read if it matches one of the patterns, or none is given, and neither it nor a
folder that it is in matches one of those that are given behind an exclamation mark. With
a slash at its end such a one is about folders alone:

    absolink links site/ --glob '*.html' --glob '!_static' --glob '!build/'

--only, once or more, chooses documents by media type: what --type says, or the name, or the
first bytes; of a packed file, that of what is in it; of an archive, its own.

--shard I/N divides a run between N machines: each document is in one part, from 1 to N.
It is the 64-bit FNV-1a hash of the name, of its bytes as they are, modulo N, plus 1, so
it is the same wherever the documents have the same names.`,
	}
}
