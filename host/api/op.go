package api

import (
	"context"
	"reflect"
)

// Op is one operation of a host: its name on the wire, what it does, and how it is called.
type Op struct {
	Name string
	Help string // one line
	in   func() any
	out  reflect.Type
	call func(ctx context.Context, s Service, in any) (any, error)
}

// Out is the type of what Call returns.
func (o Op) Out() reflect.Type { return o.out }

// In returns a pointer to an input with nothing set, to be filled and handed to Call.
func (o Op) In() any { return o.in() }

// Call carries the operation out. in is what In returned.
func (o Op) Call(ctx context.Context, s Service, in any) (any, error) { return o.call(ctx, s, in) }

func op[In, Out any](name, help string, f func(Service, context.Context, In) (Out, error)) Op {
	return Op{
		Name: name, Help: help,
		in: func() any { return new(In) }, out: reflect.TypeFor[Out](),
		call: func(ctx context.Context, s Service, in any) (any, error) {
			out, err := f(s, ctx, *in.(*In))
			if err != nil {
				return nil, err
			}
			return out, nil
		},
	}
}

// Ops are the operations that a request answers, for every surface.
var Ops = []Op{
	op("process.start", "start a command, or a process of the recipe by its name", Service.Start),
	op("process.list", "list the instances that are remembered, and what the recipe declares", Service.List),
	op("process.get", "one instance, or null", Service.Get),
	op("process.output", "the last lines of an instance, as text to be read", Service.Output),
	op("process.combinedOutput", "the last lines of both streams in the order of their arrival", Service.CombinedOutput),
	op("process.logFiles", "the paths of the logs", Service.LogFiles),
	op("process.fileSize", "how many bytes the logs hold", Service.FileSize),
	op("process.write", "write to the standard input", Service.Write),
	op("process.update", "rename a live process, or change its log watches", Service.Update),
	op("process.signal", "send a signal; it marks nothing, and an end is told as any other", Service.Signal),
	op("process.release", "let go of a foreground claim on the end", Service.Release),
	op("process.kill", "send one signal and wait for the end", Service.Kill),
	op("process.stop", "stop, and kill the whole group when the grace is over", Service.Stop),
	op("process.restart", "end the instance and start the next one", Service.Restart),
	op("process.clear", "remove finished records and their logs", Service.Clear),
	op("process.wait", "wait for an end, for readiness or for a line", Service.Wait),
	op("process.why", "why a process is in its state", Service.Why),
	op("process.usage", "processor, memory and listening ports of the whole tree", Service.Usage),
	op("recipe.reload", "load the recipe again and apply what differs", Service.RecipeReload),
	op("recipe.status", "the recipe in force, and the error that stands", Service.RecipeStatus),
	op("session.open", "attach a reader with an inbox", Service.SessionOpen),
	op("session.close", "end a session, and stop what it started", Service.SessionClose),
	op("session.list", "list the sessions", Service.SessionList),
	op("inbox.take", "the notifications of a session that are not acknowledged", Service.InboxTake),
	op("inbox.ack", "acknowledge notifications up to a number", Service.InboxAck),
	op("host.info", "who this host is", Service.HostInfo),
	op("host.shutdown", "stop everything in order, and the host", Service.HostShutdown),
}

// StreamOp is an operation that answers with a stream.
type StreamOp struct {
	Name    string // of the request
	Message string // of the notifications in which its events come
	Help    string
	in      func() any
	start   func(ctx context.Context, s Service, in any) (Stream, error)
}

// In returns a pointer to an input with nothing set, to be filled and handed to Start.
func (o StreamOp) In() any { return o.in() }

// Start begins the stream. in is what In returned.
func (o StreamOp) Start(ctx context.Context, s Service, in any) (Stream, error) {
	return o.start(ctx, s, in)
}

func stream[In any](name, message, help string, f func(Service, context.Context, In) (Stream, error)) StreamOp {
	return StreamOp{
		Name: name, Message: message, Help: help,
		in:    func() any { return new(In) },
		start: func(ctx context.Context, s Service, in any) (Stream, error) { return f(s, ctx, *in.(*In)) },
	}
}

// Streams are the operations that a stream answers.
var Streams = []StreamOp{
	stream("events.subscribe", "events.event", "what is, and then everything that happens", Service.Events),
	stream("logs.subscribe", "logs.chunk", "lines of output: those that are there, and those that come", Service.Logs),
}
