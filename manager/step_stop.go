package manager

import (
	"fmt"
	"syscall"
	"time"

	"github.com/prochost/prochost/manager/proc"
)

// newStop returns the stop that in asks for; sent are the signals of earlier ones.
func newStop(r rules, in stopAsked, sent signalSet) stop {
	req := resolve(r, in.req)
	st := stop{mark: req, kill: !req.NoKill, due: in.at.Add(req.Spec.Grace), sent: sent}
	switch {
	case req.Force:
		return st.toKill(in.at)
	case len(req.Spec.Command) > 0:
		st.commanding = true
		return st
	}
	return st.ask(req.Spec)
}

// ask returns st with the signal of spec as the last one sent.
func (st stop) ask(spec proc.StopSpec) stop {
	st.signal, st.parentOnly, st.strays = spec.Signal, spec.ParentOnly, spec.ParentOnly
	st.sent = st.sent.with(spec.Signal)
	return st
}

// tell sends the signal to whom it is for.
func (st stop) tell(leader *leaderEnd) []effect {
	switch {
	case !st.parentOnly:
		return []effect{signalGroup{st.signal}}
	case leader == nil:
		return []effect{signalLeader{st.signal}}
	}
	return nil
}

// resolve fills what req leaves open.
func resolve(r rules, req proc.StopRequest) proc.StopRequest {
	grace := req.Spec.Grace
	if req.Spec.Signal == 0 {
		req.Spec = r.stop
	}
	if grace == 0 {
		grace = r.stop.Grace
	}
	req.Spec.Grace = grace
	return req
}

// toKill returns st with SIGKILL as its next and last signal.
func (st stop) toKill(now time.Time) stop {
	st.killing, st.kill, st.strays, st.commanding = true, true, true, false
	st.signal, st.sent = syscall.SIGKILL, st.sent.with(syscall.SIGKILL)
	st.due = now.Add(killPatience)
	return st
}

// beginStop enters a stop: the mark is set before the first signal.
func beginStop(s state, st stop, leader *leaderEnd) (state, []effect) {
	if st.commanding && leader != nil { // whom the command would end is gone
		st.commanding = false
		st = st.ask(st.mark.Spec)
	}
	s.info.Status, s.info.TimedOut = proc.Terminating, false
	s.phase = stopping{stop: st, leader: leader}
	effects := []effect{emit{proc.Changed{Info: s.info}}}
	switch {
	case st.killing:
		effects = append(effects, killAll{})
	case st.commanding:
		effects = append(effects, runCommand{st.mark.Spec.Command})
	default:
		effects = append(effects, st.tell(leader)...)
	}
	effects = append(effects, arm{st.due})
	if leader != nil {
		effects = append(effects, survey{})
	}
	return s, effects
}

// join merges a further request into a stop. The stronger wish wins: force, a shorter grace, another signal.
// The mark stays with whoever asked first. A command is not run in the midst of a stop.
func (st stop) join(r rules, in stopAsked, leader *leaderEnd) (stop, []effect) {
	req := resolve(r, in.req)
	if st.killing {
		return st, nil // there is nothing stronger
	}
	if req.Force {
		effects := st.endCommand()
		st = st.toKill(in.at)
		return st, append(effects, killAll{}, arm{st.due})
	}
	var effects []effect
	if wider := st.parentOnly && !req.Spec.ParentOnly; len(req.Spec.Command) == 0 && (req.Spec.Signal != st.signal || wider) {
		st = st.ask(req.Spec)
		effects = append(effects, st.tell(leader)...)
	}
	due := in.at.Add(req.Spec.Grace)
	switch {
	case req.NoKill && st.kill: // weaker: it waits for what goes on
		due = st.due
	case req.NoKill: // both only wait: nobody waits less than asked for
		due = later(st.due, due)
	case st.kill:
		due = earlier(st.due, due)
	}
	st.kill = st.kill || !req.NoKill
	if !due.Equal(st.due) {
		st.due = due
		effects = append(effects, arm{due})
	}
	return st, effects
}

