package host

import (
	"iter"
	"slices"
	"time"

	"github.com/prochost/prochost/manager/proc"
)

// What is kept of finished instances: at least keepRecords of them, and each at least keepFor; but of one name no
// more than keepRecords, for a process that fails at once and is started again at once ends a thousand times a second.
const (
	keepRecords = 50
	keepFor     = 5 * time.Minute
)

// history is the finished instances that are still remembered.
type history struct {
	order []*instance            // by their ends; those that have been dropped are among them for a while
	named map[string][]*instance // the same, without those
	ids   map[proc.ID]*instance  // the same
}

// add takes in an instance that has finished, and returns those that are remembered no more.
func (h *history) add(i *instance) (dropped []*instance) {
	if h.named == nil {
		h.named, h.ids = make(map[string][]*instance), make(map[proc.ID]*instance)
	}
	name := i.info.Name
	h.order, h.named[name], h.ids[i.id] = append(h.order, i), append(h.named[name], i), i
	if same := h.named[name]; len(same) > keepRecords {
		dropped = append(dropped, same[0])
		h.drop(same[0])
	}
	for len(h.ids) > keepRecords && (h.order[0].dropped || i.at.Sub(h.order[0].at) >= keepFor) {
		if old := h.order[0]; !old.dropped {
			dropped = append(dropped, old)
			h.drop(old)
		}
		h.order = h.order[1:]
	}
	if len(h.order) > 2*len(h.ids) {
		h.order = slices.Collect(h.all())
	}
	return dropped
}

// drop forgets one.
func (h *history) drop(i *instance) {
	i.dropped = true
	delete(h.ids, i.id)
	name := i.info.Name
	rest := slices.DeleteFunc(h.named[name], func(o *instance) bool { return o == i })
	if h.named[name] = rest; len(rest) == 0 {
		delete(h.named, name)
	}
}

// all returns them in the order of their ends.
func (h *history) all() iter.Seq[*instance] {
	return func(yield func(*instance) bool) {
		for _, i := range h.order {
			if !i.dropped && !yield(i) {
				return
			}
		}
	}
}

// newest returns the last one that bore a name, nil if there is none.
func (h *history) newest(name string) *instance {
	if same := h.named[name]; len(same) > 0 {
		return same[len(same)-1]
	}
	return nil
}
