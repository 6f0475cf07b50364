package rpc

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/prochost/prochost/host/api"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestErrorsOfTheHostAreThoseOfTheClient(t *testing.T) {
	bubble(t, func(t *testing.T) {
		var fault error
		c := newRig(t, &fake{list: func(context.Context, api.ListIn) ([]api.Info, error) { return nil, fault }}).client(api.HostInfoIn{})
		for _, tt := range []struct{ fault, want error }{
			{nil, nil},
			{api.Invalid("limit", "it cannot be negative"), api.Invalid("limit", "it cannot be negative")},
			{&api.Error{Reason: api.ReasonRecipe, Message: "no", Recipe: []api.RecipeError{{File: "f", Line: 3, Message: "m"}}},
				&api.Error{Reason: api.ReasonRecipe, Message: "no", Recipe: []api.RecipeError{{File: "f", Line: 3, Message: "m"}}}},
			{errors.New("disk on fire"), api.Refuse(api.ReasonInternal, "disk on fire")},
		} {
			fault = tt.fault
			_, err := c.List(t.Context(), api.ListIn{})
			assert.Equal(t, tt.want, err)
		}
		fault = nil
		err := c.Call(t.Context(), "process.lists", nil, nil)
		assert.Equal(t, api.ReasonMethod, api.ReasonOf(err))
		err = c.Call(t.Context(), "process.list", map[string]int{"limt": 1}, nil)
		assert.EqualError(t, err, `unknown field "limt"; did you mean "limit"?`)
		err = c.Call(t.Context(), "process.list", make(chan int), nil)
		assert.ErrorContains(t, err, `write the parameters of "process.list": `)
		var wrong int
		err = c.Call(t.Context(), "process.list", api.ListIn{}, &wrong)
		assert.ErrorContains(t, err, `read the answer to "process.list": `)
	})
}

// Who no longer waits is not answered, and the host is told; the connection goes on.
func TestAClientThatNoLongerWaits(t *testing.T) {
	bubble(t, func(t *testing.T) {
		ended := make(chan error, 1)
		c := newRig(t, &fake{wait: func(ctx context.Context, _ api.WaitIn) (api.WaitOut, error) {
			<-ctx.Done()
			ended <- ctx.Err()
			return api.WaitOut{}, ctx.Err()
		}}).client(api.HostInfoIn{})
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		_, err := c.Wait(ctx, api.WaitIn{ID: "x"})
		assert.EqualError(t, err, `ask for "process.wait": context deadline exceeded`)
		assert.ErrorIs(t, err, context.DeadlineExceeded)
		assert.Equal(t, context.Canceled, <-ended)
		before := c.link
		_, err = c.List(t.Context(), api.ListIn{})
		assert.NoError(t, err)
		assert.Same(t, before, c.link)
		synctest.Wait()
		assert.Empty(t, c.link.waiting)
		assert.Empty(t, c.link.slots)
		_, err = c.List(ctx, api.ListIn{})
		assert.ErrorIs(t, err, context.DeadlineExceeded)
	})
}

// A host that is busy is not asked for more than it carries out at a time: further requests wait in the client.
func TestAClientAsksForNoMoreThanTheHostCarriesOut(t *testing.T) {
	bubble(t, func(t *testing.T) {
		var under, most atomic.Int64
		release := make(chan struct{})
		c := newRig(t, &fake{wait: func(context.Context, api.WaitIn) (api.WaitOut, error) {
			most.Store(max(most.Load(), under.Add(1)))
			<-release
			under.Add(-1)
			return api.WaitOut{}, nil
		}}).client(api.HostInfoIn{})
		var all sync.WaitGroup
		for range inFlight + 50 {
			all.Go(func() {
				_, err := c.Wait(t.Context(), api.WaitIn{ID: "x"})
				assert.NoError(t, err)
			})
		}
		synctest.Wait()
		assert.Equal(t, int64(inFlight), under.Load())
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		_, err := c.List(ctx, api.ListIn{})
		assert.ErrorIs(t, err, context.DeadlineExceeded)
		close(release)
		all.Wait()
		assert.Equal(t, int64(inFlight), most.Load())
	})
}

