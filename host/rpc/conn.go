package rpc

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"slices"
	"sync"
	"time"

	"github.com/prochost/prochost/host/api"
)

// conn is a client, as the host sees it.
//
//	nc ──▶ read ──▶ take ──▶ carry out ──▶ answer ──▶ outbound ──▶ nc
//	      (one)     (one)    (one each)               (one)
type conn struct {
	server *Server
	nc     net.Conn
	out    *outbound
	ctx    context.Context // of all that it asks; done when it has gone
	gone   context.CancelFunc
	slots  chan struct{}  // holds one for each request that is under way
	work   sync.WaitGroup // requests and streams that are under way

	mu      sync.Mutex // guards what follows
	hello   api.HostInfoIn
	calls   map[string]context.CancelFunc // what is carried out, by id
	running int                           // what is carried out or not answered yet
	streams map[uint64]*subscription
	last    uint64    // number of the last subscription
	asked   bool      // it has asked something
	since   time.Time // when it last did, or came
	closing bool      // no further request is begun
	over    bool      // nothing more is read
}

func newConn(s *Server, nc net.Conn) *conn {
	c := &conn{
		server: s, nc: nc, out: newOutbound(), since: time.Now(), slots: make(chan struct{}, s.limits.running),
		calls: map[string]context.CancelFunc{}, streams: map[uint64]*subscription{},
	}
	c.ctx, c.gone = context.WithCancel(context.Background())
	return c
}

// serve answers the client until it goes, or Shutdown wants no more of it.
func (c *conn) serve() {
	var writer sync.WaitGroup
	writer.Go(func() {
		c.out.writeTo(c.nc)
		c.nc.Close() // ends the reading too
	})
	c.read()
	c.gone()
	c.work.Wait()
	c.nc.SetWriteDeadline(time.Now().Add(c.server.limits.farewell))
	c.out.finish()
	writer.Wait()
}

// read takes frames until there are no more.
func (c *conn) read() {
	in := frames{r: c.nc, most: c.server.limits.request, size: 4 << 10, begun: c.clock, large: c.large, free: c.free}
	defer in.release()
	for {
		frame, err := in.next()
		if err != nil {
			c.lost(err)
			return
		}
		if !c.take(frame) {
			return
		}
	}
}

// lost tells the client why no more is read, if it is to blame.
func (c *conn) lost(err error) {
	var long errTooLong
	var fault *api.Error
	switch {
	case errors.As(err, &long):
		fault = api.Refuse(api.ReasonSyntax, "read a frame: %v", err)
	case errors.Is(err, os.ErrDeadlineExceeded) && !c.isOver():
		fault = api.Refuse(api.ReasonSyntax, "read a frame: it took longer than %v", c.server.limits.frame)
	case errors.As(err, &fault):
	default:
		return
	}
	c.say(refusal(null, fault), nil)
}

// clock bounds the time of a frame that has begun.
func (c *conn) clock(begun bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch {
	case c.over:
	case begun:
		c.nc.SetReadDeadline(time.Now().Add(c.server.limits.frame))
	default:
		c.nc.SetReadDeadline(time.Time{})
	}
}

// large waits until a large frame may be read.
func (c *conn) large() error {
	wait := time.NewTimer(c.server.limits.frame)
	defer wait.Stop()
	select {
	case c.server.large <- struct{}{}:
		return nil
	case <-wait.C:
		return api.Refuse(api.ReasonBusy, "read a frame: %d others of more than %d bytes are being read", c.server.limits.large, smallFrame)
	}
}

func (c *conn) free() { <-c.server.large }

// take begins what a frame asks, and reports whether to go on.
func (c *conn) take(frame []byte) bool {
	r, fault := parse(frame)
	if fault != nil {
		id := r.id
		if id == nil {
			id = null
		}
		return c.say(refusal(id, fault), nil)
	}
	m, ok := c.server.methods[r.method]
	if !ok {
		return c.answer(r, nil, unknownMethod(r.method, c.server.methods))
	}
	foreign := c.foreign()
	if foreign != nil && !m.control && !slices.Contains(anyProtocol, r.method) {
		return c.answer(r, nil, foreign)
	}
	in := m.in()
	// A greeting is understood whatever later protocols add to it.
	if fault := decode(r.params, in, foreign != nil || r.method == helloMethod); fault != nil {
		return c.answer(r, nil, fault)
	}
	if hello, ok := in.(*api.HostInfoIn); ok && *hello != (api.HostInfoIn{}) { // else it only asks
		c.greet(*hello)
	}
	if m.control {
		out, err := m.call(c.ctx, c, in)
		return c.answer(r, out, err)
	}
	ctx, cancel, fault := c.begin(r, len(frame))
	if fault != nil {
		if r.id == nil { // it cannot be told in another way
			c.say(refusal(null, fault), nil)
			return false
		}
		return c.answer(r, nil, fault)
	}
	size := int64(len(frame))
	c.work.Go(func() {
		defer cancel()
		c.carryOut(ctx, r, m, in, size)
	})
	return true
}

const helloMethod = "host.info"

func (c *conn) greet(hello api.HostInfoIn) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.hello = hello
}

