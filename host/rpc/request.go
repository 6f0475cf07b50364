package rpc

import (
	"bytes"
	"errors"
	"io"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/prochost/prochost/host/api"
	"github.com/prochost/prochost/notify/spell"
)

// request is what a client asks.
type request struct {
	id     jsontext.Value // a string or a number; nil: it wants no answer
	method string
	params jsontext.Value // an object, part of the frame; nil: none
}

// maxID is how long an id may be, in bytes: it is remembered as long as the request.
const maxID = 256

// maxMembers is how many members of an object are looked at for its id when something is wrong with it.
const maxMembers = 16

// members are the keys of a request.
var members = []string{"jsonrpc", "id", "method", "params"}

// parse reads a request. With an error the id is that of the frame, if it came before what is wrong.
func parse(frame []byte) (request, *api.Error) {
	var (
		r       request
		version string
		d       = jsontext.NewDecoder(bytes.NewBuffer(frame))
	)
	switch d.PeekKind() {
	case '{':
	case '[':
		return r, api.Refuse(api.ReasonRequest, "a batch is not served: send one request per line")
	default:
		if v, err := d.ReadValue(); err != nil {
			return r, syntax(err)
		} else {
			return r, api.Refuse(api.ReasonRequest, "a request is an object, and this is %s", kindName(v.Kind()))
		}
	}
	if _, err := d.ReadToken(); err != nil {
		return r, syntax(err)
	}
	var fault *api.Error
	for n := 0; d.PeekKind() != '}'; n++ {
		name, err := d.ReadToken()
		if err != nil {
			return r, syntax(err)
		}
		key := name.String()
		v, err := d.ReadValue()
		if err != nil {
			return r, syntax(err)
		}
		end := d.InputOffset()
		if wrong := r.set(key, frame[end-int64(len(v)):end], &version); fault == nil {
			fault = wrong // the id may follow
		}
		if n == maxMembers {
			return r, fault
		}
	}
	if fault != nil {
		return r, fault
	}
	if _, err := d.ReadToken(); err != nil {
		return r, syntax(err)
	}
	if _, err := d.ReadToken(); !errors.Is(err, io.EOF) {
		if err == nil {
			err = errors.New("something follows the request")
		}
		return r, syntax(err)
	}
	switch {
	case version != "2.0":
		return r, wrong("jsonrpc", `must be "2.0"`)
	case r.method == "":
		return r, wrong("method", "must name an operation")
	}
	return r, nil
}

// set takes in one member.
func (r *request) set(key string, v jsontext.Value, version *string) *api.Error {
	switch key {
	case "jsonrpc":
		*version = text(v)
	case "id":
		if k := v.Kind(); k != '"' && k != '0' || len(v) > maxID {
			return wrong("id", "must be a string or a number, of at most %d bytes", maxID)
		}
		r.id = v.Clone() // the frame goes before the request does
	case "method":
		r.method = text(v)
	case "params":
		if v.Kind() != '{' {
			return wrong("params", "must be an object: parameters have names")
		}
		r.params = v
	default:
		return unknown(api.ReasonRequest, key, key, members)
	}
	return nil
}

// text returns the string v, "" if it is none.
func text(v jsontext.Value) string {
	if v.Kind() != '"' {
		return ""
	}
	b, err := jsontext.AppendUnquote(nil, v)
	if err != nil {
		return ""
	}
	return string(b)
}

func wrong(field, format string, args ...any) *api.Error {
	e := api.Refuse(api.ReasonRequest, field+" "+format, args...)
	e.Field = field
	return e
}

// unknown refuses the key at field and names the one of known that was meant.
func unknown(reason api.Reason, key, field string, known []string) *api.Error {
	e := api.Refuse(reason, "unknown field %s", quote(key))
	e.Field = cut(field)
	if near := spell.Nearest(key, known); near != "" {
		e.Message += "; did you mean " + quote(near) + "?"
		e.Names = []string{near}
	}
	return e
}

// syntax words what is wrong with a frame that is not JSON.
func syntax(err error) *api.Error {
	var s *jsontext.SyntacticError
	if !errors.As(err, &s) {
		return api.Refuse(api.ReasonSyntax, "read a frame: %v", err)
	}
	if errors.Is(s.Err, jsontext.ErrDuplicateName) {
		reason, at := api.ReasonRequest, s.JSONPointer
		if inside, ok := strings.CutPrefix(string(at), "/params"); ok && inside != "" {
			reason, at = api.ReasonInvalid, jsontext.Pointer(inside)
		}
		e := api.Refuse(reason, "the field %s is there twice", quote(fieldPath(at)))
		e.Field = fieldPath(at)
		return e
	}
	return api.Refuse(api.ReasonSyntax, "read a frame: %s, at byte %d", cut(s.Err.Error()), s.ByteOffset)
}
