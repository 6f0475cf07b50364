package manager

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/prochost/prochost/manager/proc"
)

// bubble runs f with fake children and a clock of its own, and closes the Manager.
func bubble(t *testing.T, name string, f func(t *testing.T, h *fakeHost)) {
	t.Run(name, func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			h := newFakeHost(t)
			f(t, h)
			h.Close(context.Background())
		})
	})
}

func TestLoop(t *testing.T) {
	returns := func(code int) leaderStatus { return leaderStatus{known: true, code: code} }

	bubble(t, "an end by itself", func(t *testing.T, h *fakeHost) {
		id := h.start("a")
		synctest.Wait()
		h.sys.child("a").end(returns(3))
		synctest.Wait()
		assert.Equal(t, []string{"started", "ended exit 3"}, h.told(id))
		assert.Equal(t, []string{"0s let go", "0s abandon"}, h.sys.child("a").notes())
	})

	bubble(t, "a stop that is obeyed", func(t *testing.T, h *fakeHost) {
		id := h.start("a")
		r, err := h.Stop(t.Context(), id, proc.StopRequest{By: proc.ByReload})
		require.NoError(t, err)
		assert.True(t, r.OK)
		assert.Equal(t, []string{"started", "terminating", "ended TERM by reload"}, h.told(id))
		synctest.Wait()
		assert.Equal(t, []string{"0s TERM", "0s let go", "0s abandon"}, h.sys.child("a").notes())
	})

	bubble(t, "whoever has an answer sees the state it tells of", func(t *testing.T, h *fakeHost) {
		hold := make(chan struct{})
		h.sys.begin = func(_ proc.Spec, c *fakeChild) error { c.hold = hold; return nil }
		id := h.start("a")
		r, err := h.Stop(t.Context(), id, proc.StopRequest{})
		require.NoError(t, err)
		info, _ := h.Info(id)
		assert.Equal(t, r.Info, info)
		assert.Equal(t, proc.Killed, info.Status)
		close(hold)
	})

	bubble(t, "a stop that is not", func(t *testing.T, h *fakeHost) {
		h.sys.begin = func(_ proc.Spec, c *fakeChild) error { c.ignore = true; return nil }
		id := h.start("a")
		r, err := h.Stop(t.Context(), id, proc.StopRequest{})
		require.NoError(t, err)
		assert.True(t, r.OK)
		synctest.Wait()
		assert.Equal(t, []string{"0s TERM", "5s KILL", "5s let go", "5s abandon"}, h.sys.child("a").notes())
	})

	bubble(t, "a stop of what nothing ends", func(t *testing.T, h *fakeHost) {
		h.sys.begin = func(_ proc.Spec, c *fakeChild) error { c.ignore, c.stubborn = true, true; return nil }
		id := h.start("a")
		synctest.Wait()
		h.sys.child("a").leave(census{group: []member{{pid: 11}}})
		begun := time.Now()
		r, err := h.Stop(t.Context(), id, proc.StopRequest{})
		require.NoError(t, err)
		assert.Equal(t, proc.DefaultGrace+killPatience, time.Since(begun))
		assert.False(t, r.OK)
		assert.Equal(t, ReasonTimeout, r.Reason)
		assert.Equal(t, []proc.Leftover{{PID: 10, Command: "fake"}, {PID: 11, Command: "other"}}, r.Survivors)
		assert.Equal(t, []string{"started", "terminating", "terminate_timeout"}, h.told(id))

		c := h.sys.child("a")
		c.end(returns(0)) // it dies later, its other still lives
		synctest.Wait()
		info, _ := h.Info(id)
		assert.Equal(t, proc.TerminateTimeout, info.Status)
		c.leave(census{})
		synctest.Wait()
		info, _ = h.Info(id)
		assert.Equal(t, proc.Killed, info.Status)
		assert.Equal(t, []string{"started", "terminating", "terminate_timeout", "killed"}, h.told(id))
	})

	bubble(t, "force during a stop", func(t *testing.T, h *fakeHost) {
		h.sys.begin = func(_ proc.Spec, c *fakeChild) error { c.ignore = true; return nil }
		id := h.start("a")
		first := make(chan StopResult)
		go func() {
			r, _ := h.Stop(t.Context(), id, proc.StopRequest{By: proc.ByRestart})
			first <- r
		}()
		time.Sleep(time.Second)
		second, err := h.Stop(t.Context(), id, proc.StopRequest{Force: true})
		require.NoError(t, err)
		assert.Equal(t, <-first, second)
		synctest.Wait()
		assert.Equal(t, []string{"0s TERM", "1s KILL", "1s let go", "1s abandon"}, h.sys.child("a").notes())
		assert.Equal(t, []string{"started", "terminating", "ended KILL by restart"}, h.told(id))
	})

	bubble(t, "a stop that comes after the wait status", func(t *testing.T, h *fakeHost) {
		id := h.start("a")
		synctest.Wait()
		h.sys.child("a").settle(returns(1)) // the owner has not heard of it
		r, err := h.Stop(t.Context(), id, proc.StopRequest{})
		assert.ErrorIs(t, err, ErrEnded)
		assert.Equal(t, proc.ExitedWith(1), r.Info.End)
		assert.Equal(t, []string{"started", "ended exit 1"}, h.told(id))
		assert.Equal(t, []string{"0s let go"}, h.sys.child("a").notes()[:1], "nothing was signalled")
		h.sys.child("a").end(returns(1))
	})

	bubble(t, "the leader goes first", func(t *testing.T, h *fakeHost) {
		h.sys.begin = func(_ proc.Spec, c *fakeChild) error { c.ignore = true; return nil }
		id := h.start("a")
		synctest.Wait()
		c := h.sys.child("a")
		c.leave(census{group: []member{{pid: 11}}, strays: []member{{pid: 12}}})
		answered := make(chan StopResult)
		go func() {
			r, _ := h.Stop(t.Context(), id, proc.StopRequest{})
			answered <- r
		}()
		time.Sleep(time.Second)
		c.end(returns(0))
		time.Sleep(time.Second)
		assert.Equal(t, []string{"0s TERM"}, c.notes(), "the strays are left to the group")
		c.leave(census{strays: []member{{pid: 12}}})
		time.Sleep(time.Second)
		assert.Equal(t, []string{"0s TERM", "2s stray TERM"}, c.notes())
		assert.Equal(t, []string{"started", "terminating"}, h.told(id))
		c.leave(census{})
		r := <-answered
		assert.True(t, r.OK)
		assert.Equal(t, []string{"started", "terminating", "ended exit 0 by user"}, h.told(id))
	})

	bubble(t, "leftovers", func(t *testing.T, h *fakeHost) {
		id := h.start("a")
		synctest.Wait()
		c := h.sys.child("a")
		c.leave(census{group: []member{{pid: 11}}, strays: []member{{pid: 12}}})
		c.ignore, c.stubborn = true, true
		c.end(returns(0))
		time.Sleep(time.Minute)
		end, _ := h.endOf(id)
		assert.Len(t, end.Leftovers, 2)
		assert.Equal(t, []string{
			"0s TERM", "0s stray TERM", "1s KILL", "1s stray KILL", "3s let go", "3s abandon",
		}, c.notes())
		assert.Equal(t, []string{`process: leftovers of "a" outlive SIGKILL: 11 (other), 12 (other)`}, h.troubles)
	})

	bubble(t, "a stop while leftovers are ended", func(t *testing.T, h *fakeHost) {
		for _, force := range []bool{false, true} {
			id := h.start(fmt.Sprint(force))
			synctest.Wait()
			c := h.sys.child(string(id))
			c.leave(census{group: []member{{pid: 11}}})
			c.ignore = true
			c.end(returns(2))
			synctest.Wait()
			begun := time.Now()
			r, err := h.Stop(t.Context(), id, proc.StopRequest{Force: force})
			assert.ErrorIs(t, err, ErrEnded)
			assert.True(t, r.OK, "nothing of it lives any more")
			assert.Equal(t, proc.ExitedWith(2), r.Info.End)
			assert.Equal(t, map[bool]time.Duration{false: sweepGrace, true: 0}[force], time.Since(begun))
		}
	})

	bubble(t, "a stop while leftovers outlive everything", func(t *testing.T, h *fakeHost) {
		id := h.start("a")
		synctest.Wait()
		c := h.sys.child("a")
		c.leave(census{group: []member{{pid: 11}}})
		c.ignore, c.stubborn = true, true
		c.end(returns(2))
		for range 2 { // the second comes when the owner is gone
			r, err := h.Stop(t.Context(), id, proc.StopRequest{})
			assert.ErrorIs(t, err, ErrEnded)
			assert.False(t, r.OK)
			assert.Equal(t, []proc.Leftover{{PID: 11, Command: "other"}}, r.Survivors)
			time.Sleep(time.Second)
		}
	})

	bubble(t, "the system does not say who lives", func(t *testing.T, h *fakeHost) {
		id := h.start("a")
		synctest.Wait()
		c := h.sys.child("a")
		c.unsure = 3
		r, err := h.Stop(t.Context(), id, proc.StopRequest{})
		require.NoError(t, err)
		assert.True(t, r.OK)
		assert.Equal(t, 3*surveyRetry, time.Since(c.birth).Round(surveyRetry), "it asks again and again")
	})

	bubble(t, "a member that cannot be watched", func(t *testing.T, h *fakeHost) {
		id := h.start("a")
		synctest.Wait()
		c := h.sys.child("a")
		c.leave(census{group: []member{{pid: 11}}})
		c.ignore, c.noWatch = true, true
		c.end(returns(0))
		time.Sleep(sweepGrace/2 - surveyRetry/2)
		c.leave(census{})
		time.Sleep(sweepGrace / 4)
		assert.Equal(t, []string{"0s TERM", "500ms let go", "500ms abandon"}, c.notes())
		assert.Equal(t, []string{"started", "ended exit 0"}, h.told(id))
	})

	bubble(t, "a lost end", func(t *testing.T, h *fakeHost) {
		id, other := h.start("a"), h.start("b")
		synctest.Wait()
		h.sys.child("a").end(leaderStatus{})
		h.sys.child("b").ignore = true
		go h.Stop(t.Context(), other, proc.StopRequest{})
		time.Sleep(time.Second)
		h.sys.child("b").end(leaderStatus{})
		synctest.Wait()
		assert.Equal(t, []string{"started", "ended lost"}, h.told(id))
		end, _ := h.endOf(other)
		assert.Equal(t, proc.Killed, end.Info.Status, "we had sent it a signal")
		end, _ = h.endOf(id)
		assert.Equal(t, proc.Exited, end.Info.Status)
	})

	bubble(t, "out of memory", func(t *testing.T, h *fakeHost) {
		h.sys.begin = func(_ proc.Spec, c *fakeChild) error { c.oom = true; return nil }
		id, other := h.start("a"), h.start("b")
		synctest.Wait()
		h.sys.child("a").end(leaderStatus{known: true, signal: syscall.SIGKILL})
		h.sys.child("b").end(leaderStatus{known: true, signal: syscall.SIGTERM})
		synctest.Wait()
		end, _ := h.endOf(id)
		assert.True(t, end.OutOfMemory)
		end, _ = h.endOf(other)
		assert.False(t, end.OutOfMemory)
	})

	bubble(t, "the end of a context ends the waiting only", func(t *testing.T, h *fakeHost) {
		h.sys.begin = func(_ proc.Spec, c *fakeChild) error { c.ignore = true; return nil }
		id := h.start("a")
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		_, err := h.Stop(ctx, id, proc.StopRequest{})
		assert.ErrorIs(t, err, context.DeadlineExceeded)
		time.Sleep(proc.DefaultGrace)
		assert.Equal(t, []string{"started", "terminating", "ended KILL by user"}, h.told(id))

		other := h.start("b")
		_, err = h.Stop(ctx, other, proc.StopRequest{}) // it is over before the owner is asked
		assert.ErrorIs(t, err, context.DeadlineExceeded)
		time.Sleep(time.Minute)
		assert.Equal(t, []string{"started", "terminating", "ended KILL by user"}, h.told(other))
	})

	bubble(t, "requests during the spawn", func(t *testing.T, h *fakeHost) {
		h.sys.begin = func(_ proc.Spec, c *fakeChild) error { time.Sleep(time.Second); c.birth = time.Now(); return nil }
		id := h.start("a")
		other := h.start("b")
		go func() { assert.NoError(t, h.Signal(other, syscall.SIGINT)) }()
		go func() { assert.NoError(t, h.Rename(id, "renamed")) }()
		time.Sleep(500 * time.Millisecond)
		r, err := h.Stop(t.Context(), id, proc.StopRequest{By: proc.ByShutdown})
		require.NoError(t, err)
		assert.True(t, r.OK)
		assert.Equal(t, "renamed", r.Info.Name)
		assert.Equal(t, []string{"started", "terminating", "ended TERM by shutdown"}, h.told(id))
		synctest.Wait()
		assert.Equal(t, []string{"0s INT"}, h.sys.child("b").notes())
	})

	bubble(t, "four spawns at a time", func(t *testing.T, h *fakeHost) {
		var mu sync.Mutex
		var now, most int
		h.sys.begin = func(proc.Spec, *fakeChild) error {
			mu.Lock()
			now++
			most = max(most, now)
			mu.Unlock()
			time.Sleep(time.Second)
			mu.Lock()
			now--
			mu.Unlock()
			return nil
		}
		begun := time.Now()
		for i := range 20 {
			h.start(fmt.Sprint(i))
		}
		assert.Zero(t, time.Since(begun), "start does not wait")
		assert.Len(t, h.List(), 20)
		time.Sleep(5 * time.Second)
		synctest.Wait()
		assert.Equal(t, maxSpawns, most)
		assert.Equal(t, []string{"started"}, h.told("19"))
	})

	bubble(t, "a spawn that fails", func(t *testing.T, h *fakeHost) {
		h.sys.begin = func(proc.Spec, *fakeChild) error { return errors.New("no such command") }
		id := h.start("a")
		synctest.Wait()
		assert.Equal(t, []string{"ended spawn_error -1"}, h.told(id))
		assert.ErrorIs(t, h.Signal(id, syscall.SIGINT), ErrEnded)
		_, err := h.Write(t.Context(), id, nil, false)
		assert.ErrorIs(t, err, ErrEnded)
		_, err = h.Stop(t.Context(), id, proc.StopRequest{})
		assert.ErrorIs(t, err, ErrEnded)
		assert.ErrorIs(t, h.Rename(id, "x"), ErrEnded)
		assert.NoError(t, h.Release(id))
	})

	bubble(t, "records", func(t *testing.T, h *fakeHost) {
		for i := range 30 {
			h.start(fmt.Sprint(i))
		}
		synctest.Wait()
		var names []string
		for _, info := range h.List() {
			names = append(names, info.Name)
		}
		for i := range 30 {
			assert.Equal(t, fmt.Sprint(i), names[i], "start order")
		}
		h.sys.child("7").end(returns(0))
		synctest.Wait()
		assert.Equal(t, 1, h.Forget("7", "8", "none"), "only what has ended")
		_, is := h.Info("7")
		assert.False(t, is)
		_, is = h.Info("8")
		assert.True(t, is)
		_, err := h.Stop(t.Context(), "7", proc.StopRequest{})
		assert.ErrorIs(t, err, ErrNotFound)
		assert.ErrorIs(t, h.Signal("7", syscall.SIGINT), ErrNotFound)
		assert.NoError(t, h.Start("7", fakeSpec("7"), nil), "the id is free")
	})
}

