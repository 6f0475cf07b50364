package api

import (
	"errors"
	"fmt"
)

// Reason is why an operation was refused, in a word for programs.
type Reason string

const (
	ReasonInvalid     Reason = "invalid"        // the input; Field names the place
	ReasonNotFound    Reason = "not_found"      // no such process, session …
	ReasonAmbiguous   Reason = "ambiguous"      // a name that several live processes bear
	ReasonEnded       Reason = "process_exited" // it has ended
	ReasonStdinClosed Reason = "stdin_closed"
	ReasonClosing     Reason = "closing"  // the host stops
	ReasonRecipe      Reason = "recipe"   // the recipe cannot be loaded; Recipe says why
	ReasonInternal    Reason = "internal" // a fault of the host

	// What stands between a client and the operations.
	ReasonSyntax    Reason = "syntax"         // it is not JSON, or no frame
	ReasonRequest   Reason = "request"        // it is JSON and no request
	ReasonMethod    Reason = "unknown_method" // no such operation
	ReasonBusy      Reason = "busy"           // a limit is reached; nothing was done, and it may be asked again
	ReasonVersion   Reason = "version"        // the two speak different protocols
	ReasonForbidden Reason = "forbidden"      // to this user
	ReasonCancelled Reason = "cancelled"      // the caller no longer waited
)

// codes are the numbers of JSON-RPC. Those from -32768 to -32000 are of the protocol itself, and positive ones of the
// operations.
var codes = map[Reason]int{
	ReasonSyntax: -32700, ReasonRequest: -32600, ReasonMethod: -32601,
	ReasonBusy: -32000, ReasonVersion: -32001, ReasonForbidden: -32002, ReasonCancelled: -32800,
	ReasonInvalid: -32602, ReasonInternal: -32603,
	ReasonNotFound: 1, ReasonAmbiguous: 2, ReasonEnded: 3, ReasonStdinClosed: 4, ReasonClosing: 5, ReasonRecipe: 6,
}

// Error is why an operation was refused.
type Error struct {
	Reason  Reason        `json:"reason"`
	Message string        `json:"-"` // one line
	Field   string        `json:"field,omitempty"`
	Names   []string      `json:"names,omitempty"` // who bears the name, or what was meant
	Recipe  []RecipeError `json:"recipe,omitempty"`
}

func (e *Error) Error() string { return e.Message }

// Code is the number of the error on the wire.
func (e *Error) Code() int {
	if c, ok := codes[e.Reason]; ok {
		return c
	}
	return codes[ReasonInternal]
}

// Refuse returns an Error.
func Refuse(r Reason, format string, args ...any) *Error {
	return &Error{Reason: r, Message: fmt.Sprintf(format, args...)}
}

// Invalid returns an Error that names the field of the input.
func Invalid(field, format string, args ...any) *Error {
	return &Error{Reason: ReasonInvalid, Field: field, Message: field + ": " + fmt.Sprintf(format, args...)}
}

// ReasonOf returns the reason of err, "" if it is none of this package.
func ReasonOf(err error) Reason {
	var e *Error
	if errors.As(err, &e) {
		return e.Reason
	}
	return ""
}
