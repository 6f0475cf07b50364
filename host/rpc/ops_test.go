package rpc

import (
	"context"
	"fmt"
	"io"
	"reflect"
	"sync"
	"testing"

	"github.com/prochost/prochost/host/api"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// recorder is a service that remembers what it was asked, and answers with values in which nothing is zero.
type recorder struct {
	mu     sync.Mutex // guards what follows
	method string
	in     any
	caller api.Caller
}

func (r *recorder) note(ctx context.Context, method string, in any) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.method, r.in, r.caller = method, in, api.CallerOf(ctx)
}

func record[Out any](r *recorder, ctx context.Context, method string, in any) (Out, error) {
	r.note(ctx, method, in)
	var out Out
	fill(reflect.ValueOf(&out).Elem(), new(int))
	if info, ok := any(&out).(*api.HostInfo); ok {
		info.Protocol = api.Protocol
	}
	return out, nil
}

// fill gives every part of v a value of its own.
func fill(v reflect.Value, n *int) {
	*n++
	switch v.Kind() {
	case reflect.String:
		v.SetString(fmt.Sprintf("text %d", *n))
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Int, reflect.Int64:
		v.SetInt(int64(*n))
	case reflect.Uint8, reflect.Uint64:
		v.SetUint(uint64(*n))
	case reflect.Float64:
		v.SetFloat(float64(*n) + 0.5)
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fill(v.Elem(), n)
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 2, 2))
		fill(v.Index(0), n)
		fill(v.Index(1), n)
	case reflect.Map:
		v.Set(reflect.MakeMap(v.Type()))
		key, value := reflect.New(v.Type().Key()).Elem(), reflect.New(v.Type().Elem()).Elem()
		fill(key, n)
		fill(value, n)
		v.SetMapIndex(key, value)
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).Tag.Get("json") != "-" {
				fill(v.Field(i), n)
			}
		}
	default:
		panic(fmt.Sprintf("no values of %v", v.Type()))
	}
}

func TestEveryOperationThroughTheSocket(t *testing.T) {
	bubble(t, func(t *testing.T) {
		far := new(recorder)
		c := newRig(t, far).client(api.HostInfoIn{Client: "test", Session: "s1"})
		for _, o := range api.Ops {
			in := o.In()
			fill(reflect.ValueOf(in).Elem(), new(int))
			near := new(recorder)
			want, err := o.Call(t.Context(), near, in)
			require.NoError(t, err)

			got, err := o.Call(t.Context(), c, in)
			require.NoError(t, err, o.Name)
			assert.Equal(t, want, got, "result of %s", o.Name)
			assert.Equal(t, near.method, far.method, "method behind %s", o.Name)
			assert.Equal(t, near.in, far.in, "input of %s", o.Name)
			if o.Name != helloMethod { // which says anew who asks
				assert.Equal(t, "test", far.caller.Client, o.Name)
				assert.Equal(t, "s1", far.caller.Session, o.Name)
			} else {
				c = newRig(t, far).client(api.HostInfoIn{Client: "test", Session: "s1"})
			}
		}
	})
}

func TestEveryStreamThroughTheSocket(t *testing.T) {
	bubble(t, func(t *testing.T) {
		far := new(recorder)
		c := newRig(t, far).client(api.HostInfoIn{Client: "test"})
		for _, o := range api.Streams {
			in := o.In()
			fill(reflect.ValueOf(in).Elem(), new(int))
			near := new(recorder)
			_, err := o.Start(t.Context(), near, in)
			require.NoError(t, err)

			s, err := o.Start(t.Context(), c, in)
			require.NoError(t, err, o.Name)
			assert.Equal(t, near.method, far.method)
			assert.Equal(t, near.in, far.in)
			assert.Equal(t, "test", far.caller.Client)
			for _, want := range everyEvent() {
				got, err := s.Next(t.Context())
				require.NoError(t, err)
				assert.Equal(t, want, got)
			}
			for range 2 {
				_, err = s.Next(t.Context())
				assert.Equal(t, io.EOF, err)
			}
			s.Close()
		}
	})
}

// everyEvent is one event of each type, with nothing in it that is zero.
func everyEvent() []api.Event {
	var all []api.Event
	for _, e := range []api.Event{
		new(api.Started), new(api.Output), new(api.Changed), new(api.Ended), new(api.Notified), new(api.RecipeLoaded),
		new(api.Trouble), new(api.HostState), new(api.Snapshot), new(api.Lagged),
	} {
		fill(reflect.ValueOf(e).Elem(), new(int))
		all = append(all, e)
	}
	for i, word := range []string{"started", "output", "changed", "ended", "notification", "recipe", "trouble", "host", "snapshot", "lagged"} {
		all[i].Head().Type = word
	}
	return all
}

func TestEveryTypeOfEventIsTried(t *testing.T) {
	var words []string
	for _, e := range everyEvent() {
		words = append(words, e.Head().Type)
	}
	assert.ElementsMatch(t, api.EventTypes(), words)
}

func TestWhatAnyProtocolUnderstandsExists(t *testing.T) {
	for _, name := range anyProtocol {
		assert.Contains(t, methods(), name)
	}
}

