package rpc

import (
	"errors"
	"fmt"
	"reflect"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/prochost/prochost/host/api"
)

// decode fills in, a pointer, from the parameters of a request. Unless it is lenient, a key that is not known is refused.
func decode(params jsontext.Value, in any, lenient bool) *api.Error {
	if params == nil {
		return nil
	}
	err := json.Unmarshal(params, in, json.RejectUnknownMembers(!lenient))
	if err == nil {
		return nil
	}
	var s *json.SemanticError
	if !errors.As(err, &s) {
		return api.Refuse(api.ReasonInvalid, "read the parameters: %s", cut(err.Error()))
	}
	field := fieldPath(s.JSONPointer)
	if errors.Is(s.Err, json.ErrUnknownName) {
		return unknown(api.ReasonInvalid, s.JSONPointer.LastToken(), field, keys(s.GoType))
	}
	got := kindName(s.JSONKind)
	if len(s.JSONValue) > 0 {
		got = cut(string(s.JSONValue))
	}
	return api.Invalid(field, "want %s, got %s", typeName(s.GoType), got)
}

// keys returns the names of the members of a struct.
func keys(t reflect.Type) []string {
	if t == nil || t.Kind() != reflect.Struct {
		return nil
	}
	var names []string
	for _, f := range reflect.VisibleFields(t) {
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		if f.IsExported() && !f.Anonymous && name != "-" && name != "" {
			names = append(names, name)
		}
	}
	return names
}

// fieldPath writes a pointer as people do: notify.logMatches[0].on.
func fieldPath(p jsontext.Pointer) string {
	var b strings.Builder
	for token := range p.Tokens() {
		if _, err := strconv.ParseUint(token, 10, 32); err == nil {
			fmt.Fprintf(&b, "[%s]", token)
			continue
		}
		if b.Len() > 0 {
			b.WriteByte('.')
		}
		b.WriteString(token)
		if b.Len() > maxQuoted {
			break
		}
	}
	return cut(b.String())
}

// typeName says what a Go type takes in, in words of JSON.
func typeName(t reflect.Type) string {
	for t != nil && t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if t == nil {
		return "something else"
	}
	switch t.Kind() {
	case reflect.Bool:
		return "true or false"
	case reflect.String:
		return "a string"
	case reflect.Float32, reflect.Float64:
		return "a number"
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return "a whole number"
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return "a whole number that is not negative"
	case reflect.Slice, reflect.Array:
		return "a list"
	}
	return "an object"
}

// kindName names what stands in JSON.
func kindName(k jsontext.Kind) string {
	switch k {
	case 'n':
		return "null"
	case 't', 'f':
		return k.String()
	case '"':
		return "a string"
	case '0':
		return "a number"
	case '[':
		return "a list"
	}
	return "an object"
}

// maxQuoted is how much of what a client sent is repeated to it, in bytes.
const maxQuoted = 80

func quote(s string) string { return strconv.Quote(cut(s)) }

// cut shortens s for a message.
func cut(s string) string {
	if len(s) <= maxQuoted {
		return s
	}
	return strings.ToValidUTF8(s[:maxQuoted], "") + "…"
}
