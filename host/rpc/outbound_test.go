package rpc

import (
	"bytes"
	"context"
	"errors"
	"io"
	"sync"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/assert"
)

// gate is a writer that writes when it is let.
type gate struct {
	let chan error // one for each write
	got bytes.Buffer
}

func (g *gate) Write(b []byte) (int, error) {
	if err := <-g.let; err != nil {
		return 0, err
	}
	return g.got.Write(b)
}

func TestOutboundIsBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		o, g := newOutbound(), &gate{let: make(chan error)}
		var all sync.WaitGroup
		all.Go(func() { o.writeTo(g) })
		assert.True(t, o.put(t.Context(), []byte("one,"), 8, nil))
		synctest.Wait() // it is being written

		assert.True(t, o.put(t.Context(), []byte("more than is allowed,"), 8, nil), "alone, it waits for nobody")
		var second bool
		var order []string
		all.Go(func() {
			second = o.put(t.Context(), []byte("late,"), 8, nil)
			order = append(order, "late")
		})
		ctx, cancel := context.WithCancel(t.Context())
		gaveUp := true
		all.Go(func() { gaveUp = o.put(ctx, []byte("never,"), 8, nil) })
		synctest.Wait()
		assert.Empty(t, order)
		cancel()
		synctest.Wait()
		assert.False(t, gaveUp)

		g.let <- nil
		synctest.Wait()
		assert.Equal(t, []string{"late"}, order, "there is room once what was there is being written")
		assert.True(t, second)
		g.let <- nil
		o.finish()
		assert.False(t, o.put(t.Context(), []byte("after the end"), 8, nil))
		g.let <- nil
		all.Wait()
		assert.Equal(t, "one,more than is allowed,late,", g.got.String())
	})
}

func TestOutboundEndsForAllWhoWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		o, g := newOutbound(), &gate{let: make(chan error)}
		var all sync.WaitGroup
		all.Go(func() { o.writeTo(g) })
		assert.True(t, o.put(t.Context(), []byte("one"), 1, nil))
		synctest.Wait()
		assert.True(t, o.put(t.Context(), []byte("two"), 1, nil))
		for range 3 {
			all.Go(func() { assert.False(t, o.put(t.Context(), []byte("x"), 1, nil)) })
		}
		synctest.Wait()
		g.let <- errors.New("broken pipe")
		all.Wait()
		assert.False(t, o.put(t.Context(), []byte("x"), 1, nil))
	})
}

// What was said together is written together, and a large frame is not kept.
func TestOutboundWritesWhatIsThere(t *testing.T) {
	o := newOutbound()
	for range 100 {
		o.put(t.Context(), []byte("line\n"), 1<<20, nil)
	}
	var writes []int
	o.finish()
	o.writeTo(writerFunc(func(b []byte) (int, error) { writes = append(writes, len(b)); return len(b), nil }))
	assert.Equal(t, []int{500}, writes)
}

type writerFunc func([]byte) (int, error)

func (f writerFunc) Write(b []byte) (int, error) { return f(b) }

var _ io.Writer = writerFunc(nil)
