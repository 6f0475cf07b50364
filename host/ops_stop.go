package host

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/prochost/prochost/host/api"
	"github.com/prochost/prochost/host/stack"
	"github.com/prochost/prochost/manager"
	"github.com/prochost/prochost/manager/proc"
	"golang.org/x/sys/unix"
)

// defaultKillTimeout is how long process.kill waits for the end.
const defaultKillTimeout = 3 * time.Second

// Kill sends one signal and waits.
func (s service) Kill(ctx context.Context, in api.KillIn) (api.StopOut, error) {
	req := proc.StopRequest{NoKill: true, Spec: proc.StopSpec{Signal: syscall.SIGTERM, Grace: defaultKillTimeout}}
	var err error
	if in.Signal != "" {
		if req.Spec.Signal, err = parseSignal(in.Signal); err != nil {
			return api.StopOut{}, err
		}
	}
	if in.TimeoutMs != nil {
		if req.Spec.Grace, err = millis("timeoutMs", *in.TimeoutMs); err != nil {
			return api.StopOut{}, err
		}
		req.Spec.Grace = max(req.Spec.Grace, time.Millisecond) // none would mean the default
	}
	return s.stop(ctx, in.ID, func(*instance) proc.StopRequest { return req })
}

// Stop stops, as the process wishes where the input says nothing else.
func (s service) Stop(ctx context.Context, in api.StopIn) (api.StopOut, error) {
	change := proc.StopSpec{}
	force := in.Force
	var err error
	if in.Signal != "" {
		if change.Signal, err = parseSignal(in.Signal); err != nil {
			return api.StopOut{}, err
		}
	}
	if in.GraceMs != nil {
		if change.Grace, err = millis("graceMs", *in.GraceMs); err != nil {
			return api.StopOut{}, err
		}
		force = force || change.Grace == 0
	}
	return s.stop(ctx, in.ID, func(i *instance) proc.StopRequest {
		spec := i.p.Stop.WithDefaults()
		if change.Signal != 0 {
			spec.Signal, spec.Command = change.Signal, nil // it is this that is to ask
		}
		if change.Grace != 0 {
			spec.Grace = change.Grace
		}
		return proc.StopRequest{Spec: spec, Force: force}
	})
}

// stop ends what ref means, and has it stay ended.
func (s service) stop(ctx context.Context, ref string, request func(*instance) proc.StopRequest) (api.StopOut, error) {
	type begun struct {
		i   *instance // nil: nothing ran, and nothing will
		req proc.StopRequest
		out api.StopOut
	}
	b, err := ask(ctx, s.Host, func(l *loop, now time.Time) (begun, error) {
		t, err := l.find("id", ref)
		if err != nil {
			return begun{}, err
		}
		if t.declared() {
			l.do(l.stack.Hold(t.slot.Process.Name, now))
		}
		if t.i == nil || t.i.id != proc.ID(ref) && t.pending() {
			slot, _ := l.stack.Slot(t.slot.Process.Name)
			return begun{out: api.StopOut{OK: true, Info: l.slotInfo(slot)}}, nil
		}
		t.i.again = false
		return begun{i: t.i, req: request(t.i)}, nil
	})
	if err != nil || b.i == nil {
		return b.out, err
	}
	result, err := s.manager.Stop(ctx, b.i.id, b.req)
	if err != nil && !errors.Is(err, manager.ErrEnded) {
		return api.StopOut{}, s.refusal(err)
	}
	out := api.StopOut{OK: result.OK || err != nil, Reason: result.Reason}
	out.Survivors, out.Escaped = leftovers(result.Survivors), leftovers(result.Escaped)
	if sig, ok := result.Info.End.Signal(); ok && !result.Info.Status.Live() {
		out.Killed = err == nil && sig == syscall.SIGKILL && b.req.Signal() != syscall.SIGKILL
	}
	if out.OK { // the record follows a moment after the process
		w, err := ask(ctx, s.Host, func(l *loop, _ time.Time) (*waiter, error) {
			return l.await(func(*loop) bool { return !b.i.live() }), nil
		})
		if err == nil {
			err = s.until(ctx, w)
		}
		if err != nil {
			out.Info = api.NewInfo(result.Info, b.i.restarts, nil)
			return out, nil
		}
	}
	out.Info, err = s.infoOf(ctx, b.i)
	if err != nil {
		out.Info = api.NewInfo(result.Info, b.i.restarts, nil)
	}
	return out, nil
}

// pending reports whether what is meant is a declared process of which nothing lives, and that was to be started.
func (t target) pending() bool {
	if !t.declared() || t.i != nil && t.i.live() {
		return false
	}
	switch t.slot.Phase {
	case stack.Waiting, stack.Skipped, stack.Backoff:
		return true
	}
	return false
}

func leftovers(in []proc.Leftover) []api.Leftover {
	var out []api.Leftover
	for _, p := range in {
		out = append(out, api.Leftover{PID: p.PID, Command: p.Command})
	}
	return out
}