// settle follows a look at a process that is being stopped.
func settle(s state, phase stopping, l left, at time.Time) (state, []effect) {
	s.phase = phase
	switch {
	case phase.leader == nil:
		return s, nil
	case l.none() && phase.stop.commanding:
		return s, nil // what the command still does belongs to the stop
	case l.none():
		return stopped(s, phase, l, at)
	case phase.stop.commanding:
		return s, []effect{watch{}}
	case phase.stop.signal == 0: // the command has ended the leader, and others of the process still live
		phase.stop = phase.stop.ask(phase.stop.mark.Spec)
		s.phase = phase
		return s, append(phase.stop.tell(phase.leader), watch{})
	case phase.stop.killing:
		return s, []effect{killAll{}, watch{}} // somebody forked before it was killed
	case l.group == 0 && l.strays > 0 && !phase.stop.strays:
		// Those who left the group are asked after it has gone: a server that ends its own children in
		// order must not find them killed behind its back.
		phase.stop.strays = true
		s.phase = phase
		return s, []effect{signalStrays{phase.stop.signal}, watch{}}
	}
	return s, []effect{watch{}}
}

// graceOver follows the end of the grace time, or of the patience after SIGKILL.
func graceOver(s state, phase stopping, in due) (state, []effect) {
	effects := phase.stop.endCommand()
	if phase.stop.commanding {
		phase.stop.commanding = false
		effects = append(effects, complain{fmt.Sprintf("the stop command of %q has not ended in time and is killed", s.info.Name)})
	}
	s.phase = phase
	var more []effect
	switch {
	case phase.leader != nil && in.left.none():
		s, more = settle(s, phase, in.left, in.at)
	case phase.stop.kill && !phase.stop.killing:
		phase.stop = phase.stop.toKill(in.at)
		s.phase = phase
		more = append([]effect{killAll{}, arm{phase.stop.due}}, watchIf(phase.leader)...)
	default:
		s, more = timeOut(s, phase, in.left)
	}
	return s, append(effects, more...)
}

// stopped ends a stop: nothing of the process lives.
func stopped(s state, phase stopping, l left, at time.Time) (state, []effect) {
	s.info = ended(s.info, phase.leader.status.end(s.rules, phase.stop.sent), at)
	mark := phase.stop.mark
	reply := answer{result: StopResult{Info: s.info, OK: true, Escaped: l.doubt}}
	s.phase = over{stop: &reply}
	return s, []effect{
		disarm{}, drain{},
		emit{proc.Ended{Info: s.info, End: s.info.End, Stop: &mark}},
		reply,
		letGo{},
	}
}

// timeOut gives a stop up. The process stays owned: a second stop may succeed.
func timeOut(s state, phase stopping, l left) (state, []effect) {
	s.info.Status, s.info.TimedOut = proc.TerminateTimeout, true
	s.phase = timedOut(phase)
	survivors := l.names
	if phase.leader == nil {
		survivors = append([]proc.Leftover{{PID: s.info.PID, Command: s.info.Command}}, survivors...)
	}
	return s, append([]effect{
		disarm{},
		emit{proc.Changed{Info: s.info}},
		answer{result: StopResult{Info: s.info, Reason: ReasonTimeout, Survivors: survivors, Escaped: l.doubt}},
	}, watchIf(phase.leader)...)
}

// lateDeath follows a look at a process whose stop had timed out. When nothing of it lives its record says so,
// and nobody is told of an end.
func lateDeath(s state, phase timedOut, l left, at time.Time) (state, []effect) {
	if phase.leader == nil {
		return s, nil
	}
	if !l.none() {
		return s, []effect{watch{}}
	}
	s.info = ended(s.info, phase.leader.status.end(s.rules, phase.stop.sent), at)
	s.info.Status = proc.Killed
	s.phase = over{}
	return s, []effect{drain{}, emit{proc.Changed{Info: s.info}}, letGo{}}
}

// watchIf watches the others once the leader is gone; while it lives its own end is what is waited for.
func watchIf(leader *leaderEnd) []effect {
	if leader == nil {
		return nil
	}
	return []effect{watch{}}
}

func later(a, b time.Time) time.Time {
	if a.Before(b) {
		return b
	}
	return a
}

func earlier(a, b time.Time) time.Time {
	if b.Before(a) {
		return b
	}
	return a
}
