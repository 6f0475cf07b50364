package api

import (
	"context"
	"encoding/json"
	"errors"
	"maps"
	"reflect"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// every is a Service of which each method says that it was called.
type every struct {
	Service
	called string
}

func (e *every) Start(_ context.Context, in StartIn) (Info, error) {
	e.called = "Start " + in.Name
	return Info{Name: in.Name}, nil
}

func (e *every) Logs(_ context.Context, in LogsIn) (Stream, error) {
	e.called = "Logs " + in.Pattern
	return nil, errors.New("none")
}

func TestOpsCallTheService(t *testing.T) {
	var s every
	for _, o := range Ops {
		if o.Name != "process.start" {
			continue
		}
		in := o.In()
		require.NoError(t, json.Unmarshal([]byte(`{"name":"api"}`), in))
		out, err := o.Call(t.Context(), &s, in)
		require.NoError(t, err)
		assert.Equal(t, Info{Name: "api"}, out)
		assert.Equal(t, "Start api", s.called)
	}
	for _, o := range Streams {
		if o.Name != "logs.subscribe" {
			continue
		}
		in := o.In()
		require.NoError(t, json.Unmarshal([]byte(`{"pattern":"panic"}`), in))
		_, err := o.Start(t.Context(), &s, in)
		assert.EqualError(t, err, "none")
		assert.Equal(t, "Logs panic", s.called)
	}
}

// Every method of Service is one operation: a method without a row cannot be reached by a client.
func TestEveryMethodHasARow(t *testing.T) {
	assert.Equal(t, reflect.TypeFor[Service]().NumMethod(), len(Ops)+len(Streams))
	names := map[string]bool{}
	for _, o := range Ops {
		assert.NotEmpty(t, o.Help, o.Name)
		assert.Regexp(t, `^[a-z]+\.[a-zA-Z]+$`, o.Name)
		assert.False(t, names[o.Name], o.Name)
		names[o.Name] = true
	}
	for _, o := range Streams {
		assert.NotEmpty(t, o.Help, o.Name)
		assert.Regexp(t, `^[a-z]+\.subscribe$`, o.Name)
		assert.NotEmpty(t, o.Message, o.Name)
		assert.False(t, names[o.Name], o.Name)
		names[o.Name] = true
	}
}

func TestEventsComeBackAsTheyWere(t *testing.T) {
	unseen := maps.Clone(kinds)
	pid, line := 7, Output{ID: "proc_1", Name: "api", Stream: "stdout", Line: 3, Text: "hi"}
	info := Info{ID: "proc_1", Name: "api", PID: &pid, Status: "running"}
	for _, e := range []Event{
		NewStarted(info), NewOutput(line), NewChanged(info), NewEnded(info, []Leftover{{PID: 9, Command: "sleep"}}),
		NewNotified(Notification{Number: 4, Kind: "crash"}), NewRecipe(RecipeLoaded{Path: "/p", OK: true}),
		NewTrouble("log", "full"), NewHostState("stopping", []string{"api"}),
		NewSnapshot(Snapshot{Processes: []Info{info}, Missed: true}), NewLagged(12),
	} {
		e.Head().Seq, e.Head().Time = 5, 6
		b, err := json.Marshal(e)
		require.NoError(t, err)
		got, err := DecodeEvent(b)
		require.NoError(t, err)
		assert.Equal(t, e, got)
		delete(unseen, e.Head().Type)
	}
	assert.Empty(t, unseen)
	for _, bad := range []string{`{"type":"other"}`, `[]`, `{"type":"started","process":7}`} {
		_, err := DecodeEvent([]byte(bad))
		assert.Error(t, err, bad)
	}
}

func TestErrorsHaveCodes(t *testing.T) {
	for _, r := range []Reason{
		ReasonInvalid, ReasonNotFound, ReasonAmbiguous, ReasonEnded, ReasonStdinClosed, ReasonClosing, ReasonRecipe, ReasonInternal,
		ReasonSyntax, ReasonRequest, ReasonMethod, ReasonBusy, ReasonVersion, ReasonForbidden, ReasonCancelled,
	} {
		assert.Contains(t, codes, r)
		assert.Equal(t, codes[r], Refuse(r, "x").Code())
	}
	assert.Equal(t, ReasonInvalid, ReasonOf(Invalid("timeoutMs", "must not be negative")))
	assert.EqualError(t, Invalid("timeoutMs", "must not be negative"), "timeoutMs: must not be negative")
	assert.Empty(t, ReasonOf(errors.New("x")))
}
