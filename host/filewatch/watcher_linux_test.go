package filewatch

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/fsnotify/fsnotify"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// descriptors counts the descriptors that the process holds.
func descriptors(t *testing.T) int {
	t.Helper()
	fds, err := os.ReadDir("/proc/self/fd")
	require.NoError(t, err)
	return len(fds)
}

// kernelWatches counts the directories that the kernel watches for this process, whatever fsnotify knows of them.
func kernelWatches(t *testing.T) (n int) {
	t.Helper()
	infos, err := filepath.Glob("/proc/self/fdinfo/*")
	require.NoError(t, err)
	for _, info := range infos {
		b, _ := os.ReadFile(info) // it may be that of the Glob
		n += strings.Count(string(b), "inotify wd:")
	}
	return n
}

func TestTrackKeepsDescriptorsAndWatchesFlat(t *testing.T) {
	d := newDir(t)
	var paths []string
	for i := range 8 {
		d.mkdir(fmt.Sprint("p", i))
		d.write(fmt.Sprintf("p%d/dev.lua", i), "one")
		paths = append(paths, d.at(fmt.Sprintf("p%d/dev.lua", i)))
	}
	p := watch(t, Options{})
	p.track(paths[:4]...)
	fds, watches := descriptors(t), kernelWatches(t)
	require.Equal(t, len(above(d.path))+4, watches)
	for i := range 1000 {
		p.track(paths[i%5 : i%5+4]...)
	}
	p.track(paths[:4]...)
	assert.Equal(t, fds, descriptors(t), "descriptors")
	assert.Equal(t, watches, kernelWatches(t), "directories watched by the kernel")

	// A directory that is moved away with its parent keeps its watch unless somebody ends it.
	d.mkdir("a/b")
	p.track(d.at("a/b/dev.lua"))
	watches = kernelWatches(t)
	for i := range 50 {
		d.rename("a", fmt.Sprint("old", i))
		d.mkdir("a/b")
		p.track(d.at("a/b/dev.lua"))
	}
	assert.Equal(t, watches, kernelWatches(t), "directories watched by the kernel")
}

func TestBrokenSourceIsReplacedWithoutALeak(t *testing.T) {
	d := newDir(t)
	one(d)
	trouble := make(chan error)
	p := watch(t, Options{Quiet: ms, open: func() (source, error) {
		s, err := openSource()
		s.errors = trouble
		return s, err
	}})
	p.track(d.at("dev.lua"))
	fds, watches := descriptors(t), kernelWatches(t)
	for i := range 20 {
		trouble <- syscall.EBADF
		d.write("dev.lua", fmt.Sprint(i)) // perhaps while there is no source
		p.changed("found by the look that follows")
	}
	p.track(d.at("dev.lua"))
	assert.Equal(t, fds, descriptors(t), "descriptors")
	assert.Equal(t, watches, kernelWatches(t), "directories watched by the kernel")
}

// The name of the process can be changed through a file that causes no event.
func TestFileOfTheProcFileSystemIsPolled(t *testing.T) {
	comm := fmt.Sprintf("/proc/%d/comm", os.Getpid())
	name, err := os.ReadFile(comm)
	require.NoError(t, err)
	defer os.WriteFile(comm, name, 0)
	p := watch(t, Options{Poll: 10 * ms, Quiet: ms})
	p.track(comm)
	assert.Equal(t, `polling files every 10ms: watch "/proc": `+
		"the file system (proc) does not tell of changes made elsewhere", p.notice())
	for i := range 3 {
		require.NoError(t, os.WriteFile(comm, fmt.Appendf(nil, "test %d", i), 0))
		p.changed("polled")
	}
}

