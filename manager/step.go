package manager

import (
	"slices"
	"syscall"
	"time"

	"github.com/prochost/prochost/manager/proc"
)

const (
	// sweepGrace is the time that leftovers have between SIGTERM and SIGKILL.
	sweepGrace = time.Second
	// killPatience is how long something may outlive SIGKILL before it is given up: it hangs in the kernel.
	killPatience = 2 * time.Second
)

// step is the whole life of an instance: what an input makes of a state, and what is to be done then. It is
// pure and total. What a phase does not mention changes nothing there.
func step(s state, in input) (state, []effect) {
	if in, is := in.(revised); is { // in whatever phase
		s.rules.stop, s.rules.keep = in.stop, in.keep
		return s, nil
	}
	switch phase := s.phase.(type) {
	case starting:
		switch in := in.(type) {
		case spawned:
			return started(s, phase, in)
		case resumed:
			in.info.StdoutFile, in.info.StderrFile = s.info.StdoutFile, s.info.StderrFile
			s.info = in.info
			return leave(s, nil, in.left, in.at)
		case spawnFailed:
			return neverRan(s, phase, in)
		case stopAsked:
			s.phase = starting{stops: append(slices.Clone(phase.stops), in)}
			return s, nil
		case renamed:
			s.info.Name = in.name // Started will tell
			return s, nil
		case released:
			s.info.Delivery = s.info.Delivery.Released()
			return s, nil
		}

	case running:
		switch in := in.(type) {
		case stopAsked:
			return beginStop(s, newStop(s.rules, in, 0), nil)
		case leaderGone:
			return endByItself(s, in)
		case renamed, released:
			return change(s, in)
		}

	case stopping:
		switch in := in.(type) {
		case stopAsked:
			joined, effects := phase.stop.join(s.rules, in, phase.leader)
			s.phase = stopping{stop: joined, leader: phase.leader}
			if phase.leader != nil && len(effects) > 0 {
				effects = append(effects, survey{}) // those outside the group may be all who are left
			}
			return s, effects
		case leaderGone:
			phase.leader = &in.end
			return settle(s, phase, in.left, in.end.at)
		case surveyed:
			return settle(s, phase, in.left, in.at)
		case commandOver:
			return asked(s, phase, in)
		case due:
			return graceOver(s, phase, in)
		case renamed, released:
			return change(s, in)
		}

	case timedOut:
		switch in := in.(type) {
		case stopAsked:
			return beginStop(s, newStop(s.rules, in, phase.stop.sent), phase.leader)
		case leaderGone:
			phase.leader = &in.end
			s.phase = phase
			return lateDeath(s, phase, in.left, in.end.at)
		case surveyed:
			return lateDeath(s, phase, in.left, in.at)
		case renamed, released:
			return change(s, in)
		}

	case sweeping:
		switch in := in.(type) {
		case surveyed:
			return sweep(s, phase, in.left)
		case due:
			switch {
			case in.left.none():
				return sweep(s, phase, in.left)
			case phase.killing:
				reply := answer{StopResult{Info: s.info, Reason: ReasonTimeout, Survivors: in.left.names}, ErrEnded}
				s.phase = over{stop: &reply}
				return s, []effect{complain{outlives(s.info, in.left.names)}, reply, letGo{}}
			}
			s.phase = sweeping{strays: true, killing: true}
			return s, []effect{killAll{}, arm{in.at.Add(killPatience)}, watch{}}
		case stopAsked:
			if in.req.Force && !phase.killing {
				s.phase = sweeping{strays: true, killing: true}
				return s, []effect{killAll{}, arm{in.at.Add(killPatience)}, watch{}}
			}
		}

	case over:
		switch in.(type) {
		case stopAsked:
			return s, []effect{phase.answer(s.info)}
		}
	}
	return s, nil // anything else changes nothing
}

