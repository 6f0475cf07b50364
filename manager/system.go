package manager

import (
	"github.com/prochost/prochost/manager/proc"
)

// unixSystem runs processes as children of this process.
type unixSystem struct {
	reaper *reaper
	intake *intake
	owns   bool // all session leaders are ours
}

func openSystem(o Options) (system, error) {
	above := 0
	if o.Keeper != nil {
		above = o.Keeper.PID()
	}
	if err := offspring.open(o.OwnsOrphans, above); err != nil {
		return nil, err
	}
	in, err := newIntake()
	if err != nil {
		offspring.close(o.OwnsOrphans)
		return nil, err
	}
	haveThreads()
	sealDescriptors()
	catchIgnored(ignoredFromStart())
	return unixSystem{offspring, in, o.OwnsOrphans}, nil
}

func (s unixSystem) close() []proc.Leftover {
	survivors := s.reaper.endOrphans()
	s.reaper.close(s.owns)
	s.intake.close()
	return survivors
}

func (s unixSystem) start(id proc.ID, spec proc.Spec, out *output, kept *keeping) (child, error) {
	l, err := s.reaper.launch(id, spec, kept)
	if err != nil {
		return nil, err
	}
	c := newLeader(s.reaper, s.intake.seat(), id, bornAt(l.pid), kept)
	c.hold = newHandle(l, c.seat)
	kept.born(l.pid, c.began)
	if l.terminal != nil {
		c.takeTerminal(l.terminal, out, spec.Stdin != proc.StdinNull)
		return c, nil
	}
	if l.stdin != nil {
		c.in = newStdin(l.stdin, kept)
	}
	for stream, fd := range l.outputs {
		c.add(newReader(proc.Stream(stream), fd, out, c.flowEnded))
	}
	return c, nil
}

func (s unixSystem) adopt(id proc.ID, a Adoption, out *output, kept *keeping) (child, error) {
	g, err := newGuest(a)
	if err != nil {
		return nil, err
	}
	c := newLeader(s.reaper, s.intake.seat(), id, a.Identity.Born, kept)
	c.hold = g
	g.group = func() []member { return c.survey().group }
	ends, err := c.receive(a, out)
	if err == nil {
		err = s.reaper.adopt(id, g, ends)
	}
	if err != nil {
		c.undo()
		g.grip.close()
		return nil, err
	}
	kept.hold(ends)
	kept.born(g.who.pid, g.who.started)
	g.begin()
	a.closeFiles()
	return c, nil
}