// fsnotify holds its lock while it tells that a watch was gone before it could be removed.
func TestSourceWithAnErrorToTellCanBeCalled(t *testing.T) {
	d := newDir(t)
	d.mkdir("p")
	s, err := openSource()
	require.NoError(t, err)
	require.NoError(t, s.Add(d.at("p")))
	d.mkdir("p/sub") // holds up fsnotify until it is received
	d.rename("p", "old")
	d.remove("old")
	<-s.events

	done := make(chan struct{})
	go func() {
		defer close(done)
		for len(s.errors) == 0 {
			s.Add(d.path)
			s.Remove(d.path)
		}
		s.Close()
	}()
	go func() {
		for range s.events {
		}
	}()
	select {
	case <-done:
		assert.ErrorIs(t, <-s.errors, syscall.EINVAL)
	case <-time.After(patience):
		require.FailNow(t, "a call does not return")
	}
}

// Each reading of this file gives something else: it never rests.
func TestPolledFileThatNeverRestsIsReported(t *testing.T) {
	p := watch(t, Options{Poll: 10 * ms, Quiet: 10 * ms, Max: 50 * ms})
	p.track("/proc/sys/kernel/random/uuid")
	for range 3 {
		p.changed("at most Max later")
	}
}

func TestRemedyNamesTheLimit(t *testing.T) {
	for err, want := range map[error]string{
		syscall.ENOSPC:            "raise the sysctl fs.inotify.max_user_watches",
		syscall.EMFILE:            "raise the sysctl fs.inotify.max_user_instances or the limit of open files (ulimit -n)",
		syscall.ENFILE:            "raise the sysctl fs.file-max",
		syscall.EACCES:            "",
		fsnotify.ErrEventOverflow: "",
	} {
		assert.Equal(t, want, remedy(fmt.Errorf("watch: %w", err)), err)
	}
}

// With no descriptor left files can be neither watched nor read, and that is no change.
func TestWithoutDescriptorsNothingIsReported(t *testing.T) {
	d := newDir(t)
	one(d)
	file := Fingerprint(d.at("dev.lua"))
	opened := make(chan struct{})
	stop := make(chan struct{})
	p := watch(t, Options{Poll: ms, Quiet: ms, open: func() (source, error) {
		select {
		case opened <- struct{}{}:
		case <-stop:
		}
		return openSource()
	}})
	restore := noDescriptors(t)
	go p.Track([]File{file})
	for range 10 {
		select {
		case <-opened:
		case <-time.After(patience):
			require.FailNow(t, "watching is not tried again")
		}
	}
	p.silent("unreadable for want of descriptors")
	restore()
	close(stop)
	assert.Equal(t, "polling files every 1ms: watch files: too many open files; "+
		"raise the sysctl fs.inotify.max_user_instances or the limit of open files (ulimit -n)", p.notice())
	assert.Equal(t, "watching files again, without polling", p.notice())
	d.write("dev.lua", "two")
	p.changed("watched")
}

// Watching goes on without a descriptor to spare, reading does not.
func TestFileThatCannotBeReadIsPolled(t *testing.T) {
	d := newDir(t)
	one(d)
	d.write("dev.lua.tmp", "two")
	p := watch(t, Options{Poll: ms, Quiet: ms})
	p.track(d.at("dev.lua"))
	restore := noDescriptors(t)
	d.rename("dev.lua.tmp", "dev.lua")
	assert.Equal(t, fmt.Sprintf("polling files every 1ms: read %q: too many open files; "+
		"raise the sysctl fs.inotify.max_user_instances or the limit of open files (ulimit -n)", d.at("dev.lua")), p.notice())
	p.silent("nobody knows whether it changed")
	restore()
	p.changed("read")
	assert.Equal(t, "watching files again, without polling", p.notice())
}

// noDescriptors makes it impossible to open anything until restore is called.
func noDescriptors(t *testing.T) (restore func()) {
	var limit syscall.Rlimit
	require.NoError(t, syscall.Getrlimit(syscall.RLIMIT_NOFILE, &limit))
	none := limit
	none.Cur = 0
	restore = func() { assert.NoError(t, syscall.Setrlimit(syscall.RLIMIT_NOFILE, &limit)) }
	require.NoError(t, syscall.Setrlimit(syscall.RLIMIT_NOFILE, &none))
	t.Cleanup(restore)
	return restore
}
