package host

import (
	"context"
	"errors"
	"io"
	"time"

	"github.com/prochost/prochost/host/api"
	"github.com/prochost/prochost/host/stack"
)

// Wait waits for an end, for readiness, or for a line.
func (s service) Wait(ctx context.Context, in api.WaitIn) (api.WaitOut, error) {
	if in.TimeoutMs != nil {
		d, err := millis("timeoutMs", *in.TimeoutMs)
		if err != nil {
			return api.WaitOut{}, err
		}
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeoutCause(ctx, d, errTimeout)
		defer cancel()
	}
	var out api.WaitOut
	var err error
	switch {
	case in.Pattern != "" && in.For != "":
		return out, api.Invalid("pattern", "for is given too: it is one or the other")
	case in.Pattern != "":
		out, err = s.waitForLine(ctx, in)
	case in.For == "" || in.For == "ended" || in.For == "ready":
		out, err = s.waitForState(ctx, in.ID, in.For == "ready")
	default:
		return out, api.Invalid("for", `got %q, want "ended" or "ready"`, in.For)
	}
	if err != nil && errors.Is(context.Cause(ctx), errTimeout) && api.ReasonOf(err) == "" {
		info, err := s.Get(context.WithoutCancel(ctx), api.Ref{ID: in.ID})
		if err != nil || info == nil {
			return api.WaitOut{What: "timeout"}, nil
		}
		return api.WaitOut{What: "timeout", Info: *info}, nil
	}
	return out, err
}

var errTimeout = errors.New("the time is over")

// awaited returns the instance that ref means; of a process of the recipe that waits for its start the next one, for
// which it waits. It is nil if there will be none, and out then says how that process stands.
func (s service) awaited(ctx context.Context, ref string) (i *instance, out api.WaitOut, err error) {
	type found struct {
		w *waiter
		t target
	}
	out.What = "ended"
	f, err := ask(ctx, s.Host, func(l *loop, _ time.Time) (found, error) {
		t, err := l.find("id", ref)
		if err != nil {
			return found{}, err
		}
		if !t.declared() || t.slot.Phase == stack.Live || t.slot.Phase == stack.Done {
			i = t.i
			return found{}, nil
		}
		return found{t: t, w: l.await(func(l *loop) bool {
			slot, ok := l.stack.Slot(t.slot.Process.Name)
			return !ok || slot.Phase != stack.Waiting && slot.Phase != stack.Backoff
		})}, nil
	})
	if err != nil || f.w == nil {
		return i, out, err
	}
	if err := s.until(ctx, f.w); err != nil {
		return nil, out, err
	}
	_, err = ask(ctx, s.Host, func(l *loop, _ time.Time) (struct{}, error) {
		if slot, ok := l.stack.Slot(f.t.slot.Process.Name); ok {
			out.Info = l.slotInfo(slot)
			if slot.Phase == stack.Live || slot.Phase == stack.Done {
				i = l.instance(slot.ID)
			}
		}
		return struct{}{}, nil
	})
	return i, out, err
}

// waitForState waits for the end or the readiness of an instance.
func (s service) waitForState(ctx context.Context, ref string, ready bool) (api.WaitOut, error) {
	i, out, err := s.awaited(ctx, ref)
	if err != nil || i == nil {
		return out, err
	}
	w, err := ask(ctx, s.Host, func(l *loop, _ time.Time) (*waiter, error) {
		if ready && i.live() && i.ready == nil {
			return nil, api.Invalid("for", "%q has no readiness: its recipe says nothing of when it is ready", i.info.Name)
		}
		return l.await(func(*loop) bool { return !i.live() || ready && *i.ready }), nil
	})
	if err != nil {
		return out, err
	}
	if err := s.until(ctx, w); err != nil {
		return out, err
	}
	return ask(ctx, s.Host, func(l *loop, _ time.Time) (api.WaitOut, error) {
		if ready && i.ready != nil && *i.ready {
			out.What = "ready"
		}
		out.Info = l.current(i)
		return out, nil
	})
}

// waitForLine reads the log of an instance until a line matches.
func (s service) waitForLine(ctx context.Context, in api.WaitIn) (api.WaitOut, error) {
	if _, err := lineFilter(in.Pattern, in.Mode); err != nil {
		return api.WaitOut{}, err
	}
	i, out, err := s.awaited(ctx, in.ID)
	if err != nil || i == nil {
		return out, err
	}
	// Its log is opened with its start.
	w, err := ask(ctx, s.Host, func(l *loop, _ time.Time) (*waiter, error) {
		return l.await(func(*loop) bool { return i.info.PID != 0 || !i.live() }), nil
	})
	if err == nil {
		err = s.until(ctx, w)
	}
	if err != nil {
		return out, err
	}
	stream, err := s.lines(ctx, api.LogsIn{IDs: []string{string(i.id)}, Pattern: in.Pattern, Mode: in.Mode, Follow: true})
	if err != nil {
		return out, err
	}
	defer stream.Close()
	e, err := stream.Next(ctx)
	if err != nil && !errors.Is(err, io.EOF) {
		return out, err
	}
	if line, ok := e.(*api.Output); ok {
		out.What, out.Line = "matched", line.Text
	}
	// The log is closed a moment before the end is told.
	if out.What == "ended" {
		return s.waitForState(ctx, string(i.id), false)
	}
	out.Info, err = s.infoOf(ctx, i)
	return out, err
}
