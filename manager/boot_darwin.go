package manager

import (
	"os"
	"sync"

	"golang.org/x/sys/unix"
)

// bootID names this boot of the system.
var bootID = sync.OnceValues(func() (string, error) {
	id, err := unix.Sysctl("kern.bootsessionuuid")
	return id, os.NewSyscallError("sysctl kern.bootsessionuuid", err)
})
