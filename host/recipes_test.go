package host

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
)

// A broken text is told when it has stood for a while; one that is mended or replaced sooner was a save in progress.
func TestBrokenTextMustStand(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		changes := make(chan struct{})
		var results []error
		told := make(chan error, 10)
		done := make(chan struct{})
		go func() {
			defer close(done)
			reload(ctx, changes, func() bool { return true }, func(context.Context) error {
				r := results[0]
				results = results[1:]
				return r
			}, func(err error) { told <- err })
		}()
		half, other, real := errors.New("half a save"), errors.New("the other half"), errors.New("a mistake")
		results = []error{half, nil, half, other, real}

		changes <- struct{}{}
		time.Sleep(standFor - time.Millisecond)
		changes <- struct{}{} // mended
		time.Sleep(time.Hour)
		assert.Empty(t, told)

		changes <- struct{}{}
		time.Sleep(standFor - time.Millisecond)
		changes <- struct{}{}
		time.Sleep(standFor - time.Millisecond)
		changes <- struct{}{}
		time.Sleep(standFor - time.Millisecond)
		synctest.Wait()
		assert.Empty(t, told)
		time.Sleep(time.Millisecond)
		synctest.Wait()
		assert.Equal(t, real, <-told)
		time.Sleep(time.Hour)
		assert.Empty(t, told, "once")
		cancel()
		<-done
	})
}
