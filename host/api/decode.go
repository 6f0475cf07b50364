package api

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
)

// kinds are the types of events by their word.
var kinds = map[string]func() Event{
	"started":      func() Event { return new(Started) },
	"output":       func() Event { return new(Output) },
	"changed":      func() Event { return new(Changed) },
	"ended":        func() Event { return new(Ended) },
	"notification": func() Event { return new(Notified) },
	"recipe":       func() Event { return new(RecipeLoaded) },
	"trouble":      func() Event { return new(Trouble) },
	"host":         func() Event { return new(HostState) },
	"snapshot":     func() Event { return new(Snapshot) },
	"lagged":       func() Event { return new(Lagged) },
}

// DecodeEvent reads an event as it stands on the wire.
func DecodeEvent(b []byte) (Event, error) {
	var h Header
	if err := json.Unmarshal(b, &h); err != nil {
		return nil, fmt.Errorf("read an event: %w", err)
	}
	make, ok := kinds[h.Type]
	if !ok {
		return nil, fmt.Errorf("read an event: unknown type %q", h.Type)
	}
	e := make()
	if err := json.Unmarshal(b, e); err != nil {
		return nil, fmt.Errorf("read an event of type %q: %w", h.Type, err)
	}
	return e, nil
}

// EventTypes are the words of all events, sorted.
func EventTypes() []string { return slices.Sorted(maps.Keys(kinds)) }
