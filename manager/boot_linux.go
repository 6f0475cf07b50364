package manager

import (
	"os"
	"strings"
	"sync"
)

// bootID names this boot of the system.
var bootID = sync.OnceValues(func() (string, error) {
	id, err := os.ReadFile("/proc/sys/kernel/random/boot_id")
	return strings.TrimSpace(string(id)), err
})
