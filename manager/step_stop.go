package manager

import (
	"syscall"
	"time"

	"github.com/prochost/prochost/manager/proc"
)

// newStop returns the stop that in asks for; sent are the signals of earlier ones.
func newStop(r rules, in stopAsked, sent signalSet) stop {
	req := resolve(r, in.req)
	st := stop{
		mark: req, signal: req.Signal(), kill: !req.NoKill, due: in.at.Add(req.Spec.Grace),
		sent: sent.with(req.Signal()),
	}
	if req.Force {
		return st.toKill(in.at)
	}
	return st
}

// resolve fills what req leaves open.
func resolve(r rules, req proc.StopRequest) proc.StopRequest {
	if req.Spec.Signal == 0 {
		req.Spec.Signal = r.stop.Signal
	}
	if req.Spec.Grace == 0 {
		req.Spec.Grace = r.stop.Grace
	}
	return req
}

// toKill returns st with SIGKILL as its next and last signal.
func (st stop) toKill(now time.Time) stop {
	st.killing, st.kill, st.strays = true, true, true
	st.signal, st.sent = syscall.SIGKILL, st.sent.with(syscall.SIGKILL)
	st.due = now.Add(killPatience)
	return st
}

// beginStop enters a stop: the mark is set before the first signal.
func beginStop(s state, st stop, leader *leaderEnd) (state, []effect) {
	s.info.Status, s.info.TimedOut = proc.Terminating, false
	s.phase = stopping{stop: st, leader: leader}
	effects := []effect{emit{proc.Changed{Info: s.info}}}
	if st.killing {
		effects = append(effects, killAll{})
	} else {
		effects = append(effects, signalGroup{st.signal})
	}
	effects = append(effects, arm{st.due})
	if leader != nil {
		effects = append(effects, survey{})
	}
	return s, effects
}

// join merges a further request into a stop. The stronger wish wins: force, a shorter grace, another signal.
// The mark stays with whoever asked first.
func (st stop) join(r rules, in stopAsked) (stop, []effect) {
	req := resolve(r, in.req)
	if st.killing {
		return st, nil // there is nothing stronger
	}
	if req.Force {
		st = st.toKill(in.at)
		return st, []effect{killAll{}, arm{st.due}}
	}
	var effects []effect
	if sig := req.Signal(); sig != st.signal {
		st.signal, st.strays, st.sent = sig, false, st.sent.with(sig)
		effects = append(effects, signalGroup{sig})
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
	case l.none():
		return stopped(s, phase, l, at)
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
