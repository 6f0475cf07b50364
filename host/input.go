package host

import (
	"time"

	"github.com/prochost/prochost/host/api"
	"github.com/prochost/prochost/luaapi"
	"github.com/prochost/prochost/manager"
	"github.com/prochost/prochost/manager/proc"
	"github.com/prochost/prochost/notify"
)

// input is something that the loop is told. The set is closed; all of it passes through one mailbox, so that what
// is put first is seen first: a match goes before the end of its process.
type input interface{ input() }

// happened is an event of an instance.
type happened struct{ event proc.Event }

// matched is a log match.
type matched struct {
	id    proc.ID
	match notify.Match
	at    time.Time
}

// readied says that an instance is ready.
type readied struct{ id proc.ID }

// stopped is the answer of a stop that is over, well or not.
type stopped struct {
	id     proc.ID
	result manager.StopResult
	err    error
}

// loaded is the outcome of a load that is to be applied.
type loaded struct {
	program *luaapi.Program
	applied chan<- api.RecipeLoaded // has room for what it changed
}

// broken is a recipe that could not be loaded and has stood so for a while.
type broken struct{ err error }

// shutdown asks for the end of everything; force kills at once.
type shutdown struct {
	by    proc.Cause
	force bool
}

func (happened) input() {}
func (matched) input()  {}
func (readied) input()  {}
func (stopped) input()  {}
func (loaded) input()   {}
func (broken) input()   {}
func (shutdown) input() {}
