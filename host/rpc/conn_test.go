package rpc

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
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

// bubble runs f with a clock of its own.
func bubble(t *testing.T, f func(t *testing.T)) {
	t.Helper()
	synctest.Test(t, f)
}

func TestAnswers(t *testing.T) {
	bubble(t, func(t *testing.T) {
		s := &fake{
			list: func(_ context.Context, in api.ListIn) ([]api.Info, error) {
				switch in.Source {
				case "unknown":
					return nil, &api.Error{Reason: api.ReasonAmbiguous, Message: `"api" means two`, Names: []string{"a", "b"}}
				case "wrapped":
					return nil, fmt.Errorf("list: %w", api.Refuse(api.ReasonClosing, "the host stops"))
				case "other":
					return nil, errors.New("disk on fire")
				}
				return nil, nil
			},
			start: func(_ context.Context, in api.StartIn) (api.Info, error) {
				return api.Info{Name: "<\xff&\u2028>\n" + in.Name}, nil
			},
		}
		p := newRig(t, s).connect()
		for _, tt := range []struct{ ask, want string }{
			{ping, pong},
			{`{"jsonrpc":"2.0","id":-1.5e3,"method":"process.list","params":{}}`, `{"jsonrpc":"2.0","id":-1.5e3,"result":[]}`},
			{`{"jsonrpc":"2.0","id":1,"method":"host.shutdown"}`, `{"jsonrpc":"2.0","id":1,"result":{"stopped":3}}`},
			{`{"jsonrpc":"2.0","id":2,"method":"process.list","params":{"source":"unknown"}}`,
				`{"jsonrpc":"2.0","id":2,"error":{"code":2,"message":"\"api\" means two","data":{"reason":"ambiguous","names":["a","b"]}}}`},
			{`{"jsonrpc":"2.0","id":3,"method":"process.list","params":{"source":"wrapped"}}`,
				`{"jsonrpc":"2.0","id":3,"error":{"code":5,"message":"the host stops","data":{"reason":"closing"}}}`},
			{`{"jsonrpc":"2.0","id":4,"method":"process.list","params":{"source":"other"}}`,
				`{"jsonrpc":"2.0","id":4,"error":{"code":-32603,"message":"disk on fire","data":{"reason":"internal"}}}`},
			{`{"jsonrpc":"2.0","id":5,"method":"process.lists"}`,
				`{"jsonrpc":"2.0","id":5,"error":{"code":-32601,"message":"unknown method \"process.lists\"; did you mean \"process.list\"?","data":{"reason":"unknown_method","names":["process.list"]}}}`},
			{`{"jsonrpc":"2.0","id":6,"method":"process.list","params":{"Limit":1}}`,
				`{"jsonrpc":"2.0","id":6,"error":{"code":-32602,"message":"unknown field \"Limit\"; did you mean \"limit\"?","data":{"reason":"invalid","field":"Limit","names":["limit"]}}}`},
			{`[` + ping + `]`,
				`{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"a batch is not served: send one request per line","data":{"reason":"request"}}}`},
			{`garbage`,
				`{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"read a frame: invalid character 'g' at start of value, at byte 0","data":{"reason":"syntax"}}}`},
			{`{"jsonrpc":"2.0","id":7}`,
				`{"jsonrpc":"2.0","id":7,"error":{"code":-32600,"message":"method must name an operation","data":{"reason":"request","field":"method"}}}`},
		} {
			assert.Equal(t, tt.want, p.ask(tt.ask))
		}
		assert.Contains(t, p.ask(`{"jsonrpc":"2.0","id":8,"method":"process.start","params":{"name":"x"}}`), `"name":"<`+"\ufffd&\u2028"+`>\nx"`,
			"what is not UTF-8 is replaced, and nothing else is touched")
		p.works()
	})
}

func TestNotificationsAreCarriedOutAndNotAnswered(t *testing.T) {
	bubble(t, func(t *testing.T) {
		started := make(chan string, 10)
		s := &fake{start: func(_ context.Context, in api.StartIn) (api.Info, error) {
			started <- in.Name
			return api.Info{}, errors.New("nobody hears of it")
		}}
		p := newRig(t, s).connect()
		p.send(`{"jsonrpc":"2.0","method":"process.start","params":{"name":"x"}}` + "\n")
		p.send(`{"jsonrpc":"2.0","method":"process.strat"}` + "\n\n\r\n")
		p.send(`{"jsonrpc":"2.0","method":"process.start","params":{"nam":"x"}}` + "\n")
		assert.Equal(t, "x", <-started)
		p.works()
		assert.Empty(t, started)
	})
}

