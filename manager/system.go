package manager

import (
	"sync/atomic"

	"github.com/prochost/prochost/manager/proc"
)

// unixSystem runs processes as children of this process.
type unixSystem struct {
	reaper *reaper
	owns   bool // all session leaders are ours
}

func openSystem(owns bool) (system, error) {
	if err := offspring.open(owns); err != nil {
		return nil, err
	}
	haveThreads()
	sealDescriptors()
	catchIgnored(ignoredFromStart())
	return unixSystem{offspring, owns}, nil
}

func (s unixSystem) close() []proc.Leftover {
	survivors := s.reaper.endOrphans()
	s.reaper.close(s.owns)
	return survivors
}

func (s unixSystem) start(id proc.ID, spec proc.Spec, out *output) (child, error) {
	l, err := s.reaper.launch(id, spec)
	if err != nil {
		return nil, err
	}
	c := &leader{
		handle: newHandle(l), reaper: s.reaper, id: id, streams: make(chan struct{}),
	}
	if l.stdin != nil {
		c.in = newStdin(l.stdin)
	}
	open := new(atomic.Int32)
	open.Store(int32(len(l.outputs)))
	for stream, f := range l.outputs {
		r := newReader(proc.Stream(stream), f, out)
		c.readers[stream] = r
		go func() {
			r.run()
			if open.Add(-1) == 0 {
				close(c.streams)
			}
		}()
	}
	return c, nil
}
