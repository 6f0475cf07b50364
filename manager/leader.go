package manager

import (
	"syscall"

	"github.com/prochost/prochost/manager/proc"
)

// leader is a child that the system runs.
type leader struct {
	*handle
	seat    seat // where output and end are noticed
	reaper  *reaper
	id      proc.ID
	in      *stdin
	readers [proc.NumStreams]*reader
	streams chan struct{} // closed when both readers are done
	last    census
}

func (c *leader) survey() census {
	c.last = c.reaper.survey(c.id, c.handle)
	return c.last
}

func (c *leader) name(ms []member) []proc.Leftover                { return named(ms) }
func (c *leader) signal(m member, sig syscall.Signal)             { m.signal(sig) }
func (c *leader) watch(m member) (<-chan struct{}, func(), error) { return m.watch() }
func (c *leader) outOfMemory() bool                               { return c.reaper.outOfMemory(c.handle.number) }
func (c *leader) input() *stdin                                   { return c.in }
func (c *leader) closed() <-chan struct{}                         { return c.streams }

func (c *leader) listen() {
	for _, r := range c.readers {
		c.seat.add(r)
	}
}

func (c *leader) drain() {
	for _, r := range c.readers {
		r.drain()
	}
}

func (c *leader) letGo(keep bool) {
	c.reaper.letGo(c.id, c.handle, keep && len(c.last.all()) > 0)
}

func (c *leader) abandon() {
	c.reaper.letGo(c.id, c.handle, false)
	c.reaper.forgetPipes(c.id)
	c.handle.close()
	c.in.close()
	for _, r := range c.readers {
		r.close()
	}
}

func named(ms []member) []proc.Leftover {
	var ls []proc.Leftover
	for _, m := range ms {
		ls = append(ls, proc.Leftover{PID: m.pid, Command: commandOf(m.pid)})
	}
	return ls
}
