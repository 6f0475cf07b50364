package rpc

import (
	"context"
	"io"
	"sync/atomic"

	"github.com/prochost/prochost/host/api"
)

// fake is a service of which a test supplies what it is about. What it does not supply panics.
type fake struct {
	api.Service
	list  func(context.Context, api.ListIn) ([]api.Info, error)
	stop  func(context.Context, api.StopIn) (api.StopOut, error)
	wait  func(context.Context, api.WaitIn) (api.WaitOut, error)
	start func(context.Context, api.StartIn) (api.Info, error)
	event func(context.Context, api.EventsIn) (api.Stream, error)
	logs  func(context.Context, api.LogsIn) (api.Stream, error)
	info  api.HostInfo
}

func (f *fake) List(ctx context.Context, in api.ListIn) ([]api.Info, error) {
	if f.list == nil {
		return nil, nil
	}
	return f.list(ctx, in)
}

func (f *fake) Stop(ctx context.Context, in api.StopIn) (api.StopOut, error) { return f.stop(ctx, in) }

func (f *fake) Start(ctx context.Context, in api.StartIn) (api.Info, error) {
	if f.start == nil {
		return api.Info{Name: in.Name}, nil
	}
	return f.start(ctx, in)
}

// Wait waits for its end, unless the test says otherwise.
func (f *fake) Wait(ctx context.Context, in api.WaitIn) (api.WaitOut, error) {
	if f.wait == nil {
		<-ctx.Done()
		return api.WaitOut{}, ctx.Err()
	}
	return f.wait(ctx, in)
}

func (f *fake) Events(ctx context.Context, in api.EventsIn) (api.Stream, error) {
	return f.event(ctx, in)
}

func (f *fake) Logs(ctx context.Context, in api.LogsIn) (api.Stream, error) { return f.logs(ctx, in) }

func (f *fake) HostInfo(context.Context, api.HostInfoIn) (api.HostInfo, error) {
	info := f.info
	if info.Protocol == 0 {
		info.Protocol = api.Protocol
	}
	return info, nil
}

func (f *fake) HostShutdown(context.Context, api.HostShutdownIn) (api.HostShutdownOut, error) {
	return api.HostShutdownOut{Stopped: 3}, nil
}

// counting is a stream of numbered events, and then waits or ends.
type counting struct {
	upTo   int64
	end    error // nil: it waits
	text   string
	taken  atomic.Int64
	closed atomic.Bool
}

func (s *counting) Next(ctx context.Context) (api.Event, error) {
	if n := s.taken.Load(); n < s.upTo {
		s.taken.Add(1)
		return api.NewOutput(api.Output{ID: "proc_1", Line: n + 1, Text: s.text}), nil
	}
	if s.end != nil {
		return nil, s.end
	}
	<-ctx.Done()
	return nil, ctx.Err()
}

func (s *counting) Close() { s.closed.Store(true) }

// script is a stream of given events.
type script struct{ events []api.Event }

func (s *script) Next(context.Context) (api.Event, error) {
	if len(s.events) == 0 {
		return nil, io.EOF
	}
	e := s.events[0]
	s.events = s.events[1:]
	return e, nil
}

func (s *script) Close() {}
