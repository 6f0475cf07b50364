package host

import (
	"context"

	"github.com/prochost/prochost/luaapi"
	"github.com/prochost/prochost/manager/proc"
	"github.com/prochost/prochost/notify"
)

// tailLines is how many of the last lines of output a hook sees.
const tailLines = 20

// hooks is the wordsmith of a loaded recipe.
type hooks struct {
	program *luaapi.Program
	tail    func(id proc.ID, lines int) []string
}

func (h hooks) words(ctx context.Context, n notify.Notification) (*notify.Words, error) {
	if ctx.Err() != nil { // its time was used up by those before it; that is no fault of the hook
		return nil, nil
	}
	tail, ok := h.tailWithin(ctx, n.About().ID)
	if !ok {
		return nil, nil
	}
	return h.program.Words(ctx, n.View(tail))
}

// tailWithin returns the last lines of an instance; ok is false if they could not be read before ctx is done, for a
// disk may be slow and the message does not wait for it.
func (h hooks) tailWithin(ctx context.Context, id proc.ID) (lines []string, ok bool) {
	if id == "" {
		return nil, true
	}
	read := make(chan []string, 1)
	go func() { read <- h.tail(id, tailLines) }()
	select {
	case lines = <-read:
		return lines, true
	case <-ctx.Done():
		return nil, false
	}
}