// started follows a spawn that worked. The stops that waited for it begin now.
func started(s state, phase starting, in spawned) (state, []effect) {
	s.info.PID, s.info.Born = in.pid, in.born
	s.phase = running{}
	effects := []effect{emit{proc.Started{Info: s.info, Adopted: in.adopted}}}
	for _, asked := range phase.stops {
		var more []effect
		asked.at = in.at
		s, more = step(s, asked)
		effects = append(effects, more...)
	}
	return s, effects
}

// neverRan follows a spawn that did not work: an end like any other.
func neverRan(s state, phase starting, in spawnFailed) (state, []effect) {
	s.info = ended(s.info, proc.NeverRan(in.cause), in.at)
	told := proc.Ended{Info: s.info, End: s.info.End}
	if len(phase.stops) == 0 {
		s.phase = over{}
		return s, []effect{drain{}, emit{told}}
	}
	mark := resolve(s.rules, phase.stops[0].req)
	told.Stop = &mark
	reply := answer{result: StopResult{Info: s.info, OK: true}}
	s.phase = over{stop: &reply}
	return s, []effect{drain{}, emit{told}, reply}
}

// endByItself follows the end of a leader that nobody had asked to end.
func endByItself(s state, in leaderGone) (state, []effect) {
	s.info = ended(s.info, in.end.status.end(s.rules, 0), in.end.at)
	return leave(s, []effect{drain{}, emit{proc.Ended{
		Info: s.info, End: s.info.End, Leftovers: in.left.names, OutOfMemory: in.outOfMemory,
	}}}, in.left, in.end.at)
}

// leave ends what a process has left behind, or leaves it alone. Its end has been told.
func leave(s state, effects []effect, l left, at time.Time) (state, []effect) {
	if l.none() || s.rules.keep {
		s.phase = over{}
		return s, append(effects, letGo{keep: s.rules.keep})
	}
	s.phase = sweeping{strays: l.strays > 0}
	return s, append(effects,
		signalGroup{syscall.SIGTERM}, signalStrays{syscall.SIGTERM}, arm{at.Add(sweepGrace)}, watch{})
}

// sweep follows a look at the leftovers of a process whose end has been told.
func sweep(s state, phase sweeping, l left) (state, []effect) {
	switch {
	case l.none():
		s.phase = over{}
		return s, []effect{disarm{}, over{}.answer(s.info), letGo{}}
	case phase.killing:
		return s, []effect{killAll{}, watch{}} // somebody forked before it was killed
	case l.strays > 0 && !phase.strays:
		s.phase = sweeping{strays: true}
		return s, []effect{signalStrays{syscall.SIGTERM}, watch{}}
	}
	return s, []effect{watch{}}
}

// change follows a wish that changes Info and nothing else.
func change(s state, in input) (state, []effect) {
	before := s.info
	switch in := in.(type) {
	case renamed:
		s.info.Name = in.name
	case released:
		if s.info.Delivery.Completion == proc.ClaimTool {
			s.info.Delivery = s.info.Delivery.Released()
		}
	}
	if s.info.Name == before.Name && s.info.Delivery == before.Delivery {
		return s, nil
	}
	return s, []effect{emit{proc.Changed{Info: s.info}}}
}

// ended returns info with its end entered.
func ended(info proc.Info, e proc.End, at time.Time) proc.Info {
	info.Status, info.End, info.Ended = e.Status(), e, at
	return info
}

// end returns the End that s stands for; sent are the signals of our stops.
func (s leaderStatus) end(r rules, sent signalSet) proc.End {
	switch {
	case !s.known:
		return proc.Vanished(sent != 0)
	case s.signal != 0:
		return proc.EndedBySignal(s.signal, sent.has(s.signal))
	}
	return proc.ExitedWith(s.code, r.success...)
}

// answer answers a stop that comes after the end. Whoever stops what a stop has ended gets the answer of that
// stop.
func (o over) answer(info proc.Info) answer {
	if o.stop != nil {
		return *o.stop
	}
	return answer{StopResult{Info: info, OK: true}, ErrEnded}
}
