package main

import (
	"context"
	"sync"

	"github.com/prochost/prochost/host/api"
)

// stopOrder has processes that are to be stopped wait for those that depend on them.
type stopOrder struct {
	ended map[string]chan struct{} // by name; closed when it has been dealt with
	after map[string][]string      // name → those that depend on it

	mu   sync.Mutex
	left map[string]int // targets of a name that have not been dealt with
}

// orderOf returns the order in which targets are stopped: what depends on others first.
func orderOf(ctx context.Context, s api.Service, targets []target) (*stopOrder, error) {
	o := &stopOrder{ended: map[string]chan struct{}{}, after: map[string][]string{}, left: map[string]int{}}
	for _, t := range targets {
		if o.left[t.name]++; o.left[t.name] == 1 {
			o.ended[t.name] = make(chan struct{})
		}
	}
	if len(o.ended) < 2 {
		return o, nil
	}
	status, err := s.RecipeStatus(ctx, api.Nothing{})
	if err != nil {
		return nil, err
	}
	for name, needs := range status.Depends {
		for need := range needs {
			o.after[need] = append(o.after[need], name)
		}
	}
	return o, nil
}

// await waits until everything has been dealt with that rests on t, through others too.
func (o *stopOrder) await(t target) {
	seen := map[string]bool{t.name: true}
	var wait func(name string)
	wait = func(name string) {
		for _, dependent := range o.after[name] {
			if seen[dependent] {
				continue
			}
			seen[dependent] = true
			if ended, ok := o.ended[dependent]; ok {
				<-ended
			}
			wait(dependent)
		}
	}
	wait(t.name)
}

// done says that t has been dealt with.
func (o *stopOrder) done(t target) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.left[t.name]--; o.left[t.name] == 0 {
		close(o.ended[t.name])
	}
}
