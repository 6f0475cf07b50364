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
	var tail []string
	if id := n.About().ID; id != "" {
		tail = h.tail(id, tailLines)
	}
	return h.program.Words(ctx, n.View(tail))
}