// TestClaimsAndEnds lets go of a claim in the very moment of the end, many times. The end goes either to the
// claim or to a notification, and whoever asked knows which.
func TestClaimsAndEnds(t *testing.T) {
	ways := map[proc.Completion]int{}
	for i := range 1000 {
		synctest.Test(t, func(t *testing.T) {
			h := newFakeHost(t)
			spec := fakeSpec("a")
			spec.Delivery.Completion = proc.ClaimTool
			require.NoError(t, h.Start("a", spec, nil))
			synctest.Wait()
			go h.sys.child("a").end(leaderStatus{known: true})
			if i%3 == 0 {
				synctest.Wait()
			}
			err := h.Release("a")
			synctest.Wait()
			end, is := h.endOf("a")
			require.True(t, is)
			ways[end.Info.Delivery.Completion]++
			if end.Info.Delivery.Completion == proc.ClaimTool {
				assert.ErrorIs(t, err, ErrEnded)
				assert.ErrorIs(t, h.Release("a"), ErrEnded, "asked again, the answer is the same")
			} else {
				assert.NoError(t, err)
				assert.Equal(t, proc.FollowUp, end.Info.Delivery.Turn)
				assert.NoError(t, h.Release("a"))
			}
			h.Close(context.Background())
		})
	}
	assert.Len(t, ways, 2, "both ways were gone")
	assert.ErrorIs(t, newManager(Options{}, nil).Release("none"), ErrNotFound)
}

