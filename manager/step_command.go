package manager

import (
	"fmt"

	"golang.org/x/sys/unix"
)

// asked follows the end of a stop's command. One that failed has not asked, so the signal does.
func asked(s state, phase stopping, in commandOver) (state, []effect) {
	if !phase.stop.commanding {
		return s, nil
	}
	phase.stop.commanding = false
	var effects []effect
	if in.failure != "" {
		words := fmt.Sprintf("the stop command of %q %s", s.info.Name, in.failure)
		if phase.stop.signal == 0 {
			phase.stop = phase.stop.ask(phase.stop.mark.Spec)
			words += fmt.Sprintf("; %s is sent instead", unix.SignalName(phase.stop.signal))
			effects = phase.stop.tell(phase.leader)
		}
		effects = append([]effect{complain{words}}, effects...)
	}
	s.phase = phase
	if phase.leader != nil {
		effects = append(effects, survey{})
	}
	return s, effects
}

// endCommand ends the command, if it runs.
func (st stop) endCommand() []effect {
	if !st.commanding {
		return nil
	}
	return []effect{endCommand{}}
}
