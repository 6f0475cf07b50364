package rpc

import (
	"context"
	"fmt"
	"io"
	"net"
	"sync"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/prochost/prochost/host/api"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Of connections that ask nothing the longest idle one goes, first of those that never asked; the next client is served.
func TestIdleConnectionsGiveWay(t *testing.T) {
	bubble(t, func(t *testing.T) {
		r := newRig(t, &fake{event: func(context.Context, api.EventsIn) (api.Stream, error) { return &counting{}, nil }},
			func(l *limits) { l.connections = 5 })
		waiting, reading := r.connect(), r.connect()
		waiting.send(`{"jsonrpc":"2.0","id":1,"method":"process.wait","params":{"id":"x"}}` + "\n")
		reading.ask(subscribe)
		owner := r.connect()
		owner.works()
		var idle []*peer
		for range 1000 {
			time.Sleep(time.Second)
			p := r.connect()
			p.nc.Write([]byte(" "))
			synctest.Wait()
			r.server.mu.Lock()
			require.LessOrEqual(t, len(r.server.conns), 5)
			r.server.mu.Unlock()
			idle = append(idle, p)
		}
		for _, p := range idle[:998] {
			assert.Empty(t, p.over())
		}
		idle[999].works()
		time.Sleep(time.Second)
		owner.works()
		r.connect().works()
		assert.Empty(t, idle[998].over(), "it has never asked anything")
		time.Sleep(time.Second)
		r.connect().works()
		assert.Empty(t, idle[999].over(), "it was idle for longer than the owner")
		owner.works()
		waiting.works()
		reading.works()
	})
}

func TestConnectionsThatAreAllInUse(t *testing.T) {
	bubble(t, func(t *testing.T) {
		r := newRig(t, &fake{}, func(l *limits) { l.connections = 2 })
		for range 2 {
			p := r.connect()
			p.send(`{"jsonrpc":"2.0","id":1,"method":"process.wait","params":{"id":"x"}}` + "\n")
			p.works()
		}
		p := r.connect()
		assert.Equal(t, `{"jsonrpc":"2.0","id":null,"error":{"code":-32000,"message":"2 connections are in use","data":{"reason":"busy"}}}`, p.line())
		assert.Empty(t, p.over())
	})
}

// failing is a listener that fails some times before it gives a client.
type failing struct {
	clients chan net.Conn
	fail    int
	times   []time.Time // of its failures
	once    sync.Once
}

func (l *failing) Accept() (net.Conn, error) {
	if l.fail > 0 {
		l.fail--
		l.times = append(l.times, time.Now())
		return nil, &net.OpError{Op: "accept", Net: "unix", Err: syscall.EMFILE}
	}
	nc, ok := <-l.clients
	if !ok {
		return nil, net.ErrClosed
	}
	return nc, nil
}

func (l *failing) Close() error   { l.once.Do(func() { close(l.clients) }); return nil }
func (l *failing) Addr() net.Addr { return &net.UnixAddr{} }

// Without descriptors accept does not spin, says so once, and gives one back that nobody uses.
func TestAcceptWithoutDescriptors(t *testing.T) {
	bubble(t, func(t *testing.T) {
		r := newRig(t, &fake{})
		old, older := r.connect(), r.connect()
		older.works()
		time.Sleep(time.Second)
		old.works()
		l := &failing{clients: make(chan net.Conn, 1), fail: 12}
		far, near := net.Pipe()
		l.clients <- near
		began := time.Now()
		go r.server.Serve(l)
		newPeer(t, far).works()
		assert.Empty(t, older.over())
		assert.Empty(t, old.over())
		assert.Equal(t, []string{"accept a client: accept unix: too many open files"}, r.told())
		require.Len(t, l.times, 12)
		last := began
		for i, at := range l.times[1:] {
			assert.Equal(t, min(5*time.Millisecond<<i, time.Second), at.Sub(last))
			last = at
		}
	})
}

// Shutdown lets what is under way be answered, and streams run to their end.
func TestShutdown(t *testing.T) {
	bubble(t, func(t *testing.T) {
		release := make(chan struct{})
		s := &fake{
			stop: func(context.Context, api.StopIn) (api.StopOut, error) {
				<-release
				return api.StopOut{OK: true}, nil
			},
			event: func(context.Context, api.EventsIn) (api.Stream, error) { return &ending{release}, nil },
		}
		r := newRig(t, s)
		l := &failing{clients: make(chan net.Conn, 1)}
		served := make(chan struct{})
		go func() { r.server.Serve(l); close(served) }()
		idle, asking, reading := r.connect(), r.connect(), r.connect()
		idle.works()
		asking.send(`{"jsonrpc":"2.0","id":1,"method":"process.stop","params":{"id":"x"}}` + "\n")
		reading.ask(subscribe)
		synctest.Wait()

		down := make(chan error, 1)
		go func() { down <- r.server.Shutdown(t.Context()) }()
		<-served
		assert.Empty(t, idle.over())
		assert.Contains(t, asking.ask(ping), `"id":"ping","error":{"code":5,"message":"the host takes no more requests"`)
		late := r.connect()
		assert.Contains(t, late.over(), `"id":null,"error":{"code":5,`)
		r.server.Serve(l) // returns at once
		assert.Empty(t, down)

		close(release)
		assert.Contains(t, asking.line(), `"id":1,"result":{"ok":true`)
		assert.Empty(t, asking.over())
		assert.Contains(t, reading.line(), `"state":"stopped"`)
		assert.Contains(t, reading.line(), `"events.end"`)
		assert.Empty(t, reading.over())
		assert.NoError(t, <-down)
	})
}

// ending is a stream with a last event that is released.
type ending struct{ release <-chan struct{} }

func (s *ending) Next(ctx context.Context) (api.Event, error) {
	if s.release == nil {
		return nil, io.EOF
	}
	<-s.release
	s.release = nil
	return api.NewHostState("stopped", nil), nil
}

func (s *ending) Close() {}

// Who does not read, or waits without an end, does not hold up the host.
func TestShutdownHasADeadline(t *testing.T) {
	bubble(t, func(t *testing.T) {
		r := newRig(t, &fake{event: func(context.Context, api.EventsIn) (api.Stream, error) { return &counting{upTo: 1 << 40}, nil }})
		waiting, deaf := r.connect(), r.connect()
		waiting.send(`{"jsonrpc":"2.0","id":1,"method":"process.wait","params":{"id":"x"}}` + "\n")
		deaf.ask(subscribe)
		began := time.Now()
		ctx, cancel := context.WithTimeout(t.Context(), 2*time.Second)
		defer cancel()
		assert.ErrorIs(t, r.server.Shutdown(ctx), context.DeadlineExceeded)
		assert.Equal(t, 2*time.Second, time.Since(began))
		waiting.over()
	})
}

// A client that goes while the host stops is not waited for.
func TestShutdownNoticesWhoGoes(t *testing.T) {
	bubble(t, func(t *testing.T) {
		r := newRig(t, &fake{})
		p := r.connect()
		p.send(`{"jsonrpc":"2.0","id":1,"method":"process.wait","params":{"id":"x"}}` + "\n")
		p.works()
		down := make(chan error, 1)
		go func() { down <- r.server.Shutdown(t.Context()) }()
		synctest.Wait()
		assert.Empty(t, down)
		p.nc.Close()
		assert.NoError(t, <-down)
	})
}

func TestManyConnectionsAtOnce(t *testing.T) {
	bubble(t, func(t *testing.T) {
		r := newRig(t, &fake{}, func(l *limits) { l.connections = 100 })
		var all sync.WaitGroup
		for range 100 {
			p := r.connect()
			all.Go(func() {
				for i := range 10 {
					assert.Equal(t, fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"result":[]}`, i), p.ask(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"process.list"}`, i)))
				}
			})
		}
		all.Wait()
	})
}
