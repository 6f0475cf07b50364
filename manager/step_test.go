package manager

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/prochost/prochost/manager/proc"
)

var update = flag.Bool("update", false, "write the golden tables")

// epoch is when everything begins; times in the tables are seconds after it.
var epoch = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)

func at(seconds float64) time.Time { return epoch.Add(time.Duration(seconds * float64(time.Second))) }

type row[T any] struct {
	name  string
	value T
}

var (
	returned3 = leaderEnd{status: leaderStatus{known: true, code: 3}, at: at(10)}
	byTerm    = leaderEnd{status: leaderStatus{known: true, signal: syscall.SIGTERM}, at: at(10)}
	byAbort   = leaderEnd{status: leaderStatus{known: true, signal: syscall.SIGABRT}, at: at(10)}
	lost      = leaderEnd{at: at(10)}

	nobody    = left{}
	inGroup   = left{group: 1, names: []proc.Leftover{{PID: 11, Command: "g"}}}
	onlyStray = left{strays: 1, names: []proc.Leftover{{PID: 12, Command: "s"}}}
	unsure    = left{unsure: true}
)

// everyPhase is each phase in each form in which its data makes a difference.
func everyPhase() []row[phase] {
	polite := newStop(testRules, stopAsked{req: proc.StopRequest{}, at: at(1)}, 0)
	only := newStop(testRules, stopAsked{req: proc.StopRequest{NoKill: true}, at: at(1)}, 0)
	told := polite
	told.strays = true
	killing := polite.toKill(at(4))
	parent := newStop(testRules, stopAsked{req: proc.StopRequest{Spec: proc.StopSpec{Signal: syscall.SIGTERM, ParentOnly: true}}, at: at(1)}, 0)
	command := newStop(rules{stop: commandSpec}, stopAsked{at: at(1)}, 0)
	commanded := command
	commanded.commanding = false
	early := returned3
	early.at = at(2)
	return []row[phase]{
		{"starting", starting{}},
		{"starting, a stop waits", starting{stops: []stopAsked{{req: proc.StopRequest{By: proc.ByRestart}, at: at(1)}}}},
		{"running", running{}},
		{"stopping", stopping{stop: polite}},
		{"stopping, no kill", stopping{stop: only}},
		{"stopping, leader gone", stopping{stop: polite, leader: &early}},
		{"stopping, leader gone, strays told", stopping{stop: told, leader: &early}},
		{"stopping, no kill, leader gone", stopping{stop: only, leader: &early}},
		{"stopping, parent only", stopping{stop: parent}},
		{"stopping, parent only, leader gone", stopping{stop: parent, leader: &early}},
		{"stopping, by command", stopping{stop: command}},
		{"stopping, by command, leader gone", stopping{stop: command, leader: &early}},
		{"stopping, command over", stopping{stop: commanded}},
		{"stopping, command over, leader gone", stopping{stop: commanded, leader: &early}},
		{"killing", stopping{stop: killing}},
		{"killing, leader gone", stopping{stop: killing, leader: &early}},
		{"timed out", timedOut{stop: only}},
		{"timed out, leader gone", timedOut{stop: only, leader: &early}},
		{"sweeping", sweeping{}},
		{"sweeping, strays told", sweeping{strays: true}},
		{"sweeping, killing", sweeping{strays: true, killing: true}},
		{"over", over{}},
		{"over, was stopped", over{stop: &answer{result: StopResult{OK: true}}}},
	}
}

