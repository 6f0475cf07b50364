package host

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/prochost/prochost/host/api"
	"github.com/prochost/prochost/host/stack"
	"github.com/prochost/prochost/luaapi/recipe"
	"github.com/prochost/prochost/notify"
)

// Why explains the state of a process.
func (s service) Why(ctx context.Context, in api.Ref) (api.WhyOut, error) {
	return ask(ctx, s.Host, func(l *loop, now time.Time) (api.WhyOut, error) {
		t, err := l.find("id", in.ID)
		if err != nil {
			return api.WhyOut{}, err
		}
		return l.why(t, now), nil
	})
}

func (l *loop) why(t target, now time.Time) api.WhyOut {
	info := l.targetInfo(t)
	out := api.WhyOut{Name: t.name(), Status: info.Status}
	if t.i != nil {
		p := l.current(t.i)
		out.Process = &p
		if t.i.stop != nil {
			out.StoppedBy = t.i.stop.By.String()
		}
	}
	if !t.declared() {
		out.Text = l.instanceSentence(t.i, now)
		return out
	}
	slot := *t.slot
	out.Text = l.sentence(slot)
	if slot.Phase == stack.Live || slot.Phase == stack.Done {
		if t.i != nil {
			out.Text = l.instanceSentence(t.i, now)
		}
	}
	if slot.Phase == stack.Backoff {
		due := api.Millis(slot.Due)
		out.NextStart = &due
		out.Text += fmt.Sprintf("; that is in %s", notify.Duration(max(slot.Due.Sub(now), 0)))
	}
	for n := 0; (slot.Phase == stack.Waiting || slot.Phase == stack.Skipped) && slot.Why.Needs != "" && n < 100; n++ {
		if out.Needs == "" {
			out.Needs = slot.Why.Needs
		}
		needed, ok := l.stack.Slot(slot.Why.Needs)
		if !ok {
			break
		}
		out.Chain = append(out.Chain, l.sentence(needed))
		slot = needed
	}
	return out
}

// conditions are what a process waits for, in words.
var conditions = [recipe.NumConditions]string{
	recipe.OnStarted: "to be started", recipe.OnReady: "to be ready", recipe.OnSuccess: "to end well", recipe.OnExit: "to end",
}

// sentence says how a declared process stands.
func (l *loop) sentence(slot stack.Slot) string {
	name := slot.Process.Name
	switch slot.Phase {
	case stack.Waiting:
		if slot.Why.Needs != "" {
			return fmt.Sprintf("%s waits for %s %s", name, slot.Why.Needs, conditions[slot.Why.Condition])
		}
		return name + " is about to start"
	case stack.Skipped:
		return fmt.Sprintf("%s is left out: it needs %s %s, and that cannot be", name, slot.Why.Needs, conditions[slot.Why.Condition])
	case stack.Backoff:
		return l.lastFact(slot, name+" is to be started again")
	case stack.Idle:
		switch {
		case slot.Held:
			return name + " was stopped by hand, and stays so until somebody starts it"
		case !slot.Process.Auto:
			return name + " is declared with auto = false: it runs when somebody starts it, or needs it"
		}
		return name + " is declared, and nobody wants it to run"
	case stack.Done:
		return l.lastFact(slot, name+" has ended")
	}
	return l.liveSentence(slot)
}

func (l *loop) liveSentence(slot stack.Slot) string {
	name := slot.Process.Name
	i := l.live[slot.ID]
	switch {
	case i == nil, i.info.PID == 0:
		return name + " is being started"
	case slot.Stopping && slot.Replace:
		return name + " is being restarted"
	case slot.Stopping:
		return name + " is being stopped"
	case i.ready != nil && !*i.ready:
		return fmt.Sprintf("%s runs and is not ready: no line has met %q", name, slot.Process.Ready.Log)
	}
	return name + " runs"
}

// instanceSentence says how one instance stands, and why.
func (l *loop) instanceSentence(i *instance, now time.Time) string {
	name := i.info.Name
	if i.live() {
		words := []string{name + " runs"}
		switch i.info.Status.String() {
		case "terminating":
			words[0] = name + " is being stopped"
		case "terminate_timeout":
			words[0] = name + " was to be stopped, and something of it still lives"
		}
		words = append(words, "since "+notify.Duration(now.Sub(i.info.Started)))
		if i.ready != nil && !*i.ready {
			words = append(words, fmt.Sprintf("and is not ready: no line has met %q", i.p.Ready.Log))
		}
		return strings.Join(words, " ")
	}
	return i.fact
}

// lastFact is what was known of the last instance at its end, or words if its record is gone.
func (l *loop) lastFact(slot stack.Slot, words string) string {
	if i := l.instance(slot.ID); i != nil && i.fact != "" {
		return i.fact
	}
	return words
}
