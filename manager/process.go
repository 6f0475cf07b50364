package manager

import (
	"context"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/prochost/prochost/manager/proc"
)

// surveyRetry is how soon the owner looks again when the system would not say who lives.
const surveyRetry = 50 * time.Millisecond

// process is one instance: the handle that others hold, and what its owner, run, keeps.
type process struct {
	id     proc.ID
	number uint64 // in order of acceptance
	spec   proc.Spec
	m      *Manager

	control chan control
	done    chan struct{} // closed when run has returned
	view    atomic.Pointer[view]
	out     *output

	// owned by run
	state   state
	child   child // nil until spawned
	census  census
	timer   *time.Timer
	waiting []chan<- answer
	held    []control // what waits for the spawn

	spawn   chan spawnResult
	leader  <-chan struct{} // nil unless the leader lives
	streams <-chan struct{} // nil unless an output stream is open
	changed <-chan struct{} // nil unless a member is watched
	unwatch func()
}

// view is what others see of a process.
type view struct {
	info proc.Info
	// stop answers a stop when there is no owner left to ask.
	stop answer
}

type spawnResult struct {
	child child
	err   error
}

func (p *process) info() proc.Info    { return p.view.Load().info }
func (p *process) stopAnswer() answer { return p.view.Load().stop }

// run owns the process until nothing of it is left to look after.
//
//	control ─┐
//	leader  ─┤          ┌──────┐ state   ┌─────────┐  events, signals,
//	members ─┼─ input ─▶│ step │────────▶│ perform │─▶ answers, deadlines
//	timer   ─┘          └──────┘ effects └─────────┘
func (p *process) run() {
	defer close(p.done)
	p.timer = time.NewTimer(time.Hour)
	p.timer.Stop()
	p.openLog()
	go p.start()

	quit := p.m.quit
	for !p.finished() {
		select {
		case c := <-p.control:
			p.take(c)
		case r := <-p.spawn:
			p.spawned(r)
		case <-p.leader:
			p.leaderOver()
		case <-p.changed:
			p.changed, p.unwatch = nil, nil
			p.resurvey()
		case <-p.timer.C:
			p.survey()
			p.step(due{left: p.named(), at: time.Now()})
		case <-p.streams:
			p.streams = nil
		case <-quit:
			if p.resting() {
				p.abandon()
				return
			}
			quit = nil
			defer p.abandon() // it is past stopping: what goes on is short
		}
	}
	p.abandon()
}