// A host closes idle connections when it has many: the next request makes a new one.
func TestAConnectionThatWasClosedIsMadeAnew(t *testing.T) {
	bubble(t, func(t *testing.T) {
		r := newRig(t, &fake{}, func(l *limits) { l.connections = 1 })
		c := r.client(api.HostInfoIn{Client: "test"})
		for range 3 {
			r.connect().works() // in its place
			synctest.Wait()
			_, err := c.List(t.Context(), api.ListIn{})
			require.NoError(t, err)
		}
	})
}

// What the host has not got is asked again; what it may have got is not.
func TestWhatTheHostMayHaveGotIsNotAskedAgain(t *testing.T) {
	bubble(t, func(t *testing.T) {
		var asked atomic.Int64
		r := newRig(t, &fake{stop: func(ctx context.Context, _ api.StopIn) (api.StopOut, error) {
			asked.Add(1)
			<-ctx.Done()
			return api.StopOut{}, ctx.Err()
		}})
		var conns []net.Conn
		c, err := NewClient(t.Context(), func(ctx context.Context) (net.Conn, error) {
			nc, err := r.dial(ctx)
			conns = append(conns, nc)
			return nc, err
		}, api.HostInfoIn{})
		require.NoError(t, err)
		defer c.Close()
		got := make(chan error)
		go func() {
			_, err := c.Stop(t.Context(), api.StopIn{ID: "x"})
			got <- err
		}()
		synctest.Wait()
		conns[0].Close()
		err = <-got
		assert.ErrorIs(t, err, ErrLost)
		assert.ErrorContains(t, err, `ask for "process.stop": the connection to the host broke`)
		synctest.Wait()
		assert.Equal(t, int64(1), asked.Load())

		_, err = c.List(t.Context(), api.ListIn{})
		assert.NoError(t, err)
		assert.Len(t, conns, 2)
	})
}

// half is a connection that breaks when something is written that holds a word.
type half struct {
	net.Conn
	word string
}

func (h *half) Write(b []byte) (int, error) {
	if strings.Contains(string(b), h.word) {
		n, _ := h.Conn.Write(b[:len(b)/2])
		h.Conn.Close()
		return n, io.ErrClosedPipe
	}
	return h.Conn.Write(b)
}

func TestARequestThatWasHalfWrittenIsAskedAgain(t *testing.T) {
	bubble(t, func(t *testing.T) {
		var asked atomic.Int64
		r := newRig(t, &fake{list: func(context.Context, api.ListIn) ([]api.Info, error) { asked.Add(1); return nil, nil }})
		dials := 0
		c, err := NewClient(t.Context(), func(ctx context.Context) (net.Conn, error) {
			nc, err := r.dial(ctx)
			if dials++; dials == 1 {
				return &half{nc, "process.list"}, err
			}
			return nc, err
		}, api.HostInfoIn{})
		require.NoError(t, err)
		defer c.Close()
		_, err = c.List(t.Context(), api.ListIn{})
		assert.NoError(t, err)
		assert.Equal(t, int64(1), asked.Load())
		assert.Equal(t, 2, dials)
	})
}

// A host that does not read does not hold up a client beyond its time.
func TestAHostThatStopsReading(t *testing.T) {
	bubble(t, func(t *testing.T) {
		c, err := NewClient(t.Context(), func(context.Context) (net.Conn, error) {
			far, near := net.Pipe()
			go func() {
				near.Read(make([]byte, 1000))
				near.Write([]byte(`{"jsonrpc":"2.0","id":1,"result":{"protocol":1}}` + "\n"))
			}()
			return far, nil
		}, api.HostInfoIn{})
		require.NoError(t, err)
		defer c.Close()
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		var all sync.WaitGroup
		for range 3 {
			all.Go(func() {
				_, err := c.List(ctx, api.ListIn{})
				assert.ErrorIs(t, err, context.DeadlineExceeded)
			})
		}
		all.Wait()
	})
}

