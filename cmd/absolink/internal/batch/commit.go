// The files of many documents are committed together.

package batch

import (
	"absolink/cmd/absolink/internal/files"
)

// taskFile is the file that a task has written.
type taskFile struct {
	*task
	*files.File
}

// bundlesWaiting is the number of bundles that wait for a commit. The disk needs nearly the same time for one file as for many,
// so files are committed together. A long file does not wait: until its commit, the disk has the old file, too.
const bundlesWaiting = 2

// commit commits the files of bundles. While it waits for the disk, more bundles arrive.
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

// commitTasks commits the files of tasks together. If the commit of a file fails, its task fails.
func commitTasks(done []taskFile) {
	files.CommitAll(filesOf(done), func(i int, err error) { done[i].err = err })
}

func filesOf(done []taskFile) []*files.File {
	all := make([]*files.File, len(done))
	for i, d := range done {
		all[i] = d.File
	}
	return all
}
