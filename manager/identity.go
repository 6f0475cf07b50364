package manager

import (
	"fmt"

	"github.com/prochost/prochost/manager/proc"
)

// IdentityOf returns by what the process that has the number pid at present can be told from later ones. A
// zombie still has its number.
func IdentityOf(pid int) (proc.Identity, error) {
	e, err := readEntry(pid)
	if err != nil {
		return proc.Identity{}, fmt.Errorf("identify process %d: %w", pid, err)
	}
	boot, err := bootID()
	if err != nil {
		return proc.Identity{}, fmt.Errorf("identify process %d: %w", pid, err)
	}
	return proc.Identity{PID: pid, Born: e.started, Boot: boot}, nil
}

// bornAt returns when the leader pid began; 0 if the system does not say.
func bornAt(pid int) uint64 {
	e, err := readEntry(pid)
	if err != nil {
		return 0
	}
	return e.started
}

// Boot names this boot of the system; "" if the system does not say.
func Boot() string {
	boot, _ := bootID()
	return boot
}
