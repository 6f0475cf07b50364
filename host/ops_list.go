package host

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"github.com/prochost/prochost/host/api"
	"github.com/prochost/prochost/host/stack"
	"github.com/prochost/prochost/manager/proc"
)

func (s service) List(ctx context.Context, in api.ListIn) ([]api.Info, error) {
	keep, err := statusFilter(in.Statuses)
	if err != nil {
		return nil, err
	}
	order, err := sorting(in.SortBy)
	if err != nil {
		return nil, err
	}
	if in.Limit < 0 {
		return nil, api.Invalid("limit", "it cannot be negative")
	}
	all, err := ask(ctx, s.Host, func(l *loop, _ time.Time) ([]api.Info, error) { return l.list(in.Latest), nil })
	if err != nil {
		return nil, err
	}
	all = slices.DeleteFunc(all, func(i api.Info) bool {
		return !keep(i) || in.Source != "" && i.Source != in.Source || in.Session != "" && i.Session != in.Session
	})
	if order != nil {
		slices.SortStableFunc(all, order)
	}
	if in.Limit > 0 && len(all) > in.Limit {
		all = all[:in.Limit]
	}
	return all, nil
}

// list returns every instance in start order, and behind them what the recipe declares and nothing stands for.
func (l *loop) list(latest bool) []api.Info {
	all := []api.Info{}
	newest := map[string]proc.ID{}
	instances := l.instances()
	for _, i := range instances {
		newest[i.info.Name] = i.id
	}
	for _, i := range instances {
		slot, declared := l.slotOf(i)
		switch {
		case declared && !i.live() && slot.Phase != stack.Done:
			// It has ended, and what stands for the process is told below.
			if latest {
				continue
			}
		case latest && !i.live() && newest[i.info.Name] != i.id:
			continue
		}
		all = append(all, l.current(i))
	}
	for _, slot := range l.stack.Slots() {
		if slot.Phase != stack.Live && (slot.Phase != stack.Done || l.instance(slot.ID) == nil) {
			all = append(all, l.slotInfo(slot))
		}
	}
	return all
}

// slotOf returns the declared process of which i is the newest instance.
func (l *loop) slotOf(i *instance) (stack.Slot, bool) {
	if !i.declared {
		return stack.Slot{}, false
	}
	slot, ok := l.stack.Slot(i.p.Name)
	return slot, ok && slot.ID == i.id
}

// slotInfo is a declared process: its instance if that says it all, else why there is none.
func (l *loop) slotInfo(slot stack.Slot) api.Info {
	i := l.instance(slot.ID)
	if i != nil && (slot.Phase == stack.Live || slot.Phase == stack.Done) {
		return l.current(i)
	}
	p := slot.Process
	out := api.NewInfo(proc.Info{
		Name: p.Name, Command: p.Spec().CommandLine(), Argv: p.Run.Argv, Dir: p.Run.Dir, Source: p.Spec().Source,
	}, slot.Restarts, nil)
	out.StartTime, out.Status = 0, slot.Phase.String()
	if slot.Phase == stack.Live { // it is being launched
		out.Status = stack.Waiting.String()
	}
	out.Why = l.sentence(slot)
	return out
}

// Get returns the instance, or the declared process, that ref means; null if there is none.
func (s service) Get(ctx context.Context, in api.Ref) (*api.Info, error) {
	return ask(ctx, s.Host, func(l *loop, _ time.Time) (*api.Info, error) {
		t, err := l.find("id", in.ID)
		switch {
		case api.ReasonOf(err) == api.ReasonNotFound:
			return nil, nil
		case err != nil:
			return nil, err
		}
		info := l.targetInfo(t)
		return &info, nil
	})
}

func (l *loop) targetInfo(t target) api.Info {
	if t.i == nil || t.declared() && !t.i.live() {
		return l.slotInfo(*t.slot)
	}
	return l.current(t.i)
}

// statuses are the words that filter a list.
var statuses = map[string]func(api.Info) bool{
	"all":      func(api.Info) bool { return true },
	"running":  func(i api.Info) bool { return i.Status == "running" },
	"finished": func(i api.Info) bool { return i.Status == "exited" && i.Success != nil && *i.Success },
	"failed": func(i api.Info) bool {
		return i.Status == "exited" && (i.Success == nil || !*i.Success) || i.Status == "terminate_timeout"
	},
	"terminating":       func(i api.Info) bool { return i.Status == "terminating" },
	"terminate_timeout": func(i api.Info) bool { return i.Status == "terminate_timeout" },
	"killed":            func(i api.Info) bool { return i.Status == "killed" },
}

func statusFilter(words []string) (func(api.Info) bool, error) {
	var any []func(api.Info) bool
	for _, w := range words {
		f := statuses[w]
		if f == nil {
			return nil, api.Invalid("statuses", "got %q, want of %s", w, known(statuses))
		}
		any = append(any, f)
	}
	return func(i api.Info) bool {
		return len(any) == 0 || slices.ContainsFunc(any, func(f func(api.Info) bool) bool { return f(i) })
	}, nil
}

// sortings are the words that order a list.
var sortings = map[string]func(a, b api.Info) int{
	"startTime_asc":  func(a, b api.Info) int { return cmp.Compare(a.StartTime, b.StartTime) },
	"startTime_desc": func(a, b api.Info) int { return cmp.Compare(b.StartTime, a.StartTime) },
	"name_asc":       func(a, b api.Info) int { return cmp.Compare(a.Name, b.Name) },
	"name_desc":      func(a, b api.Info) int { return cmp.Compare(b.Name, a.Name) },
	"status_asc":     func(a, b api.Info) int { return cmp.Compare(a.Status, b.Status) },
}

func sorting(word string) (func(a, b api.Info) int, error) {
	if word == "" {
		return nil, nil
	}
	if f := sortings[word]; f != nil {
		return f, nil
	}
	return nil, api.Invalid("sortBy", "got %q, want of %s", word, known(sortings))
}

func known[V any](m map[string]V) string {
	words := make([]string, 0, len(m))
	for w := range m {
		words = append(words, w)
	}
	slices.Sort(words)
	return strings.Join(words, ", ")
}

// Clear drops finished records. Of what is live nothing is touched.
func (s service) Clear(ctx context.Context, in api.ClearIn) (api.ClearOut, error) {
	return ask(ctx, s.Host, func(l *loop, _ time.Time) (api.ClearOut, error) {
		var gone []*instance
		if len(in.IDs) == 0 {
			gone = slices.Collect(l.history.all())
		}
		for n, ref := range in.IDs {
			some := slices.Clone(l.history.named[ref])
			if i := l.history.ids[proc.ID(ref)]; i != nil {
				some = append(some, i)
			}
			if len(some) == 0 {
				if _, err := l.find(field("ids", n), ref); err != nil {
					return api.ClearOut{}, err
				}
			}
			gone = append(gone, some...)
		}
		cleared := 0
		for _, i := range gone {
			if !i.dropped { // it may be named twice
				l.history.drop(i)
				l.drop(i)
				cleared++
			}
		}
		return api.ClearOut{Cleared: cleared}, nil
	})
}
