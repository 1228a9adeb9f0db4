package files

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
)

// Set is the output files of a run. Each file is written to a temporary file in the folder of the target, then synced and
// renamed. So even an interrupted run leaves the old file or the whole new file.
type Set struct {
	mu    sync.Mutex
	temps map[string]bool

	// Lost has the attributes of replaced files that the new files do not have, by the paths of the files. Read it when all files
	// are committed.
	Lost map[string][]string

	read atomic.Uint32 // the permissions that some document of the run does not have, and isRead

	// With a journal, the beginning of the names of the temporary files of the run, and of this process.
	ofRun, own string
	swept      map[string]bool // folders where the temporary files of an interrupted run were removed; nil without such a run
}

// BelongTo sets the id of the run of a journal. If the run is resumed, the Set removes the temporary files of the interrupted
// run from each folder that it writes to: after kill -9 or a power cut they are still there. Other runs may write there at the same
// time: their files have other ids.
func (f *Set) BelongTo(run string, resumed bool) {
	f.ofRun = tempPrefix + run + "-"
	f.own = f.ofRun + NewID() + "-"
	if resumed {
		f.swept = map[string]bool{}
	}
}

// Sweep removes the temporary files of an interrupted run from a folder, if this run resumes it.
func (f *Set) Sweep(dir string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.sweep(dir)
}

func (f *Set) sweep(dir string) {
	if f.swept == nil || f.swept[dir] {
		return
	}
	f.swept[dir] = true
	entries, _ := os.ReadDir(dir) // if it cannot be read, the rest stays
	for _, entry := range entries {
		if name := entry.Name(); strings.HasPrefix(name, f.ofRun) && IsTemp(name) && !strings.HasPrefix(name, f.own) {
			os.Remove(filepath.Join(dir, name))
		}
	}
}

// Temporary files have these prefixes and suffixes in their names. The files of a killed run are not inputs.
const tempPrefix, tempSuffix = ".absolink-", ".tmp"

func IsTemp(name string) bool {
	return strings.HasPrefix(name, tempPrefix) && strings.HasSuffix(name, tempSuffix)
}

// Stop removes all temporary files and keeps the lock. So no file is created or renamed until the process ends.
func (f *Set) Stop() {
	f.mu.Lock()
	for name := range f.temps {
		os.Remove(name)
	}
}

// Abandon removes the temporary files that were not committed.
func (f *Set) Abandon() {
	f.Stop()
	f.temps = nil
	f.mu.Unlock()
}

type File struct {
	*os.File
	files *Set
	path  string
	temp  string      // the temporary file; "" if path is written directly: a pipe, a device
	read  fs.FileInfo // of the old file at path, if this is its new version; or nil
	like  fs.FileInfo // the file whose mode it gets at the end; or nil
	from  string      // the file whose owner and attributes it gets at the end; or ""
	lost  []string    // the attributes of the old file that it does not have
	later bool        // Tree.Sync syncs it

	mode func() fs.FileMode // returns the mode of a file that is made from several documents; or nil
}

// isRead is the bit of Set.read that is set when the mode of a document is known. The other bits are permissions.
const isRead = 1 << 9

// Read takes note of a document of the run. A new Output is made from all documents, so it can be opened only by those who can
// open each of them: the links of private mail are private. info may be of a pipe, which has no such mode.
func (f *Set) Read(info fs.FileInfo) {
	if info.Mode().IsRegular() {
		f.read.Or(isRead | uint32(^info.Mode().Perm()&fs.ModePerm))
	}
}

// outputMode returns the mode of a new file that is made from the documents so far. A copy has the mode of its document. The
// owner can always read and write another output, because a run may continue it.
func (f *Set) outputMode(isCopy bool) fs.FileMode {
	read := f.read.Load()
	allowed := fs.FileMode(^read) & fs.ModePerm
	if isCopy && read&isRead != 0 {
		return allowed
	}
	return newMode & (allowed | 0o600)
}

// newMode is the mode of a new file that has no other.
var newMode = 0o666 &^ umask()

// Create begins a file. Commit sets the owner, attributes and mode of the file that it replaces. A new file gets the mode
// of like, or of the umask if like is nil. Until then only its owner can open it.
func (f *Set) Create(path string, like fs.FileInfo) (*File, error) {
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		info = nil
	case err != nil: // a new file in its place would have another mode
		return nil, err
	case special(info):
		file, err := os.OpenFile(path, os.O_WRONLY, 0)
		if err != nil {
			return nil, err
		}
		return &File{File: file, path: path}, nil
	}
	return f.begin(path, info, like)
}