// Requests of one connection are carried out at the same time, and their answers known by their ids.
func TestRequestsAreCarriedOutTogether(t *testing.T) {
	bubble(t, func(t *testing.T) {
		release := map[string]chan struct{}{"a": make(chan struct{}), "b": make(chan struct{})}
		s := &fake{wait: func(_ context.Context, in api.WaitIn) (api.WaitOut, error) {
			<-release[in.ID]
			return api.WaitOut{What: in.ID}, nil
		}}
		p := newRig(t, s).connect()
		p.send(`{"jsonrpc":"2.0","id":"a","method":"process.wait","params":{"id":"a"}}` + "\n")
		p.send(`{"jsonrpc":"2.0","id":"b","method":"process.wait","params":{"id":"b"}}` + "\n")
		p.works()
		assert.Equal(t, `{"jsonrpc":"2.0","id":"a","error":{"code":-32600,"message":"id is that of a request that is under way: \"a\"","data":{"reason":"request","field":"id"}}}`,
			p.ask(`{"jsonrpc":"2.0","id":"a","method":"process.list"}`))
		close(release["b"])
		assert.Contains(t, p.line(), `"id":"b","result":{"what":"b"`)
		close(release["a"])
		assert.Contains(t, p.line(), `"id":"a","result":{"what":"a"`)
		assert.Equal(t, `{"jsonrpc":"2.0","id":"a","result":[]}`, p.ask(`{"jsonrpc":"2.0","id":"a","method":"process.list"}`), "the id is free again")
	})
}

func TestCancel(t *testing.T) {
	bubble(t, func(t *testing.T) {
		s := &fake{}
		p := newRig(t, s).connect()
		p.send(`{"jsonrpc":"2.0","id":1,"method":"process.wait","params":{"id":"x"}}` + "\n")
		p.works()
		p.send(`{"jsonrpc":"2.0","method":"$/cancel","params":{"id":2}}` + "\n")
		p.works()
		p.send(`{"jsonrpc":"2.0","method":"$/cancel","params":{"id":1}}` + "\n")
		assert.Equal(t, `{"jsonrpc":"2.0","id":1,"error":{"code":-32800,"message":"cancelled","data":{"reason":"cancelled"}}}`, p.line())
	})
}

