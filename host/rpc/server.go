package rpc

import (
	"context"
	"net"
	"runtime/debug"
	"sync"
	"time"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/prochost/prochost/host/api"
)

var null = jsontext.Value("null")

// Server offers a service to clients.
type Server struct {
	service api.Service
	trouble func(message string)
	limits  limits
	methods map[string]method

	requests budget        // bytes of the requests that are under way
	large    chan struct{} // holds one for each large frame that is being read

	mu        sync.Mutex // guards what follows
	conns     map[*conn]struct{}
	listeners map[net.Listener]struct{}
	stopping  bool
	stop      chan struct{}  // closed when stopping
	all       sync.WaitGroup // connections
}

// NewServer returns a server of s. trouble is told what goes wrong and is nobody's request; it may be nil.
func NewServer(s api.Service, trouble func(message string)) *Server {
	return newServer(s, trouble, defaults())
}

func newServer(s api.Service, trouble func(string), l limits) *Server {
	return &Server{
		service: s, trouble: trouble, limits: l, methods: methods(),
		requests: budget{most: l.requests}, large: make(chan struct{}, l.large),
		conns: map[*conn]struct{}{}, listeners: map[net.Listener]struct{}{},
		stop: make(chan struct{}),
	}
}

func (s *Server) report(message string) {
	if s.trouble != nil {
		s.trouble(message)
	}
}

func stack() []byte { return debug.Stack() }

// Serve answers clients that come to l, which it closes in the end. It returns when Shutdown is called or l is closed.
func (s *Server) Serve(l net.Listener) {
	if !s.listen(l) {
		return
	}
	defer func() {
		s.mu.Lock()
		delete(s.listeners, l)
		s.mu.Unlock()
		l.Close()
	}()
	s.accept(l)
}

// listen takes note of a listener, unless no more are wanted.
func (s *Server) listen(l net.Listener) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.stopping {
		l.Close()
		return false
	}
	s.listeners[l] = struct{}{}
	return true
}

// ServeConn answers the client at the other end of nc until it goes.
func (s *Server) ServeConn(nc net.Conn) {
	c, refused := s.admit(nc)
	if refused != nil {
		dismiss(nc, refused)
		return
	}
	s.serve(c)
}

func (s *Server) serve(c *conn) {
	defer s.all.Done()
	c.serve()
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.conns, c)
}

// admit makes nc a connection, in place of the longest idle one if there are too many.
func (s *Server) admit(nc net.Conn) (*conn, *api.Error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case s.stopping:
		return nil, api.Refuse(api.ReasonClosing, "the host takes no more requests")
	case len(s.conns) >= s.limits.connections && !s.evict():
		return nil, api.Refuse(api.ReasonBusy, "%d connections are in use", len(s.conns))
	}
	c := newConn(s, nc)
	s.conns[c] = struct{}{}
	s.all.Add(1)
	return c, nil
}

// evict closes the connection that has been idle for longest, of those that have never asked anything if there are some.
// It reports whether there is one. s.mu is held.
func (s *Server) evict() bool {
	var (
		chosen *conn
		from   time.Time
		used   bool
	)
	for c := range s.conns {
		since, asked, ok := c.idle()
		if ok && (chosen == nil || used && !asked || used == asked && since.Before(from)) {
			chosen, from, used = c, since, asked
		}
	}
	if chosen == nil || !chosen.evict() {
		return false
	}
	delete(s.conns, chosen)
	return true
}

// Shutdown lets all that was asked be answered and all streams end, takes no more requests, and returns when that is
// done. When ctx is done before, it breaks the connections that are left, and returns its error.
func (s *Server) Shutdown(ctx context.Context) error {
	s.mu.Lock()
	if !s.stopping {
		s.stopping = true
		close(s.stop)
	}
	for l := range s.listeners {
		l.Close()
	}
	for c := range s.conns {
		c.finish()
	}
	s.mu.Unlock()

	done := make(chan struct{})
	go func() {
		s.all.Wait()
		close(done)
	}()
	select {
	case <-done:
		return nil
	case <-ctx.Done():
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for c := range s.conns {
		c.abort()
	}
	return ctx.Err()
}
