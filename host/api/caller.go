package api

import "context"

// Caller is on whose behalf an operation is carried out.
type Caller struct {
	Client  string          // what it is: cli, mcp, tui …
	Session string          // "": the project
	Gone    <-chan struct{} // closed when its connection breaks; nil: it stays
}

type callerKey struct{}

// WithCaller returns a context of c's operations.
func WithCaller(ctx context.Context, c Caller) context.Context {
	return context.WithValue(ctx, callerKey{}, c)
}

// CallerOf returns who asks; the zero Caller if that is not known.
func CallerOf(ctx context.Context) Caller {
	c, _ := ctx.Value(callerKey{}).(Caller)
	return c
}
