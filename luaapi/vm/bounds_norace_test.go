//go:build !race

package vm

import (
	"syscall"
	"time"
)

// mostRSS is the most resident memory that a hostile chunk may cause.
const mostRSS = 400 << 20

// mostCPU is the most processor time that it may take, the start of its process included.
const mostCPU = 10 * time.Second

// boundMemory makes an allocation fail that would go far beyond what any chunk may cause.
func boundMemory() {
	const most = 4 << 30
	syscall.Setrlimit(syscall.RLIMIT_AS, &syscall.Rlimit{Cur: most, Max: most})
}

// defaultPrograms is how many random programs are compared with the reference implementation.
const defaultPrograms = 2000

// fewerCalls divides the number of random calls of the library.
const fewerCalls = 1

const hostileEvery = 1
