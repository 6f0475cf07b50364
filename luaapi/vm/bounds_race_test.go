//go:build race

package vm

import "time"

// mostRSS allows for what the race detector keeps beside all memory in use.
const mostRSS = 3 << 30

// mostCPU is the most processor time that it may take, the start of its process included.
const mostCPU = 60 * time.Second

// boundMemory cannot bound addresses here: the race detector reserves terabytes of them.
func boundMemory() {}

// defaultPrograms is how many random programs are compared with the reference implementation.
const defaultPrograms = 400

// fewerCalls divides the number of random calls of the library.
const fewerCalls = 4