func TestClose(t *testing.T) {
	bubble(t, "everything at the same time", func(t *testing.T, h *fakeHost) {
		h.sys.begin = func(_ proc.Spec, c *fakeChild) error { c.ignore = true; return nil }
		for i := range 100 {
			h.start(fmt.Sprint(i))
		}
		synctest.Wait()
		begun := time.Now()
		assert.NoError(t, h.Close(context.Background()))
		assert.Equal(t, proc.DefaultGrace, time.Since(begun))
		for i := range 100 {
			assert.Equal(t, []string{"started", "terminating", "ended KILL by shutdown"}, h.told(proc.ID(fmt.Sprint(i))))
		}
		assert.ErrorIs(t, h.Start("x", fakeSpec("x"), nil), ErrClosed)
		assert.True(t, h.sys.closed)
		assert.NoError(t, h.Close(context.Background()), "once more does nothing")
		_, err := h.Stop(t.Context(), "5", proc.StopRequest{})
		assert.NoError(t, err, "the answer of its stop")
	})

	bubble(t, "a context that ends kills the rest", func(t *testing.T, h *fakeHost) {
		h.sys.begin = func(_ proc.Spec, c *fakeChild) error { c.ignore = true; return nil }
		h.start("a")
		synctest.Wait()
		ctx, cancel := context.WithTimeout(context.Background(), time.Second)
		defer cancel()
		assert.NoError(t, h.Close(ctx))
		assert.Equal(t, []string{"0s TERM", "1s KILL", "1s let go", "1s abandon"}, h.sys.child("a").notes())
	})

	bubble(t, "who survives is named", func(t *testing.T, h *fakeHost) {
		h.sys.begin = func(_ proc.Spec, c *fakeChild) error { c.ignore, c.stubborn = true, true; return nil }
		h.start("a")
		synctest.Wait()
		assert.EqualError(t, h.Close(context.Background()), "close the process manager: still alive: 10 (fake)")
		r, err := h.Stop(t.Context(), "a", proc.StopRequest{})
		assert.NoError(t, err)
		assert.Equal(t, ReasonTimeout, r.Reason)
		h.sys.child("a").end(leaderStatus{})
	})

	bubble(t, "a spawn that hangs", func(t *testing.T, h *fakeHost) {
		h.sys.begin = func(proc.Spec, *fakeChild) error { time.Sleep(time.Hour); return nil }
		h.start("a")
		ctx, cancel := context.WithTimeout(context.Background(), time.Second)
		defer cancel()
		assert.ErrorContains(t, h.Close(ctx), "still alive")
		time.Sleep(2 * time.Hour)
		notes := fmt.Sprint(h.sys.child("a").notes())
		assert.Contains(t, notes, "KILL", "what comes out of it does not live")
		assert.Contains(t, notes, "let go")
		_, err := h.Stop(t.Context(), "a", proc.StopRequest{})
		assert.ErrorIs(t, err, ErrClosed)
	})

	bubble(t, "leftovers are seen off", func(t *testing.T, h *fakeHost) {
		h.start("a")
		synctest.Wait()
		c := h.sys.child("a")
		c.leave(census{group: []member{{pid: 11}}})
		c.ignore = true
		c.end(leaderStatus{known: true})
		synctest.Wait()
		begun := time.Now()
		assert.NoError(t, h.Close(context.Background()))
		assert.Equal(t, sweepGrace, time.Since(begun))
	})
}

