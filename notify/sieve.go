package notify

import (
	"bytes"
	"time"

	"github.com/prochost/prochost/manager/proc"
	"github.com/prochost/prochost/notify/scan"
)

// A sieve lets those lines of a stream through that a matcher must be tried on. Matchers are bits by their
// index. The zero sieve is for no matcher, and is not current.
type sieve struct {
	awake  uint32 // matchers for which it was made
	always uint32 // those of them that are tried on every line
	set    *scan.Set

	current bool      // no matcher has fired since it was seen who is awake
	until   time.Time // when the next one wakes; zero if none sleeps
}

var _ [scan.MaxGroups - MaxMatchers]struct{}

// sieve returns the sieve of the matchers that are awake on s. It is made anew after one has fired or
// woken, but not before a line is to be looked at.
func (m *Matchers) sieve(s proc.Stream, now time.Time) *sieve {
	v := &m.sieves[s]
	if v.current && (v.until.IsZero() || now.Before(v.until)) {
		return v
	}
	v.current, v.until = true, time.Time{}
	var awake uint32
	for i, w := range m.all {
		switch {
		case w.awake(s, now):
			awake |= 1 << i
		case w.Repeat && w.Stream.admits(s) && (v.until.IsZero() || w.wakes().Before(v.until)):
			v.until = w.wakes()
		}
	}
	if awake != v.awake {
		m.remake(v, awake)
	}
	return v
}

// remake makes v the sieve of the matchers that are awake.
func (m *Matchers) remake(v *sieve, awake uint32) {
	v.awake, v.always, v.set = awake, 0, nil
	for i := range m.sieves { // the streams mostly have the same matchers
		if other := &m.sieves[i]; other != v && other.awake == awake {
			v.always, v.set = other.always, other.set
			return
		}
	}
	groups := make([][]scan.Literal, len(m.all))
	for i, w := range m.all {
		switch bit := uint32(1) << i; {
		case awake&bit == 0:
		case w.needs == nil:
			v.always |= bit
		default:
			groups[i] = w.needs
		}
	}
	v.set = scan.New(groups)
}

// next returns the next line of run, at or after the start of a line at, that matchers must be tried on,
// and which. If there is none, it is the empty line at the end.
func (v *sieve) next(run []byte, at int) (start, end int, candidates uint32) {
	hit, candidates := at, uint32(0)
	if v.always != 0 {
		for hit < len(run) && run[hit] == '\n' {
			hit++
		}
		start, candidates = hit, v.always
	} else {
		hit, candidates = v.set.Next(run, at, 0)
		start = at + bytes.LastIndexByte(run[at:hit], '\n') + 1
	}
	if hit == len(run) {
		return hit, hit, 0
	}
	end = len(run)
	if n := bytes.IndexByte(run[hit:], '\n'); n >= 0 {
		end = hit + n
	}
	for more := uint32(1); more != 0 && candidates != v.awake; hit++ {
		hit, more = v.set.Next(run[:end], hit, candidates)
		candidates |= more
	}
	return start, end, candidates
}
