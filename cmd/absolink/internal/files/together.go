// Many files that are committed together: the disk is asked once for all of them.

package files

import (
	"sync"
)

// syncsAtOnce is how many files the disk is asked for side by side.
const syncsAtOnce = 16

// CommitAll puts files in their places, in their order, once all of them are on the disk. failed is called
// with the index and the error of each file that has one.
func CommitAll(all []*File, failed func(i int, err error)) {
	for _, f := range all {
		startSync(f.File)
	}
	errs := make([]error, len(all))
	var wait sync.WaitGroup
	for i := range min(syncsAtOnce, len(all)) {
		wait.Go(func() {
			for ; i < len(all); i += syncsAtOnce {
				errs[i] = all[i].sync()
			}
		})
	}
	wait.Wait()
	for i, f := range all {
		if err := f.rename(errs[i]); err != nil {
			failed(i, err)
		}
	}
}
