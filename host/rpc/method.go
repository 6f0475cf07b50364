package rpc

import (
	"context"
	"maps"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/prochost/prochost/host/api"
	"github.com/prochost/prochost/notify/spell"
)

// method is what a request may name.
type method struct {
	in   func() any // a pointer to be filled with the parameters
	call func(ctx context.Context, c *conn, in any) (any, error)
	// control is carried out at once, however much is under way.
	control bool
}

const cancelMethod = "$/cancel"

// methods are the rows of package api, and what ends them.
func methods() map[string]method {
	all := map[string]method{
		cancelMethod: {
			in: func() any { return new(cancelIn) }, control: true,
			call: func(_ context.Context, c *conn, in any) (any, error) { return nil, c.cancel(in.(*cancelIn).ID) },
		},
	}
	for _, o := range api.Ops {
		all[o.Name] = method{in: o.In, call: func(ctx context.Context, c *conn, in any) (any, error) {
			return o.Call(ctx, c.server.service, in)
		}}
	}
	for _, o := range api.Streams {
		all[o.Name] = method{in: o.In, call: func(ctx context.Context, c *conn, in any) (any, error) {
			return c.subscribe(ctx, o, in)
		}}
		all[of(o, "unsubscribe")] = method{
			in: func() any { return new(subscription) }, control: true,
			call: func(_ context.Context, c *conn, in any) (any, error) {
				return nil, c.unsubscribe(o, in.(*subscription).ID)
			},
		}
	}
	return all
}

// cancelIn names a request that nobody waits for.
type cancelIn struct {
	ID jsontext.Value `json:"id"`
}

// of returns the method verb of the same noun as a stream.
func of(o api.StreamOp, verb string) string {
	noun, _, _ := strings.Cut(o.Name, ".")
	return noun + "." + verb
}

func unknownMethod(name string, known map[string]method) *api.Error {
	e := api.Refuse(api.ReasonMethod, "unknown method %s", quote(name))
	if near := spell.Nearest(name, slices.Collect(maps.Keys(known))); near != "" {
		e.Message += "; did you mean " + quote(near) + "?"
		e.Names = []string{near}
	}
	return e
}

// anyProtocol lists what host and client of different protocols understand of each other.
var anyProtocol = []string{"host.info", "process.list", "process.stop", "host.shutdown"}