func TestAClosedClient(t *testing.T) {
	bubble(t, func(t *testing.T) {
		r := newRig(t, &fake{})
		c := r.client(api.HostInfoIn{})
		got := make(chan error)
		go func() {
			_, err := c.Wait(t.Context(), api.WaitIn{ID: "x"})
			got <- err
		}()
		synctest.Wait()
		c.Close()
		assert.EqualError(t, <-got, `ask for "process.wait": the connection to the host broke: it was closed`)
		_, err := c.List(t.Context(), api.ListIn{})
		assert.ErrorIs(t, err, ErrLost)
		_, err = c.Events(t.Context(), api.EventsIn{})
		assert.ErrorIs(t, err, ErrLost)
	})
}

// Of a host of another protocol its list, its stops and its end can be had, and for the rest there is a clear error.
func TestAHostOfAnotherProtocol(t *testing.T) {
	bubble(t, func(t *testing.T) {
		s := &fake{
			info: api.HostInfo{Protocol: api.Protocol + 1, Version: "9.9", PID: 4711},
			stop: func(context.Context, api.StopIn) (api.StopOut, error) { return api.StopOut{OK: true}, nil },
		}
		c := newRig(t, s).client(api.HostInfoIn{})
		assert.Equal(t, "9.9", c.Host().Version)
		_, err := c.List(t.Context(), api.ListIn{})
		assert.NoError(t, err)
		out, err := c.Stop(t.Context(), api.StopIn{ID: "x"})
		assert.NoError(t, err)
		assert.True(t, out.OK)
		_, err = c.HostShutdown(t.Context(), api.HostShutdownIn{})
		assert.NoError(t, err)

		want := func(method string) string {
			return fmt.Sprintf(`ask for %q: the host (process 4711, prochost 9.9) speaks protocol 2, and this prochost protocol 1; stop that host and start it again`, method)
		}
		_, err = c.Start(t.Context(), api.StartIn{})
		var version *VersionError
		require.ErrorAs(t, err, &version)
		assert.EqualError(t, err, want("process.start"))
		_, err = c.Events(t.Context(), api.EventsIn{})
		assert.EqualError(t, err, want("events.subscribe"))
	})
}

// The same from the other side: the host keeps to it, whatever a client of another protocol asks and adds.
func TestAClientOfAnotherProtocol(t *testing.T) {
	bubble(t, func(t *testing.T) {
		s := &fake{stop: func(_ context.Context, in api.StopIn) (api.StopOut, error) {
			return api.StopOut{OK: true, Reason: in.ID}, nil
		}}
		p := newRig(t, s).connect()
		p.ask(`{"jsonrpc":"2.0","id":1,"method":"host.info","params":{"client":"cli","protocol":2,"colour":"red"}}`)
		assert.Equal(t, pong, p.ask(`{"jsonrpc":"2.0","id":"ping","method":"process.list","params":{"shape":"tree"}}`))
		assert.Contains(t, p.ask(`{"jsonrpc":"2.0","id":2,"method":"process.stop","params":{"id":"x","gently":true}}`), `"ok":true`)
		assert.Equal(t, `{"jsonrpc":"2.0","id":3,"error":{"code":-32001,"message":"this host speaks protocol 1 and you speak 2: all that is left is [host.info process.list process.stop host.shutdown]","data":{"reason":"version"}}}`,
			p.ask(`{"jsonrpc":"2.0","id":3,"method":"process.start","params":{"name":"x"}}`))
		p.ask(`{"jsonrpc":"2.0","id":1,"method":"host.info","params":{"protocol":1}}`)
		assert.Contains(t, p.ask(`{"jsonrpc":"2.0","id":3,"method":"process.start","params":{"name":"x"}}`), `"name":"x"`)
	})
}

