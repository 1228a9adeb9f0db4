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
	"time"
)

// Set is the output files of a run. Each is written to a temporary file in the folder of its target, then synced and
// renamed, so that even an interrupted run leaves either the old file or the whole new one.
type Set struct {
	mu    sync.Mutex
	temps map[string]bool

	read atomic.Uint32 // the permissions that some document of the run lacks, and isRead

	// With a journal, the prefix of the temporary files of the run, and of this process.
	ofRun, own string
	resumed    bool
	swept      map[string]bool // folders that were looked through for the temporary files of killed runs
	left       []string        // those of other runs
}

// BelongTo sets the id of a run with a journal. If the run is resumed, the Set removes the temporary files that a kill
// -9 or a power cut left behind from each folder that it writes to. Those of other runs, which may be writing there at
// the same time, have other ids.
func (f *Set) BelongTo(run string, resumed bool) {
	f.ofRun = tempPrefix + run + "-"
	f.own = f.ofRun + NewID() + "-"
	f.resumed = resumed
}

func (f *Set) Sweep(dir string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.sweep(dir)
}

func (f *Set) sweep(dir string) {
	if f.swept[dir] {
		return
	}
	if f.swept == nil {
		f.swept = map[string]bool{}
	}
	f.swept[dir] = true
	entries, _ := os.ReadDir(dir) // if it cannot be read, the files stay
	for _, entry := range entries {
		switch path := filepath.Join(dir, entry.Name()); {
		case !IsTemp(entry.Name()):
		case !f.resumed || !strings.HasPrefix(entry.Name(), f.ofRun):
			f.left = append(f.left, path)
		case !strings.HasPrefix(entry.Name(), f.own):
			os.Remove(path)
		}
	}
}

// Left returns a line about each temporary file of another run that is still there, and that no process writes.
func (f *Set) Left() (lines []string) {
	for _, path := range f.left {
		info, err := os.Lstat(path)
		if err != nil {
			continue
		}
		if file, err := OpenRegular(path); err == nil {
			dead := Lock(file)
			if file.Close(); !dead {
				continue
			}
		}
		age := time.Since(info.ModTime()).Round(time.Second)
		lines = append(lines, fmt.Sprintf("%s: a killed run left this temporary file %v ago; remove it", path, age))
	}
	return lines
}

// The names of temporary files have this prefix and suffix, so that the files of a killed run are not taken for inputs.
const tempPrefix, tempSuffix = ".absolink-", ".tmp"

func IsTemp(name string) bool {
	return strings.HasPrefix(name, tempPrefix) && strings.HasSuffix(name, tempSuffix)
}

// Stop removes all temporary files and keeps the lock, so that no file is created or renamed until the process ends.
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
	temp  string      // the temporary file; "" if path is written directly, like a pipe or a device
	read  fs.FileInfo // of the old file at path, if this is its new version; or nil
	like  fs.FileInfo // the file whose mode this one gets at the end; or nil
	from  string      // the file whose owner and attributes this one gets at the end; or ""
	lost  []string    // what it could not keep of the old file
	later bool        // Tree.Sync will sync it

	mode func() fs.FileMode // returns the mode of a file that is made from several documents; or nil
}

// isRead is set in Set.read once the mode of a document is known. The other bits are permissions.
const isRead = 1 << 9

// Read notes a document of the run. A new Output is made from all documents, and the links of private mail are private,
// so only those who can open each document can open it. info may be that of a pipe, which has no such mode.
func (f *Set) Read(name string, info fs.FileInfo) {
	if info.Mode().IsRegular() {
		f.read.Or(isRead | uint32(^Perm(name, info)&fs.ModePerm))
	}
}

// outputMode returns the mode of a new file that is made from the documents so far. A copy has the mode of its
// document. The owner can always read and write any other output, because a later run may continue it.
func (f *Set) outputMode(isCopy bool) fs.FileMode {
	read := f.read.Load()
	allowed := fs.FileMode(^read) & fs.ModePerm
	if isCopy && read&isRead != 0 {
		return allowed
	}
	return newMode & (allowed | 0o600)
}

