package logs

import (
	"io"
	"io/fs"
	"os"
)

// disk is what a Log does to the file system.
type disk interface {
	mkdir(path string) error
	// create makes a file that is not there yet, to append to and to read from.
	create(path string) (file, error)
	// reopen opens a file that is there, to append to and to read from.
	reopen(path string) (file, error)
	// openIndex opens or makes a file to write and read at any place.
	openIndex(path string) (file, error)
	open(path string) (file, error) // to read
	stat(path string) (fs.FileInfo, error)
	rename(from, to string) error
	remove(path string) error
}

type file interface {
	io.Writer
	io.WriterAt
	io.ReaderAt
	io.Closer
	Stat() (fs.FileInfo, error)
}

type osDisk struct{}

func (osDisk) mkdir(path string) error { return os.MkdirAll(path, 0o700) }

func (osDisk) create(path string) (file, error) {
	return open(path, os.O_RDWR|os.O_APPEND|os.O_CREATE|os.O_EXCL)
}

func (osDisk) reopen(path string) (file, error) { return open(path, os.O_RDWR|os.O_APPEND) }

func (osDisk) openIndex(path string) (file, error) { return open(path, os.O_RDWR|os.O_CREATE) }

func (osDisk) open(path string) (file, error) { return open(path, os.O_RDONLY) }

// open avoids a nil *os.File in a file that is not nil.
func open(path string, flag int) (file, error) {
	f, err := os.OpenFile(path, flag, 0o600)
	if err != nil {
		return nil, err
	}
	return f, nil
}

func (osDisk) stat(path string) (fs.FileInfo, error) { return os.Lstat(path) }

func (osDisk) rename(from, to string) error { return os.Rename(from, to) }

func (osDisk) remove(path string) error { return os.Remove(path) }
