package manager

import (
	"sync/atomic"

	"github.com/prochost/prochost/manager/proc"
)

// unixSystem runs processes as children of this process.
type unixSystem struct {
	reaper *reaper
	intake *intake
	owns   bool // all session leaders are ours
}

func openSystem(owns bool) (system, error) {
	if err := offspring.open(owns); err != nil {
		return nil, err
	}
	in, err := newIntake()
	if err != nil {
		offspring.close(owns)
		return nil, err
	}
	haveThreads()
	sealDescriptors()
	catchIgnored(ignoredFromStart())
	return unixSystem{offspring, in, owns}, nil
}

func (s unixSystem) close() []proc.Leftover {
	survivors := s.reaper.endOrphans()
	s.reaper.close(s.owns)
	s.intake.close()
	return survivors
}

func (s unixSystem) start(id proc.ID, spec proc.Spec, out *output) (child, error) {
	l, err := s.reaper.launch(id, spec)
	if err != nil {
		return nil, err
	}
	seat := s.intake.seat()
	c := &leader{
		handle: newHandle(l, seat), seat: seat, reaper: s.reaper, id: id, streams: make(chan struct{}),
	}
	if l.stdin != nil {
		c.in = newStdin(l.stdin)
	}
	open := new(atomic.Int32)
	open.Store(int32(len(l.outputs)))
	ended := func() {
		if open.Add(-1) == 0 {
			close(c.streams)
		}
	}
	for stream, fd := range l.outputs {
		c.readers[stream] = newReader(proc.Stream(stream), fd, out, ended)
	}
	return c, nil
}
