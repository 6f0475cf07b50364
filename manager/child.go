package manager

import (
	"syscall"

	"github.com/prochost/prochost/manager/proc"
)

// child is what an owner needs of the operating system to run one process. It is used by its owner alone.
type child interface {
	// pid is the leader's process id, and of one that was not adopted also its group's and its session's.
	pid() int
	// born is when the leader began; 0 if the system does not say.
	born() uint64
	// over is closed when the leader has a wait status.
	over() <-chan struct{}
	// status returns the wait status, and whether there is one. It does not wait and does not reap.
	status() (leaderStatus, bool)
	// pending reports whether the leader has ended, though it has no wait status yet. It will have one soon.
	pending() bool
	// report says how an adopted leader has ended or will have ended, should the system not say so itself. It
	// is false for one that was not adopted.
	report(leaderStatus) bool
	// outOfMemory reports whether the system provably killed the leader for want of memory.
	outOfMemory() bool

	// survey looks who of the process lives beside the leader.
	survey() census
	// name returns the members as they are told to people.
	name([]member) []proc.Leftover
	// watch closes changed when m has gone, or returns an error if it cannot tell.
	watch(m member) (changed <-chan struct{}, cancel func(), err error)

	// signalGroup signals the leader's group. The group may be empty.
	signalGroup(syscall.Signal)
	// signalLeader signals the leader alone, unless it has ended.
	signalLeader(syscall.Signal)
	// signal signals m if it still is who it was.
	signal(m member, sig syscall.Signal)
	// letGo reaps the leader. Before this, no other process can be given its pid. keep says that whoever
	// else was found at the last survey is left alone for good.
	letGo(keep bool)

	// listen begins to take what the process writes. It waits in the pipes until then.
	listen()
	// input is the standard input; nil if it is the null device.
	input() *stdin
	// resize changes the size of the terminal.
	resize(proc.Window) error
	// drain hands on what is in the pipes, and returns when that is done.
	drain()
	// closed is closed when both output streams have ended.
	closed() <-chan struct{}
	// abandon closes what is open. Nothing else is called after it.
	abandon()
}

// system starts processes.
type system interface {
	// start runs spec. What the process writes goes to out, and what it would lose with this program is kept.
	start(id proc.ID, spec proc.Spec, out *output, kept *keeping) (child, error)
	// adopt takes over a process that runs or has ended. On an error what is handed over stays open.
	adopt(id proc.ID, a Adoption, out *output, kept *keeping) (child, error)
	// close ends what belongs to no process and returns who survives.
	close() []proc.Leftover
}

// member is one living descendant of a leader. The start time tells it from a later bearer of its pid.
type member struct {
	pid     int
	started uint64
}

// census is who of a process lives beside its leader.
type census struct {
	group  []member // in the leader's group
	strays []member // descendants elsewhere
	doubt  []member // orphans that may be descendants
	unsure bool     // the system would not say
}

// all returns every member, those of the group first.
func (c census) all() []member {
	return append(c.group[:len(c.group):len(c.group)], c.strays...)
}

func (c census) count() left {
	return left{group: len(c.group), strays: len(c.strays), unsure: c.unsure}
}

// censusOf sorts kin by whether they are in the leader's group.
func censusOf(leader int, k kinship) census {
	c := census{unsure: k.unsure}
	for _, e := range k.kin {
		m := member{e.pid, e.started}
		if e.pgid == leader {
			c.group = append(c.group, m)
		} else {
			c.strays = append(c.strays, m)
		}
	}
	for _, e := range k.doubt {
		c.doubt = append(c.doubt, member{e.pid, e.started})
	}
	return c
}
