// Package console writes messages, problems and the progress line to standard error, and receives signals.
//
//	messages, errors ---> log ----------.
//	                                     >--- Progress ---> standard error
//	problems -----------> Problems -----'        |
//	                        |                 the last line: Counts
//	                     --problems FILE
//
// A message is one line of text, or of JSON. Problems shows the first problems of each code, and counts the others. Colors are
// for terminals. A control character in a message is written as an escape.
package console