// Beyond the bound a request is refused at once, and what ends others is not held up by it.
func TestRequestsUnderWayAreBounded(t *testing.T) {
	bubble(t, func(t *testing.T) {
		p := newRig(t, &fake{}, func(l *limits) { l.running = 3 }).connect()
		for i := range 3 {
			p.send(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"process.wait","params":{"id":"x"}}`+"\n", i))
		}
		assert.Equal(t, `{"jsonrpc":"2.0","id":"ping","error":{"code":-32000,"message":"3 requests of this connection are under way","data":{"reason":"busy"}}}`, p.ask(ping))
		p.send(`{"jsonrpc":"2.0","method":"$/cancel","params":{"id":1}}` + "\n")
		assert.Contains(t, p.line(), `"id":1,"error":{"code":-32800`)
		synctest.Wait()
		p.works()
	})
}

// A notification beyond the bound cannot be refused in an answer: it waits, and is never dropped in silence.
func TestNotificationsBeyondTheBoundWait(t *testing.T) {
	bubble(t, func(t *testing.T) {
		release := make(chan struct{})
		var started atomic.Int64
		s := &fake{start: func(context.Context, api.StartIn) (api.Info, error) {
			started.Add(1)
			<-release
			return api.Info{}, nil
		}}
		p := newRig(t, s, func(l *limits) { l.running = 2 }).connect()
		var sending sync.WaitGroup
		sending.Go(func() {
			p.send(strings.Repeat(`{"jsonrpc":"2.0","method":"process.start"}`+"\n", 10))
		})
		time.Sleep(20 * time.Second)
		assert.Equal(t, int64(2), started.Load())
		close(release)
		sending.Wait()
		synctest.Wait()
		assert.Equal(t, int64(10), started.Load())
		p.works()
	})
}

func TestANotificationThatWaitsForEverEndsTheConnection(t *testing.T) {
	bubble(t, func(t *testing.T) {
		p := newRig(t, &fake{}, func(l *limits) { l.running = 1 }).connect()
		p.send(`{"jsonrpc":"2.0","method":"process.wait","params":{"id":"x"}}` + "\n")
		p.send(`{"jsonrpc":"2.0","method":"process.stop","params":{"id":"x"}}` + "\n")
		began := time.Now()
		assert.Contains(t, p.line(), `"id":null,"error":{"code":-32000,"message":"1 requests of this connection are under way"`)
		assert.Equal(t, defaults().patience, time.Since(began))
		assert.Empty(t, p.over())
	})
}

// The bytes of all requests that are under way are bounded together.
func TestRequestsUnderWayAreBoundedInBytes(t *testing.T) {
	bubble(t, func(t *testing.T) {
		r := newRig(t, &fake{}, func(l *limits) { l.requests = 1000 })
		a, b := r.connect(), r.connect()
		a.send(`{"jsonrpc":"2.0","id":1,"method":"process.wait","params":{"id":"` + strings.Repeat("x", 900) + `"}}` + "\n")
		a.send(`{"jsonrpc":"2.0","method":"$/nothing"}` + "\n") // it has taken the one before
		big := `{"jsonrpc":"2.0","id":2,"method":"process.list","params":{"source":"` + strings.Repeat("x", 100) + `"}}`
		assert.Contains(t, b.ask(big), `"id":2,"error":{"code":-32000,"message":"the requests that are under way are too large`)
		a.send(`{"jsonrpc":"2.0","method":"$/cancel","params":{"id":1}}` + "\n")
		a.line()
		assert.Equal(t, `{"jsonrpc":"2.0","id":2,"result":[]}`, b.ask(big))
		assert.Zero(t, r.server.requests.used.Load())
	})
}

func TestTheCallerIsKnown(t *testing.T) {
	bubble(t, func(t *testing.T) {
		callers := make(chan api.Caller, 1)
		s := &fake{list: func(ctx context.Context, _ api.ListIn) ([]api.Info, error) {
			callers <- api.CallerOf(ctx)
			return nil, nil
		}}
		p := newRig(t, s).connect()
		p.works()
		assert.Empty(t, (<-callers).Client)
		p.ask(`{"jsonrpc":"2.0","id":1,"method":"host.info","params":{"client":"mcp","session":"s1","protocol":1,"whatever":"comes"}}`)
		p.ask(`{"jsonrpc":"2.0","id":1,"method":"host.info"}`)
		p.works()
		c := <-callers
		assert.Equal(t, "mcp", c.Client)
		assert.Equal(t, "s1", c.Session)
		select {
		case <-c.Gone:
			assert.Fail(t, "it is still there")
		default:
		}
		p.nc.Close()
		<-c.Gone
	})
}

// The end of a connection cancels what was asked on it; what is carried out all the same costs nothing else.
func TestACallerThatGoesCancelsItsRequests(t *testing.T) {
	bubble(t, func(t *testing.T) {
		ended := make(chan error, 1)
		s := &fake{wait: func(ctx context.Context, _ api.WaitIn) (api.WaitOut, error) {
			<-ctx.Done()
			ended <- ctx.Err()
			return api.WaitOut{}, ctx.Err()
		}}
		r := newRig(t, s)
		p := r.connect()
		p.send(`{"jsonrpc":"2.0","id":1,"method":"process.wait","params":{"id":"x"}}` + "\n")
		p.works()
		p.nc.Close()
		assert.Equal(t, context.Canceled, <-ended)
		synctest.Wait()
		r.server.mu.Lock()
		defer r.server.mu.Unlock()
		assert.Empty(t, r.server.conns)
	})
}

func TestAFaultOfTheHostCostsOneRequest(t *testing.T) {
	bubble(t, func(t *testing.T) {
		r := newRig(t, &fake{})
		p := r.connect()
		answer := p.ask(`{"jsonrpc":"2.0","id":1,"method":"process.kill","params":{"id":"x"}}`) // the fake has none
		assert.Contains(t, answer, `"id":1,"error":{"code":-32603,"message":"a fault of the host: runtime error: `)
		p.works()
		require.Len(t, r.told(), 1)
		assert.Contains(t, r.told()[0], `carry out "process.kill": runtime error: `)
		assert.Contains(t, r.told()[0], "conn.go", "where it was")
	})
}

func TestFramesThatAreTooLong(t *testing.T) {
	bubble(t, func(t *testing.T) {
		const most = 200_000
		p := newRig(t, &fake{}, func(l *limits) { l.request = most }).connect()
		fits := strings.Repeat(" ", most-len(ping)) + ping
		assert.Equal(t, pong, p.ask(fits))

		go io.Copy(p.nc, &endless{})
		assert.Equal(t, `{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"read a frame: a frame holds at most 200000 bytes","data":{"reason":"syntax"}}}`, p.line())
		assert.Empty(t, p.over())
	})
}

// One byte a second is too slow for a frame; a connection on which nothing is asked may stay.
func TestFramesThatTakeTooLong(t *testing.T) {
	bubble(t, func(t *testing.T) {
		p := newRig(t, &fake{}).connect()
		time.Sleep(24 * time.Hour)
		p.works()
		began := time.Now()
		var slow sync.WaitGroup
		defer slow.Wait()
		slow.Go(func() {
			for _, b := range []byte(ping) {
				if _, err := p.nc.Write([]byte{b}); err != nil {
					return
				}
				time.Sleep(time.Second)
			}
		})
		assert.Equal(t, `{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"read a frame: it took longer than 10s","data":{"reason":"syntax"}}}`, p.line())
		assert.Equal(t, 10*time.Second, time.Since(began))
		assert.Empty(t, p.over())
	})
}

// A frame in pieces is one frame, and the time of each begins anew.
func TestFramesThatTakeTheirTime(t *testing.T) {
	bubble(t, func(t *testing.T) {
		p := newRig(t, &fake{}).connect()
		for range 5 {
			for piece := range slices.Chunk([]byte(ping+"\n"), 10) {
				p.send(string(piece))
				time.Sleep(time.Second)
			}
			assert.Equal(t, pong, p.line())
		}
	})
}

// Few large frames are read at a time: the next waits, and then is served or told.
func TestLargeFramesTakeTurns(t *testing.T) {
	bubble(t, func(t *testing.T) {
		r := newRig(t, &fake{}, func(l *limits) { l.large = 1 })
		large := strings.Repeat(" ", 2*smallFrame)
		a, b, c := r.connect(), r.connect(), r.connect()
		a.send(large)
		synctest.Wait()
		go io.WriteString(b.nc, large+ping+"\n")
		c.works()
		a.send(ping + "\n")
		assert.Equal(t, pong, a.line())
		a.works()
		assert.Equal(t, pong, b.line(), "a has let go of its turn")

		a.send(large)
		synctest.Wait()
		time.Sleep(time.Second)
		go io.WriteString(c.nc, large+ping+"\n")
		assert.Contains(t, a.line(), "it took longer than 10s")
		assert.Equal(t, pong, c.line(), "who is slow does not hold it up for ever")
	})
}

// A client that asks and reads no answer is cut off, and nobody else notices.
func TestAClientThatReadsNoAnswers(t *testing.T) {
	bubble(t, func(t *testing.T) {
		big := strings.Repeat("x", 1000)
		s := &fake{start: func(context.Context, api.StartIn) (api.Info, error) { return api.Info{Name: big}, nil }}
		r := newRig(t, s, func(l *limits) { l.answers = 10_000 })
		p, q := r.connect(), r.connect()
		began := time.Now()
		var err error
		sent := 0
		for i := 0; err == nil; i++ {
			_, err = fmt.Fprintf(p.nc, `{"jsonrpc":"2.0","id":%d,"method":"process.start"}`+"\n", i)
			sent++
			if sent == 100 {
				synctest.Wait()
				q.works()
			}
		}
		assert.Equal(t, defaults().patience, time.Since(began))
		assert.Less(t, sent, 1000, "what waits for it is bounded")
		q.works()
		synctest.Wait()
		r.server.mu.Lock()
		defer r.server.mu.Unlock()
		assert.Len(t, r.server.conns, 1)
	})
}

// Half a connection is enough for the answers to what was asked on it.
func TestAnswersToAClientThatHasSaidAll(t *testing.T) {
	path := socketPath(t)
	l, err := Listen(path)
	require.NoError(t, err)
	r := newRig(t, &fake{})
	go r.server.Serve(l)
	nc, err := connect(t.Context(), path)
	require.NoError(t, err)
	p := newPeer(t, nc)
	p.send(ping + "\n" + ping[:10])
	require.NoError(t, nc.(interface{ CloseWrite() error }).CloseWrite())
	assert.Equal(t, pong+"\n", p.over())
}
