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

// hostileEvery is which of the hostile chunks are run: the race detector has nothing to find in them that some would
// not show, and makes each many times as slow. All of them are run without it.
const hostileEvery = 8
