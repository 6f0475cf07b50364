package manager

import "github.com/prochost/prochost/manager/proc"

// Keeper is a program that outlives this one. It holds on to what processes would lose with this program, so that a
// later run of it can adopt them: our ends of their streams, and their wait statuses. Package keeper is one.
//
// Its methods are called in the order in which things happen to an instance, but for ShutStdin, which may come
// late. They are called concurrently for several instances. They do not wait for an answer, and whatever goes wrong
// is the Keeper's own affair.
type Keeper interface {
	// PID is the number of a subreaper above this program which starts nothing else. It has whom earlier
	// runs have left.
	PID() int
	// Hold gives our ends of stdin, stdout and stderr, -1 for one that there is not. The Keeper makes
	// duplicates. It is called before the process is spawned.
	Hold(id proc.ID, ends [1 + proc.NumStreams]int)
	// Born says which process it is.
	Born(id proc.ID, who proc.Identity)
	// ShutStdin says that stdin is closed: it is, once the Keeper has closed its own.
	ShutStdin(id proc.ID)
	// Forget says that nothing is left to look after, or that there never was a process. spared says that
	// some of its descent live and are to be left alone.
	Forget(id proc.ID, spared bool)
}

// keeping is what a child tells the Keeper of itself. A nil keeping tells nobody.
type keeping struct {
	keeper Keeper
	id     proc.ID
}

func (m *Manager) keeping(id proc.ID) *keeping {
	if m.options.Keeper == nil {
		return nil
	}
	return &keeping{m.options.Keeper, id}
}

func (k *keeping) hold(ends [1 + proc.NumStreams]int) {
	if k != nil {
		k.keeper.Hold(k.id, ends)
	}
}

func (k *keeping) born(pid int, born uint64) {
	if k != nil {
		boot, _ := bootID()
		k.keeper.Born(k.id, proc.Identity{PID: pid, Born: born, Boot: boot})
	}
}

func (k *keeping) shutStdin() {
	if k != nil {
		k.keeper.ShutStdin(k.id)
	}
}

func (k *keeping) forget(spared bool) {
	if k != nil {
		k.keeper.Forget(k.id, spared)
	}
}
