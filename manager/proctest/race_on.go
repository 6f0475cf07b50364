//go:build race

package proctest

// Raced: the race detector is at work. It takes memory of its own, and time.
const Raced = true
