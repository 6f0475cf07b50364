package doctor

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// seesProcesses says why the processes of others cannot be seen, by which those are found that left their group.
func seesProcesses() error {
	if _, err := os.Stat("/proc/self/stat"); err != nil {
		return errors.New("/proc is not mounted")
	}
	return nil
}

func hasPidfd() error {
	fd, err := unix.PidfdOpen(os.Getpid(), 0)
	if err != nil {
		return err
	}
	return unix.Close(fd)
}
