// Package batch runs the job of a verb over many documents, on one worker or on several.
//
//	Sources --- Opener ---> tasks ---> bundles ---.---> Worker ---> job of the verb ---.
//	                          |                   |---> Worker                         |
//	                        budget                '---> Worker                         |
//	               limits bytes in memory                               files: commit, many together
//	                                                                                   |
//	        Journal, Counts, Reporter <--- finish <--- emit, in the order of the documents
//	                                                     |
//	                                                    Out, Edits
//
// With one worker a task is a document, and its rows are written as they are made (oneByOne). With several
// workers a task is a document or one record of it. Its rows wait in memory until all rows before them are written
// (sideBySide). With --unordered they do not wait.
//
// A document that fails is reported, and the run continues. A full disk or an output that cannot be written
// ends the run.
package batch
