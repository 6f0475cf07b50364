package manager

import (
	"fmt"
	"io"
	"os"
	"sync"
	"syscall"
	"time"

	"github.com/prochost/prochost/manager/proc"
)

// A file says nothing of what is written to it, so it is looked at again and again: soon after it has grown, and
// less and less often while it does not.
const (
	followSoonest = 20 * time.Millisecond
	followLatest  = 320 * time.Millisecond
)

// follower reads a file that a process writes to. It follows the file, not the path: what is renamed over it is
// another file.
type follower struct {
	stream proc.Stream
	out    *output
	ended  func() // called once, when nothing more is read

	quit    chan struct{} // closed when that is so
	running sync.WaitGroup

	mu   sync.Mutex
	file *os.File // nil when closed
	at   int64    // how far it has been read
}

func newFollower(s proc.Stream, f Followed, out *output, ended func()) (*follower, error) {
	file, err := os.OpenFile(f.Path, os.O_RDONLY|syscall.O_NONBLOCK, 0) // a fifo would be waited for
	if err != nil {
		return nil, err
	}
	if info, err := file.Stat(); err != nil || !info.Mode().IsRegular() {
		file.Close()
		return nil, fmt.Errorf("follow %q: it is no regular file", f.Path)
	}
	return &follower{stream: s, file: file, at: f.From, out: out, ended: ended, quit: make(chan struct{})}, nil
}

func (f *follower) listen(seat) { f.running.Go(f.run) }

func (f *follower) run() {
	pause := followSoonest
	look := time.NewTimer(0)
	defer look.Stop()
	for {
		select {
		case <-f.quit:
			return
		case <-look.C:
		}
		if f.advance() {
			pause = followSoonest
		} else {
			pause = min(2*pause, followLatest)
		}
		look.Reset(pause)
	}
}

// advance hands on what the file holds beyond what has been read, and reports whether that is anything.
func (f *follower) advance() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.file == nil {
		return false
	}
	info, err := f.file.Stat()
	if err != nil {
		return false
	}
	if info.Size() < f.at { // it was emptied, to be written anew
		f.at = 0
	}
	block := blocks.Get().(*[blockSize]byte)
	defer blocks.Put(block)
	some := false
	for left := info.Size() - f.at; left > 0; some = true {
		n, err := f.file.ReadAt(block[:min(left, blockSize)], f.at)
		if n == 0 || err != nil && err != io.EOF {
			break
		}
		f.out.write(f.stream, block[:n])
		f.at, left = f.at+int64(n), left-int64(n)
	}
	return some
}

// drain reads the file for the last time: it has no end at which nobody writes to it any more.
func (f *follower) drain() {
	f.advance()
	f.close()
}

func (f *follower) close() {
	f.mu.Lock()
	file := f.file
	f.file = nil
	f.mu.Unlock()
	if file != nil {
		file.Close()
		close(f.quit)
		f.running.Wait()
		f.ended()
	}
}
