// Package usage helps a person at the command line: pages of help, wrong flags and verbs, completion.
//
//	help/*.md of a verb -- Sections --> intro, Examples, other sections --.
//	flags of a verb ----- Groups ---> Most used, Input, Base URL, ... ---+--> -h: a short page; --help: everything
//
//	an unknown verb or flag  -->  UnknownVerb, FlagError: what is wrong, and what was probably meant
//	-i.bak                   -->  Attach: -i=.bak
//	a shell                  -->  Completion: the script that completes verbs, flags and values
//
// groups.go has the one table of flags and their groups. The package imports no other package of this module.
package usage
