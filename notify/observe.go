package notify

import (
	"iter"
	"math/bits"
	"time"
	"unicode/utf8"

	"github.com/prochost/prochost/manager/proc"
	"github.com/prochost/prochost/notify/text"
)

// Match is one line that met one matcher.
type Match struct {
	Matcher  Matcher
	Index    int // of the matcher in the list, from 0
	Stream   proc.Stream
	Line     string   // the visible text, whole
	Captures []string // of the groups of a regular expression
}

// MaxLine is the length of the longest line that is looked at, in characters.
const MaxLine = text.MaxLine

// Watchable reports whether a line, its visible text, is looked at: it is neither empty nor too long.
func Watchable(line []byte) bool {
	return len(line) > 0 && (len(line) <= MaxLine || utf8.RuneCount(line) <= MaxLine)
}

// Observe looks at one line, its visible text, at now (which never goes back) and returns the matches in
// the order of the list. Every line that is Watchable must be looked at, by Observe or ObserveRun, once
// and in order.
func (m *Matchers) Observe(s proc.Stream, line []byte, now time.Time) []Match {
	var out []Match
	for i, w := range m.all {
		if !w.awake(s, now) {
			continue
		}
		if hit, ok := m.try(i, s, line, now); ok {
			out = append(out, hit)
		}
	}
	return out
}

// try tries a matcher that is awake on a line. If the line meets it, it fires.
func (m *Matchers) try(index int, s proc.Stream, line []byte, now time.Time) (hit Match, ok bool) {
	w := m.all[index]
	captures, ok := w.match(line)
	if !ok {
		return Match{}, false
	}
	w.fired, w.last = true, now
	for i := range m.sieves {
		m.sieves[i].current = false
	}
	return Match{Matcher: w.Matcher, Index: index, Stream: s, Line: string(line), Captures: captures}, true
}

// ObserveRun looks at each line of a run, as text.Lines reports them, and yields what Observe would return
// for them, each match with the place in the run where its line begins. It looks at no more lines than
// are asked for, and the matchers must not be changed before it ends.
//
// All lines are looked at as of now, so a matcher that wakes while they were read is awake for all of them
// or for none.
func (m *Matchers) ObserveRun(s proc.Stream, run []byte, now time.Time) iter.Seq2[int, Match] {
	return func(yield func(int, Match) bool) { m.observeRun(s, run, now, yield) }
}

func (m *Matchers) observeRun(s proc.Stream, run []byte, now time.Time, yield func(int, Match) bool) {
	for at := 0; at < len(run); {
		start, end, candidates := m.sieve(s, now).next(run, at)
		for ; candidates != 0; candidates &= candidates - 1 {
			hit, ok := m.try(bits.TrailingZeros32(candidates), s, run[start:end:end], now)
			if ok && !yield(start, hit) {
				return
			}
		}
		at = end + 1
	}
}

// Awake reports whether a line of s could meet a matcher at now. While none is awake, nobody needs to look
// at lines.
func (m *Matchers) Awake(s proc.Stream, now time.Time) bool { return m.sieve(s, now).awake != 0 }
