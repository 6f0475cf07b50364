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
)

// codes are the numbers of JSON-RPC. Those above -32000 are of the protocol itself.
var codes = map[Reason]int{
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
