package rpc

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"os"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/prochost/prochost/host/api"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// soak returns how much of something a soak does: PROCHOST_SOAK is unset, "short" or "long".
func soak(off, short, long int) int {
	switch os.Getenv("PROCHOST_SOAK") {
	case "":
		return off
	case "short":
		return short
	}
	return long
}

// watched is what a host must keep within bounds while others do to it what they like: its memory, and the time that its
// owner waits.
type watched struct {
	t     *testing.T
	stop  chan struct{}
	done  chan struct{}
	waits []time.Duration
	heap  uint64 // the most, in bytes
	most  int    // goroutines
}

// watch asks for the list as its owner, again and again, each time by a client of its own.
func watch(t *testing.T, path string) *watched {
	w := &watched{t: t, stop: make(chan struct{}), done: make(chan struct{})}
	go func() {
		defer close(w.done)
		for {
			began := time.Now()
			c, err := patient(path)
			if assert.NoError(t, err) {
				_, err = c.List(context.Background(), api.ListIn{})
				assert.NoError(t, err)
				c.Close()
			}
			w.waits = append(w.waits, time.Since(began))
			var m runtime.MemStats
			runtime.ReadMemStats(&m)
			w.heap, w.most = max(w.heap, m.HeapAlloc), max(w.most, runtime.NumGoroutine())
			select {
			case <-w.stop:
				return
			case <-time.After(20 * time.Millisecond):
			}
		}
	}()
	return w
}

// patient returns a client that waits for its turn on a machine that has much to do.
func patient(path string) (*Client, error) {
	c := newClient(func(ctx context.Context) (net.Conn, error) { return connect(ctx, path) }, api.HostInfoIn{Client: "owner"})
	c.wait = time.Minute
	return c.start(context.Background())
}

// end sees to it that no more than so much memory was in use, clients included.
func (w *watched) end(heap uint64) {
	close(w.stop)
	<-w.done
	slices.Sort(w.waits)
	w.t.Logf("the owner has asked %d times and waited %v, at most %v; heap at most %d KiB, goroutines %d",
		len(w.waits), w.waits[len(w.waits)/2], w.waits[len(w.waits)-1], w.heap>>10, w.most)
	assert.Less(w.t, w.heap, heap)
}

// rogue is a client that asks good and bad things at random, and counts what it is told.
type rogue struct {
	t    *testing.T
	path string
	r    *rand.Rand
	n    int // of the next good request

	asked, faulty           int // good requests, bad ones that have an answer
	answered, busy, refused int // answers to good ones, and to bad ones
}

// connection asks up to n things on one connection and reads all that it is told.
func (g *rogue) connection(n int) {
	nc, err := connect(context.Background(), g.path)
	if !assert.NoError(g.t, err) {
		return
	}
	defer nc.Close()
	expected := map[int]bool{}
	window := make(chan struct{}, inFlight) // no more at a time than are carried out
	var mu sync.Mutex
	var reading sync.WaitGroup
	reading.Go(func() {
		lines := bufio.NewScanner(nc)
		for lines.Scan() {
			var a struct {
				ID     json.RawMessage
				Result json.RawMessage
				Error  *struct{ Code int }
			}
			if err := json.Unmarshal(lines.Bytes(), &a); err != nil {
				g.t.Errorf("answered %q", lines.Text())
				return
			}
			busy := a.Error != nil && a.Error.Code == -32000 // beside its good requests there are notifications
			if a.Error != nil && !busy {
				g.refused++
				continue
			}
			id, _ := strconv.Atoi(string(a.ID))
			mu.Lock()
			if !expected[id] {
				g.t.Errorf("it was not asked, or answered before: %q", lines.Text())
			}
			delete(expected, id)
			mu.Unlock()
			<-window
			if busy {
				g.busy++
			} else {
				g.answered++
			}
		}
	})
	out := bufio.NewWriter(nc)
	for range n {
		line, id, fault := g.line()
		if id > 0 {
			g.asked++
			select {
			case window <- struct{}{}:
			default:
				out.Flush()
				window <- struct{}{}
			}
			mu.Lock()
			expected[id] = true
			mu.Unlock()
		}
		if fault {
			g.faulty++
		}
		if _, err := io.WriteString(out, line+"\n"); err != nil {
			g.t.Error(err)
			break
		}
	}
	out.Flush()
	nc.(*net.UnixConn).CloseWrite()
	reading.Wait()
	assert.Empty(g.t, expected, "each is answered")
}

