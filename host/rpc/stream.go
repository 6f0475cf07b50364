package rpc

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sync/atomic"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/prochost/prochost/host/api"
)

// stream is a connection that carries the events of one subscription. What is not read stays with the host.
type stream struct {
	*wire
	op     api.StreamOp
	closed atomic.Bool

	// owned by the reader
	end error // there is nothing more
}

var _ api.Stream = (*stream)(nil)

// stream asks for the stream called name.
func (c *Client) stream(ctx context.Context, name string, in any) (api.Stream, error) {
	if c.over.Load() {
		return nil, errClosed
	}
	w, err := c.open(ctx)
	if err != nil {
		return nil, err
	}
	if err := speaks(w.host, name); err != nil {
		w.nc.Close()
		return nil, err
	}
	if _, err := w.exchange(ctx, name, in); err != nil {
		w.nc.Close()
		return nil, failed(name, err)
	}
	for _, o := range api.Streams {
		if o.Name == name {
			return &stream{wire: w, op: o}, nil
		}
	}
	panic("no stream is called " + name)
}

// carried are the parameters of a message of a stream.
type carried struct {
	Event jsontext.Value `json:"event"`
	Error *wireError     `json:"error"`
}

// Next waits for the next event.
func (s *stream) Next(ctx context.Context) (api.Event, error) {
	for s.end == nil {
		e, err := s.next(ctx)
		switch {
		case s.closed.Load():
			s.end = io.EOF
		case err == nil && e != nil:
			return e, nil
		case err == nil:
		case ctx.Err() != nil && errors.Is(err, ctx.Err()):
			return nil, err
		default:
			s.end = err
		}
	}
	return nil, s.end
}

// next reads one frame. It returns nil for one that holds no event.
func (s *stream) next(ctx context.Context) (api.Event, error) {
	if !s.in.ready() {
		stop := s.until(ctx)
		defer stop()
	}
	r, err := s.read(ctx)
	if err != nil {
		return nil, failed(s.op.Name, err)
	}
	var p carried
	if r.Params != nil {
		if err := json.Unmarshal(r.Params, &p); err != nil {
			return nil, fmt.Errorf("read %q: %w", r.Method, err)
		}
	}
	switch {
	case r.Method == s.op.Message:
		return api.DecodeEvent(p.Event)
	case r.Method == of(s.op, "end") && p.Error == nil:
		return nil, io.EOF
	case r.Method == of(s.op, "end"):
		return nil, p.Error.err()
	case r.Error != nil:
		return nil, failed(s.op.Name, fmt.Errorf("%w: %w", ErrLost, r.Error.err()))
	}
	return nil, nil
}

// Close ends the stream; Next returns io.EOF.
func (s *stream) Close() {
	s.closed.Store(true)
	s.nc.Close()
}
