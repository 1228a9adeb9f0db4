// Package console writes what people see on standard error.
//
//	messages, errors ---> log ----------.
//	                                     >--- Progress ---> standard error
//	problems -----------> Problems -----'        |
//	                        |                 the line at its foot: State
//	                     --problems FILE
//
// Messages are a line each, or JSON lines. Of the problems of one kind it shows the first ones, and counts the
// rest. Colors are for terminals, and a control character in a message is written as an escape.
package console
