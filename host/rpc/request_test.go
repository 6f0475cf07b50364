package rpc

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestParse(t *testing.T) {
	r, fault := parse([]byte(` {"method":"process.get", "params" : {"id":"api"} ,"id":7,"jsonrpc":"2.0"} `))
	require.Nil(t, fault)
	assert.Equal(t, "7", string(r.id))
	assert.Equal(t, "process.get", r.method)
	assert.Equal(t, `{"id":"api"}`, string(r.params))

	r, fault = parse([]byte(`{"jsonrpc":"2.0","method":"\u0070rocess.get"}`))
	require.Nil(t, fault)
	assert.Nil(t, r.id)
	assert.Nil(t, r.params)
	assert.Equal(t, "process.get", r.method)
}

func TestParseRefuses(t *testing.T) {
	deep := strings.Repeat("[", 20_000) + strings.Repeat("]", 20_000)
	many := strings.Repeat(`"a":1,`, 3)
	var long strings.Builder
	for i := range 5_000 {
		fmt.Fprintf(&long, `"k%d":1,`, i)
	}
	for _, tt := range []struct{ in, id, want string }{
		{`garbage`, "", "syntax: read a frame: invalid character 'g' at start of value, at byte 0"},
		{"\x00\xff\xfe", "", `syntax: read a frame: invalid character '\x00' at start of value, at byte 0`},
		{`{"jsonrpc":"2.0","id":1,"method":"process.list"`, "1", "syntax: read a frame: unexpected EOF, at byte 47"},
		{`{"jsonrpc":"2.0","id":1,"method":"process.list"} {}`, "1", "syntax: read a frame: something follows the request"},
		{`{"jsonrpc":"2.0","id":1,"method":"process.list"}}`, "1", "syntax: read a frame: invalid character '}' at start of value, at byte 48"},
		{"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"\xff\"}", "1", "syntax: read a frame: invalid UTF-8, at byte 34"},
		{`{"jsonrpc":"2.0","id":1,"method":"\ud800"}`, "1", "syntax: read a frame: invalid surrogate pair `\\ud800\"}` in string, at byte 34"},
		{`{"jsonrpc":"2.0","id":1,"params":` + deep + `}`, "1", "syntax: read a frame: exceeded max depth, at byte 10032"},
		{deep, "", "request: a batch is not served: send one request per line"},
		{`[` + ping + `]`, "", "request: a batch is not served: send one request per line"},
		{`[]`, "", "request: a batch is not served: send one request per line"},
		{`"process.list"`, "", "request: a request is an object, and this is a string"},
		{`null`, "", "request: a request is an object, and this is null"},
		{`{}`, "", `request: jsonrpc must be "2.0"`},
		{`{"jsonrpc":2.0,"id":1,"method":"process.list"}`, "1", `request: jsonrpc must be "2.0"`},
		{`{"jsonrpc":"1.0","id":1,"method":"process.list"}`, "1", `request: jsonrpc must be "2.0"`},
		{`{"jsonrpc":"2.0","id":1}`, "1", "request: method must name an operation"},
		{`{"jsonrpc":"2.0","id":1,"method":["process.list"]}`, "1", "request: method must name an operation"},
		{`{"jsonrpc":"2.0","id":null,"method":"process.list"}`, "", "request: id must be a string or a number, of at most 256 bytes"},
		{`{"jsonrpc":"2.0","id":{},"method":"process.list"}`, "", "request: id must be a string or a number, of at most 256 bytes"},
		{`{"jsonrpc":"2.0","id":"` + strings.Repeat("x", 255) + `","method":"process.list"}`, "", "request: id must be a string or a number, of at most 256 bytes"},
		{`{"jsonrpc":"2.0","id":1,"method":"process.list","params":[1]}`, "1", "request: params must be an object: parameters have names"},
		{`{"jsonrpc":"2.0","id":1,"method":"process.list","params":null}`, "1", "request: params must be an object: parameters have names"},
		{`{"jsonrpc":"2.0","METHOD":"process.list","id":1}`, "1", `request: unknown field "METHOD"; did you mean "method"?`},
		{`{"jsonrpc":"2.0","id":1,"result":{}}`, "1", `request: unknown field "result"`},
		{`{"id":1,"jsonrpc":"2.0","id":1,"method":"process.list"}`, "1", `request: the field "id" is there twice`},
		{`{"jsonrpc":"2.0","id":1,"method":"process.get","params":{"id":"a","id":"b"}}`, "1", `invalid: the field "id" is there twice`},
		{`{"jsonrpc":"2.0","id":1,"method":"process.get","params":{"env":{"A":"a","\u0041":"b"}}}`, "1", `invalid: the field "env.A" is there twice`},
		{`{"id":1,` + many + `"jsonrpc":"2.0"}`, "1", `request: the field "a" is there twice`},
		{`{"id":1,` + long.String() + `"jsonrpc":"2.0"}`, "1", `request: unknown field "k0"`},
		{`{"` + strings.Repeat("x", 1<<20) + `":1}`, "", `request: unknown field "` + strings.Repeat("x", maxQuoted) + `…"`},
		{`{"` + strings.Repeat("ä", 1<<10) + `":1,"` + strings.Repeat("ä", 1<<10) + `":1}`, "", `request: the field "` + strings.Repeat("ä", maxQuoted/2) + `…" is there twice`},
	} {
		shown := tt.in[:min(len(tt.in), 60)]
		r, fault := parse([]byte(tt.in))
		if assert.NotNil(t, fault, shown) {
			assert.Equal(t, tt.want, string(fault.Reason)+": "+fault.Message, shown)
			assert.Equal(t, tt.id, string(r.id), shown)
		}
	}
}

// FuzzParse compares what parse accepts with what it was made from.
func FuzzParse(f *testing.F) {
	for _, s := range []string{ping, `{"jsonrpc":"2.0","method":"$/cancel","params":{"id":1}}`, `{"a":1,"a":2}`, "[]", "{", `{"id":1e5,"params":{"x":[{}]}}`} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, in []byte) {
		r, fault := parse(in)
		if fault != nil {
			if len(fault.Message) > 4*maxQuoted || fault.Reason == "" {
				t.Fatalf("parse(%q) says %q", in, fault.Message)
			}
			return
		}
		back := `{"jsonrpc":"2.0","method":` + string(must(jsonText(r.method)))
		if r.id != nil {
			back += `,"id":` + string(r.id)
		}
		if r.params != nil {
			back += `,"params":` + string(r.params)
		}
		again, fault := parse([]byte(back + "}"))
		if fault != nil || string(again.id) != string(r.id) || again.method != r.method || string(again.params) != string(r.params) {
			t.Fatalf("parse(%q) = %v %v, and %q gives %v", in, r, fault, back, again)
		}
	})
}
