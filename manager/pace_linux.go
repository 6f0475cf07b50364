package manager

import "time"

const (
	// restTime is how long a stream that keeps coming is left alone, so that lines gather: waking up costs
	// several times what a line does.
	restTime = time.Millisecond
	// slack is how much less than its size a pipe may hold when it takes no more.
	slack = 4 << 10
)

// turn says when a stream is read next.
type turn uint8

const (
	onCall    turn = iota // when the poll says that something is there
	afterRest             // when the rest is over, without asking
)

// pace decides when a stream is read next, from what the reads brought.
//
// The first lines after a silence are read at once. Those that follow within restTime are left to gather for
// as long, and so on until a rest brings nothing. But a writer must not have to wait for the end of a rest:
// one that fills its pipe meanwhile is fast, and is read whenever there is something, until all that it
// writes in restTime has room.
type pace struct {
	last  time.Time // of the newest read that brought something
	fast  time.Time // since when the bytes of a fast writer are counted; zero if it is not fast
	count int
}

// next is told that n bytes were read at now, maybe none, from a pipe that holds so many, maybe after a rest.
// full says that the pipe is too small for the rest.
func (p *pace) next(n, capacity int, rested bool, now time.Time) (t turn, full bool) {
	if n == 0 {
		return onCall, false
	}
	pause := now.Sub(p.last)
	p.last = now
	switch {
	case n >= capacity-slack:
		p.fast, p.count = now, 0
		return onCall, true
	case !p.fast.IsZero():
		p.count += n
		since := now.Sub(p.fast)
		if since < restTime {
			return onCall, false
		}
		fits := p.count <= capacity*3/4
		p.fast, p.count = now, 0
		if !fits {
			return onCall, false
		}
		p.fast = time.Time{}
		return afterRest, false
	case rested, pause < restTime:
		return afterRest, false
	}
	return onCall, false
}
