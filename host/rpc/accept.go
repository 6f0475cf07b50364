package rpc

import (
	"errors"
	"net"
	"time"

	"github.com/prochost/prochost/host/api"
)

// backoff is how long accept waits after n errors in a row.
func backoff(n int) time.Duration {
	const first, most = 5 * time.Millisecond, time.Second
	return min(first<<min(n-1, 10), most)
}

// accept serves what comes to l until it is closed.
//
// An Accept that fails for want of descriptors fails again at once, whether or not a client waits: hence the pause. What
// can be done about it is to close a connection that nobody uses.
func (s *Server) accept(l net.Listener) {
	var said time.Time
	for failures := 0; ; {
		nc, err := l.Accept()
		switch {
		case err == nil:
			failures = 0
			c, refused := s.admit(nc)
			if refused != nil {
				dismiss(nc, refused)
				continue
			}
			go s.serve(c)
		case errors.Is(err, net.ErrClosed):
			return
		default:
			failures++
			if now := time.Now(); now.Sub(said) > time.Minute {
				said = now
				s.report("accept a client: " + err.Error())
			}
			s.mu.Lock()
			s.evict()
			s.mu.Unlock()
			select {
			case <-time.After(backoff(failures)):
			case <-s.stop:
				return
			}
		}
	}
}

// dismiss says why a client is not served.
func dismiss(nc net.Conn, why *api.Error) {
	nc.SetWriteDeadline(time.Now().Add(50 * time.Millisecond)) // nothing else was written, so it fits
	nc.Write(refusal(null, why))
	nc.Close()
}
