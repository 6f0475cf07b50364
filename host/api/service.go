package api

import "context"

// Service is a host as its clients see it. The host implements it, and so does a client of its socket: whoever uses
// one can use the other.
//
// Where an input has an id, a name does as well: it means the live process that bears it, else the newest one, and is
// refused with ReasonAmbiguous while several are live. An operation that changes something answers when that has
// changed, and goes on if the caller goes away. Bad input changes nothing. Errors are *Error.
type Service interface {
	Start(context.Context, StartIn) (Info, error)
	List(context.Context, ListIn) ([]Info, error)
	Get(context.Context, Ref) (*Info, error)
	Output(context.Context, OutputIn) (OutputOut, error)
	CombinedOutput(context.Context, TailIn) ([]CombinedLine, error)
	LogFiles(context.Context, Ref) (LogFiles, error)
	FileSize(context.Context, Ref) (FileSize, error)
	Write(context.Context, WriteIn) (WriteOut, error)
	Update(context.Context, UpdateIn) (UpdateOut, error)
	Signal(context.Context, SignalIn) (Info, error)
	Release(context.Context, Ref) (Info, error)
	Kill(context.Context, KillIn) (StopOut, error)
	Stop(context.Context, StopIn) (StopOut, error)
	Restart(context.Context, RestartIn) (Info, error)
	Clear(context.Context, ClearIn) (ClearOut, error)
	Wait(context.Context, WaitIn) (WaitOut, error)
	Why(context.Context, Ref) (WhyOut, error)
	Usage(context.Context, UsageIn) ([]Usage, error)

	RecipeReload(context.Context, RecipeReloadIn) (RecipeLoaded, error)
	RecipeStatus(context.Context, Nothing) (RecipeStatus, error)

	SessionOpen(context.Context, SessionOpenIn) (Session, error)
	SessionClose(context.Context, SessionRef) (SessionCloseOut, error)
	SessionList(context.Context, Nothing) ([]Session, error)
	InboxTake(context.Context, InboxTakeIn) (InboxTakeOut, error)
	InboxAck(context.Context, InboxAckIn) (InboxAckOut, error)

	HostInfo(context.Context, HostInfoIn) (HostInfo, error)
	HostShutdown(context.Context, HostShutdownIn) (HostShutdownOut, error)

	Events(context.Context, EventsIn) (Stream, error)
	Logs(context.Context, LogsIn) (Stream, error)
}

// Stream is a sequence of events that one reader takes at its own pace.
type Stream interface {
	// Next waits for the next event. io.EOF: there is none after the last one.
	Next(context.Context) (Event, error)
	Close()
}

// Nothing is the input of an operation that needs none.
type Nothing struct{}

// Ref names one instance.
type Ref struct {
	ID string `json:"id"` // an id, or a name
}
