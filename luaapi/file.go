package luaapi

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
)

// MaxFile is how long a file that takes part in a load may be, in bytes.
const MaxFile = 256 << 10

// File is something on disk that took part in a load: a recipe, a module, a file of variables, or a
// directory that an include looked through. It is comparable: while Current returns the same value,
// nothing of it has changed.
type File struct {
	Path string // absolute
	// Pattern is set for a directory: what its entries were matched with.
	Pattern string
	// Hash is the SHA-256 of the content (of its first MaxFile+1 bytes), or of the names of the entries
	// that match.
	Hash [sha256.Size]byte
	// Missing says that it was looked for and could not be read.
	Missing bool
}

// Current returns the file as it stands on disk.
func (f File) Current() File {
	if f.Pattern != "" {
		_, now := readDir(f.Path, f.Pattern)
		return now
	}
	_, now, _ := readFile(f.Path)
	return now
}

// errTooLong is reported for a file beyond MaxFile.
var errTooLong = fmt.Errorf("it is longer than %d KiB", MaxFile>>10)

// readFile reads a file of bounded length. It never blocks on a pipe or a device, which are refused.
func readFile(path string) (src []byte, f File, err error) {
	f = File{Path: path, Missing: true}
	// Without O_NONBLOCK an open of a named pipe would wait for a writer.
	file, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, f, bare(err)
	}
	defer file.Close()
	info, err := file.Stat()
	switch {
	case err != nil:
		return nil, f, bare(err)
	case info.IsDir():
		return nil, f, errors.New("it is a directory")
	case !info.Mode().IsRegular():
		return nil, f, errors.New("it is no regular file")
	}
	src, err = io.ReadAll(io.LimitReader(file, MaxFile+1))
	if err != nil {
		return nil, f, bare(err)
	}
	f = File{Path: path, Hash: sha256.Sum256(src)}
	if len(src) > MaxFile {
		return nil, f, errTooLong
	}
	return src, f, nil
}

// readDir returns the names in dir that match pattern, sorted; with a pattern that ends in a slash only
// directories do, and a name with a leading dot must be asked for. A dir that cannot be read has none.
func readDir(dir, pattern string) (names []string, f File) {
	f = File{Path: dir, Pattern: pattern}
	entries, err := os.ReadDir(dir) // sorted by name
	f.Missing = err != nil
	segment, onlyDirs := strings.CutSuffix(pattern, "/")
	for _, e := range entries {
		name := e.Name()
		if ok, _ := filepath.Match(segment, name); !ok || name[0] == '.' && segment[0] != '.' {
			continue
		}
		if info, err := os.Stat(filepath.Join(dir, name)); onlyDirs && (err != nil || !info.IsDir()) {
			continue
		}
		names = append(names, name)
	}
	f.Hash = sha256.Sum256([]byte(strings.Join(names, "\x00")))
	return names, f
}

// bare strips the operation and the path from an error of the file system: the message that it goes into
// names both.
func bare(err error) error {
	var pe *fs.PathError
	if errors.As(err, &pe) {
		return pe.Err
	}
	return err
}