func everyInput() []row[input] {
	record := ended(proc.Info{ID: "proc_x", Name: "old", PID: 10, Command: "c"}, proc.ExitedWith(2), at(4))
	stop := func(r proc.StopRequest) input { return stopAsked{req: r, at: at(5)} }
	return []row[input]{
		{"spawned", spawned{pid: 10, at: at(5)}},
		{"adopted", spawned{pid: 10, adopted: true, at: at(5)}},
		{"resumed, nobody left", resumed{info: record, left: nobody, at: at(5)}},
		{"resumed, stray left", resumed{info: record, left: onlyStray, at: at(5)}},
		{"spawn failed", spawnFailed{cause: errors.New("no such command"), at: at(5)}},
		{"stop", stop(proc.StopRequest{})},
		{"stop, shorter, INT", stop(proc.StopRequest{Spec: proc.StopSpec{Signal: syscall.SIGINT, Grace: time.Millisecond}})},
		{"stop, no kill", stop(proc.StopRequest{NoKill: true, Spec: proc.StopSpec{Grace: 9 * time.Second}})},
		{"stop, force", stop(proc.StopRequest{Force: true})},
		{"stop, by command", stop(proc.StopRequest{Spec: commandSpec})},
		{"the stop command is over", commandOver{at: at(6)}},
		{"the stop command failed", commandOver{failure: "exited with 1", at: at(6)}},
		{"leader returned 3, nobody left", leaderGone{end: returned3, left: nobody}},
		{"leader returned 3, group left", leaderGone{end: returned3, left: inGroup}},
		{"leader died of TERM, stray left", leaderGone{end: byTerm, left: onlyStray}},
		{"leader died of ABRT", leaderGone{end: byAbort, left: nobody}},
		{"leader lost, others unknown", leaderGone{end: lost, left: unsure}},
		{"out of memory", leaderGone{end: leaderEnd{status: leaderStatus{known: true, signal: syscall.SIGKILL}, at: at(10)}, outOfMemory: true}},
		{"survey: nobody", surveyed{left: nobody, at: at(10)}},
		{"survey: group", surveyed{left: inGroup, at: at(10)}},
		{"survey: stray", surveyed{left: onlyStray, at: at(10)}},
		{"survey: unknown", surveyed{left: unsure, at: at(10)}},
		{"due, nobody", due{left: nobody, at: at(10)}},
		{"due, group", due{left: inGroup, at: at(10)}},
		{"renamed", renamed{"new"}},
		{"released", released{}},
	}
}

var (
	testRules   = rules{stop: proc.StopSpec{}.WithDefaults()}
	commandSpec = proc.StopSpec{Signal: syscall.SIGINT, Command: []string{"ctl", "stop"}}.WithDefaults()
)

func stateIn(ph phase) state {
	s := state{
		info:  proc.Info{ID: "proc_x", Name: "old", PID: 10, Command: "c", Delivery: proc.Delivery{Completion: proc.ClaimTool}},
		rules: testRules, phase: ph,
	}
	switch ph := ph.(type) {
	case starting:
		s.info.PID = 0
	case stopping:
		s.info.Status = proc.Terminating
	case timedOut:
		s.info.Status, s.info.TimedOut = proc.TerminateTimeout, true
	case sweeping:
		s.info = ended(s.info, proc.ExitedWith(1), at(3))
	case over:
		s.info = ended(s.info, proc.ExitedWith(1), at(3))
		if ph.stop != nil {
			ph.stop.result.Info = s.info
		}
	}
	return s
}

// TestStepTable writes what every phase makes of every input into testdata/step.txt, to be read.
func TestStepTable(t *testing.T) {
	var b strings.Builder
	for _, ph := range everyPhase() {
		fmt.Fprintf(&b, "# %s\n\n", ph.name)
		var nothing []string
		for _, in := range everyInput() {
			before := stateIn(ph.value)
			after, effects := step(before, in.value)
			if len(effects) == 0 && show(after) == show(before) {
				nothing = append(nothing, in.name)
				continue
			}
			fmt.Fprintf(&b, "%s\n    → %s\n", in.name, show(after))
			for _, e := range effects {
				fmt.Fprintf(&b, "      %s\n", showEffect(e))
			}
		}
		fmt.Fprintf(&b, "\nnothing: %s\n\n", strings.Join(nothing, "; "))
	}
	golden(t, "step.txt", b.String())
}

func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		require.NoError(t, os.MkdirAll("testdata", 0o755))
		require.NoError(t, os.WriteFile(path, []byte(got), 0o644))
	}
	want, err := os.ReadFile(path)
	require.NoError(t, err)
	assert.Equal(t, string(want), got, "%s differs; -update writes it anew", path)
}

