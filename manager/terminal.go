package manager

import (
	"errors"
	"os"
	"sync"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"github.com/prochost/prochost/manager/proc"
)

// terminal is our end of the terminal that a process has as its streams. It is read all the time, so that the
// process never waits for somebody to look. Its lock is held from a read until what it brought has been handed on.
//
// The stream of a terminal has no end as long as its leader lives: whoever closes it can open it anew, and if we
// let go of our end the system would hang up on the leader. So the error that says that nobody has the other end
// open counts as silence, until the leader is gone.
type terminal struct {
	file  *os.File
	conn  syscall.RawConn
	out   *output
	ended func() // called once, at the end of the stream or when it is closed before

	running sync.WaitGroup
	once    sync.Once

	mu    sync.Mutex
	left  bool // the leader is gone
	block [terminalBlock]byte
}

const (
	// terminalBlock is what a terminal gives at a time.
	terminalBlock = 4 << 10
	// terminalHolds is more than a terminal ever holds. What comes beyond that is not what it held.
	terminalHolds = 64 << 10
)

func newTerminal(f *os.File, out *output, ended func()) *terminal {
	conn, err := f.SyscallConn()
	if err != nil {
		panic("manager: a terminal without a descriptor: " + err.Error()) // a nil file is the only way
	}
	return &terminal{file: f, conn: conn, out: out, ended: ended}
}

// takeTerminal makes f all streams of c.
func (c *leader) takeTerminal(f *os.File, out *output, input bool) {
	c.add(newTerminal(f, out, c.flowEnded))
	if input {
		c.in = newTyped(f)
	}
}

func (t *terminal) listen(seat) { t.running.Go(t.run) }

// run reads to the end.
func (t *terminal) run() {
	defer t.end()
	for {
		over := false
		err := t.conn.Read(func(fd uintptr) (done bool) {
			done, over = t.take(int(fd))
			return done
		})
		switch {
		case errors.Is(err, os.ErrDeadlineExceeded): // it is to look again
			t.file.SetReadDeadline(time.Time{})
		case err != nil || over: // closed by the owner; the end
			return
		}
	}
}

// take hands on what there is. It reports whether it has found anything, be it the end.
func (t *terminal) take(fd int) (done, over bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	n, err := readTerminal(fd, t.block[:])
	if n > 0 {
		t.out.write(proc.Stdout, t.block[:n])
		return true, false
	}
	over = t.left && err != syscall.EAGAIN
	return over, over
}

// drain hands on what the terminal holds when the leader is gone. The system does not say how much that is: some of it
// may still be on its way through the line discipline, which a read that finds nothing waits for.
func (t *terminal) drain() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.left = true
	t.conn.Control(func(fd uintptr) {
		for handed := 0; handed < terminalHolds; {
			n, _ := readTerminal(int(fd), t.block[:])
			if n <= 0 {
				return
			}
			t.out.write(proc.Stdout, t.block[:n])
			handed += n
		}
	})
	t.file.SetReadDeadline(time.Unix(1, 0)) // run may have seen the end, and waits
}

// close ends the reading. What is being handed on is waited for.
func (t *terminal) close() {
	t.file.Close()
	t.running.Wait()
	t.end()
}

func (t *terminal) end() { t.once.Do(t.ended) }

// resize changes the size. The system tells whoever is in the foreground.
func (t *terminal) resize(w proc.Window) error {
	var err error
	if closed := t.conn.Control(func(fd uintptr) { err = setWindow(int(fd), w) }); closed != nil {
		return ErrEnded
	}
	return err
}

func setWindow(fd int, w proc.Window) error {
	err := unix.IoctlSetWinsize(fd, unix.TIOCSWINSZ, &unix.Winsize{Row: w.Rows, Col: w.Cols})
	return os.NewSyscallError("set the size of the terminal", err)
}

// readTerminal reads. No bytes without an error, as some systems say at the end, is EIO as others do.
func readTerminal(fd int, p []byte) (int, error) {
	n, err := read(fd, p)
	if err == nil && n == 0 {
		err = syscall.EIO
	}
	return n, err
}