// foreign returns why a client of another protocol is refused, nil if it is none.
func (c *conn) foreign() *api.Error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if p := c.hello.Protocol; p != 0 && p != api.Protocol {
		return api.Refuse(api.ReasonVersion, "this host speaks protocol %d and you speak %d: all that is left is %s", api.Protocol, p, anyProtocol)
	}
	return nil
}

// slot takes one of the slots for requests, and reports whether there was one. A notification cannot be refused: it waits
// for its turn, and meanwhile nothing is read.
func (c *conn) slot(r request) bool {
	select {
	case c.slots <- struct{}{}:
		return true
	default:
	}
	if r.id != nil {
		return false
	}
	wait := time.NewTimer(c.server.limits.patience)
	defer wait.Stop()
	select {
	case c.slots <- struct{}{}:
		return true
	case <-wait.C:
	case <-c.ctx.Done():
	}
	return false
}

// begin makes a request one that is under way. size is that of its frame.
func (c *conn) begin(r request, size int) (_ context.Context, _ context.CancelFunc, fault *api.Error) {
	if !c.slot(r) {
		return nil, nil, api.Refuse(api.ReasonBusy, "%d requests of this connection are under way", cap(c.slots))
	}
	defer func() {
		if fault != nil {
			<-c.slots
		}
	}()
	c.mu.Lock()
	defer c.mu.Unlock()
	_, twice := c.calls[string(r.id)]
	switch {
	case c.closing:
		return nil, nil, api.Refuse(api.ReasonClosing, "the host takes no more requests")
	case twice && r.id != nil:
		return nil, nil, wrong("id", "is that of a request that is under way: %s", r.id)
	case !c.server.requests.take(int64(size)):
		return nil, nil, api.Refuse(api.ReasonBusy, "the requests that are under way are too large for another one")
	}
	ctx, cancel := context.WithCancel(c.ctx)
	if r.id != nil {
		c.calls[string(r.id)] = cancel
	}
	c.running++
	c.asked, c.since = true, time.Now()
	caller := api.Caller{Client: c.hello.Client, Session: c.hello.Session, Gone: c.ctx.Done()}
	return api.WithCaller(ctx, caller), cancel, nil
}

// carryOut carries a request out and answers it.
func (c *conn) carryOut(ctx context.Context, r request, m method, in any, size int64) {
	out, err := c.call(ctx, r, m, in)
	c.server.requests.give(size)
	if r.id == nil {
		c.end(r)
	} else {
		// It has ended when the client sees the answer, for then that may ask the next thing, by the same id.
		c.say(answer(r.id, out, err), func() { c.end(r) })
	}
	if s, ok := out.(*subscription); ok {
		c.work.Go(func() { c.pump(s) })
	}
}

// end makes a request one that is no longer under way.
func (c *conn) end(r request) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if r.id != nil {
		delete(c.calls, string(r.id))
	}
	c.running--
	<-c.slots
	c.since = time.Now()
	c.settle()
}

// call calls the method. A fault of the host costs the request that met it, and nothing else.
func (c *conn) call(ctx context.Context, r request, m method, in any) (out any, err error) {
	defer func() {
		if p := recover(); p != nil {
			c.server.report(fmt.Sprintf("carry out %q: %v\n%s", r.method, p, stack()))
			out, err = nil, api.Refuse(api.ReasonInternal, "a fault of the host: %v", p)
		}
	}()
	return m.call(ctx, c, in)
}

// cancel ends the waiting of a request, if it is still under way.
func (c *conn) cancel(id []byte) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if cancel, ok := c.calls[string(id)]; ok {
		cancel()
	}
	return nil
}

// answer answers a request that wants it, and reports whether the client takes answers.
func (c *conn) answer(r request, out any, err error) bool {
	if r.id == nil {
		return true
	}
	return c.say(answer(r.id, out, err), nil)
}

// say sends an answer, and cuts off a client that does not read those before it. It calls first, if that is not nil,
// before the client can read it.
func (c *conn) say(frame []byte, first func()) bool {
	ctx, cancel := context.WithTimeout(context.Background(), c.server.limits.patience)
	defer cancel()
	if c.out.put(ctx, frame, c.server.limits.answers, first) {
		return true
	}
	c.abort()
	if first != nil {
		first()
	}
	return false
}

// abort ends the connection at once.
func (c *conn) abort() {
	c.gone()
	c.out.fail(net.ErrClosed)
	c.nc.Close()
}

// finish lets the connection end when all is answered that was asked, and all streams are over.
func (c *conn) finish() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.closing = true
	c.settle()
}

// settle ends the reading once nothing is under way and nothing may be begun. c.mu is held.
func (c *conn) settle() {
	if c.closing && c.running == 0 && len(c.streams) == 0 {
		c.over = true
		c.nc.SetReadDeadline(time.Unix(1, 0))
	}
}

func (c *conn) isOver() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.over
}

// idle reports whether the client asks nothing, since when, and whether it ever has.
func (c *conn) idle() (since time.Time, asked, ok bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.since, c.asked, !c.closing && c.running == 0 && len(c.streams) == 0
}

// evict closes the connection unless the client has asked something meanwhile.
func (c *conn) evict() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closing || c.running > 0 || len(c.streams) > 0 {
		return false
	}
	c.closing, c.over = true, true
	c.nc.Close()
	return true
}
