// How the files of many documents are committed together.

package batch

import (
	"absolink/cmd/absolink/internal/files"
)

// taskFile is the file that a task has written.
type taskFile struct {
	*task
	*files.File
}

// bundlesWaiting is how many bundles wait for their files to be committed together: the disk takes its
// time for each request, however few bytes that has. A long file does not wait: until it is committed the
// disk has to hold the old file, too.
const bundlesWaiting = 2

// commit commits the files of bundles. While it waits for the disk, more bundles come together.
func (p *pipeline) commit() {
	for b := range p.written {
		bundles, written := []*bundle{b}, b.files
		for range len(p.written) {
			b := <-p.written
			bundles, written = append(bundles, b), append(written, b.files...)
		}
		commitTasks(written)
		for _, b := range bundles {
			p.end(b)
		}
	}
}

// commitTasks commits the files of tasks together. A task whose file cannot be committed has failed.
func commitTasks(done []taskFile) {
	all := make([]*files.File, len(done))
	for i, d := range done {
		all[i] = d.File
	}
	files.CommitAll(all, func(i int, err error) { done[i].err = err })
}
