package filewatch

import "time"

// alarm is a timer that is set for a time, and not at all while there is nothing to wait for.
type alarm struct {
	timer *time.Timer
	at    time.Time // zero while it is not set
}

func newAlarm() alarm {
	t := time.NewTimer(0)
	t.Stop()
	return alarm{timer: t}
}

// set makes the alarm ring at t, or never if ok is false.
func (a *alarm) set(t time.Time, ok bool) {
	switch {
	case !ok:
		a.stop()
	case !a.at.Equal(t):
		a.at = t
		a.timer.Reset(time.Until(t))
	}
}

func (a *alarm) stop() {
	if !a.at.IsZero() {
		a.at = time.Time{}
		a.timer.Stop()
	}
}

func (a *alarm) ring() <-chan time.Time { return a.timer.C }

// rang must be called after a receive from ring.
func (a *alarm) rang() { a.at = time.Time{} }

// earliest returns the first of the deadlines that exist.
func earliest(deadlines ...func() (time.Time, bool)) (first time.Time, ok bool) {
	for _, deadline := range deadlines {
		if t, set := deadline(); set && (!ok || t.Before(first)) {
			first, ok = t, true
		}
	}
	return first, ok
}
