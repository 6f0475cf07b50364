package host

import (
	"cmp"
	"slices"
	"strings"

	"github.com/prochost/prochost/host/api"
	"github.com/prochost/prochost/host/stack"
	"github.com/prochost/prochost/luaapi"
	"github.com/prochost/prochost/manager/proc"
)

// target is what an id or a name means: an instance, a process of the recipe, or the one as the instance of the other.
type target struct {
	i    *instance   // nil: nothing of it runs or is remembered
	slot *stack.Slot // nil: the recipe does not declare it
}

// declared reports whether the stack decides about the target: it is the process of the recipe, and not an older
// instance of it.
func (t target) declared() bool {
	return t.slot != nil && (t.i == nil || t.i.declared && t.i.id == t.slot.ID)
}

// name is what the target is called.
func (t target) name() string {
	if t.i != nil {
		return t.i.info.Name
	}
	return t.slot.Process.Name
}

// find returns what ref means. A name means the live process that bears it, else the process of the recipe, else the
// newest that bore it.
func (l *loop) find(field, ref string) (target, error) {
	if ref == "" {
		return target{}, api.Invalid(field, "it is the id or the name of a process, and empty")
	}
	if i := l.instance(proc.ID(ref)); i != nil {
		return l.with(i), nil
	}
	var live []*instance
	for _, i := range l.live {
		if i.info.Name == ref {
			live = append(live, i)
		}
	}
	switch {
	case len(live) == 1:
		return l.with(live[0]), nil
	case len(live) > 1:
		slices.SortFunc(live, byStart)
		e := api.Refuse(api.ReasonAmbiguous, "%d live processes are named %q: say which by its id", len(live), ref)
		for _, i := range live {
			e.Names = append(e.Names, string(i.id))
		}
		return target{}, e
	}
	if slot, ok := l.stack.Slot(ref); ok {
		return target{i: l.instance(slot.ID), slot: &slot}, nil
	}
	if i := l.history.newest(ref); i != nil {
		return l.with(i), nil
	}
	return target{}, l.unknown(ref)
}

func (l *loop) with(i *instance) target {
	if !i.declared {
		return target{i: i}
	}
	if slot, ok := l.stack.Slot(i.p.Name); ok {
		return target{i: i, slot: &slot}
	}
	return target{i: i}
}

// instance returns the instance of that id, live or remembered.
func (l *loop) instance(id proc.ID) *instance {
	if i := l.live[id]; i != nil {
		return i
	}
	return l.history.ids[id]
}

// found is find for what must be an instance.
func (l *loop) found(field, ref string) (*instance, error) {
	t, err := l.find(field, ref)
	if err != nil {
		return nil, err
	}
	if t.i == nil {
		return nil, api.Refuse(api.ReasonNotFound, "%q has not run yet: %s", ref, l.sentence(*t.slot))
	}
	return t.i, nil
}

func (l *loop) unknown(ref string) *api.Error {
	e := api.Refuse(api.ReasonNotFound, "no process is named %q", ref)
	if strings.HasPrefix(ref, "proc_") {
		e = api.Refuse(api.ReasonNotFound, "no process has the id %s", ref)
	}
	e.Names = l.names()
	if near := luaapi.Nearest(ref, e.Names); near != "" {
		e.Message += `; did you mean "` + near + `"?`
	}
	return e
}

// names returns what processes are called, of the recipe first.
func (l *loop) names() []string {
	var names []string
	add := func(name string) {
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	for _, s := range l.stack.Slots() {
		add(s.Process.Name)
	}
	for _, i := range l.instances() {
		add(i.info.Name)
	}
	return names
}

// instances returns all that are live or remembered, in order of their start.
func (l *loop) instances() []*instance {
	all := slices.Collect(l.history.all())
	for _, i := range l.live {
		all = append(all, i)
	}
	slices.SortFunc(all, byStart)
	return all
}

func byStart(a, b *instance) int { return cmp.Compare(a.number, b.number) }
