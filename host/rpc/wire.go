package rpc

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"strconv"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/prochost/prochost/host/api"
)

// wire is a connection to a host that one goroutine at a time uses.
type wire struct {
	nc   net.Conn
	in   frames
	host api.HostInfo // as it has introduced itself
}

// query is a request of a client.
type query struct {
	Version string `json:"jsonrpc"`
	ID      uint64 `json:"id,omitzero"`
	Method  string `json:"method"`
	Params  any    `json:"params,omitzero"`
}

// reply is any frame of a host: an answer, or a message.
type reply struct {
	Version string         `json:"jsonrpc"`
	ID      jsontext.Value `json:"id"`
	Result  jsontext.Value `json:"result"`
	Error   *wireError     `json:"error"`
	Method  string         `json:"method"`
	Params  jsontext.Value `json:"params"`
}

// introduce is the handshake: it greets the host at the other end of nc. It closes nc if that fails.
func introduce(ctx context.Context, nc net.Conn, hello api.HostInfoIn) (*wire, error) {
	w := &wire{nc: nc, in: frames{r: nc, most: maxAnswer, size: smallFrame}}
	hello.Protocol = api.Protocol
	raw, err := w.exchange(ctx, helloMethod, hello)
	if err == nil {
		err = understand(helloMethod, raw, &w.host)
	}
	if err != nil {
		nc.Close()
		return nil, err
	}
	return w, nil
}

// exchange asks and waits for the answer. Nothing else is under way.
func (w *wire) exchange(ctx context.Context, method string, in any) (jsontext.Value, error) {
	frame, err := encodeQuery(query{"2.0", 1, method, in})
	if err != nil {
		return nil, err
	}
	stop := w.until(ctx)
	defer stop()
	if _, err := w.nc.Write(frame); err != nil && ctx.Err() != nil {
		return nil, ctx.Err()
	} // else there is an answer that says why: the host has closed the connection
	r, err := w.read(ctx)
	if err != nil {
		return nil, err
	}
	return r.outcome()
}

// until breaks off what is read and written when ctx is done, until stop is called.
func (w *wire) until(ctx context.Context) (stop func()) {
	stopped := make(chan struct{})
	cancel := context.AfterFunc(ctx, func() {
		w.nc.SetDeadline(time.Unix(1, 0))
		close(stopped)
	})
	return func() {
		if !cancel() {
			<-stopped
			w.nc.SetDeadline(time.Time{})
		}
	}
}

// read waits for the next frame. Its values are valid until the next one is read.
func (w *wire) read(ctx context.Context) (reply, error) {
	frame, err := w.in.next()
	if err != nil {
		return reply{}, broken(ctx, err)
	}
	return decodeReply(frame)
}

// broken says why nothing can be read.
func broken(ctx context.Context, err error) error {
	var long errTooLong
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.Is(err, io.EOF), errors.As(err, &long):
		return ErrLost
	}
	return fmt.Errorf("%w: %w", ErrLost, err)
}

func decodeReply(frame []byte) (reply, error) {
	var r reply
	if err := json.Unmarshal(frame, &r); err != nil {
		return reply{}, fmt.Errorf("what is there is no host: %s", cut(err.Error()))
	}
	return r, nil
}

// outcome returns what an answer says.
func (r reply) outcome() (jsontext.Value, error) {
	if r.Error == nil {
		return r.Result, nil
	}
	return nil, r.Error.err()
}

// number returns the id of an answer.
func (r reply) number() (uint64, bool) {
	n, err := strconv.ParseUint(string(r.ID), 10, 64)
	return n, err == nil
}

// err returns the error that the host meant.
func (e *wireError) err() error {
	out := e.Data
	if out == nil {
		out = &api.Error{Reason: api.ReasonInternal}
	}
	out.Message = e.Message
	return out
}

func encodeQuery(q query) ([]byte, error) {
	b, err := json.Marshal(q, encoding)
	if err != nil {
		return nil, fmt.Errorf("write the parameters of %q: %w", q.Method, err)
	}
	return append(b, '\n'), nil
}

// understand reads the result of a method. What a newer host adds to it is passed over.
func understand(method string, raw jsontext.Value, out any) error {
	if out == nil {
		return nil
	}
	if err := json.Unmarshal(raw, out); err != nil {
		return fmt.Errorf("read the answer to %q: %w", method, err)
	}
	return nil
}
