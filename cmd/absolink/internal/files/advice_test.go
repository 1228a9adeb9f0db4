package files

import (
	"fmt"
	"io/fs"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
)

// Advice is given once, and what was added around it, like the file name, stays.
func TestAdvice(t *testing.T) {
	denied := &fs.PathError{Op: "open", Path: "out/.absolink-1.tmp", Err: syscall.EACCES}
	err := WithAdvice(fmt.Errorf("out/a.html: %w", WithAdvice(denied)))
	assert.EqualError(t, err, "out/a.html: permission denied; check the permissions of the file and its folder")
	assert.ErrorIs(t, err, fs.ErrPermission)
}

// The limit of open files belongs to the shell, so running again can succeed.
func TestAdviceOpenFiles(t *testing.T) {
	assert.EqualError(t, WithAdvice(&fs.PathError{Op: "open", Err: syscall.EMFILE}), "too many open files; raise the limit with ulimit -n, and run again")
}

// A full disk and a used up quota need different advice: the disk may still have room for other users.
func TestAdviceSpace(t *testing.T) {
	assert.ErrorContains(t, WithAdvice(&fs.PathError{Op: "write", Err: syscall.ENOSPC}), "no space left on the disk; ")
	assert.ErrorContains(t, WithAdvice(&fs.PathError{Op: "write", Err: syscall.EDQUOT}), "your quota on the disk is used up; ")
}
