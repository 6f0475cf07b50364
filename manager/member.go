package manager

import (
	"sync"
	"time"
)

// pollEvery is how often a member is looked at.
const pollEvery = 50 * time.Millisecond

// poll closes changed when m has gone. It is for where the system does not tell.
func (m member) poll() (changed <-chan struct{}, cancel func()) {
	gone, stop := make(chan struct{}), make(chan struct{})
	go func() {
		tick := time.NewTicker(pollEvery)
		defer tick.Stop()
		for m.lives() {
			select {
			case <-tick.C:
			case <-stop:
				return
			}
		}
		close(gone)
	}()
	return gone, sync.OnceFunc(func() { close(stop) })
}
