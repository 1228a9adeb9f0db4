// Package batch does the job of a verb for each document of a run, on one worker or on several.
//
//	Sources ---> groups ---.---> worker: Job ---.---> complete, in the order of the groups
//	               |       |---> worker: Job ---|        |
//	          one lock     '---> worker: Job ---'     commit the files, write the rows (Out, Edits),
//	                                                  end the documents: Problems, Counts, Journal
//
// A group is some documents, or some records of one long document (divide). A worker takes the next group under a lock
// (take), works on it, and holds the results in memory (work). The goroutine that has called Do completes the groups in
// their order. When it comes to a group whose worker is not ready, the group has its turn: from then on its worker
// writes the rows itself, so a long document needs no memory for them (holder). The groups in memory are limited: each
// takes its weight of a semaphore.
//
// A document that fails is reported, and the run continues. A full disk or an output that cannot be written ends the
// run.
package batch
