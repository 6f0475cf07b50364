package manager

import (
	"sync/atomic"
	"syscall"

	"github.com/prochost/prochost/manager/proc"
)

// inflow is what brings one output stream.
type inflow interface {
	// listen begins to hand on what comes.
	listen(seat)
	// drain hands on what is there, and returns when that is done.
	drain()
	// close ends it. What is being handed on is waited for.
	close()
}

// leader is a process that the system runs.
type leader struct {
	hold
	seat    seat // where output and end are noticed
	reaper  *reaper
	id      proc.ID
	began   uint64
	in      *stdin
	inflows []inflow
	open    atomic.Int32  // inflows that have not ended
	streams chan struct{} // closed when all have
	last    census
	kept    *keeping
	spared  bool // descendants live and are left alone
}

func newLeader(r *reaper, s seat, id proc.ID, began uint64, kept *keeping) *leader {
	return &leader{reaper: r, seat: s, id: id, began: began, kept: kept, streams: closedChannel()}
}

// add adds a stream. All are added before any is listened to; without one, all have ended.
func (c *leader) add(f inflow) {
	if len(c.inflows) == 0 {
		c.streams = make(chan struct{})
	}
	c.inflows = append(c.inflows, f)
	c.open.Add(1)
}

// flowEnded follows the end of a stream.
func (c *leader) flowEnded() {
	if c.open.Add(-1) == 0 {
		close(c.streams)
	}
}

func (c *leader) survey() census {
	c.last = c.reaper.survey(c.id, c.hold)
	return c.last
}

func (c *leader) born() uint64                                    { return c.began }
func (c *leader) name(ms []member) []proc.Leftover                { return named(ms) }
func (c *leader) signal(m member, sig syscall.Signal)             { m.signal(sig) }
func (c *leader) watch(m member) (<-chan struct{}, func(), error) { return m.watch() }
func (c *leader) outOfMemory() bool                               { return c.reaper.outOfMemory(c.pid()) }
func (c *leader) input() *stdin                                   { return c.in }
func (c *leader) closed() <-chan struct{}                         { return c.streams }

func (c *leader) resize(w proc.Window) error {
	for _, f := range c.inflows {
		if t, is := f.(*terminal); is {
			return t.resize(w)
		}
	}
	return ErrNoTerminal
}

func (c *leader) listen() {
	for _, f := range c.inflows {
		f.listen(c.seat)
	}
}

func (c *leader) drain() {
	for _, f := range c.inflows {
		f.drain()
	}
}

func (c *leader) letGo(keep bool) {
	c.spared = keep && len(c.last.all()) > 0
	c.reaper.letGo(c.id, c.hold, c.spared)
}

func (c *leader) abandon() {
	c.reaper.letGo(c.id, c.hold, false)
	c.reaper.forgetPipes(c.id)
	c.hold.close()
	c.in.close()
	for _, f := range c.inflows {
		f.close()
	}
	c.kept.forget(c.spared)
}

func named(ms []member) []proc.Leftover {
	var ls []proc.Leftover
	for _, m := range ms {
		ls = append(ls, proc.Leftover{PID: m.pid, Command: commandOf(m.pid)})
	}
	return ls
}