// TestStepKeepsItsPromises checks over every phase and input what must hold whatever the table says.
func TestStepKeepsItsPromises(t *testing.T) {
	for _, ph := range everyPhase() {
		for _, in := range everyInput() {
			t.Run(ph.name+"/"+in.name, func(t *testing.T) {
				before := stateIn(ph.value)
				after, effects := step(before, in.value)
				again, _ := step(stateIn(ph.value), in.value)
				assert.Equal(t, show(again), show(after), "step is pure")

				_, wasTimedOut := before.phase.(timedOut)
				ends, letsGo := 0, false
				for i, e := range effects {
					switch e := e.(type) {
					case emit:
						if end, is := e.event.(proc.Ended); is {
							ends++
							assert.Equal(t, drain{}, effects[i-1], "all output precedes the end")
							assert.Equal(t, after.info, end.Info)
							assert.Equal(t, end.End.Status(), end.Info.Status)
							assert.False(t, end.Info.Status.Live())
							_, stopped := before.phase.(stopping)
							waits, _ := before.phase.(starting)
							assert.Equal(t, stopped || len(waits.stops) > 0, end.Stop != nil, "who asked")
						}
					case runCommand:
						assert.Equal(t, proc.Terminating, after.info.Status, "the mark precedes the command")
					case signalGroup, signalLeader, signalStrays, killAll:
						assert.False(t, letsGo, "no signal after the pid was given back")
						if after.info.Status.Live() && !wasTimedOut {
							assert.NotEqual(t, proc.Running, after.info.Status, "the mark precedes the signal")
						}
					case letGo:
						letsGo = true
						assert.IsType(t, over{}, after.phase)
					}
				}
				assert.LessOrEqual(t, ends, 1)
				if !before.info.Status.Live() || wasTimedOut {
					assert.Zero(t, ends, "an end is told once, and not of what had timed out")
				}
				_, toldBefore := in.value.(resumed)
				if before.info.Status.Live() && !after.info.Status.Live() && !wasTimedOut {
					assert.Equal(t, !toldBefore, ends == 1, "an end is told, unless it was")
				}
				if _, is := after.phase.(over); is {
					assert.False(t, after.info.Status.Live())
				}
			})
		}
	}
}

func TestEndsAreThoseOfTheTable(t *testing.T) {
	one := signalSet(0).with(syscall.SIGABRT)
	for _, row := range []struct {
		status leaderStatus
		sent   signalSet
		want   proc.End
	}{
		{leaderStatus{known: true}, 0, proc.ExitedWith(0)},
		{leaderStatus{known: true, code: 7}, one, proc.ExitedWith(7)},
		{leaderStatus{known: true, code: 4}, 0, proc.ExitedWith(4, 4)},
		{leaderStatus{known: true, signal: syscall.SIGABRT}, 0, proc.EndedBySignal(syscall.SIGABRT, false)},
		{leaderStatus{known: true, signal: syscall.SIGABRT}, one, proc.EndedBySignal(syscall.SIGABRT, true)},
		{leaderStatus{known: true, signal: syscall.SIGSEGV}, one, proc.EndedBySignal(syscall.SIGSEGV, false)},
		{leaderStatus{known: true, signal: syscall.SIGKILL}, 0, proc.EndedBySignal(syscall.SIGKILL, false)},
		{leaderStatus{}, 0, proc.Vanished(false)},
		{leaderStatus{}, one, proc.Vanished(true)},
	} {
		assert.Equal(t, row.want, row.status.end(rules{success: []int{4}}, row.sent), "%+v", row)
	}
}

func TestTheStrongerStopWins(t *testing.T) {
	ask := func(r proc.StopRequest, s float64) stopAsked { return stopAsked{req: r, at: at(s)} }
	grace := func(d time.Duration) proc.StopSpec { return proc.StopSpec{Grace: d} }
	first := newStop(testRules, ask(proc.StopRequest{Spec: grace(5 * time.Second)}, 0), 0)
	waits := newStop(testRules, ask(proc.StopRequest{NoKill: true, Spec: grace(5 * time.Second)}, 0), 0)
	for _, row := range []struct {
		name   string
		st     stop
		second stopAsked
		kill   bool
		due    time.Time
		signal syscall.Signal
	}{
		{"the same", first, ask(proc.StopRequest{Spec: grace(5 * time.Second)}, 1), true, at(5), syscall.SIGTERM},
		{"a shorter grace", first, ask(proc.StopRequest{Spec: grace(time.Second)}, 1), true, at(2), syscall.SIGTERM},
		{"another signal", first, ask(proc.StopRequest{Spec: proc.StopSpec{Signal: syscall.SIGINT, Grace: time.Hour}}, 1), true, at(5), syscall.SIGINT},
		{"one that only waits", first, ask(proc.StopRequest{NoKill: true, Spec: grace(time.Second)}, 1), true, at(5), syscall.SIGTERM},
		{"force", first, ask(proc.StopRequest{Force: true}, 1), true, at(3), syscall.SIGKILL},
		{"kill after one that only waits", waits, ask(proc.StopRequest{Spec: grace(8 * time.Second)}, 1), true, at(9), syscall.SIGTERM},
		{"two that only wait", waits, ask(proc.StopRequest{NoKill: true, Spec: grace(8 * time.Second)}, 1), false, at(9), syscall.SIGTERM},
		{"two that only wait, shorter", waits, ask(proc.StopRequest{NoKill: true, Spec: grace(time.Second)}, 1), false, at(5), syscall.SIGTERM},
		{"when it kills", first.toKill(at(1)), ask(proc.StopRequest{Spec: grace(time.Millisecond)}, 2), true, at(3), syscall.SIGKILL},
	} {
		got, _ := row.st.join(testRules, row.second, nil)
		assert.Equal(t, row.kill, got.kill, row.name)
		assert.Equal(t, row.due, got.due, row.name)
		assert.Equal(t, row.signal, got.signal, row.name)
		assert.True(t, got.sent.has(row.signal), row.name)
		assert.Equal(t, row.st.mark, got.mark, "%s: the mark stays with the first", row.name)
	}
}

