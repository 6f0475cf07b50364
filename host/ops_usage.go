package host

import (
	"cmp"
	"context"
	"slices"
	"sync"
	"time"

	"github.com/prochost/prochost/host/api"
	"github.com/prochost/prochost/host/usage"
	"github.com/prochost/prochost/manager/proc"
)

// meter remembers how much processor time each instance had used when it was last asked for.
type meter struct {
	mu   sync.Mutex
	last map[proc.ID]sample
}

type sample struct {
	cpu  time.Duration
	at   time.Time
	rate float64
}

// moment is the least time over which use of the processor is told: shorter, the clock of the kernel is too coarse.
const moment = 100 * time.Millisecond

// rate returns the cores in use since the last look, at the first one since the start.
func (m *meter) rate(id proc.ID, cpu time.Duration, started, now time.Time) float64 {
	m.mu.Lock()
	defer m.mu.Unlock()
	before, known := m.last[id]
	if !known {
		before = sample{at: started}
	}
	over := now.Sub(before.at)
	if known && over < moment {
		return before.rate
	}
	before = sample{cpu, now, max(0, (cpu-before.cpu).Seconds()/max(over, moment).Seconds())}
	if m.last == nil {
		m.last = make(map[proc.ID]sample)
	}
	m.last[id] = before
	return before.rate
}

// prune drops what has ended.
func (m *meter) prune(live map[proc.ID]bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for id := range m.last {
		if !live[id] {
			delete(m.last, id)
		}
	}
}

// Usage measures the trees of live instances.
func (s service) Usage(ctx context.Context, in api.UsageIn) ([]api.Usage, error) {
	all := len(in.IDs) == 0
	chosen, err := ask(ctx, s.Host, func(l *loop, _ time.Time) ([]proc.Info, error) {
		var chosen []proc.Info
		add := func(i *instance) {
			if i != nil && i.live() && i.info.PID != 0 {
				info := i.info
				info.ID = i.id
				chosen = append(chosen, info)
			}
		}
		if all {
			for _, i := range l.instances() {
				add(i)
			}
		}
		for n, ref := range in.IDs {
			t, err := l.find(field("ids", n), ref)
			if err != nil {
				return nil, err
			}
			add(t.i)
		}
		return chosen, nil
	})
	if err != nil {
		return nil, err
	}
	table, err := usage.Table()
	if err != nil {
		return nil, api.Refuse(api.ReasonInternal, "%v", err)
	}
	now := time.Now()
	var leaders, pids []int
	for _, i := range chosen {
		leaders = append(leaders, i.PID)
	}
	trees := usage.Trees(table, leaders)
	of := map[int]int{} // leader of each member
	for leader, t := range trees {
		for _, pid := range t.PIDs {
			pids = append(pids, pid)
			of[pid] = leader
		}
	}
	sockets, err := usage.Listening(pids)
	if err != nil {
		return nil, api.Refuse(api.ReasonInternal, "find the ports: %v", err)
	}
	ports := map[int][]api.Port{}
	for _, k := range sockets {
		ports[of[k.PID]] = append(ports[of[k.PID]], api.Port{
			Protocol: k.Protocol, Address: k.Address.Addr().String(), Port: int(k.Address.Port()), PID: k.PID,
		})
	}
	out := []api.Usage{}
	live := map[proc.ID]bool{}
	for _, i := range chosen {
		live[i.ID] = true
		t := trees[i.PID]
		u := api.Usage{
			ID: string(i.ID), Name: i.Name, Processes: len(t.PIDs), CPUMillis: t.CPU.Milliseconds(), Memory: t.Memory,
			CPU: s.meter.rate(i.ID, t.CPU, i.Started, now), Ports: ports[i.PID],
		}
		if u.Ports == nil {
			u.Ports = []api.Port{}
		}
		slices.SortFunc(u.Ports, func(a, b api.Port) int { return cmp.Or(cmp.Compare(a.Port, b.Port), cmp.Compare(a.Address, b.Address)) })
		out = append(out, u)
	}
	if all {
		s.meter.prune(live)
	}
	return out, nil
}
