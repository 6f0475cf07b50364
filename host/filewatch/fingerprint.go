package filewatch

import (
	"crypto/sha256"
	"errors"
	"hash"
	"io"
	"io/fs"
	"os"
	"slices"
	"syscall"
	"time"
)

// File is a path and its content when it was last read.
type File struct {
	Path string
	// Hash is the SHA-256 of a file's bytes. For a directory it is the SHA-256 of the word "directory",
	// a NUL, and the names in it in byte order, each followed by a NUL.
	Hash [sha256.Size]byte
	// Missing says that there was nothing to read: no such path, no permission, a loop of symlinks, or
	// something that is neither a file nor a directory. Hash means nothing then.
	Missing bool
}

// Fingerprint reads path, following symlinks. A path that cannot be read at the moment, for want of
// descriptors for example, is Missing; the watcher that tracks it so reports it when it can be read.
func Fingerprint(path string) File {
	r, err := read(path, reading{}, time.Now())
	if err != nil {
		return File{Path: path, Missing: true}
	}
	return r.file
}

// normal returns f such that equal content is equal by ==.
func (f File) normal() File {
	if f.Missing {
		f.Hash = [sha256.Size]byte{}
	}
	return f
}

// reading is a File with what makes it unnecessary to read it again. info is nil where there is no such
// thing: nothing was read, or the times were too fresh to be trusted.
type reading struct {
	file File
	info fs.FileInfo
}

// granularity exceeds the step in which any file system in use counts time. A file that changed less than
// this before it was read can change once more and look the same from outside.
const granularity = 2 * time.Second

// read returns what path holds at now. It keeps before if the file provably is as it was then. An error
// says that the content cannot be known at the moment, which is not the same as Missing.
func read(path string, before reading, now time.Time) (reading, error) {
	info, err := os.Stat(path)
	if err != nil {
		return missing(path, err)
	}
	if before.info != nil && unchanged(before.info, info) {
		return before, nil
	}
	// Opening anything else may block (a pipe without a writer) or do something (a device).
	if !info.Mode().IsRegular() && !info.IsDir() {
		return missing(path, fs.ErrNotExist)
	}
	// The path may have become a pipe since then.
	f, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return missing(path, err)
	}
	defer f.Close()
	// What is remembered beside the hash must be older than the bytes: a write during the reading then
	// shows as a difference at the next one.
	if info, err = f.Stat(); err != nil {
		return reading{}, err
	}
	h := sha256.New()
	switch {
	case info.Mode().IsRegular():
		_, err = io.Copy(h, f)
	case info.IsDir():
		err = hashNames(h, f)
	default:
		return missing(path, fs.ErrNotExist)
	}
	if err != nil {
		return missing(path, err)
	}
	r := reading{file: File{Path: path, Hash: [sha256.Size]byte(h.Sum(nil))}}
	// Files of the proc file system keep their times and claim to be empty, whatever they hold.
	if info.Size() > 0 && now.Sub(changeTime(info)) > granularity {
		r.info = info
	}
	return r, nil
}

func hashNames(h hash.Hash, dir *os.File) error {
	names, err := dir.Readdirnames(-1)
	if err != nil {
		return err
	}
	slices.Sort(names)
	io.WriteString(h, "directory\x00")
	for _, name := range names {
		io.WriteString(h, name+"\x00")
	}
	return nil
}

// missing turns an error that describes the path into a reading of nothing, and returns any other.
func missing(path string, err error) (reading, error) {
	for _, absent := range []error{
		fs.ErrNotExist, fs.ErrPermission,
		syscall.ENOTDIR, syscall.ELOOP, syscall.ENAMETOOLONG, syscall.EINVAL,
	} {
		if errors.Is(err, absent) {
			return reading{file: File{Path: path, Missing: true}}, nil
		}
	}
	return reading{}, err
}

// unchanged reports whether a and b describe the same file with no change of content in between. The
// change time is part of it since cp -p and its kin set the modification time back.
func unchanged(a, b fs.FileInfo) bool {
	return os.SameFile(a, b) && a.Size() == b.Size() && a.Mode() == b.Mode() &&
		a.ModTime().Equal(b.ModTime()) && changeTime(a).Equal(changeTime(b))
}
