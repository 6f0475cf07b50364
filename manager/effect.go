package manager

import (
	"syscall"
	"time"

	"github.com/prochost/prochost/manager/proc"
)

// An effect is something to be done to the world. The owner carries them out in order.
type effect interface{ effect() }

type (
	// emit tells an event.
	emit struct{ event proc.Event }
	// drain hands on what the leader had written and ends the observer's view.
	drain struct{}
	// signalGroup sends sig to the leader's group, and then CONT so that stopped members see it.
	signalGroup struct{ sig syscall.Signal }
	// signalLeader sends sig to the leader alone, and then CONT.
	signalLeader struct{ sig syscall.Signal }
	// signalStrays sends sig, and CONT, to the members that the last survey found outside the group.
	signalStrays struct{ sig syscall.Signal }
	// killAll sends SIGKILL to the group and to every member that can be found.
	killAll struct{}
	// watch surveys again as soon as one of those who live is gone.
	watch struct{}
	// survey looks at once who lives beside the leader.
	survey struct{}
	// arm sets the one deadline; disarm clears it.
	arm    struct{ at time.Time }
	disarm struct{}
	// answer tells everybody who waits for a stop.
	answer struct {
		result StopResult
		err    error
	}
	// runCommand runs the command of a stop; endCommand kills it.
	runCommand struct{ argv []string }
	endCommand struct{}
	// letGo gives the leader's pid back to the system. No signal is sent from here on. keep says that others
	// may live and are left alone.
	letGo struct{ keep bool }
	// complain reports trouble.
	complain struct{ message string }
)

func (emit) effect()         {}
func (drain) effect()        {}
func (signalGroup) effect()  {}
func (signalLeader) effect() {}
func (signalStrays) effect() {}
func (killAll) effect()      {}
func (watch) effect()        {}
func (survey) effect()       {}
func (arm) effect()          {}
func (disarm) effect()       {}
func (answer) effect()       {}
func (runCommand) effect()   {}
func (endCommand) effect()   {}
func (letGo) effect()        {}
func (complain) effect()     {}
