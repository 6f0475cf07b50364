package rpc

import (
	"time"

	"golang.org/x/sys/unix"
)

// limits are what a server grants.
type limits struct {
	connections int           // at a time
	running     int           // requests of one connection that are carried out at a time
	streams     int           // of one connection
	request     int           // bytes of a frame
	requests    int64         // bytes of all requests that are carried out at a time
	large       int           // frames of more than smallFrame that are read at a time
	answers     int           // bytes that wait for a client, before answers wait too
	events      int           // the same for events: fewer, so that answers pass them
	frame       time.Duration // for a frame from its first byte to its last
	patience    time.Duration // with a client that does not take its answers
	farewell    time.Duration // for what is still to be sent when a connection ends
}

// smallFrame is what a connection may read into memory without asking, in bytes.
const smallFrame = 64 << 10

// inFlight is how many requests of one connection are carried out at a time. A Client makes further ones wait.
const inFlight = 256

func defaults() limits {
	return limits{
		connections: connections(), running: inFlight, streams: 64,
		request: 4 << 20, requests: 64 << 20, large: 8,
		answers: 256 << 10, events: 32 << 10,
		frame: 10 * time.Second, patience: 30 * time.Second, farewell: 5 * time.Second,
	}
}

// connections leaves most of the descriptors to the processes.
func connections() int {
	var files unix.Rlimit
	if err := unix.Getrlimit(unix.RLIMIT_NOFILE, &files); err != nil {
		return 64
	}
	return int(min(max(files.Cur/4, 8), 512))
}

// maxAnswer is how long a frame of a host may be, in bytes. It is far more than any should be: a client does not refuse a
// long list.
const maxAnswer = 64 << 20
