package host

import (
	"context"
	"errors"
	"time"

	"github.com/prochost/prochost/host/api"
	"github.com/prochost/prochost/luaapi"
	"github.com/prochost/prochost/notify"
)

// Update changes the name or the log watches of a live process: all of it, or if anything is wrong nothing.
func (s service) Update(ctx context.Context, in api.UpdateIn) (api.UpdateOut, error) {
	if in.Name != "" {
		if err := luaapi.CheckName(in.Name); err != nil {
			return api.UpdateOut{}, api.Invalid("name", "%v", err)
		}
	}
	var edit func(*notify.Matchers) error
	if in.Watches != nil {
		var err error
		if edit, err = watchEdit(*in.Watches); err != nil {
			return api.UpdateOut{}, err
		}
	}
	i, err := ask(ctx, s.Host, func(l *loop, _ time.Time) (*instance, error) {
		i, err := l.found("id", in.ID)
		switch {
		case err != nil:
			return nil, err
		case !i.live():
			return nil, api.Refuse(api.ReasonEnded, "%q has ended", in.ID)
		}
		if edit == nil {
			return i, nil
		}
		return i, i.observer.edit(edit)
	})
	if err != nil {
		return api.UpdateOut{}, err
	}
	if in.Name != "" {
		if err := s.manager.Rename(i.id, in.Name); err != nil {
			return api.UpdateOut{}, s.refusal(err)
		}
	}
	out := api.UpdateOut{Watches: []api.MatcherIn{}}
	for _, m := range i.observer.watches() {
		out.Watches = append(out.Watches, matcherWire(m))
	}
	out.Process, err = s.infoOf(ctx, i)
	return out, err
}

// watchEdit reads a change of log watches.
func watchEdit(in api.WatchesIn) (func(*notify.Matchers) error, error) {
	const at = "watches.items"
	mode, err := choose("watches.mode", in.Mode, []string{"", "append", "replace", "remove", "clear"})
	switch {
	case err != nil:
		return nil, err
	case mode == 0:
		return nil, api.Invalid("watches.mode", `want "append", "replace", "remove" or "clear"`)
	case in.Mode == "clear":
		if len(in.Items) > 0 {
			return nil, api.Invalid(at, "clear takes none")
		}
		return func(m *notify.Matchers) error { return m.Replace(nil) }, nil
	case in.Mode == "remove":
		return removal(at, in.Items)
	}
	list := make([]api.MatcherIn, len(in.Items))
	for n, item := range in.Items {
		if item.Index != nil {
			return nil, api.Invalid(field(at, n)+".index", "it is for what is to be removed")
		}
		list[n] = api.MatcherIn{
			Pattern: item.Pattern, Mode: deref(item.Mode), Stream: deref(item.Stream), Repeat: deref(item.Repeat), On: deref(item.On),
		}
	}
	parsed, err := matchers(at, list)
	if err != nil {
		return nil, err
	}
	return func(m *notify.Matchers) error {
		change := m.Append
		if in.Mode == "replace" {
			change = m.Replace
		}
		if err := change(parsed); err != nil {
			return refusedMatchers(at, err)
		}
		return nil
	}, nil
}

func deref[T any](p *T) (v T) {
	if p != nil {
		v = *p
	}
	return v
}

// removal reads which watches are to be removed. Indices count before anything is removed.
func removal(at string, items []api.WatchItemIn) (func(*notify.Matchers) error, error) {
	if len(items) == 0 {
		return nil, api.Invalid(at, "say which are to be removed, or clear them all")
	}
	var same []func(n int, m notify.Matcher) bool
	for n, item := range items {
		if item.Index != nil {
			index := *item.Index
			same = append(same, func(n int, _ notify.Matcher) bool { return n == index })
			continue
		}
		if item.Pattern == "" {
			return nil, api.Invalid(field(at, n)+".pattern", "say which is meant by its pattern or its index")
		}
		want, name, err := matcher(api.MatcherIn{Pattern: item.Pattern, Mode: deref(item.Mode), Stream: deref(item.Stream), On: deref(item.On)})
		if err != nil {
			return nil, api.Invalid(field(at, n)+"."+name, "%v", err)
		}
		same = append(same, func(_ int, m notify.Matcher) bool {
			return m.Pattern == want.Pattern &&
				(item.Mode == nil || m.Mode == want.Mode) && (item.Stream == nil || m.Stream == want.Stream) &&
				(item.On == nil || m.On == want.On) && (item.Repeat == nil || m.Repeat == *item.Repeat)
		})
	}
	return func(m *notify.Matchers) error {
		gone := map[notify.Matcher]bool{}
		list := m.List()
		for n, f := range same {
			some := false
			for k, one := range list {
				if f(k, one) {
					gone[one], some = true, true
				}
			}
			if !some {
				return api.Refuse(api.ReasonNotFound, "%s: %v", field(at, n), notify.ErrNoMatcher)
			}
		}
		err := m.RemoveWhere(func(one notify.Matcher) bool { return gone[one] })
		if errors.Is(err, notify.ErrNoMatcher) {
			return api.Refuse(api.ReasonNotFound, "%s: %v", at, err)
		}
		return err
	}, nil
}

// edit changes the log watches under the lines that come.
func (o *observer) edit(change func(*notify.Matchers) error) error {
	o.mu.Lock()
	defer o.mu.Unlock()
	return change(o.log)
}

// watches returns the log watches.
func (o *observer) watches() []notify.Matcher {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.log.List()
}
