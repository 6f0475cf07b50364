package rpc

import (
	"strings"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/prochost/prochost/host/api"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func jsonText(v any) ([]byte, error) { return json.Marshal(v) }

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

func TestDecodeNamesTheField(t *testing.T) {
	for _, tt := range []struct{ in, field, want string }{
		{`{"nam":"x"}`, "nam", `unknown field "nam"; did you mean "name"?`},
		{`{"NAME":"x"}`, "NAME", `unknown field "NAME"; did you mean "name"?`},
		{`{"colour":"x"}`, "colour", `unknown field "colour"`},
		{`{"notify":{"onFailur":"turn"}}`, "notify.onFailur", `unknown field "onFailur"; did you mean "onFailure"?`},
		{`{"notify":{"logMatches":[{"pattern":"x"},{"pattern":"y","regex":true}]}}`, "notify.logMatches[1].regex", `unknown field "regex"`},
		{`{"` + strings.Repeat("x", 100_000) + `":1}`, strings.Repeat("x", maxQuoted) + "…", `unknown field "` + strings.Repeat("x", maxQuoted) + `…"`},
		{`{"name":1}`, "name", "name: want a string, got a number"},
		{`{"argv":"ls -l"}`, "argv", "argv: want a list, got a string"},
		{`{"argv":["ls",1]}`, "argv[1]", "argv[1]: want a string, got a number"},
		{`{"keep":"yes"}`, "keep", "keep: want true or false, got a string"},
		{`{"env":{"A":1}}`, "env.A", "env.A: want a string, got a number"},
		{`{"env":["A=1"]}`, "env", "env: want an object, got a list"},
		{`{"notify":false}`, "notify", "notify: want an object, got false"},
	} {
		fault := decode(jsontext.Value(tt.in), new(api.StartIn), false)
		if assert.NotNil(t, fault, "%.60s", tt.in) {
			assert.Equal(t, api.ReasonInvalid, fault.Reason)
			assert.Equal(t, tt.want, fault.Message)
			assert.Equal(t, tt.field, fault.Field)
		}
	}
	for _, tt := range []struct{ in, want string }{
		{`{"tailLines":1.5}`, "tailLines: want a whole number, got 1.5"},
		{`{"tailLines":"all"}`, "tailLines: want a whole number, got a string"},
		{`{"tailLines":99999999999999999999}`, "tailLines: want a whole number, got 99999999999999999999"},
	} {
		fault := decode(jsontext.Value(tt.in), new(api.OutputIn), false)
		if assert.NotNil(t, fault, tt.in) {
			assert.Equal(t, tt.want, fault.Message)
		}
	}
	fault := decode(jsontext.Value(`{"since":-1}`), new(api.EventsIn), false)
	require.NotNil(t, fault)
	assert.Equal(t, "since: want a whole number that is not negative, got -1", fault.Message)
}

func TestDecode(t *testing.T) {
	in := new(api.StartIn)
	assert.Nil(t, decode(nil, in, false))
	assert.Nil(t, decode(jsontext.Value(`{"name":"api","notify":{"onSuccess":"turn"}}`), in, false))
	assert.Equal(t, &api.StartIn{Name: "api", Notify: &api.NotifyIn{OnSuccess: "turn"}}, in)

	lenient := new(api.StopIn)
	assert.Nil(t, decode(jsontext.Value(`{"id":"api","gently":true}`), lenient, true), "of a later protocol")
	assert.Equal(t, "api", lenient.ID)
	assert.NotNil(t, decode(jsontext.Value(`{"id":7}`), lenient, true))
}
