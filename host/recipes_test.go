package host

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
)

// loads is a reloader whose loads have results that a test sets.
type loads struct {
	results []error
	told    chan error
	asked   int
}

func (l *loads) changed() bool { return true }

func (l *loads) load(context.Context) error {
	r := l.results[0]
	l.results = l.results[1:]
	return r
}

func (l *loads) tell(err error)                      { l.told <- err }
func (l *loads) carryOut(context.Context, reloading) { l.asked++ }

// A broken text is told when it has stood for a while; one that is mended or replaced sooner was a save in progress.
func TestBrokenTextMustStand(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		changes := make(chan struct{})
		asked := make(chan reloading)
		l := &loads{told: make(chan error, 10)}
		done := make(chan struct{})
		go func() {
			defer close(done)
			reload(ctx, changes, asked, l)
		}()
		half, other, real := errors.New("half a save"), errors.New("the other half"), errors.New("a mistake")
		l.results = []error{half, nil, half, other, real, half}

		changes <- struct{}{}
		time.Sleep(standFor - time.Millisecond)
		changes <- struct{}{} // mended
		time.Sleep(time.Hour)
		assert.Empty(t, l.told)

		changes <- struct{}{}
		time.Sleep(standFor - time.Millisecond)
		changes <- struct{}{}
		time.Sleep(standFor - time.Millisecond)
		changes <- struct{}{}
		time.Sleep(standFor - time.Millisecond)
		synctest.Wait()
		assert.Empty(t, l.told)
		time.Sleep(time.Millisecond)
		synctest.Wait()
		assert.Equal(t, real, <-l.told)
		time.Sleep(time.Hour)
		assert.Empty(t, l.told, "once")

		changes <- struct{}{}
		time.Sleep(standFor - time.Millisecond)
		asked <- nil // it says itself what is wrong
		time.Sleep(time.Hour)
		assert.Empty(t, l.told)
		cancel()
		<-done
		assert.Equal(t, 1, l.asked)
	})
}