// line returns something to ask: a good request with its id, something bad that has an answer, or something that has none.
func (g *rogue) line() (line string, id int, fault bool) {
	g.n++
	good := func(method, params string) (string, int, bool) {
		return fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":%q,"params":%s}`, g.n, method, params), g.n, false
	}
	bad := func(line string) (string, int, bool) { return line, 0, true }
	switch g.r.IntN(16) {
	case 0:
		b := make([]byte, g.r.IntN(200))
		for i := range b {
			if b[i] = byte(g.r.IntN(256)); b[i] == '\n' {
				b[i] = 0
			}
		}
		return bad("\x00" + string(b))
	case 1:
		return bad(strings.Repeat("[", g.r.IntN(2000)+1))
	case 2:
		return bad(`{"jsonrpc":"2.0","id":1,"id":2,"method":"process.list"}`)
	case 3:
		return bad(`{"jsonrpc":"2.0","id":1,"METHOD":"process.list"}`)
	case 4:
		return bad(`{"jsonrpc":"2.0","id":"x","method":"process.start","params":{"nmae":"x"}}`)
	case 5:
		return bad(`[` + ping + `,` + ping + `]`)
	case 6:
		return `{"jsonrpc":"2.0","method":"process.list"}`, 0, false
	case 7:
		return " \t\r", 0, false
	case 8:
		return `{"jsonrpc":"2.0","method":"$/cancel","params":{"id":1}}`, 0, false
	case 9, 10, 11:
		return good("process.start", `{"name":"`+strings.Repeat("x", g.r.IntN(2000))+`"}`)
	}
	return good("process.list", "{}")
}

// Good requests are answered, each once, whatever comes between them; nothing grows, and the owner is served.
func TestSoakOfMixedRequests(t *testing.T) {
	total, clients := soak(800, 100_000, 10_000_000), 4
	path := socketPath(t)
	r := listenAt(t, path, &fake{})
	w := watch(t, path)
	var all sync.WaitGroup
	for n := range clients {
		all.Go(func() {
			g := &rogue{t: t, path: path, r: rand.New(rand.NewPCG(1, uint64(n)))}
			for left := total / clients; left > 0 && !t.Failed(); {
				n := min(left, 1+g.r.IntN(5000))
				g.connection(n)
				left -= n
			}
			assert.Equal(t, g.asked, g.answered+g.busy)
			assert.Less(t, g.busy, 1+g.asked/10)
			assert.Equal(t, g.faulty, g.refused)
		})
	}
	all.Wait()
	w.end(64 << 20)
	assert.Empty(t, r.told())
	assert.Zero(t, r.server.requests.used.Load())
}

// Idle connections without an end: those that were there first go, and the owner is served.
func TestSoakOfIdleConnections(t *testing.T) {
	total, most := soak(200, 10_000, 10_000), soak(16, 512, 512)
	path := socketPath(t)
	r := listenAt(t, path, &fake{}, func(l *limits) { l.connections = most })
	w := watch(t, path)
	var idle []net.Conn
	for i := range total {
		nc, err := connect(t.Context(), path)
		require.NoError(t, err)
		defer nc.Close()
		if i%2 == 0 {
			nc.Write([]byte("{")) // of a frame that is never whole
		}
		idle = append(idle, nc)
	}
	w.end(128 << 20)
	c, err := patient(path) // it is served when all before it have been
	require.NoError(t, err)
	defer c.Close()
	r.server.mu.Lock()
	assert.LessOrEqual(t, len(r.server.conns), most)
	r.server.mu.Unlock()
	closed := 0
	for _, nc := range idle {
		nc.SetReadDeadline(time.Now().Add(time.Millisecond))
		if _, err := nc.Read(make([]byte, 1)); !errors.Is(err, os.ErrDeadlineExceeded) {
			closed++
		}
	}
	assert.GreaterOrEqual(t, closed, total-most)
}