// newMode is the mode of a new file that gets no other.
var newMode = 0o666 &^ umask()

// Create begins a file. Commit sets the owner, attributes and mode of the file that it replaces. A new file gets the
// mode of like, or that of the umask if like is nil. Until Commit only its owner can open it.
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

// begin is Create where info is known already: that of a regular file at path, or nil if there is none.
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
	Lock(file) // for Left
	o := &File{File: file, files: f, path: path, temp: file.Name(), like: like}
	if info != nil {
		o.from = path
	}
	return o, nil
}

// special reports whether a file is written directly instead of being replaced: a pipe, a device or a socket, as in -o
// /dev/stdout or --problems >(gzip > FILE).
func special(info fs.FileInfo) bool {
	return info.Mode()&(fs.ModeDevice|fs.ModeNamedPipe|fs.ModeSocket|fs.ModeCharDevice) != 0
}

// tempName returns the name of a new temporary file. The caller holds the lock.
func (f *Set) tempName(dir string) string {
	f.sweep(dir)
	return filepath.Join(dir, cmp.Or(f.own, tempPrefix)+NewID()+tempSuffix)
}

func NewID() string { return strconv.FormatUint(rand.Uint64(), 36) }

func (o *File) Write(p []byte) (int, error) {
	n, err := o.File.Write(p)
	return n, unwritten(err)
}

// ReadFrom lets the system copy a file, which is faster than Write. Only an error of writing is a WriteError.
func (o *File) ReadFrom(in io.Reader) (int64, error) {
	n, err := o.File.ReadFrom(in)
	if failed, ok := errors.AsType[*fs.PathError](err); ok && failed.Path == o.Name() {
		err = unwritten(err)
	}
	return n, err
}

// Commit syncs the file, unless Tree.Sync will, and renames it to its path. Its error is a WriteError.
func (o *File) Commit() error { return o.rename(o.sync()) }

func (o *File) syncs() bool { return o.temp != "" && !o.later }

func (o *File) finish() error {
	if o.temp == "" {
		return nil
	}
	if o.from != "" {
		if !keepOwner(o.File, o.like) {
			o.lost = append(o.lost, Owner)
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

// chmod sets the mode of a file that this run has made. It ignores that a file system has no modes, as on a USB stick,
// or only one for all files.
func chmod(file *os.File, mode fs.FileMode) error {
	if err := file.Chmod(mode); !errors.Is(err, errors.ErrUnsupported) && !errors.Is(err, fs.ErrPermission) {
		return err
	}
	return nil
}

// sync finishes and closes the file. It also writes it to the disk, unless Tree.Sync will.
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

// rename renames the file to its path, or removes it if err, the error of sync, is not nil. It returns err or its own
// error.
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
	if err != nil {
		os.Remove(o.temp)
	}
	return unwritten(err)
}

// Owner is what Lost returns for the owner or the group.
const Owner = "owner or group"

// Lost returns what a committed new version could not keep of the old file: extended attributes, owner or group.
func (o *File) Lost() []string {
	if o.read == nil {
		return nil
	}
	return o.lost
}

const syncsAtOnce = 16

// CommitAll syncs all files that Tree.Sync will not, then renames all files in order. It calls failed with the index
// and the error of each file that fails.
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

// stillAs returns an error if the file at path has gone or has changed since its reading began: a message delivered to
// an mbox meanwhile, or the work of an editor, would be lost. A file that already has the bytes of the new version is
// fine, because two PATHs can lead to it, and another worker has then rewritten it.
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

// Become replaces what was written with the bytes of another file, so that a compressed file without an edit keeps its
// compression. What was written to a pipe or a device stays.
func (o *File) Become(name string) error {
	if o.temp == "" {
		return nil
	}
	if err := Truncate(o.File, 0); err != nil {
		return unwritten(err)
	}
	return CopyFrom(o, name)
}

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

// OpenRegular opens a file found in a folder. Unlike os.Open it returns an error for a device and for a pipe, which
// could wait forever.
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
