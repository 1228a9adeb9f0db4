// Package console writes messages, problems and the progress line to standard error, and receives signals.
//
//	messages, errors ---> log ----------.
//	                                     >--- Progress ---> standard error
//	problems -----------> Problems -----'        |
//	                        |                 the last line: Counts
//	                     --problems FILE
//
// Problems shows the first problems of each code, and counts the others. A message is one line of text, or of JSON, and
// its control characters are written as escapes.
package console
