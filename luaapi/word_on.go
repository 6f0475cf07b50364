package luaapi

import (
	"fmt"

	lua "github.com/yuin/gopher-lua"
)

// events are what on takes: an event for each kind that has words of its own, and one for all others.
var events = []string{
	"format.success", "format.failure", "format.crash", "format.killed", "format.log_match", "format",
}

// on registers the words for notifications of one kind.
func (l *load) on(L *lua.LState) int {
	d := l.declaration(L, "on", "")
	event, ok := value{L.Get(1), nil, d}.word(events...)
	if !ok {
		return 0
	}
	d.word = fmt.Sprintf("on(%q)", events[event])
	fn, ok := L.Get(2).(*lua.LFunction)
	if !ok {
		d.fail(nil, fmt.Sprintf("want a function, got %s", describe(L.Get(2))))
		return 0
	}
	key := hookKey{event: events[event]}
	if first := l.hooks[key]; first != nil {
		d.fail(nil, fmt.Sprintf("has a handler already, at %s:%d", first.at.chunk, first.at.line))
		return 0
	}
	l.hooks.add(&hook{key: key, label: d.word, at: d.at, fn: fn})
	return 0
}

// hook is a function that words notifications.
type hook struct {
	key   hookKey
	label string
	at    place
	fn    *lua.LFunction
}

// hookKey names a hook: by its event, or by the process whose own it is. Unlike the function it means the
// same in another run of the recipe.
type hookKey struct{ event, process string }

type hooks map[hookKey]*hook

func (h hooks) add(one *hook) { h[one.key] = one }

// hookOrder returns the hooks that may be asked about a notification of kind about process, in order.
func hookOrder(kind, process string) []hookKey {
	order := []hookKey{{event: "format." + kind}, {event: "format"}}
	if process != "" {
		order = append([]hookKey{{process: process}}, order...)
	}
	return order
}

func (h *hook) String() string {
	return fmt.Sprintf("%s:%d: %s", h.at.chunk, h.at.line, h.label)
}
