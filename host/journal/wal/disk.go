package wal

import "io"

// disk is what a Log does to its directory.
type disk interface {
	// list returns the names of the files.
	list() ([]string, error)
	// read returns the content of a file. Where the medium cannot be read it has zeros.
	read(name string) ([]byte, error)
	// create makes a file that is not there yet, to append to.
	create(name string) (file, error)
	rename(from, to string) error
	remove(name string) error
	// sync makes what create, rename and remove did to the directory durable.
	sync() error
}

// file is a file that is appended to.
type file interface {
	io.WriteCloser
	// sync makes the content durable.
	sync() error
}
