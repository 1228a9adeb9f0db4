package files

import (
	"bytes"
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
)

// Set is the output files of a run. Each is written to a temporary file beside its
// target, synced and renamed, so whatever ends the run leaves the old one or the new one.
type Set struct {
	mu    sync.Mutex
	temps map[string]bool

	run   string          // the id of the run of a journal, which is in the names of temporary files; or ""
	swept map[string]bool // folders without temporary files of the run before; nil if there was none
}

// BelongTo sets the id of the run of a journal. If the run is resumed, the Set removes the temporary files of the run
// before from each folder that it writes to. Other runs may write there at the same time: their files have other ids.
func (f *Set) BelongTo(run string, resumed bool) {
	f.run = run
	if run != "" && resumed {
		f.swept = map[string]bool{}
	}
}

// Sweep removes the temporary files of the run before from a folder.
func (f *Set) Sweep(dir string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.sweep(dir)
}

// sweep is Sweep for a caller that has the lock.
func (f *Set) sweep(dir string) {
	if f.swept == nil || f.swept[dir] {
		return
	}
	f.swept[dir] = true
	folder, err := os.Open(dir)
	if err != nil {
		return // writing to it fails, too
	}
	defer folder.Close()
	var left []string
	for err == nil {
		var names []string
		names, err = folder.Readdirnames(1024)
		for _, name := range names {
			if strings.HasPrefix(name, tempPrefix+f.run+"-") && IsTemp(name) && !f.isOwn(name) {
				left = append(left, filepath.Join(dir, name))
			}
		}
	}
	for _, name := range left {
		os.Remove(name)
	}
}

// isOwn reports whether a temporary file is one of this process: a folder may have two names.
func (f *Set) isOwn(name string) bool {
	for temp := range f.temps {
		if filepath.Base(temp) == name {
			return true
		}
	}
	return false
}

// Temporary files are known by their names: what a killed run has left is no input.
const tempPrefix, tempSuffix = ".absolink-", ".tmp"

// IsTemp reports whether name is that of a temporary file of absolink.
func IsTemp(name string) bool {
	return strings.HasPrefix(name, tempPrefix) && strings.HasSuffix(name, tempSuffix)
}

// Stop removes every temporary file and keeps the lock: no more of them come, and none
// is renamed, until the process ends.
func (f *Set) Stop() {
	f.mu.Lock()
	for name := range f.temps {
		os.Remove(name)
	}
}

// Abandon removes the temporary files that nobody has committed.
func (f *Set) Abandon() {
	f.Stop()
	f.temps = nil
	f.mu.Unlock()
}

// File is a file that is being written.
type File struct {
	*os.File
	files *Set
	path  string
	temp  string      // "" if path is written as it is: a pipe, a device
	read  fs.FileInfo // of the file at path, if it is a new version of that one; or nil
}

// Create begins a file. It has the owner, attributes and mode of the one it replaces, else the mode of
// like, else the one that the umask leaves.
func (f *Set) Create(path string, like fs.FileInfo) (*File, error) {
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		info = nil
	case err != nil: // a new file in its place would be one of another mode
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

// begin is Create where it is known what there is of that name: info of a plain file, or nil.
func (f *Set) begin(path string, info, like fs.FileInfo) (*File, error) {
	if info != nil {
		like = info
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	dir := filepath.Dir(path)
	file, err := f.openTemp(dir)
	if err != nil { // path itself may well be one to write to
		return nil, unwritten(fmt.Errorf("cannot create a file in %s: %w", dir, WithAdvice(err)))
	}
	if f.temps == nil {
		f.temps = map[string]bool{}
	}
	f.temps[file.Name()] = true
	o := &File{File: file, files: f, path: path, temp: file.Name()}
	if info != nil {
		keepOwner(file, like)
		keepAttributes(file, path)
	}
	if like != nil {
		if err := file.Chmod(like.Mode().Perm()); err != nil && !errors.Is(err, errors.ErrUnsupported) {
			file.Close()
			os.Remove(o.temp)
			delete(f.temps, o.temp)
			return nil, err
		}
	}
	return o, nil
}

// special reports whether a file is one to write into, not one to replace.
func special(info fs.FileInfo) bool {
	return info.Mode()&(fs.ModeDevice|fs.ModeNamedPipe|fs.ModeSocket|fs.ModeCharDevice) != 0
}

// openTemp is os.CreateTemp with the mode that the umask allows. The caller has the lock.
func (f *Set) openTemp(dir string) (*os.File, error) {
	f.sweep(dir)
	prefix := tempPrefix
	if f.run != "" {
		prefix += f.run + "-"
	}
	for {
		name := filepath.Join(dir, prefix+NewID()+tempSuffix)
		file, err := OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
		if !errors.Is(err, fs.ErrExist) {
			return file, err
		}
	}
}

// NewID returns random letters and digits.
func NewID() string { return strconv.FormatUint(rand.Uint64(), 36) }

// Write is io.Writer. Its error is a WriteError.
func (o *File) Write(p []byte) (int, error) {
	n, err := o.File.Write(p)
	return n, unwritten(err)
}

// Commit puts the file where it belongs. Its error is a WriteError.
func (o *File) Commit() error { return o.rename(o.sync()) }

// sync has the disk take all of the file. Nothing can be written to it after that.
func (o *File) sync() error {
	if o.temp == "" {
		return o.Close()
	}
	err := o.Sync()
	if e := o.Close(); err == nil {
		err = e
	}
	return err
}

// rename puts a file where it belongs if it could be synced, else it takes it back. It is sync's
// error, or one of its own.
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
		err = rename(o.temp, o.path)
	}
	if err != nil {
		os.Remove(o.temp)
	}
	return unwritten(err)
}

// stillAs fails for a file that is gone or not as it was when its reading began: a message that
// was delivered to an mbox since would be lost, or what an editor has saved. One that holds what
// is to replace it was given twice, and is another worker's.
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

// errChanged is the error for a file that is not replaced because it changed after its reading began.
var errChanged = errors.New("not rewritten: the file changed while absolink was reading it; run again")

// sameBytes reports whether two files can be read and hold the same.
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

// Discard takes back a file that is not to be.
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

// CopyFrom copies a file as it is.
func CopyFrom(dst io.Writer, name string) error {
	in, err := os.Open(name)
	if err != nil {
		return err
	}
	defer in.Close()
	_, err = io.Copy(dst, in)
	return err
}
