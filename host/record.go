package host

import (
	"encoding/json"
	"syscall"
	"time"

	"github.com/prochost/prochost/host/journal"
	"github.com/prochost/prochost/luaapi/recipe"
	"github.com/prochost/prochost/manager"
	"github.com/prochost/prochost/manager/proc"
	"github.com/prochost/prochost/notify"
)

// settings are what a host that is started again needs of an instance, beside what its record says. The values of its
// environment are none of it.
type settings struct {
	OnSuccess    string        `json:"onSuccess,omitempty"`
	OnFailure    string        `json:"onFailure,omitempty"`
	OnKilled     string        `json:"onKilled,omitempty"`
	FollowUp     bool          `json:"followUp,omitempty"`
	Declared     bool          `json:"declared,omitempty"`
	SuccessCodes []int         `json:"successCodes,omitempty"`
	Signal       int           `json:"signal,omitempty"`
	Grace        time.Duration `json:"grace,omitempty"`
	Leftovers    uint8         `json:"leftovers,omitempty"`
}

// record is what is written down of an instance.
func (i *instance) record(p proc.Info) *journal.Instance {
	s := settings{
		OnSuccess: i.p.Notify.OnSuccess.String(), OnFailure: i.p.Notify.OnFailure.String(), OnKilled: i.p.Notify.OnKilled.String(),
		FollowUp: i.spec.Delivery.Turn == proc.FollowUp, Declared: i.declared, SuccessCodes: i.spec.SuccessCodes,
		Signal: int(i.spec.Stop.Signal), Grace: i.spec.Stop.Grace, Leftovers: uint8(i.spec.Leftovers),
	}
	b, err := json.Marshal(s)
	if err != nil {
		panic("host: settings that are no JSON: " + err.Error()) // they are words and numbers alone
	}
	return &journal.Instance{
		ID: i.id, Name: p.Name, At: p.Started,
		Process: journal.Process{PID: p.PID, Boot: manager.Boot(), Ticks: p.Born},
		Command: p.Command, Argv: p.Argv, Dir: p.Dir, Source: p.Source, Session: i.session, Keep: i.keep,
		Stdout: p.StdoutFile, Stderr: p.StderrFile, Restarts: i.restarts, Settings: string(b),
	}
}

// recalled makes of a record the instance that it was.
func recalled(l journal.Life) *instance {
	var s settings
	_ = json.Unmarshal([]byte(l.Settings), &s) // what cannot be read has its defaults, which are the loud ones
	wish := func(word string) notify.Wish {
		w, _ := notify.ParseWish(word)
		return w
	}
	p := recipe.Process{
		Name:   l.Name,
		Notify: notify.Config{OnSuccess: wish(s.OnSuccess), OnFailure: wish(s.OnFailure), OnKilled: wish(s.OnKilled)},
		Run:    recipe.Run{Command: l.Command, Argv: l.Argv, Dir: l.Dir}, SuccessCodes: s.SuccessCodes,
	}
	spec := p.Spec()
	spec.Source = l.Source
	spec.Stop.Signal, spec.Stop.Grace = syscall.Signal(s.Signal), s.Grace
	spec.Leftovers = proc.Leftovers(s.Leftovers)
	if len(l.Argv) > 0 {
		spec.Command = ""
	} else {
		spec.Shell = []string{"/bin/sh", "-c"} // it is not started again
	}
	if s.FollowUp {
		spec.Delivery.Turn = proc.FollowUp
	}
	i := &instance{
		id: l.ID, p: p, spec: spec, session: l.Session, keep: l.Keep, restarts: l.Restarts, recorded: true,
		policy: p.Notify.Policy(),
		info: proc.Info{
			ID: l.ID, Name: l.Name, PID: l.Process.PID, Command: l.Command, Argv: l.Argv, Dir: l.Dir, Source: l.Source,
			Started: l.At, StdoutFile: l.Stdout, StderrFile: l.Stderr, Delivery: spec.Delivery,
			Born: l.Process.Ticks,
		},
	}
	if e := l.Ended; e != nil {
		i.at = e.At
		i.info.End, i.info.Ended, i.info.Status = e.End, e.At, e.End.Status()
	}
	return i
}
