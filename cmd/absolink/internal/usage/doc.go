// Package usage helps a person at the command line: pages of help, wrong flags and verbs, completion.
//
//	help/*.md of a verb -- Sections --> intro, Examples, other sections --.
//	flags of a verb ----- Groups ---> Most used, Input, Base URL, ... ---+--> -h: a short page; --help: everything
//
//	an unknown verb or flag  -->  UnknownVerb, FlagError: what is wrong, and what was probably meant
//	-i.bak                   -->  Attach: -i=.bak
//	a shell                  -->  Completion: the script that completes verbs, flags and values
//	--format jsonl           -->  OneOf: a name from a fixed list, in any case
//	--max-record 256M        -->  Size: a number of bytes, with a unit
package usage
