package rpc

import (
	"context"
	"errors"
	"io"

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

// pump sends what a stream has, as fast as the client reads it.
func (c *conn) pump(s *subscription) {
	defer c.leave(s)
	defer s.stream.Close()
	for {
		e, err := s.stream.Next(s.ctx)
		if err != nil {
			c.ended(s, err)
			return
		}
		frame, err := notification(s.op.Message, eventParams{s.ID, e})
		if err != nil {
			c.ended(s, err)
			return
		}
		if !c.out.put(s.ctx, frame, c.server.limits.events) {
			c.ended(s, s.ctx.Err())
			return
		}
	}
}

// ended tells the client that nothing follows, and why if that is not as it should be.
func (c *conn) ended(s *subscription, why error) {
	end := endParams{ID: s.ID}
	if !errors.Is(why, io.EOF) && s.ctx.Err() == nil {
		e := refused(why)
		end.Error = &wireError{e.Code(), e.Message, e}
	}
	frame, err := notification(of(s.op, "end"), end)
	if err != nil || c.ctx.Err() != nil {
		return
	}
	c.out.put(c.ctx, frame, c.server.limits.answers)
}