func show(s state) string {
	i := s.info
	text := i.Status.String()
	if !i.Status.Live() {
		text += " (" + showEnd(i.End) + " at " + seconds(i.Ended) + ")"
	}
	if r := i.EndReason(); r != "" {
		text += " " + r
	}
	if i.Name != "old" {
		text += " named " + i.Name
	}
	if i.Delivery.Completion == proc.Notify {
		text += " released"
	}
	return text + ", " + showPhase(s.phase)
}

func showPhase(ph phase) string {
	switch ph := ph.(type) {
	case starting:
		return fmt.Sprintf("starting (%d stops wait)", len(ph.stops))
	case stopping:
		return "stopping " + showStop(ph.stop, ph.leader)
	case timedOut:
		return "timedOut " + showStop(ph.stop, ph.leader)
	case sweeping:
		return fmt.Sprintf("sweeping strays=%t killing=%t", ph.strays, ph.killing)
	case over:
		return fmt.Sprintf("over stopped=%t", ph.stop != nil)
	}
	return fmt.Sprintf("%T", ph)[len("manager."):]
}

func showStop(s stop, leader *leaderEnd) string {
	text := fmt.Sprintf("(%s by %s until %s", signalName(s.signal), s.mark.By, seconds(s.due))
	for _, flag := range []row[bool]{{"parent only", s.parentOnly}, {"commanding", s.commanding}, {"kill", s.kill}, {"killing", s.killing}, {"strays", s.strays}, {"leader gone", leader != nil}} {
		if flag.value {
			text += ", " + flag.name
		}
	}
	return text + ")"
}

func showEffect(e effect) string {
	switch e := e.(type) {
	case emit:
		switch e := e.event.(type) {
		case proc.Ended:
			text := "emit Ended " + showEnd(e.End)
			if e.Stop != nil {
				text += ", stopped by " + e.Stop.By.String()
			}
			if len(e.Leftovers) > 0 {
				text += fmt.Sprintf(", leftovers %v", e.Leftovers)
			}
			if e.OutOfMemory {
				text += ", out of memory"
			}
			return text
		case proc.Started:
			if e.Adopted {
				return "emit Started, adopted"
			}
			return "emit Started"
		default:
			return fmt.Sprintf("emit %T", e)[:len("emit ")] + fmt.Sprintf("%T", e)[len("proc."):]
		}
	case signalGroup:
		return "signal the group " + signalName(e.sig)
	case signalLeader:
		return "signal the leader " + signalName(e.sig)
	case signalStrays:
		return "signal the strays " + signalName(e.sig)
	case runCommand:
		return fmt.Sprintf("run %q", e.argv)
	case letGo:
		return "letGo" + map[bool]string{true: ", others are kept"}[e.keep]
	case arm:
		return "arm " + seconds(e.at)
	case answer:
		text := fmt.Sprintf("answer ok=%t %s", e.result.OK, e.result.Reason)
		if len(e.result.Survivors) > 0 {
			text += fmt.Sprintf(" survivors %v", e.result.Survivors)
		}
		if e.err != nil {
			text += " " + e.err.Error()
		}
		return text
	case complain:
		return "complain: " + e.message
	}
	return fmt.Sprintf("%T", e)[len("manager."):]
}

func showEnd(e proc.End) string {
	if s, is := e.Signal(); is {
		return signalName(s)
	}
	if code, is := e.ExitCode(); is {
		return fmt.Sprintf("%s %d", e.Reason(), code)
	}
	return e.Reason().String()
}

func signalName(s syscall.Signal) string {
	for name, sig := range map[string]syscall.Signal{
		"TERM": syscall.SIGTERM, "INT": syscall.SIGINT, "KILL": syscall.SIGKILL, "ABRT": syscall.SIGABRT,
	} {
		if s == sig {
			return name
		}
	}
	if s == 0 {
		return "no signal"
	}
	return s.String()
}

func seconds(t time.Time) string { return t.Sub(epoch).String() }
