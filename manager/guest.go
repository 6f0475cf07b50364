package manager

import (
	"fmt"
	"os"
	"sync"
	"syscall"
	"time"
)

const (
	// reportPatience is how long somebody has to say how an adopted leader has ended, once it is gone. It is
	// shorter than killPatience, so that no stop runs out of time for it.
	reportPatience = time.Second
	// askEvery is how often the system is asked meanwhile.
	askEvery = 20 * time.Millisecond
)

// guest holds on to an adopted leader, which is seldom a child of ours.
//
// It was checked to be who is meant, and whoever is given its number later can be told from it by when they began. How
// it has ended, the system says to its parent; where it does not say it to others as well, somebody has to report
// it.
type guest struct {
	who     member
	parent  int  // when it was adopted
	session int  // likewise
	leads   bool // its group
	grip    grip
	word    func(member) (leaderStatus, bool) // what the system says of how it has ended
	// departed says that its number is not its own any more, or need not be.
	departed bool

	// group finds who is in the group. It also makes known who else is of its descent, before a signal scatters
	// them.
	group func() []member

	gone    <-chan struct{} // closed when it has ended
	unwatch func()
	reports chan leaderStatus // holds one
	ended   chan struct{}     // closed when it is known how
	final   leaderStatus      // set before that
	quit    chan struct{}
	done    sync.WaitGroup
}

// newGuest checks that the number is that of who is meant. If the end is known or has been told, it may be nobody's
// or another's.
func newGuest(a Adoption) (*guest, error) {
	g := &guest{
		who: member{a.Identity.PID, a.Identity.Born}, grip: noGrip, unwatch: func() {},
		reports: make(chan leaderStatus, 1), ended: make(chan struct{}), quit: make(chan struct{}),
	}
	err := g.meet(a.Identity.Boot)
	if err == ErrStranger && (a.End != nil || a.Told != nil) {
		g.grip.close()
		g.grip, g.gone, g.departed, err = noGrip, closedChannel(), true, nil
	}
	if err == nil && a.Told != nil && g.who.lives() {
		err = fmt.Errorf("its end has been told, and it lives")
	}
	if err != nil {
		g.grip.close()
		return nil, fmt.Errorf("process %d: %w", g.who.pid, err)
	}
	g.word = g.grip.word
	if a.End != nil {
		g.report(statusOf(*a.End))
	}
	return g, nil
}

// meet takes hold of the number, and then looks whose it is: whoever has it by then had it before.
func (g *guest) meet(boot string) error {
	ours, err := bootID()
	if err != nil {
		return err
	}
	if boot != ours || g.who.pid <= 0 {
		return ErrStranger
	}
	if isAbove(g.who.pid) {
		return errOwnHost
	}
	g.grip = gripOf(g.who.pid)
	e, err := readEntry(g.who.pid)
	if err != nil || e.started != g.who.started {
		return ErrStranger
	}
	g.parent, g.session, g.leads = e.ppid, e.sid, e.pgid == e.pid
	return nil
}

// begin looks out for the end.
func (g *guest) begin() {
	if g.gone == nil {
		var err error
		if g.gone, g.unwatch, err = g.who.watch(); err != nil {
			g.gone, g.unwatch = g.who.poll()
		}
	}
	g.done.Go(g.await)
}

// await waits for the end, and for whoever says first how it was.
func (g *guest) await() {
	select {
	case <-g.gone:
	case <-g.quit:
		return
	}
	late := time.NewTimer(reportPatience)
	defer late.Stop()
	ask := time.NewTicker(askEvery)
	defer ask.Stop()
	for known := false; !known; {
		if g.final, known = g.word(g.who); known {
			break
		}
		select {
		case g.final = <-g.reports:
			known = true
		case <-late.C:
			known = true // to be lost
		case <-ask.C:
		case <-g.quit:
			return
		}
	}
	close(g.ended)
}

// holds reports whether the number is still the guest's: it is there itself, or kin of its group or session is, and
// until then the number is given to nobody.
func (g *guest) holds(all table, kin func(entry) bool) bool {
	held := false
	for _, e := range all {
		if e.pid == g.who.pid {
			return e.started == g.who.started
		}
		held = held || (e.pgid == g.who.pid || e.sid == g.who.pid) && kin(e)
	}
	return held
}

func (g *guest) pid() int              { return g.who.pid }
func (g *guest) over() <-chan struct{} { return g.ended }

func (g *guest) status() (leaderStatus, bool) {
	select {
	case <-g.ended:
		return g.final, true
	default:
		return leaderStatus{}, false
	}
}

func (g *guest) pending() bool {
	_, known := g.status()
	return !known && !g.who.lives()
}

// report keeps the first report.
func (g *guest) report(st leaderStatus) bool {
	select {
	case g.reports <- st:
	default:
	}
	return true
}

func (g *guest) signalLeader(sig syscall.Signal) { g.who.signal(sig) }

// signalGroup signals the group if it is the guest's own. Where the system cannot signal the group that somebody leads
// or has led, each of its members is, since the number might be that of another group by now.
func (g *guest) signalGroup(sig syscall.Signal) {
	members := g.group()
	if g.leads && g.grip.signalGroup(sig) {
		return
	}
	for _, m := range append(members, g.who) {
		m.signal(sig)
	}
}

// reap takes the wait status away if the guest has become a child of ours.
func (g *guest) reap() {
	e, err := readEntry(g.who.pid)
	if err == nil && e.started == g.who.started && e.dead && e.ppid == syscall.Getpid() {
		syscall.Wait4(g.who.pid, nil, syscall.WNOHANG, nil)
	}
}

func (g *guest) close() {
	close(g.quit)
	g.unwatch()
	g.done.Wait()
	g.grip.close()
}

// isAbove reports whether this process is, or is below, the one with that number.
func isAbove(pid int) bool {
	for at := os.Getpid(); at != pid; {
		e, err := readEntry(at)
		if err != nil || at == 0 {
			return false
		}
		at = e.ppid
	}
	return true
}

func closedChannel() chan struct{} {
	c := make(chan struct{})
	close(c)
	return c
}