// TestOutputFollowsTheStart has a host that is slow to take the start, and a child that writes at once.
func TestOutputFollowsTheStart(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		obs := &testObserver{}
		early := ""
		sys := &fakeSystem{children: map[string]*fakeChild{}, begin: func(_ proc.Spec, c *fakeChild) error {
			c.first = "first words"
			return nil
		}}
		m := newManager(Options{Events: func(e proc.Event) {
			if _, is := e.(proc.Started); is {
				time.Sleep(time.Second)
				early = obs.text(proc.Stdout)
			}
		}}, sys)
		require.NoError(t, m.Start("a", fakeSpec("a"), obs))
		time.Sleep(time.Minute)
		require.NoError(t, m.Close(context.Background()))
		assert.Empty(t, early)
		assert.Equal(t, "first words", obs.text(proc.Stdout))
	})
}

func TestOutputPrecedesTheEnd(t *testing.T) {
	bubble(t, "by itself and when stopped", func(t *testing.T, h *fakeHost) {
		for _, name := range []string{"a", "b"} {
			obs := &testObserver{}
			require.NoError(t, h.Start(proc.ID(name), fakeSpec(name), obs))
			synctest.Wait()
			c := h.sys.child(name)
			c.mu.Lock()
			c.unread = "last words"
			c.mu.Unlock()
			if name == "a" {
				c.end(leaderStatus{known: true})
				synctest.Wait()
			} else {
				_, err := h.Stop(t.Context(), "b", proc.StopRequest{})
				require.NoError(t, err)
			}
			assert.Equal(t, "last words", obs.text(proc.Stdout))
			assert.Equal(t, 1, obs.flushed)
			c.out.write(proc.Stdout, []byte("of a leftover"))
			assert.Equal(t, "last words", obs.text(proc.Stdout))
		}
	})
}