// begin is Create if info is known: that of a regular file at path, or nil if there is none.
func (f *Set) begin(path string, info, like fs.FileInfo) (*File, error) {
	if info != nil {
		like = info
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	dir := filepath.Dir(path)
	file, err := os.OpenFile(f.tempName(dir), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil { // the file itself may be writable
		return nil, unwritten(fmt.Errorf("cannot create a file in %s: %w", dir, WithAdvice(err)))
	}
	if f.temps == nil {
		f.temps = map[string]bool{}
	}
	f.temps[file.Name()] = true
	o := &File{File: file, files: f, path: path, temp: file.Name(), like: like}
	if info != nil {
		o.from = path
	}
	return o, nil
}

// special reports whether a file is written directly and not replaced: a pipe, a device or a socket, as in -o /dev/stdout or
// --problems >(gzip > FILE).
func special(info fs.FileInfo) bool {
	return info.Mode()&(fs.ModeDevice|fs.ModeNamedPipe|fs.ModeSocket|fs.ModeCharDevice) != 0
}

// tempName returns the name of a new temporary file. The caller has the lock.
func (f *Set) tempName(dir string) string {
	f.sweep(dir)
	return filepath.Join(dir, cmp.Or(f.own, tempPrefix)+NewID()+tempSuffix)
}

func NewID() string { return strconv.FormatUint(rand.Uint64(), 36) }

func (o *File) Write(p []byte) (int, error) {
	n, err := o.File.Write(p)
	return n, unwritten(err)
}

// ReadFrom is io.ReaderFrom: the system copies a file faster than Write would. An error of writing is a WriteError.
func (o *File) ReadFrom(in io.Reader) (int64, error) {
	n, err := o.File.ReadFrom(in)
	if failed, ok := errors.AsType[*fs.PathError](err); ok && failed.Path == o.Name() {
		err = unwritten(err)
	}
	return n, err
}

// Commit syncs the file, unless Tree.Sync will do it, and renames it to its path. Its error is a WriteError.
func (o *File) Commit() error { return o.rename(o.sync()) }

func (o *File) syncs() bool { return o.temp != "" && !o.later }

func (o *File) finish() error {
	if o.temp == "" {
		return nil
	}
	if o.from != "" {
		if !keepOwner(o.File, o.like) {
			o.lost = append(o.lost, "owner or group")
		}
		o.lost = append(o.lost, keepAttributes(o.File, o.from)...)
	}
	mode := newMode
	switch {
	case o.like != nil:
		mode = o.like.Mode().Perm()
	case o.mode != nil:
		mode = o.mode()
	}
	return chmod(o.File, mode)
}

// chmod sets the mode of a file that this run has made. It is no error if the file system has no modes, as on a USB stick, or only
// one for all files.
func chmod(file *os.File, mode fs.FileMode) error {
	if err := file.Chmod(mode); !errors.Is(err, errors.ErrUnsupported) && !errors.Is(err, fs.ErrPermission) {
		return err
	}
	return nil
}

// sync finishes and closes the file. If Commit syncs it, sync writes it to the disk before.
func (o *File) sync() error {
	err := o.finish()
	if err == nil && o.syncs() {
		err = o.Sync()
	}
	if e := o.Close(); err == nil {
		err = e
	}
	return err
}

// rename renames the file to its path, or removes it if err is not nil. err is the error of sync. rename returns err, or its
// own error.
func (o *File) rename(err error) error {
	if o.temp == "" {
		return unwritten(err)
	}
	o.files.mu.Lock()
	defer o.files.mu.Unlock()
	delete(o.files.temps, o.temp)
	if err == nil && o.read != nil {
		err = stillAs(o.path, o.read, o.temp)
	}
	if err == nil {
		err = os.Rename(o.temp, o.path)
	}
	switch {
	case err != nil:
		os.Remove(o.temp)
	case o.read != nil && len(o.lost) > 0:
		if o.files.Lost == nil {
			o.files.Lost = map[string][]string{}
		}
		o.files.Lost[o.path] = o.lost
	}
	return unwritten(err)
}

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

// stillAs returns an error if the file at path does not exist any more, or has changed since its reading began. Otherwise a
// message that was delivered to an mbox in the meantime, or the work of an editor, would be lost. A file with the bytes of the
// new version is no error: two PATHs lead to it, and another worker has rewritten it.
func stillAs(path string, then fs.FileInfo, temp string) error {
	now, err := os.Lstat(path)
	switch {
	case err != nil:
		return err
	case os.SameFile(now, then) && now.Size() == then.Size() && now.ModTime().Equal(then.ModTime()):
		return nil
	case !os.SameFile(now, then) && now.Mode().IsRegular() && sameBytes(path, temp):
		return nil
	}
	return errChanged
}

var errChanged = errors.New("not rewritten: the file changed while absolink was reading it; run again")

// sameBytes reports whether two files can be read and have the same bytes.
func sameBytes(a, b string) bool {
	one, err := os.Open(a)
	if err != nil {
		return false
	}
	defer one.Close()
	other, err := os.Open(b)
	if err != nil {
		return false
	}
	defer other.Close()
	p, q := make([]byte, BufferSize), make([]byte, BufferSize)
	for {
		n, err := io.ReadFull(one, p)
		m, otherErr := io.ReadFull(other, q)
		if err != otherErr || !bytes.Equal(p[:n], q[:m]) {
			return false
		}
		if err != nil {
			return err == io.EOF || err == io.ErrUnexpectedEOF
		}
	}
}

// Become replaces what was written by the bytes of another file: a compressed file without an edit stays as it was compressed. What
// was written to a pipe or a device stays.
func (o *File) Become(name string) error {
	if o.temp == "" {
		return nil
	}
	if err := Truncate(o.File, 0); err != nil {
		return unwritten(err)
	}
	return CopyFrom(o, name)
}

// Discard closes the file and removes its temporary file.
func (o *File) Discard() {
	o.Close()
	if o.temp == "" {
		return
	}
	o.files.mu.Lock()
	defer o.files.mu.Unlock()
	delete(o.files.temps, o.temp)
	os.Remove(o.temp)
}

// OpenRegular opens a file that a folder may have. Unlike os.Open it returns an error for a pipe, which could wait for ever, and
// for a device.
func OpenRegular(name string) (*os.File, error) {
	file, err := os.OpenFile(name, os.O_RDONLY|noBlock, 0)
	if err != nil {
		return nil, err
	}
	info, err := file.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = Advise(fs.ErrInvalid, "this is not a regular file")
	}
	if err != nil {
		file.Close()
		return nil, err
	}
	return file, nil
}

func CopyFrom(dst io.Writer, name string) error {
	in, err := os.Open(name)
	if err != nil {
		return err
	}
	defer in.Close()
	_, err = io.Copy(dst, in)
	return err
}
