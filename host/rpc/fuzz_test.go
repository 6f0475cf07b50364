package rpc

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
	"net"
	"slices"
	"testing"
)

// FuzzServer sends a server whatever there is, in pieces, and sees to it that each line has at most one answer, that
// nothing else is said but JSON-RPC, and that both ends come to an end.
func FuzzServer(f *testing.F) {
	for _, s := range []string{
		ping + "\n", subscribe + "\n" + ping + "\n", "garbage\n[]\n{}\n",
		`{"jsonrpc":"2.0","id":1,"method":"process.start","params":{"env":{"A":"b"},"notify":{"logMatches":[{"pattern":"x"}]}}}` + "\n",
		`{"jsonrpc":"2.0","method":"$/cancel","params":{"id":1}}` + "\n" + `{"jsonrpc":"2.0","id":"x","method":"host.info","params":{"protocol":2}}` + "\n" + ping + "\n",
	} {
		f.Add([]byte(s), uint8(7))
	}
	f.Fuzz(func(t *testing.T, in []byte, piece uint8) {
		l := defaults()
		l.request, l.running, l.streams = 4096, 4, 2
		s := newServer(new(recorder), func(message string) { t.Error(message) }, l)
		far, near := net.Pipe()
		served := make(chan struct{})
		go func() { s.ServeConn(near); close(served) }()
		answers := make(chan int)
		go func() { answers <- count(t, far) }()
		const last = "\n" + `{"jsonrpc":"2.0","id":"last","method":"host.info"}` + "\n"
		for rest := slices.Concat(in, []byte(last)); len(rest) > 0; {
			n := min(len(rest), int(piece)+1)
			if _, err := far.Write(rest[:n]); err != nil {
				break
			}
			rest = rest[n:]
		}
		n := <-answers
		far.Close()
		<-served
		if lines := bytes.Count(in, []byte("\n")) + 2; n > lines {
			t.Fatalf("%d answers to %d lines", n, lines)
		}
		if s.requests.used.Load() != 0 || len(s.large) != 0 || len(s.conns) != 0 {
			t.Fatal("something is still held")
		}
	})
}

// count reads frames up to the answer to the last request, if it comes, and returns how many are answers.
func count(t *testing.T, r io.Reader) (answers int) {
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var a struct {
			Version string           `json:"jsonrpc"`
			ID      *json.RawMessage `json:"id"`
			Result  *json.RawMessage `json:"result"`
			Error   *wireError       `json:"error"`
			Method  string           `json:"method"`
		}
		if err := json.Unmarshal(lines.Bytes(), &a); err != nil || a.Version != "2.0" {
			t.Errorf("said %q", lines.Text())
		}
		if a.Method == "" {
			answers++
		}
		if a.ID != nil && string(*a.ID) == `"last"` {
			break
		}
	}
	go io.Copy(io.Discard, r)
	return answers
}
