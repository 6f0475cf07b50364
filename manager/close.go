package manager

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/prochost/prochost/manager/proc"
)

// closePatience bounds what Close waits for after everything has been killed: SIGKILL's own patience, and
// some for a machine under load.
const closePatience = killPatience + 3*time.Second

// Close refuses further starts, stops all that lives, in parallel and with the grace that each Spec says, and
// returns when every owner has gone. When ctx ends first, the rest is killed at once. The error names what
// outlived even that.
//
// Leftovers that a Spec says to keep are left alone. Nothing else that was started survives, and no goroutine
// of the Manager does.
func (m *Manager) Close(ctx context.Context) error {
	m.mu.Lock()
	m.closed = true
	m.mu.Unlock()

	survivors := m.stopAll(ctx, proc.StopRequest{By: proc.ByShutdown})
	if ctx.Err() != nil {
		bound, cancel := context.WithTimeout(context.Background(), closePatience)
		survivors = m.stopAll(bound, proc.StopRequest{By: proc.ByShutdown, Force: true})
		cancel()
	}
	m.closing.Do(func() {
		close(m.quit)
		m.owners.Wait()
		survivors = append(survivors, m.system.close()...)
	})
	if len(survivors) > 0 {
		return fmt.Errorf("close the process manager: still alive: %s", listed(survivors))
	}
	return nil
}

// stopAll asks for the end of everything and returns when each has answered, or ctx has ended. It returns who
// is known to be alive then.
func (m *Manager) stopAll(ctx context.Context, req proc.StopRequest) []proc.Leftover {
	all := m.all()
	results := make([]StopResult, len(all))
	var asked sync.WaitGroup
	for i, p := range all {
		asked.Go(func() { results[i], _ = p.stop(ctx, req) })
	}
	asked.Wait()
	var alive []proc.Leftover
	for _, r := range results {
		switch {
		case len(r.Survivors) > 0:
			alive = append(alive, r.Survivors...)
		case r.Info.Status.Live():
			alive = append(alive, proc.Leftover{PID: r.Info.PID, Command: r.Info.Command})
		}
	}
	return alive
}
