//go:build race

package vm

// mostRSS allows for what the race detector keeps beside all memory in use.
const mostRSS = 3 << 30

// boundMemory cannot bound addresses here: the race detector reserves terabytes of them.
func boundMemory() {}