// A gigabyte without a line end is refused after the first few megabytes, and says why.
func TestAGigabyteInOneLine(t *testing.T) {
	path := socketPath(t)
	listenAt(t, path, &fake{})
	nc, err := connect(t.Context(), path)
	require.NoError(t, err)
	p := newPeer(t, nc)
	n, err := io.Copy(nc, io.LimitReader(&endless{}, 1<<30))
	assert.Error(t, err, "it hangs up")
	assert.Less(t, n, int64(8<<20))
	assert.Contains(t, p.line(), "a frame holds at most 4194304 bytes")
	assert.Empty(t, p.over())
}

// Random bytes are refused line by line.
func TestSoakOfRandomBytes(t *testing.T) {
	total := soak(1<<18, 10<<20, 10<<20)
	path := socketPath(t)
	listenAt(t, path, &fake{})
	w := watch(t, path)
	nc, err := connect(t.Context(), path)
	require.NoError(t, err)
	p := newPeer(t, nc)
	random := rand.NewChaCha8([32]byte{1})
	var sending sync.WaitGroup
	sending.Go(func() {
		_, err := io.CopyN(nc, random, int64(total))
		assert.NoError(t, err)
		p.send("\n" + ping + "\n")
	})
	refused := 0
	for line := p.line(); line != pong; line = p.line() {
		assert.Contains(t, line, `"id":null,"error":{"code":-32`)
		refused++
	}
	sending.Wait()
	assert.Greater(t, refused, total/1000)
	w.end(64 << 20)
}

// history is a stream of lines that is the same for all.
type history struct {
	upTo int64
	text string
	next int64
	// taken counts what was asked for.
	taken *atomic.Int64
}

func (h *history) Next(ctx context.Context) (api.Event, error) {
	if h.next == h.upTo {
		return nil, io.EOF
	}
	h.next++
	h.taken.Add(1)
	return api.NewOutput(api.Output{Line: h.next, Text: h.text}), nil
}

func (h *history) Close() {}

// Two hundred subscribers on sockets, of which ten never read: the others get all, and the owner is served.
func TestSoakOfSubscribers(t *testing.T) {
	subscribers, deaf, events := soak(20, 200, 200), soak(2, 10, 10), soak(60, 2_000, 50_000)
	path := socketPath(t)
	var unread atomic.Int64
	listenAt(t, path, &fake{event: func(ctx context.Context, in api.EventsIn) (api.Stream, error) {
		h := &history{upTo: int64(events), text: strings.Repeat("x", 100), taken: new(atomic.Int64)}
		if api.CallerOf(ctx).Client == "deaf" {
			h.taken, h.upTo = &unread, 1<<40
		}
		return h, nil
	}}, func(l *limits) { l.connections = 512 })
	w := watch(t, path)
	ears, err := patient(path)
	require.NoError(t, err)
	defer ears.Close()
	none, err := patient(path)
	require.NoError(t, err)
	none.hello.Client = "deaf"
	defer none.Close()
	for range deaf {
		s, err := none.Events(t.Context(), api.EventsIn{})
		require.NoError(t, err)
		defer s.Close()
	}
	var all sync.WaitGroup
	began := time.Now()
	for range subscribers - deaf {
		all.Go(func() {
			s, err := ears.Events(t.Context(), api.EventsIn{})
			if !assert.NoError(t, err) {
				return
			}
			defer s.Close()
			for n := range events {
				e, err := s.Next(t.Context())
				if err != nil || e.(*api.Output).Line != int64(n+1) {
					t.Errorf("event %d is %v, %v", n+1, e, err)
					return
				}
			}
			_, err = s.Next(t.Context())
			assert.Equal(t, io.EOF, err)
		})
	}
	all.Wait()
	t.Logf("%d events a second", int(float64(events*(subscribers-deaf))/time.Since(began).Seconds()))
	w.end(192 << 20)
	assert.Less(t, unread.Load(), int64(deaf*20_000), "what waits for who never reads is bounded")
}
