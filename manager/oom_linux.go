package manager

import (
	"bytes"
	"os"
	"strconv"
	"sync"

	"golang.org/x/sys/unix"
)

// oomLog follows the kernel's log for whom it killed for want of memory. Counters only tell that somebody was;
// the log names the process. Where it cannot be read, or numbers processes otherwise than we do, nothing is
// known.
type oomLog struct {
	mu      sync.Mutex
	fd      int // -1 where there is nothing to read
	victims map[int]bool
}

// initialPIDs is the pid namespace in which the kernel's log numbers processes.
const initialPIDs = "pid:[4026531836]"

func openOOMLog() *oomLog {
	o := &oomLog{fd: -1, victims: map[int]bool{}}
	if ns, err := os.Readlink("/proc/self/ns/pid"); err != nil || ns != initialPIDs {
		return o
	}
	fd, err := unix.Open("/dev/kmsg", unix.O_RDONLY|unix.O_NONBLOCK|unix.O_CLOEXEC, 0)
	if err != nil {
		return o
	}
	unix.Seek(fd, 0, unix.SEEK_END)
	o.fd = fd
	return o
}

// catchUp takes in what has been logged.
func (o *oomLog) catchUp() {
	o.mu.Lock()
	defer o.mu.Unlock()
	var record [8 << 10]byte
	for o.fd >= 0 {
		n, err := unix.Read(o.fd, record[:])
		switch {
		case err == unix.EPIPE || err == unix.EINTR: // some records were overwritten before we came
		case err != nil || n <= 0:
			return
		default:
			if pid, is := victim(record[:n]); is {
				o.victims[pid] = true
			}
		}
	}
}

// born says that pid is the number of a leader that was launched after the last catchUp: what was logged of
// that number before is another's.
func (o *oomLog) born(pid int) {
	o.mu.Lock()
	defer o.mu.Unlock()
	delete(o.victims, pid)
}

// killed reports whether the leader of that number was killed for want of memory.
func (o *oomLog) killed(pid int) bool {
	o.catchUp()
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.victims[pid]
}

func (o *oomLog) close() {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.fd >= 0 {
		unix.Close(o.fd)
		o.fd = -1
	}
}

// victim reads a record such as "3,812,4711,-;Out of memory: Killed process 123 (name) …". The first number
// holds the origin above its lowest three bits, and 0, the kernel, cannot be feigned.
func victim(record []byte) (pid int, is bool) {
	head, text, found := bytes.Cut(record, []byte(";"))
	priority, _, _ := bytes.Cut(head, []byte(","))
	if p, err := strconv.Atoi(string(priority)); !found || err != nil || p>>3 != 0 {
		return 0, false
	}
	text, _, _ = bytes.Cut(text, []byte("\n"))
	if _, rest, of := bytes.Cut(text, []byte("ut of memory: Killed process ")); of {
		number, _, _ := bytes.Cut(rest, []byte(" "))
		pid, err := strconv.Atoi(string(number))
		return pid, err == nil
	}
	return 0, false
}
