package main

import "github.com/prochost/prochost/cmd/prochost/view"

// outcome is what a verb has come to with one process: for people, and for programs.
type outcome struct {
	words  string
	object any
	code   int // exitFine, or why it did not come to what was asked for
}

// each does something to several processes at once, and tells of each in their order as soon as it can. The exit code
// is that of the first that went wrong.
func (a *app) each(targets []target, asJSON bool, do func(t target) (outcome, error)) error {
	type answer struct {
		outcome
		err error
	}
	answers := make([]chan answer, len(targets))
	for i, t := range targets {
		answers[i] = make(chan answer, 1)
		go func() {
			o, err := do(t)
			answers[i] <- answer{o, err}
		}()
	}
	code := exitFine
	var unread error // nobody reads what is told; it is waited for all the same
	for i, t := range targets {
		got := <-answers[i]
		if err := a.tell(t, got.outcome, got.err, asJSON); err != nil {
			unread = err
		}
		if got.err != nil {
			got.code = codeOf(got.err)
		}
		if code == exitFine {
			code = got.code
		}
	}
	if code != exitFine {
		return &failure{code: code}
	}
	return unread
}

// tell shows what was come to with one process.
func (a *app) tell(t target, o outcome, err error, asJSON bool) error {
	switch {
	case err != nil:
		a.say("prochost: %s: %v", t.name, err)
		return nil
	case asJSON:
		return a.writeJSON(o.object)
	}
	return a.write(view.Line(t.name, o.words))
}
