package manager

import (
	"context"

	"github.com/prochost/prochost/manager/proc"
)

// ReasonTimeout is the reason of a stop that ran out of time.
const ReasonTimeout = "timeout"

// StopResult is what a stop has come to. All who ask for the end of one instance while it is being stopped
// get the same.
type StopResult struct {
	Info proc.Info
	// OK: nothing of the process lives any more, as far as the system can tell.
	OK bool
	// Reason says why not: ReasonTimeout.
	Reason string
	// Survivors are those who still live when OK is false, the leader among them.
	Survivors []proc.Leftover
	// Escaped are orphans that may have come from this process: they left its session, dropped its
	// mark from their environment and closed its pipes. They are not touched by its stop.
	Escaped []proc.Leftover
}

// Stop asks for the end of id and returns when nothing of the process lives, or when the time is over. A
// result that is not OK with a nil error is a stop that timed out.
//
// The end of ctx ends the waiting, never the stop. ErrNotFound: no such instance. ErrEnded: it was over
// before; the result holds its record, and has waited for its leftovers if these were being ended. Stopping
// again what a stop has ended gives the result of that stop.
func (m *Manager) Stop(ctx context.Context, id proc.ID, req proc.StopRequest) (StopResult, error) {
	p, err := m.find(id)
	if err != nil {
		return StopResult{}, err
	}
	return p.stop(ctx, req)
}

// stop is Stop on the handle of a process.
func (p *process) stop(ctx context.Context, req proc.StopRequest) (StopResult, error) {
	reply := make(chan answer, 1)
	switch err := p.send(ctx, askStop{req: req, reply: reply}); err {
	case nil:
	case ErrEnded: // no owner is left
		a := p.view.Load().stop
		return a.result, a.err
	default:
		return StopResult{Info: p.info()}, err
	}
	select {
	case a := <-reply:
		return a.result, a.err
	case <-ctx.Done():
		return StopResult{Info: p.info()}, ctx.Err()
	case <-p.done:
	}
	select {
	case a := <-reply:
		return a.result, a.err
	default: // the owner left without an answer
		a := p.view.Load().stop
		return a.result, a.err
	}
}
