package manager

import (
	"fmt"
	"syscall"
	"time"

	"github.com/prochost/prochost/manager/proc"
)

// surveyRetry is how soon the owner looks again where it cannot wait for an end.
const surveyRetry = 50 * time.Millisecond

// perform carries out one effect.
func (p *process) perform(e effect) {
	switch e := e.(type) {
	case emit:
		p.publish()
		p.m.emit(e.event)
	case drain:
		if p.child != nil {
			p.child.drain()
			p.child.input().close()
		}
		p.out.flush()
	case signalGroup:
		p.child.signalGroup(e.sig)
		if e.sig != syscall.SIGKILL {
			p.child.signalGroup(syscall.SIGCONT)
		}
	case signalLeader:
		p.child.signalLeader(e.sig)
		if e.sig != syscall.SIGKILL {
			p.child.signalLeader(syscall.SIGCONT)
		}
	case signalStrays:
		for _, m := range p.census.strays {
			p.child.signal(m, e.sig)
			if e.sig != syscall.SIGKILL {
				p.child.signal(m, syscall.SIGCONT)
			}
		}
	case killAll:
		p.census = killEach(p.child)
	case watch:
		p.watch()
	case survey:
		p.lookAgain(0)
	case arm:
		p.timer.Reset(time.Until(e.at))
	case disarm:
		p.timer.Stop()
	case answer:
		for _, w := range p.waiting {
			w <- e
		}
		p.waiting = nil
	case runCommand:
		p.command = p.runCommand(e.argv)
	case endCommand:
		p.command.end()
	case letGo:
		p.child.letGo(e.keep)
	case complain:
		p.m.trouble("process", e.message)
	}
}

// freezeTries is how often members are looked for while those who are known stand still.
const freezeTries = 5

// killEach kills whoever of c can be found, and returns who that is. First all have to stand still: a process
// that forks while others are killed could leave a child that shows nothing of where it came from, and nobody
// above it to tell.
func killEach(c child) census {
	c.signalGroup(syscall.SIGSTOP)
	found := c.survey()
	for frozen, try := 0, 0; len(found.strays) > frozen && try < freezeTries; try++ {
		frozen = len(found.strays)
		for _, m := range found.strays {
			c.signal(m, syscall.SIGSTOP)
		}
		found = c.survey()
	}
	c.signalGroup(syscall.SIGKILL)
	for _, m := range found.strays {
		c.signal(m, syscall.SIGKILL)
	}
	return found
}

// watch looks again when one of the members is gone. One is enough: as long as it lives, nothing is over. A
// member of the group comes first, since the strays' turn comes when the group is empty.
func (p *process) watch() {
	members := p.census.all()
	switch {
	case p.census.unsure:
		p.lookAgain(surveyRetry)
	case len(members) == 0:
		p.lookAgain(0)
	default:
		changed, cancel, err := p.child.watch(members[0])
		if err != nil {
			p.lookAgain(surveyRetry)
			return
		}
		p.unwatch()
		p.changed, p.unwatch = changed, cancel
	}
}

// lookAgain makes a survey due after d.
func (p *process) lookAgain(d time.Duration) {
	p.unwatch()
	changed := make(chan struct{})
	t := time.AfterFunc(d, func() { close(changed) })
	p.changed, p.unwatch = changed, func() { t.Stop() }
}

// take takes one request.
func (p *process) take(c control) {
	if _, is := p.state.phase.(starting); is {
		switch c.(type) {
		case askSignal, askResize, askStdin:
			p.held = append(p.held, c)
			return
		}
	}
	if report, is := c.(askReport); is {
		report.reply <- p.report(report.status)
		return
	}
	if p.leader != nil && p.child.pending() { // what comes after the end has come too late
		p.held = append(p.held, c)
		return
	}
	p.noticeEnd()
	select {
	case r := <-p.revise: // which came before it
		p.step(r)
	default:
	}
	switch c := c.(type) {
	case askStop:
		p.waiting = append(p.waiting, c.reply)
		p.step(stopAsked{req: c.req, at: time.Now()})
	case askSignal:
		c.reply <- p.signal(c.sig)
	case askResize:
		err := errIf(!p.alive(), ErrEnded)
		if err == nil {
			err = p.child.resize(c.window)
		}
		c.reply <- err
	case askRelease:
		// An end that has been told while the claim stood has gone to the claim.
		told := !p.alive() && p.state.info.Delivery.Completion == proc.ClaimTool
		p.step(released{})
		c.reply <- errIf(told, ErrEnded)
	case askRename:
		ended := !p.alive()
		p.step(renamed{c.name})
		c.reply <- errIf(ended, ErrEnded)
	case askStdin:
		a := stdinAnswer{err: errIf(!p.alive(), ErrEnded)}
		if a.err == nil {
			a.stdin = p.child.input()
		}
		c.reply <- a
	}
}

// report passes on what somebody says of the end.
func (p *process) report(st leaderStatus) error {
	switch {
	case p.leader == nil:
		return ErrEnded
	case !p.child.report(st):
		return ErrNotAdopted
	}
	return nil
}

// alive reports whether the end is still to come.
func (p *process) alive() bool { return p.state.info.Status.Live() }

// signal sends sig to the group of a process that lives. It marks nothing.
func (p *process) signal(sig syscall.Signal) error {
	if !p.alive() {
		return ErrEnded
	}
	p.child.signalGroup(sig)
	return nil
}

// openLog opens the log. A process without one runs all the same.
func (p *process) openLog() {
	open := p.m.options.OpenLog
	if open == nil {
		return
	}
	log, err := open(p.id)
	if err != nil {
		p.m.trouble("log", fmt.Sprintf("open the log of %q: %v", p.spec.Name, err))
		return
	}
	p.out.log = log
	p.state.info.StdoutFile, p.state.info.StderrFile = log.Files()
	p.publish()
}

// discard ends a child that nobody waits for.
func discard(c child) {
	c.signalGroup(syscall.SIGKILL)
	<-c.over()
	c.drain()
	c.letGo(false)
	c.abandon()
}

// outlives says who outlived SIGKILL.
func outlives(info proc.Info, names []proc.Leftover) string {
	return fmt.Sprintf("leftovers of %q outlive SIGKILL: %s", info.Name, listed(names))
}

func errIf(is bool, err error) error {
	if is {
		return err
	}
	return nil
}
