package main

import "sync"

// taskFile is the file that a task has written.
type taskFile struct {
	*task
	*outFile
}

// Files are committed together: what takes long is that the disk is asked, not how much it is
// given. Those of so many batches wait for it, and so many are asked for side by side. A long
// one does not wait: until then the disk has to hold the old file, too.
const (
	batchesWaiting = 2
	syncsAtOnce    = 16
)

// commit puts the files of batches where they belong. While it waits for the disk, more come
// together.
func (p *pipeline) commit() {
	for b := range p.written {
		batches, files := []*batch{b}, b.files
		for range len(p.written) {
			b := <-p.written
			batches, files = append(batches, b), append(files, b.files...)
		}
		commitAll(files)
		for _, b := range batches {
			p.end(b)
		}
	}
}

// commitAll puts files where they belong, in their order, once all of them are on the disk.
func commitAll(files []taskFile) {
	for _, f := range files {
		startSync(f.File)
	}
	var all sync.WaitGroup
	for i := range min(syncsAtOnce, len(files)) {
		all.Go(func() {
			for ; i < len(files); i += syncsAtOnce {
				files[i].err = files[i].sync()
			}
		})
	}
	all.Wait()
	for _, f := range files {
		f.err = f.rename(f.err)
	}
}