func (r *recorder) Start(ctx context.Context, in api.StartIn) (api.Info, error) {
	return record[api.Info](r, ctx, "Start", in)
}

func (r *recorder) List(ctx context.Context, in api.ListIn) ([]api.Info, error) {
	return record[[]api.Info](r, ctx, "List", in)
}

func (r *recorder) Get(ctx context.Context, in api.Ref) (*api.Info, error) {
	return record[*api.Info](r, ctx, "Get", in)
}

func (r *recorder) Output(ctx context.Context, in api.OutputIn) (api.OutputOut, error) {
	return record[api.OutputOut](r, ctx, "Output", in)
}

func (r *recorder) CombinedOutput(ctx context.Context, in api.TailIn) ([]api.CombinedLine, error) {
	return record[[]api.CombinedLine](r, ctx, "CombinedOutput", in)
}

func (r *recorder) LogFiles(ctx context.Context, in api.Ref) (api.LogFiles, error) {
	return record[api.LogFiles](r, ctx, "LogFiles", in)
}

func (r *recorder) FileSize(ctx context.Context, in api.Ref) (api.FileSize, error) {
	return record[api.FileSize](r, ctx, "FileSize", in)
}

func (r *recorder) Write(ctx context.Context, in api.WriteIn) (api.WriteOut, error) {
	return record[api.WriteOut](r, ctx, "Write", in)
}

func (r *recorder) Update(ctx context.Context, in api.UpdateIn) (api.UpdateOut, error) {
	return record[api.UpdateOut](r, ctx, "Update", in)
}

func (r *recorder) Signal(ctx context.Context, in api.SignalIn) (api.Info, error) {
	return record[api.Info](r, ctx, "Signal", in)
}

func (r *recorder) Release(ctx context.Context, in api.Ref) (api.Info, error) {
	return record[api.Info](r, ctx, "Release", in)
}

func (r *recorder) Kill(ctx context.Context, in api.KillIn) (api.StopOut, error) {
	return record[api.StopOut](r, ctx, "Kill", in)
}

func (r *recorder) Stop(ctx context.Context, in api.StopIn) (api.StopOut, error) {
	return record[api.StopOut](r, ctx, "Stop", in)
}

func (r *recorder) Restart(ctx context.Context, in api.RestartIn) (api.Info, error) {
	return record[api.Info](r, ctx, "Restart", in)
}

func (r *recorder) Clear(ctx context.Context, in api.ClearIn) (api.ClearOut, error) {
	return record[api.ClearOut](r, ctx, "Clear", in)
}

func (r *recorder) Wait(ctx context.Context, in api.WaitIn) (api.WaitOut, error) {
	return record[api.WaitOut](r, ctx, "Wait", in)
}

func (r *recorder) Why(ctx context.Context, in api.Ref) (api.WhyOut, error) {
	return record[api.WhyOut](r, ctx, "Why", in)
}

func (r *recorder) Usage(ctx context.Context, in api.UsageIn) ([]api.Usage, error) {
	return record[[]api.Usage](r, ctx, "Usage", in)
}

func (r *recorder) RecipeReload(ctx context.Context, in api.RecipeReloadIn) (api.RecipeLoaded, error) {
	return record[api.RecipeLoaded](r, ctx, "RecipeReload", in)
}

func (r *recorder) RecipeStatus(ctx context.Context, in api.Nothing) (api.RecipeStatus, error) {
	return record[api.RecipeStatus](r, ctx, "RecipeStatus", in)
}

func (r *recorder) SessionOpen(ctx context.Context, in api.SessionOpenIn) (api.Session, error) {
	return record[api.Session](r, ctx, "SessionOpen", in)
}

func (r *recorder) SessionClose(ctx context.Context, in api.SessionRef) (api.SessionCloseOut, error) {
	return record[api.SessionCloseOut](r, ctx, "SessionClose", in)
}

func (r *recorder) SessionList(ctx context.Context, in api.Nothing) ([]api.Session, error) {
	return record[[]api.Session](r, ctx, "SessionList", in)
}

func (r *recorder) InboxTake(ctx context.Context, in api.InboxTakeIn) (api.InboxTakeOut, error) {
	return record[api.InboxTakeOut](r, ctx, "InboxTake", in)
}

func (r *recorder) InboxAck(ctx context.Context, in api.InboxAckIn) (api.InboxAckOut, error) {
	return record[api.InboxAckOut](r, ctx, "InboxAck", in)
}

func (r *recorder) HostInfo(ctx context.Context, in api.HostInfoIn) (api.HostInfo, error) {
	return record[api.HostInfo](r, ctx, "HostInfo", in)
}

func (r *recorder) HostShutdown(ctx context.Context, in api.HostShutdownIn) (api.HostShutdownOut, error) {
	return record[api.HostShutdownOut](r, ctx, "HostShutdown", in)
}

func (r *recorder) Events(ctx context.Context, in api.EventsIn) (api.Stream, error) {
	r.note(ctx, "Events", in)
	return &script{everyEvent()}, nil
}

func (r *recorder) Logs(ctx context.Context, in api.LogsIn) (api.Stream, error) {
	r.note(ctx, "Logs", in)
	return &script{everyEvent()}, nil
}
