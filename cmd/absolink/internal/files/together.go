// Many files are committed together, because their syncs can wait at the same time.

package files

import "sync"

// syncsAtOnce is the number of files that are synced at the same time.
const syncsAtOnce = 16

// CommitAll syncs all files that Tree.Sync does not sync. Then it renames all files in order. It calls failed with the index and
// the error of each file that fails.
func CommitAll(all []*File, failed func(i int, err error)) {
	errs := make([]error, len(all))
	var slow []int
	for i, f := range all {
		if f.syncs() {
			startSync(f.File)
			slow = append(slow, i)
		} else {
			errs[i] = f.sync()
		}
	}
	var wait sync.WaitGroup
	for from := range min(syncsAtOnce, len(slow)) {
		wait.Go(func() {
			for k := from; k < len(slow); k += syncsAtOnce {
				errs[slow[k]] = all[slow[k]].sync()
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
