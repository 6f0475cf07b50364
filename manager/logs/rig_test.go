package logs

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/prochost/prochost/manager/proc"
)

const id = proc.ID("proc_test")

// rig is a Log with a clock that stands still, a disk that can fail, and a memory of what was said.
type rig struct {
	tb       testing.TB
	dir      string
	now      time.Time
	disk     *badDisk
	troubles []string
	*Log
}

func newRig(tb testing.TB, limit int64) *rig { return newRigOf(tb, limit, DefaultKeep) }

// newRigOf is newRig with so many files of a stream.
func newRigOf(tb testing.TB, limit int64, keep int) *rig {
	r := &rig{tb: tb, dir: filepath.Join(tb.TempDir(), "logs"), now: time.UnixMilli(1_800_000_000_000), disk: &badDisk{}}
	var err error
	opt := r.options(limit)
	opt.Keep = keep
	r.Log, err = Open(r.dir, id, opt)
	require.NoError(tb, err)
	tb.Cleanup(func() { r.Log.Close() })
	return r
}

func (r *rig) options(limit int64) Options {
	return Options{
		Cap:     limit,
		Now:     func() time.Time { return r.now },
		Trouble: func(m string) { r.troubles = append(r.troubles, m) },
		disk:    r.disk,
	}
}

func (r *rig) out(s string) { r.Append(proc.Stdout, []byte(s)) }
func (r *rig) err(s string) { r.Append(proc.Stderr, []byte(s)) }
func (r *rig) pass(d time.Duration) {
	r.now = r.now.Add(d)
}

// load reads the log again as another program would.
func (r *rig) load() *Log {
	l, err := Load(r.dir, id, Options{})
	require.NoError(r.tb, err)
	return l
}

// crash loads what a killed writer leaves behind: nothing is closed.
func (r *rig) crash() *Log { return r.load() }

// bytesOnDisk returns the size of every file in the directory.
func (r *rig) bytesOnDisk() (n int64) {
	entries, err := os.ReadDir(r.dir)
	require.NoError(r.tb, err)
	for _, e := range entries {
		info, err := e.Info()
		require.NoError(r.tb, err)
		n += info.Size()
	}
	return n
}

// read returns what is to be read, as text: "o:" or "e:" before each change of stream, marks in brackets.
func read(r *Reader) string {
	var b strings.Builder
	last := byte(0)
	for {
		c, ok := r.Next()
		if !ok {
			return b.String()
		}
		if k := "oe"[c.Stream]; k != last || c.Data == nil {
			b.WriteByte(k)
			b.WriteByte(':')
			last = k
		}
		switch {
		case c.Gap > 0:
			b.WriteString("[gap " + itoa(c.Gap) + "]")
			last = 0
		case c.Dropped > 0:
			b.WriteString("[dropped " + itoa(c.Dropped) + "]")
			last = 0
		}
		b.Write(c.Data)
	}
}

func itoa(n int64) string { return strconv.FormatInt(n, 10) }

func readAll(l *Log, v View) string {
	r := l.Reader(v)
	defer r.Close()
	return read(r)
}

// badDisk is the real disk as long as it is not told otherwise.
type badDisk struct {
	osDisk
	full     bool  // nothing can be written
	room     int64 // bytes that can be written before it is full, if limited
	limited  bool
	readOnly bool // nothing can be made or renamed
	writes   int  // successful calls of Write and WriteAt
}

func (d *badDisk) create(path string) (file, error) {
	if d.readOnly {
		return nil, &fs.PathError{Op: "open", Path: path, Err: syscall.EROFS}
	}
	f, err := d.osDisk.create(path)
	return d.wrap(f), err
}

func (d *badDisk) openIndex(path string) (file, error) {
	if d.readOnly {
		return nil, &fs.PathError{Op: "open", Path: path, Err: syscall.EROFS}
	}
	f, err := d.osDisk.openIndex(path)
	return d.wrap(f), err
}

func (d *badDisk) mkdir(path string) error {
	if d.readOnly {
		return &fs.PathError{Op: "mkdir", Path: path, Err: syscall.EROFS}
	}
	return d.osDisk.mkdir(path)
}

func (d *badDisk) rename(from, to string) error {
	if d.readOnly {
		return &os.LinkError{Op: "rename", Old: from, New: to, Err: syscall.EROFS}
	}
	return d.osDisk.rename(from, to)
}

func (d *badDisk) remove(path string) error {
	if d.readOnly {
		return &fs.PathError{Op: "remove", Path: path, Err: syscall.EROFS}
	}
	return d.osDisk.remove(path)
}

func (d *badDisk) wrap(f file) file {
	if f == nil {
		return nil
	}
	return badFile{f, d}
}

type badFile struct {
	file
	d *badDisk
}

var errFull = errors.New("no space left on device")

func (f badFile) Write(p []byte) (int, error) {
	f.d.writes++
	switch {
	case f.d.full:
		return 0, errFull
	case f.d.limited && f.d.room < int64(len(p)):
		n, _ := f.file.Write(p[:f.d.room])
		f.d.room = 0
		return n, errFull
	}
	f.d.room -= int64(len(p))
	return f.file.Write(p)
}

func (f badFile) WriteAt(p []byte, at int64) (int, error) {
	if f.d.full || f.d.limited && f.d.room < int64(len(p)) {
		return 0, errFull
	}
	f.d.room -= int64(len(p))
	return f.file.WriteAt(p, at)
}

func lines(n int, text string) string { return strings.Repeat(text+"\n", n) }
