// Package host joins the parts: it runs the processes of a recipe (manager), decides what is told of them
// (notify), words it (luaapi) and delivers it (the outbox), and takes over the recipe whenever it is saved.
//
// # The flow
//
//	 child            manager            loop                 outbox             sink, feeds
//	┌──────┐ output  ┌────────┐ matched ┌──────────┐ letter  ┌─────────┐ Message ┌─────────┐
//	│      │ ──────▶ │readers │ ──────▶ │ Limiter  │ ──────▶ │ words   │ ──────▶ │ reader  │
//	│      │ ──────▶ │ run    │ ──────▶ │ Decide   │ ──────▶ │ retries │ ──────▶ │         │
//	└──────┘ end     └────────┘ Ended   │ stack    │         └─────────┘         └─────────┘
//	                     ▲              └────┬─────┘
//	                     └──── Start, Stop ──┘ effects
//
// One goroutine, the loop, owns everything that decisions rest on. What it is told comes through one mailbox
// without a bound, so that a match goes before the end of its process and nothing is lost. The outbox is a
// goroutine of its own: hooks and sinks may be slow, decisions are not. A third one loads recipes, off to the side
// of the one in force.
//
// # Clients
//
// Service is the host as its clients see it (see package api). What they ask for is a function in the same mailbox, so
// every operation sees one state and changes it at once; what it waits for is looked at after every input. What decides
// nothing, such as reading a log, is done on the goroutine of who asks.
//
// # Order and loss
//
// Events are numbered without gaps and reach every feed in the same order; see package api for what precedes what.
// A feed reads output from the log at its own pace and so slows nobody; what it misses because the log has been
// rotated meanwhile is said. A notification is never dropped between its decision and its delivery: a sink that
// fails is tried again, and a message that failed its retries is parked and tried again later.
//
// A reload concerns future decisions. What was decided keeps its words and its way; what was stopped stays marked;
// matchers that are equal in the old and the new recipe remember what they did.
package host
