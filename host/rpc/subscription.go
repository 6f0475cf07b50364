package rpc

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/prochost/prochost/host/api"
)

// subscription is a stream of one connection, and names it on the wire.
type subscription struct {
	ID uint64 `json:"subscription"`

	op     api.StreamOp
	stream api.Stream
	ctx    context.Context // done: it is over
	end    context.CancelFunc
}

// eventParams are the parameters of the message that carries an event.
type eventParams struct {
	ID    uint64    `json:"subscription"`
	Event api.Event `json:"event"`
}

// endParams are those of the last message of a stream.
type endParams struct {
	ID    uint64     `json:"subscription"`
	Error *wireError `json:"error,omitempty"`
}

// subscribe begins a stream. pump sends it, once its number is known to the client.
func (c *conn) subscribe(ctx context.Context, o api.StreamOp, in any) (any, error) {
	s := &subscription{op: o}
	s.ctx, s.end = context.WithCancel(api.WithCaller(c.ctx, api.CallerOf(ctx)))
	if err := c.enter(s); err != nil {
		s.end()
		return nil, err
	}
	// The stream outlasts the request that asks for it; until there is one, both end together.
	separate := context.AfterFunc(ctx, s.end)
	var err error
	if s.stream, err = o.Start(s.ctx, c.server.service, in); err != nil {
		c.leave(s)
		return nil, err
	}
	if !separate() {
		s.stream.Close()
		c.leave(s)
		return nil, ctx.Err()
	}
	return s, nil
}

func (c *conn) enter(s *subscription) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.streams) >= c.server.limits.streams {
		return api.Refuse(api.ReasonBusy, "this connection has %d streams", len(c.streams))
	}
	c.last++
	s.ID = c.last
	c.streams[s.ID] = s
	return nil
}

func (c *conn) leave(s *subscription) {
	s.end()
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.streams, s.ID)
	c.since = time.Now()
	c.settle()
}

// unsubscribe ends a stream.
func (c *conn) unsubscribe(o api.StreamOp, id uint64) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	s, ok := c.streams[id]
	if !ok || s.op.Name != o.Name {
		return api.Refuse(api.ReasonNotFound, "there is no subscription %d", id)
	}
	s.end()
	return nil
}

// pump sends what a stream has, as fast as the client reads it, and that nothing follows.
func (c *conn) pump(s *subscription) {
	end := endParams{ID: s.ID}
	if err := c.send(s); err != nil {
		e := refused(err)
		end.Error = &wireError{e.Code(), e.Message, e}
	}
	s.stream.Close()
	c.leave(s)
	frame, err := notification(of(s.op, "end"), end)
	if err != nil {
		panic(fmt.Sprintf("an end that cannot be written: %v", err)) // it is made of strings
	}
	c.out.put(c.ctx, frame, c.server.limits.answers, nil)
}

// send returns when the stream has ended, and why if it was neither its own end nor anybody's wish.
func (c *conn) send(s *subscription) error {
	for s.ctx.Err() == nil { // a stream that has much to say need not look
		e, err := s.stream.Next(s.ctx)
		switch {
		case errors.Is(err, io.EOF), s.ctx.Err() != nil:
			return nil
		case err != nil:
			return err
		}
		frame, err := notification(s.op.Message, eventParams{s.ID, e})
		if err != nil {
			return err
		}
		c.out.put(s.ctx, frame, c.server.limits.events, nil)
	}
	return nil
}
