package files

import (
	"errors"
	"io/fs"
	"os"
	"strings"
	"syscall"
)

// WithAdvice rewords a system error for the user and says what to do. It leaves out the file name that package os adds,
// because the caller's message already has it.
func WithAdvice(err error) error {
	var path *fs.PathError
	var link *os.LinkError
	var done advised
	switch {
	case errors.As(err, &done):
		return err
	case errors.Is(err, fs.ErrNotExist) && errors.As(err, &path) && strings.Contains(path.Path, "://"):
		return advised{err, "no such file or folder; absolink reads files and never fetches a URL"}
	case errors.Is(err, fs.ErrNotExist) && path != nil && isLink(path.Path):
		return advised{err, "a symbolic link to a file that does not exist; mend or remove the link"}
	case errors.Is(err, fs.ErrNotExist):
		return advised{err, "no such file or folder; check the path"}
	case errors.Is(err, fs.ErrPermission):
		return advised{err, "permission denied; check the permissions of the file and its folder"}
	case errors.Is(err, syscall.EISDIR):
		return advised{err, "this is a folder; use a file name"}
	case errors.Is(err, syscall.EDQUOT):
		return advised{err, "your quota on the disk is used up; delete some files, or write to another disk"}
	case errors.Is(err, syscall.ENOSPC):
		return advised{err, "no space left on the disk; free some space, or write to another disk"}
	case errors.Is(err, syscall.EMFILE):
		return advised{err, "too many open files; raise the limit with ulimit -n, and run again"}
	case errors.Is(err, syscall.EPIPE):
		return err
	case errors.As(err, &path):
		return advised{err, path.Op + ": " + path.Err.Error()}
	case errors.As(err, &link):
		return advised{err, link.Op + ": " + link.Err.Error()}
	}
	return err
}

func isLink(path string) bool {
	info, err := os.Lstat(path)
	return err == nil && info.Mode()&fs.ModeSymlink != 0
}

// Advise returns err with another text, which WithAdvice then keeps.
func Advise(err error, text string) error { return advised{err, text} }

type advised struct {
	error
	text string
}

func (a advised) Error() string { return a.text }
func (a advised) Unwrap() error { return a.error }
