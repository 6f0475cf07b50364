package rpc

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"

	"github.com/prochost/prochost/host/api"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const subscribe = `{"jsonrpc":"2.0","id":1,"method":"events.subscribe"}`

// streaming is a service whose events are s.
func streaming(s api.Stream) *fake {
	return &fake{event: func(context.Context, api.EventsIn) (api.Stream, error) { return s, nil }}
}

func TestAStream(t *testing.T) {
	bubble(t, func(t *testing.T) {
		s := &counting{upTo: 2, end: io.EOF}
		p := newRig(t, streaming(s)).connect()
		assert.Equal(t, `{"jsonrpc":"2.0","id":1,"result":{"subscription":1}}`, p.ask(subscribe))
		for n := range 2 {
			assert.Equal(t, fmt.Sprintf(`{"jsonrpc":"2.0","method":"events.event","params":{"subscription":1,"event":{"time":0,"type":"output","id":"proc_1","name":"","stream":"","line":%d,"text":""}}}`, n+1), p.line())
		}
		assert.Equal(t, `{"jsonrpc":"2.0","method":"events.end","params":{"subscription":1}}`, p.line())
		assert.True(t, s.closed.Load())
		p.works()
	})
}

func TestAStreamThatFails(t *testing.T) {
	bubble(t, func(t *testing.T) {
		s := &fake{
			logs: func(_ context.Context, in api.LogsIn) (api.Stream, error) {
				if in.Pattern != "" {
					return nil, api.Invalid("pattern", "it is no regular expression")
				}
				return &counting{end: errors.New("the log is gone")}, nil
			},
		}
		p := newRig(t, s).connect()
		assert.Equal(t, `{"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"pattern: it is no regular expression","data":{"reason":"invalid","field":"pattern"}}}`,
			p.ask(`{"jsonrpc":"2.0","id":1,"method":"logs.subscribe","params":{"pattern":"("}}`))
		p.ask(`{"jsonrpc":"2.0","id":1,"method":"logs.subscribe"}`)
		assert.Equal(t, `{"jsonrpc":"2.0","method":"logs.end","params":{"subscription":2,"error":{"code":-32603,"message":"the log is gone","data":{"reason":"internal"}}}}`, p.line())
	})
}

// A stream that always has something to say ends all the same.
func TestUnsubscribe(t *testing.T) {
	bubble(t, func(t *testing.T) {
		s := &counting{upTo: 1 << 40}
		p := newRig(t, streaming(s)).connect()
		p.ask(subscribe)
		assert.Contains(t, p.line(), `"line":1,`)
		go p.send(`{"jsonrpc":"2.0","id":2,"method":"logs.unsubscribe","params":{"subscription":1}}` + "\n" +
			`{"jsonrpc":"2.0","id":3,"method":"events.unsubscribe","params":{"subscription":1}}` + "\n")
		var answers []string
		for len(answers) < 3 {
			if line := p.line(); !strings.Contains(line, `"events.event"`) {
				answers = append(answers, line)
			}
		}
		assert.ElementsMatch(t, []string{
			`{"jsonrpc":"2.0","id":2,"error":{"code":1,"message":"there is no subscription 1","data":{"reason":"not_found"}}}`,
			`{"jsonrpc":"2.0","id":3,"result":null}`,
			`{"jsonrpc":"2.0","method":"events.end","params":{"subscription":1}}`,
		}, answers)
		p.works()
		assert.True(t, s.closed.Load())
	})
}

func TestStreamsOfAConnectionAreBounded(t *testing.T) {
	bubble(t, func(t *testing.T) {
		s := &fake{event: func(context.Context, api.EventsIn) (api.Stream, error) { return &counting{}, nil }}
		p := newRig(t, s, func(l *limits) { l.streams = 2 }).connect()
		p.ask(subscribe)
		p.ask(subscribe)
		assert.Contains(t, p.ask(subscribe), `"error":{"code":-32000,"message":"this connection has 2 streams"`)
		p.send(`{"jsonrpc":"2.0","method":"events.unsubscribe","params":{"subscription":1}}` + "\n")
		assert.Contains(t, p.line(), `"events.end"`)
		assert.Contains(t, p.ask(subscribe), `{"subscription":3}`)
	})
}

// A subscription outlasts the request for it, and is begun by none that was cancelled.
func TestACancelledSubscription(t *testing.T) {
	bubble(t, func(t *testing.T) {
		begin := make(chan bool)
		s := &counting{}
		f := &fake{event: func(ctx context.Context, _ api.EventsIn) (api.Stream, error) {
			<-begin
			return s, nil
		}}
		p := newRig(t, f).connect()
		p.send(subscribe + "\n")
		p.send(`{"jsonrpc":"2.0","method":"$/cancel","params":{"id":1}}` + "\n")
		synctest.Wait()
		close(begin)
		assert.Contains(t, p.line(), `"id":1,"error":{"code":-32800`)
		assert.True(t, s.closed.Load())
	})
}

// Two hundred readers of one history, of which ten never read: each of the others gets all of it, and the ten have
// asked the service for no more than waits for them.
func TestSubscribersThatNeverReadHarmNobody(t *testing.T) {
	const readers, deaf, events = 200, 10, 15
	bubble(t, func(t *testing.T) {
		var streams []*counting
		var begun atomic.Int64
		text := strings.Repeat("x", 100)
		s := &fake{event: func(context.Context, api.EventsIn) (api.Stream, error) {
			return streams[begun.Add(1)-1], nil
		}}
		r := newRig(t, s, func(l *limits) { l.connections, l.events = readers+1, 1000 })
		for range readers {
			streams = append(streams, &counting{upTo: events, end: io.EOF, text: text})
		}
		owner := r.connect()
		var peers []*peer
		for range readers {
			p := r.connect()
			assert.Contains(t, p.ask(subscribe), `"subscription":1`)
			peers = append(peers, p)
		}
		synctest.Wait()
		owner.works()
		for i, p := range peers[deaf:] {
			for n := range events {
				require.Contains(t, p.line(), fmt.Sprintf(`"line":%d,`, n+1), i)
			}
			require.Contains(t, p.line(), `"events.end"`)
		}
		owner.works()
		for i, s := range streams {
			if i < deaf {
				assert.Less(t, s.taken.Load(), int64(events), "what waits for who never reads is bounded")
			} else {
				assert.Equal(t, int64(events), s.taken.Load())
			}
		}
		for _, p := range peers[:deaf] { // who reads late has lost nothing
			for n := range events {
				require.Contains(t, p.line(), fmt.Sprintf(`"line":%d,`, n+1))
			}
		}
	})
}

// Answers pass the events that wait for a reader who is slow.
func TestAnswersPassEvents(t *testing.T) {
	bubble(t, func(t *testing.T) {
		s := &counting{upTo: 1 << 40, text: strings.Repeat("x", 100)}
		p := newRig(t, streaming(s), func(l *limits) { l.events = 1000 }).connect()
		p.ask(subscribe)
		synctest.Wait() // the queue of events is full
		p.send(ping + "\n")
		synctest.Wait() // and the answer is in it all the same
		for n := 0; p.line() != pong; n++ {
			require.Less(t, n, 12)
		}
	})
}
