// Package stack decides which declared process is to be started, restarted, stopped or left out, and why.
// It is a pure machine: what happens goes in, what is to be done comes out as effects, and time is a
// parameter. Whoever drives it carries out the effects and reports back.
//
// # The life of a declaration
//
//	        ┌──────────────── wanted ────────────────┐
//	Idle ──▶│ Waiting ──▶ Live ──▶ Done              │
//	        │    │  ▲       │  ▲    (ended for good)  │
//	        │    ▼  │       ▼  │                      │
//	        │ Skipped      Backoff                    │
//	        └────────────────────────────────────────-┘
//
// Waiting and Skipped are derived afresh from the dependencies after every input (settle), so a dependency
// that is mended by a reload or started by hand brings back what had been left out because of it.
//
// What somebody wants (wanted, held, gone, replace) is kept apart from what is (phase, id).
package stack
