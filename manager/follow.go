package manager

import (
	"os"
	"syscall"
)

// follow lets a goroutine read r until its end. It waits in the runtime's poller, and a silent process holds no
// buffer. It is how streams are read where there is no poll of our own.
func (r *reader) follow() {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.fd < 0 {
		return
	}
	syscall.SetNonblock(r.fd, true)
	file := os.NewFile(uintptr(r.fd), r.stream.String())
	conn, err := file.SyscallConn()
	if err != nil {
		panic("manager: a pipe without a descriptor: " + err.Error()) // a nil file is the only way
	}
	r.release = func() { file.Close() }
	go func() {
		defer r.close()
		conn.Read(func(uintptr) bool {
			block := blocks.Get().(*[blockSize]byte)
			defer blocks.Put(block)
			for {
				if n, over := r.read(block[:]); n == 0 {
					return over
				}
			}
		})
	}()
}
