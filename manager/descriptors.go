package manager

import (
	"os"
	"strconv"
	"syscall"
)

// sealDescriptors keeps what this process has inherited from its own children: descriptors beyond the standard
// three that whoever started it has left open. Those opened here are sealed from birth.
func sealDescriptors() {
	dir, err := os.Open("/dev/fd")
	if err != nil {
		return
	}
	defer dir.Close()
	names, _ := dir.Readdirnames(-1)
	for _, name := range names {
		if fd, err := strconv.Atoi(name); err == nil && fd > 2 {
			syscall.CloseOnExec(fd)
		}
	}
}