// A stream that is not read holds up no answer of the same client.
func TestStreamsHoldUpNothing(t *testing.T) {
	bubble(t, func(t *testing.T) {
		var streams []*counting
		r := newRig(t, &fake{event: func(context.Context, api.EventsIn) (api.Stream, error) {
			s := &counting{upTo: 1 << 40, text: strings.Repeat("x", 1000)}
			streams = append(streams, s)
			return s, nil
		}})
		c := r.client(api.HostInfoIn{})
		s, err := c.Events(t.Context(), api.EventsIn{})
		require.NoError(t, err)
		synctest.Wait()
		_, err = c.List(t.Context(), api.ListIn{})
		assert.NoError(t, err)
		for n := range 100 {
			e, err := s.Next(t.Context())
			require.NoError(t, err)
			require.Equal(t, int64(n+1), e.(*api.Output).Line)
		}
		s.Close()
		_, err = s.Next(t.Context())
		assert.Equal(t, io.EOF, err)
		synctest.Wait()
		assert.True(t, streams[0].closed.Load(), "the host has let go of it")
		_, err = c.List(t.Context(), api.ListIn{})
		assert.NoError(t, err)
	})
}

// A reader that gives up waiting may go on later, and has lost nothing.
func TestNextMayBeBrokenOff(t *testing.T) {
	bubble(t, func(t *testing.T) {
		release := make(chan struct{})
		c := newRig(t, &fake{event: func(context.Context, api.EventsIn) (api.Stream, error) { return &ending{release}, nil }}).client(api.HostInfoIn{})
		s, err := c.Events(t.Context(), api.EventsIn{})
		require.NoError(t, err)
		defer s.Close()
		for range 3 {
			ctx, cancel := context.WithTimeout(t.Context(), time.Second)
			_, err = s.Next(ctx)
			assert.ErrorIs(t, err, context.DeadlineExceeded)
			cancel()
		}
		close(release)
		e, err := s.Next(t.Context())
		require.NoError(t, err)
		assert.Equal(t, "stopped", e.(*api.HostState).State)
		_, err = s.Next(t.Context())
		assert.Equal(t, io.EOF, err)
	})
}

func TestAStreamWhoseHostIsGone(t *testing.T) {
	bubble(t, func(t *testing.T) {
		r := newRig(t, streaming(&counting{}))
		s, err := r.client(api.HostInfoIn{}).Events(t.Context(), api.EventsIn{})
		require.NoError(t, err)
		defer s.Close()
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		go r.server.Shutdown(ctx)
		for range 2 {
			_, err = s.Next(t.Context())
			assert.EqualError(t, err, `ask for "events.subscribe": the connection to the host broke`)
		}
	})
}

func TestAStreamThatFailsAtTheHost(t *testing.T) {
	bubble(t, func(t *testing.T) {
		c := newRig(t, &fake{logs: func(_ context.Context, in api.LogsIn) (api.Stream, error) {
			if in.Pattern != "" {
				return nil, api.Invalid("pattern", "it is no regular expression")
			}
			return &counting{end: api.Refuse(api.ReasonInternal, "the log is gone")}, nil
		}}).client(api.HostInfoIn{})
		_, err := c.Logs(t.Context(), api.LogsIn{Pattern: "("})
		assert.Equal(t, api.Invalid("pattern", "it is no regular expression"), err)
		s, err := c.Logs(t.Context(), api.LogsIn{})
		require.NoError(t, err)
		defer s.Close()
		_, err = s.Next(t.Context())
		assert.Equal(t, api.Refuse(api.ReasonInternal, "the log is gone"), err)
	})
}

// A long list is one frame, however long.
func TestLargeAnswers(t *testing.T) {
	bubble(t, func(t *testing.T) {
		infos := make([]api.Info, 100)
		for i := range infos {
			infos[i] = api.Info{ID: fmt.Sprint(i), Command: strings.Repeat("x", 5000)}
		}
		c := newRig(t, &fake{list: func(context.Context, api.ListIn) ([]api.Info, error) { return infos, nil }}).client(api.HostInfoIn{})
		got, err := c.List(t.Context(), api.ListIn{})
		require.NoError(t, err)
		assert.Equal(t, len(infos), len(got))
		assert.Equal(t, infos[99], got[99])
	})
}