// Restart ends the instance and answers when the next one runs, or could not be run. A stop that comes meanwhile wins.
func (s service) Restart(ctx context.Context, in api.RestartIn) (api.Info, error) {
	type begun struct {
		w    *waiter
		name string    // of the declared process
		i    *instance // of the undeclared one
	}
	b, err := ask(ctx, s.Host, func(l *loop, now time.Time) (begun, error) {
		if l.stack.Closing() {
			return begun{}, errStopping
		}
		t, err := l.find("id", in.ID)
		if err != nil {
			return begun{}, err
		}
		if t.declared() {
			name, old := t.slot.Process.Name, t.slot.ID
			l.do(l.stack.Renew(name, in.Force, now))
			return begun{name: name, w: l.await(func(l *loop) bool {
				slot, ok := l.stack.Slot(name)
				if !ok || slot.Held || slot.Phase != stack.Live {
					return true
				}
				i := l.live[slot.ID]
				return i != nil && (slot.ID != old && i.info.PID != 0 || i.stuck())
			})}, nil
		}
		if t.i.declared {
			return begun{}, api.Refuse(api.ReasonEnded, "%s is an older instance of %q: restart it by its name", in.ID, t.i.p.Name)
		}
		i := t.i
		if i.live() {
			i.again = true
			l.end(i, proc.StopRequest{By: proc.ByRestart, Force: in.Force, Spec: i.p.Stop.WithDefaults()})
		} else {
			l.succeed(i)
		}
		return begun{i: i, w: l.await(func(l *loop) bool {
			if next := l.instance(i.next); next != nil {
				return next.info.PID != 0 || !next.live()
			}
			return !i.again || i.stuck()
		})}, nil
	})
	if err != nil {
		return api.Info{}, err
	}
	if err := s.until(ctx, b.w); err != nil {
		return api.Info{}, err
	}
	return ask(ctx, s.Host, func(l *loop, _ time.Time) (api.Info, error) {
		if b.i != nil {
			if b.i.stuck() {
				return api.Info{}, outOfTime(b.i.info.Name)
			}
			if next := l.instance(b.i.next); next != nil {
				return l.current(next), nil
			}
			return api.Info{}, stoppedMeanwhile(b.i.info.Name)
		}
		slot, ok := l.stack.Slot(b.name)
		if !ok || slot.Held {
			return api.Info{}, stoppedMeanwhile(b.name)
		}
		if i := l.live[slot.ID]; i != nil && i.stuck() {
			return api.Info{}, outOfTime(b.name)
		}
		return l.slotInfo(slot), nil
	})
}

// stuck reports whether the stop of i ran out of time: no other instance follows before it is gone.
func (i *instance) stuck() bool { return i.live() && i.info.Status == proc.TerminateTimeout }

func outOfTime(name string) error {
	return api.Refuse(api.ReasonInternal, "restart %q: its stop ran out of time, and something of it still lives", name)
}

func stoppedMeanwhile(name string) error {
	return api.Refuse(api.ReasonEnded, "%q was stopped before it was started again", name)
}

// Signal sends a signal to the group of a live instance.
func (s service) Signal(ctx context.Context, in api.SignalIn) (api.Info, error) {
	sig, err := parseSignal(in.Signal)
	if err != nil {
		return api.Info{}, err
	}
	return s.onInstance(ctx, in.ID, func(id proc.ID) error { return s.manager.Signal(id, sig) })
}

// Release lets go of a claim.
func (s service) Release(ctx context.Context, in api.Ref) (api.Info, error) {
	return s.onInstance(ctx, in.ID, s.manager.Release)
}

// onInstance does something to the instance that ref means.
func (s service) onInstance(ctx context.Context, ref string, do func(proc.ID) error) (api.Info, error) {
	i, err := ask(ctx, s.Host, func(l *loop, _ time.Time) (*instance, error) { return l.found("id", ref) })
	if err != nil {
		return api.Info{}, err
	}
	if err := do(i.id); err != nil {
		return api.Info{}, s.refusal(err)
	}
	return s.infoOf(ctx, i)
}

// refusal puts an error of the manager into the form of the wire.
func (s service) refusal(err error) error {
	for _, e := range []struct {
		is     error
		reason api.Reason
	}{
		{manager.ErrNotFound, api.ReasonNotFound}, {manager.ErrEnded, api.ReasonEnded},
		{manager.ErrStdinClosed, api.ReasonStdinClosed}, {manager.ErrClosed, api.ReasonClosing},
		{context.Canceled, api.ReasonInternal}, {context.DeadlineExceeded, api.ReasonInternal},
	} {
		if errors.Is(err, e.is) {
			return api.Refuse(e.reason, "%v", err)
		}
	}
	return api.Refuse(api.ReasonInternal, "%v", err)
}

// parseSignal reads a name, with or without SIG, or a number.
func parseSignal(word string) (syscall.Signal, error) {
	if n, err := strconv.Atoi(word); err == nil && n >= 1 && n <= 64 {
		return syscall.Signal(n), nil
	}
	name := strings.ToUpper(word)
	if sig := unix.SignalNum("SIG" + strings.TrimPrefix(name, "SIG")); sig != 0 {
		return sig, nil
	}
	return 0, api.Invalid("signal", "unknown signal %q", word)
}

// longest bounds what is waited for, so that it can be counted in nanoseconds.
const longest = 365 * 24 * time.Hour

func millis(field string, n int64) (time.Duration, error) {
	if n < 0 {
		return 0, api.Invalid(field, "it cannot be negative")
	}
	return min(time.Duration(min(n, longest.Milliseconds()))*time.Millisecond, longest), nil
}

// field names the n-th entry of a list.
func field(list string, n int) string { return fmt.Sprintf("%s[%d]", list, n) }
