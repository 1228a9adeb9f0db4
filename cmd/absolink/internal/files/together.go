// Many files are committed together, because their syncs can wait at the same time.

package files

import (
	"sync"
)

// syncsAtOnce is the number of files that are synced at the same time.
const syncsAtOnce = 16

// CommitAll syncs all files, then renames them in order. It calls failed with the index and the error of each file that
// fails.
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
