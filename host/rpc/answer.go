package rpc

import (
	"context"
	"errors"
	"fmt"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	jsonv1 "github.com/go-json-experiment/json/v1"
	"github.com/prochost/prochost/host/api"
)

// encoding is how values are written: as encoding/json does, but an absent list is an empty one. What processes write
// need not be UTF-8, so what is not is replaced.
var encoding = json.JoinOptions(
	jsontext.AllowInvalidUTF8(true), jsonv1.OmitEmptyWithLegacySemantics(true), json.Deterministic(true),
)

// result, failure and message are the frames of a host.
type result struct {
	Version string         `json:"jsonrpc"`
	ID      jsontext.Value `json:"id"`
	Result  any            `json:"result"`
}

type failure struct {
	Version string         `json:"jsonrpc"`
	ID      jsontext.Value `json:"id"`
	Error   wireError      `json:"error"`
}

type message struct {
	Version string `json:"jsonrpc"`
	Method  string `json:"method"`
	Params  any    `json:"params"`
}

type wireError struct {
	Code    int        `json:"code"`
	Message string     `json:"message"`
	Data    *api.Error `json:"data"`
}

// answer returns the frame that answers the request id.
func answer(id jsontext.Value, out any, err error) []byte {
	if id == nil {
		id = jsontext.Value("null")
	}
	if err != nil {
		return refusal(id, refused(err))
	}
	b, err := json.Marshal(result{"2.0", id, out}, encoding)
	switch {
	case err != nil:
		return refusal(id, api.Refuse(api.ReasonInternal, "write the answer: %v", err))
	case len(b) >= maxAnswer:
		return refusal(id, api.Refuse(api.ReasonInternal, "the answer has %d bytes, and at most %d can be sent; ask for less", len(b), maxAnswer))
	}
	return append(b, '\n')
}

func refusal(id jsontext.Value, e *api.Error) []byte {
	b, err := json.Marshal(failure{"2.0", id, wireError{e.Code(), e.Message, e}}, encoding)
	if err != nil {
		panic(fmt.Sprintf("an error that cannot be written: %v", err)) // it is made of strings
	}
	return append(b, '\n')
}

// notification returns the frame of a message that nobody answers.
func notification(method string, params any) ([]byte, error) {
	b, err := json.Marshal(message{"2.0", method, params}, encoding)
	return append(b, '\n'), err
}

// refused returns err as clients get to see it.
func refused(err error) *api.Error {
	var e *api.Error
	switch {
	case errors.As(err, &e):
		return e
	case errors.Is(err, context.Canceled):
		return api.Refuse(api.ReasonCancelled, "cancelled")
	}
	return api.Refuse(api.ReasonInternal, "%v", err)
}
