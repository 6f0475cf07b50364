package filewatch

import (
	"errors"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/assert"
)

func TestRelayNeverHoldsUpTheSender(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		in := make(chan error)
		out := relay(in)
		first := errors.New("first")
		in <- first
		synctest.Wait()
		for range 3 { // a bubble in which this waits for ever is a failure
			in <- errors.New("while the first waits")
		}
		close(in)
		synctest.Wait()
		assert.Equal(t, first, <-out)
		_, open := <-out
		assert.False(t, open, "the end is passed on")
	})
}
