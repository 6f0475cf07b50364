package wal

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"syscall"
)

// directory is a directory of the operating system.
type directory string

// openDirectory makes the directory, for its owner alone.
func openDirectory(path string) (directory, error) {
	d := directory(path)
	if err := d.make(); err != nil {
		return "", err
	}
	info, err := os.Stat(path)
	if err != nil {
		return "", err
	}
	if info.Mode().Perm() != 0o700 {
		if err := os.Chmod(path, 0o700); err != nil {
			return "", err
		}
	}
	return d, nil
}

func (d directory) make() error {
	err := os.Mkdir(string(d), 0o700)
	switch {
	case errors.Is(err, os.ErrExist):
		return nil
	case errors.Is(err, os.ErrNotExist):
		if err := directory(filepath.Dir(string(d))).make(); err != nil {
			return err
		}
		return d.make()
	case err != nil:
		return err
	}
	return directory(filepath.Dir(string(d))).sync()
}

func (d directory) at(name string) string { return filepath.Join(string(d), name) }

func (d directory) list() ([]string, error) {
	entries, err := os.ReadDir(string(d))
	var names []string
	for _, e := range entries {
		if e.Type().IsRegular() {
			names = append(names, e.Name())
		}
	}
	return names, err
}

func (d directory) read(name string) ([]byte, error) {
	f, err := os.Open(d.at(name))
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	return readAround(f, info.Size())
}

// readAround reads size bytes, and leaves out the pages that the medium cannot give back.
func readAround(r io.ReaderAt, size int64) ([]byte, error) {
	const page = 4096
	data := make([]byte, size)
	n, err := r.ReadAt(data, 0)
	for errors.Is(err, syscall.EIO) {
		at := int64(n) / page * page
		next := min(at+page, size)
		clear(data[at:next])
		if next == size {
			return data, nil
		}
		var more int
		more, err = r.ReadAt(data[next:], next)
		n = int(next) + more
	}
	if err == io.EOF { // it is shorter than it was a moment ago
		return data[:n], nil
	}
	return data, err
}

func (d directory) create(name string) (file, error) {
	// the directory may have been removed by somebody
	if err := d.make(); err != nil {
		return nil, err
	}
	f, err := os.OpenFile(d.at(name), os.O_WRONLY|os.O_APPEND|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return nil, err
	}
	return osFile{f}, nil
}

func (d directory) rename(from, to string) error { return os.Rename(d.at(from), d.at(to)) }

func (d directory) remove(name string) error { return os.Remove(d.at(name)) }

func (d directory) sync() error {
	f, err := os.Open(string(d))
	if err != nil {
		return err
	}
	defer f.Close()
	return f.Sync()
}

type osFile struct{ *os.File }

// errRemoved is reported for a file that has no name any more: nobody would find what is written to it.
var errRemoved = errors.New("the file was removed")

func (f osFile) sync() error {
	if err := datasync(f.File); err != nil {
		return err
	}
	info, err := f.Stat()
	if err != nil {
		return err
	}
	if s, ok := info.Sys().(*syscall.Stat_t); ok && s.Nlink == 0 {
		return fmt.Errorf("sync %q: %w", f.Name(), errRemoved)
	}
	return nil
}
