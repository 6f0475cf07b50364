package manager

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/prochost/prochost/manager/proc"
)

// maxSpawns is how many processes are spawned at a time.
const maxSpawns = 4

// Manager runs processes.
type Manager struct {
	options Options
	system  system
	slots   chan struct{} // one token per spawn under way
	quit    chan struct{} // closed when every process has been asked to end and has answered
	owners  sync.WaitGroup
	closing sync.Once

	mu        sync.Mutex
	processes map[proc.ID]*process
	accepted  uint64
	closed    bool
}

// New returns a Manager. It makes this process the reaper of what its children leave behind.
func New(o Options) (*Manager, error) {
	sys, err := openSystem(o)
	if err != nil {
		return nil, err
	}
	return newManager(o, sys), nil
}

func newManager(o Options, sys system) *Manager {
	return &Manager{
		options: o, system: sys, slots: make(chan struct{}, maxSpawns), quit: make(chan struct{}),
		processes: map[proc.ID]*process{},
	}
}

// Start accepts a process under id and returns; Started or Ended will tell what came of it. It returns an
// error only if it refuses: the spec is not complete, ErrInUse, ErrClosed. A process that cannot be spawned
// is an Ended like any other. obs sees its output, and may be nil.
func (m *Manager) Start(id proc.ID, spec proc.Spec, obs proc.Observer) error {
	if err := check(spec); err != nil {
		return fmt.Errorf("start %q: %w", spec.Name, err)
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if err := m.refuses(id); err != nil {
		return fmt.Errorf("start %q: %w", spec.Name, err)
	}
	m.accept(newProcess(m, id, spec.Clone(), obs))
	return nil
}

// refuses says why nothing can be accepted under id. It is called with the lock held, as accept is.
func (m *Manager) refuses(id proc.ID) error {
	switch {
	case m.closed:
		return ErrClosed
	case m.processes[id] != nil:
		return fmt.Errorf("%s: %w", id, ErrInUse)
	}
	return nil
}

func (m *Manager) accept(p *process) {
	m.accepted++
	p.number = m.accepted
	m.processes[p.id] = p
	m.owners.Go(p.run)
}

// check refuses a spec that cannot be started.
func check(s proc.Spec) error {
	if err := checkNamed(s); err != nil {
		return err
	}
	if s.Command != "" && len(s.Shell) == 0 {
		return fmt.Errorf("command %q has no shell", s.Command)
	}
	return nil
}

// checkNamed refuses a spec that says too little or too much of what runs.
func checkNamed(s proc.Spec) error {
	switch {
	case s.Command == "" && len(s.Argv) == 0:
		return fmt.Errorf("neither command nor argv is set")
	case s.Command != "" && len(s.Argv) > 0:
		return fmt.Errorf("both command and argv are set")
	case !strings.HasPrefix(s.Dir, "/"):
		return fmt.Errorf("directory %q is not absolute", s.Dir)
	}
	for _, e := range s.Env {
		if !strings.Contains(e, "=") {
			return fmt.Errorf("environment entry without a value: %q", e)
		}
	}
	return nil
}

// Info returns the record of id.
func (m *Manager) Info(id proc.ID) (proc.Info, bool) {
	p, err := m.find(id)
	if err != nil {
		return proc.Info{}, false
	}
	return p.info(), true
}

// List returns all records in start order.
func (m *Manager) List() []proc.Info {
	var infos []proc.Info
	for _, p := range m.all() {
		infos = append(infos, p.info())
	}
	return infos
}

// Forget drops the records of those that have ended and returns how many it dropped. Others are left alone.
func (m *Manager) Forget(ids ...proc.ID) int {
	m.mu.Lock()
	defer m.mu.Unlock()
	n := 0
	for _, id := range ids {
		if p := m.processes[id]; p != nil && !p.info().Status.Live() {
			delete(m.processes, id)
			n++
		}
	}
	return n
}

// Revise makes stop and leftovers what is said of id from here on: a stop that is asked for later goes by it, and
// so does what becomes of the leftovers of an end that comes later. It does not wait. ErrNotFound.
func (m *Manager) Revise(id proc.ID, stop proc.StopSpec, leftovers proc.Leftovers) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	p := m.processes[id]
	if p == nil {
		return fmt.Errorf("%s: %w", id, ErrNotFound)
	}
	stop.Command = slices.Clone(stop.Command)
	select {
	case <-p.revise: // it was not taken yet, and is out of date
	default:
	}
	p.revise <- revised{stop: stop.WithDefaults(), keep: leftovers == proc.KeepLeftovers}
	return nil
}

func (m *Manager) find(id proc.ID) (*process, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if p := m.processes[id]; p != nil {
		return p, nil
	}
	return nil, fmt.Errorf("%s: %w", id, ErrNotFound)
}

// all returns every process in start order.
func (m *Manager) all() []*process {
	m.mu.Lock()
	defer m.mu.Unlock()
	all := make([]*process, 0, len(m.processes))
	for _, p := range m.processes {
		all = append(all, p)
	}
	slices.SortFunc(all, func(a, b *process) int { return cmp.Compare(a.number, b.number) })
	return all
}

func (m *Manager) emit(e proc.Event) {
	if m.options.Events != nil {
		m.options.Events(e)
	}
}

func (m *Manager) trouble(what, message string) {
	if m.options.Trouble != nil {
		m.options.Trouble(what, message)
	}
}
