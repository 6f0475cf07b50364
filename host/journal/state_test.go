package journal

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/prochost/prochost/manager/proc"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// dump shows a State as text.
func dump(s *State) string {
	var b strings.Builder
	for _, l := range s.Lives() {
		fmt.Fprintf(&b, "%s %s pid %d", l.ID, l.Name, l.Process.PID)
		if l.Stopping != nil {
			fmt.Fprintf(&b, ", stopping by %s", l.Stopping.By)
			if l.Stopping.TimedOut {
				b.WriteString(" timed out")
			}
		}
		if l.Ended != nil {
			fmt.Fprintf(&b, ", ended %s", l.Ended.End.Reason())
			if code, ok := l.Ended.End.ExitCode(); ok {
				fmt.Fprintf(&b, " %d", code)
			}
			if l.Ended.By != "" {
				fmt.Fprintf(&b, " by %s", l.Ended.By)
			}
		}
		b.WriteString("\n")
	}
	for _, in := range s.Sessions() {
		fmt.Fprintf(&b, "%s (%s) last %d acknowledged %d:", in.ID, in.Agent, in.Last, in.Acknowledged)
		pending := s.Inbox(in.ID)
		if len(pending) != in.Pending {
			b.WriteString(" CONTRADICTION")
		}
		for _, p := range pending {
			fmt.Fprintf(&b, " %d=%d%q", p.Number, p.Notification, p.Payload)
			if p.Delivered {
				b.WriteString("!")
			}
		}
		b.WriteString("\n")
	}
	fmt.Fprintf(&b, "numbers %d %d, held %d\n", s.LastNotification(), s.LastEvent(), len(s.notified))
	return b.String()
}

func instance(id proc.ID, name string, pid int) *Instance {
	return &Instance{ID: id, Name: name, Process: Process{PID: pid}}
}

// note is a notification with the payload "nN", to sessions by their numbers.
func note(number uint64, to ...Address) *Notified {
	return &Notified{Number: number, To: to, Payload: fmt.Sprintf("n%d", number)}
}

func at(session string, number uint64) Address { return Address{session, number} }

var exit1 = proc.ExitedWith(1)

// lines is a dump as it is written in a test.
func lines(l ...string) string { return strings.Join(l, "\n") + "\n" }

var applyTable = []struct {
	what    string
	records []Record
	want    string
}{
	{"nothing", nil, lines("numbers 0 0, held 0")},

	// instances
	{"an instance runs",
		[]Record{instance("a", "web", 7)},
		lines("a web pid 7", "numbers 0 0, held 0")},
	{"its pid becomes known and its name changes; its place stays",
		[]Record{instance("a", "web", 0), instance("b", "db", 8), instance("a", "www", 7)},
		lines("a www pid 7", "b db pid 8", "numbers 0 0, held 0")},
	{"it ends",
		[]Record{instance("a", "web", 7), &Ended{ID: "a", End: exit1}},
		lines("a web pid 7, ended exit 1", "numbers 0 0, held 0")},
	{"the first end counts",
		[]Record{instance("a", "web", 7), &Ended{ID: "a", End: exit1}, &Ended{ID: "a", End: proc.Vanished(false)}},
		lines("a web pid 7, ended exit 1", "numbers 0 0, held 0")},
	{"what changes after the end leaves the end",
		[]Record{instance("a", "web", 7), &Ended{ID: "a", End: exit1}, instance("a", "www", 7)},
		lines("a www pid 7, ended exit 1", "numbers 0 0, held 0")},
	{"it ends as asked",
		[]Record{instance("a", "web", 7), &Stopping{ID: "a", By: "user"}, &Ended{ID: "a", End: proc.EndedBySignal(syscall.SIGTERM, true), By: "user"}},
		lines("a web pid 7, stopping by user, ended signal by user", "numbers 0 0, held 0")},
	{"a stop times out",
		[]Record{instance("a", "web", 7), &Stopping{ID: "a", By: "user"}, &Stopping{ID: "a", By: "user", TimedOut: true}},
		lines("a web pid 7, stopping by user timed out", "numbers 0 0, held 0")},
	{"a stop is taken back",
		[]Record{instance("a", "web", 7), &Stopping{ID: "a", By: "user"}, &Stopping{ID: "a"}},
		lines("a web pid 7", "numbers 0 0, held 0")},
	{"a stop after the end is none",
		[]Record{instance("a", "web", 7), &Ended{ID: "a", End: exit1}, &Stopping{ID: "a", By: "user"}},
		lines("a web pid 7, ended exit 1", "numbers 0 0, held 0")},
	{"nothing is invented of an instance whose record is lost",
		[]Record{&Stopping{ID: "a", By: "user"}, &Ended{ID: "a", End: exit1}, &Cleared{IDs: []proc.ID{"a"}}},
		lines("numbers 0 0, held 0")},
	{"what has ended is cleared, what is live stays",
		[]Record{instance("a", "web", 7), instance("b", "db", 8), &Ended{ID: "a", End: exit1}, &Cleared{IDs: []proc.ID{"a", "b", "c"}}},
		lines("b db pid 8", "numbers 0 0, held 0")},

	// sessions and inboxes
	{"a session opens",
		[]Record{&SessionOpened{ID: "s", Agent: "pi"}},
		lines("s (pi) last 0 acknowledged 0:", "numbers 0 0, held 0")},
	{"a notification goes to two sessions, each with its own numbers",
		[]Record{&SessionOpened{ID: "s", Agent: "pi"}, note(1, at("s", 1)), &SessionOpened{ID: "t", Agent: "codex"}, note(2, at("s", 2), at("t", 1))},
		lines(`s (pi) last 2 acknowledged 0: 1=1"n1" 2=2"n2"`, `t (codex) last 1 acknowledged 0: 1=2"n2"`, "numbers 2 0, held 2")},
	{"it is held as long as one of them has not acknowledged it",
		[]Record{note(1, at("s", 1), at("t", 1)), &Acknowledged{"s", 0, 1}},
		lines(`s () last 1 acknowledged 1:`, `t () last 1 acknowledged 0: 1=1"n1"`, "numbers 1 0, held 1")},
	{"and forgotten when all have; its number is not",
		[]Record{note(1, at("s", 1), at("t", 1)), &Acknowledged{"s", 0, 1}, &Acknowledged{"t", 1, 1}},
		lines(`s () last 1 acknowledged 1:`, `t () last 1 acknowledged 1:`, "numbers 1 0, held 0")},
	{"one for nobody only takes a number",
		[]Record{note(1)}, lines("numbers 1 0, held 0")},
	{"the same record again is not a second notification",
		[]Record{note(1, at("s", 1)), note(1, at("s", 1))},
		lines(`s () last 1 acknowledged 0: 1=1"n1"`, "numbers 1 0, held 1")},
	{"one number in a session is one notification",
		[]Record{note(1, at("s", 1)), note(2, at("s", 1))},
		lines(`s () last 1 acknowledged 0: 1=1"n1"`, "numbers 2 0, held 1")},
	{"an earlier one that comes later takes its place",
		[]Record{note(3, at("s", 3)), note(1, at("s", 1)), note(2, at("s", 2))},
		lines(`s () last 3 acknowledged 0: 1=1"n1" 2=2"n2" 3=3"n3"`, "numbers 3 0, held 3")},
	{"words come later",
		[]Record{note(1, at("s", 1)), &Worded{1, "better"}, &Worded{2, "of nothing"}},
		lines(`s () last 1 acknowledged 0: 1=1"better"`, "numbers 1 0, held 1")},
	{"some are delivered",
		[]Record{note(1, at("s", 1)), note(2, at("s", 2)), note(3, at("s", 3)), &Delivered{"s", 2, 9}, &Delivered{"t", 1, 1}},
		lines(`s () last 3 acknowledged 0: 1=1"n1" 2=2"n2"! 3=3"n3"!`, "numbers 3 0, held 3")},
	{"one of the middle is acknowledged",
		[]Record{note(1, at("s", 1)), note(2, at("s", 2)), note(3, at("s", 3)), &Acknowledged{"s", 2, 2}},
		lines(`s () last 3 acknowledged 0: 1=1"n1" 3=3"n3"`, "numbers 3 0, held 2")},
	{"acknowledging what is not there, or backwards, changes nothing",
		[]Record{note(1, at("s", 1)), &Acknowledged{"s", 2, 9}, &Acknowledged{"s", 1, 0}, &Acknowledged{"t", 0, 9}},
		lines(`s () last 1 acknowledged 0: 1=1"n1"`, "numbers 1 0, held 1")},
	{"a session is taken up again with its inbox",
		[]Record{&SessionOpened{ID: "s", Agent: "pi"}, note(1, at("s", 1)), &SessionOpened{ID: "s", Agent: "pi 2"}},
		lines(`s (pi 2) last 1 acknowledged 0: 1=1"n1"`, "numbers 1 0, held 1")},
	{"a session ends with its inbox",
		[]Record{note(1, at("s", 1), at("t", 1)), note(2, at("s", 2)), &SessionClosed{"s"}, &SessionClosed{"u"}},
		lines(`t () last 1 acknowledged 0: 1=1"n1"`, "numbers 2 0, held 1")},

	// numbers
	{"numbers only rise",
		[]Record{note(5, at("s", 3)), &Numbers{3, 100, []Address{at("s", 2), at("t", 9)}}, &Numbers{0, 50, nil}},
		lines(`s () last 3 acknowledged 2: 3=5"n5"`, "numbers 5 100, held 1")},
	{"numbers that have no records any more",
		[]Record{&SessionOpened{ID: "s", Agent: "pi"}, &Numbers{7, 0, []Address{at("s", 4)}}},
		lines(`s (pi) last 4 acknowledged 4:`, "numbers 7 0, held 0")},
}

func apply(records []Record) *State {
	s := NewState()
	for _, r := range records {
		s.Apply(r)
	}
	return s
}

func TestApply(t *testing.T) {
	for _, row := range applyTable {
		s := apply(row.records)
		assert.Equal(t, row.want, dump(s), row.what)
		assert.Equal(t, row.want, dump(s.Clone()), "%s: a copy", row.what)
	}
}

// randomRecords are records of a small world, so that they meet.
func randomRecords(rng *rand.Rand, n int) (out []Record) {
	id := func() proc.ID { return proc.ID(rune('a' + rng.IntN(4))) }
	in := func() string { return string(rune('s' + rng.IntN(3))) }
	number := func() uint64 { return uint64(1 + rng.IntN(12)) }
	for range n {
		switch rng.IntN(11) {
		case 0:
			out = append(out, instance(id(), "web", rng.IntN(9)))
		case 1:
			out = append(out, &Stopping{ID: id(), By: "user", TimedOut: rng.IntN(2) == 0})
		case 2:
			out = append(out, &Ended{ID: id(), End: allEnds[rng.IntN(len(allEnds))]})
		case 3:
			out = append(out, &Cleared{[]proc.ID{id(), id()}})
		case 4, 5:
			out = append(out, note(number(), at(in(), number()), at(in(), number())))
		case 6:
			out = append(out, &Worded{number(), "words"})
		case 7:
			out = append(out, &Delivered{in(), number(), number()})
		case 8:
			out = append(out, &Acknowledged{in(), number(), number()})
		case 9:
			out = append(out, &SessionOpened{ID: in(), Agent: "pi"})
		case 10:
			if rng.IntN(3) == 0 {
				out = append(out, &SessionClosed{in()})
			} else {
				out = append(out, &Numbers{number(), number(), []Address{at(in(), number())}})
			}
		}
	}
	return out
}

// Whatever the records were, the snapshot makes the same State, which goes on in the same way; and it has no more in
// it than the State.
func TestSnapshotIsTheState(t *testing.T) {
	for seed := range uint64(60) {
		rng := rand.New(rand.NewPCG(seed, 2))
		s := apply(randomRecords(rng, rng.IntN(60)))
		m := &memory{state: s}
		again := &memory{state: NewState()}
		groups := 0
		for group := range m.Snapshot() {
			require.NoError(t, again.Apply(group))
			groups++
		}
		require.Equal(t, dump(s), dump(again.state), "seed %d", seed)
		assert.Zero(t, again.malformed)
		assert.LessOrEqual(t, groups, 2+len(s.lives)+3*len(s.sessions)+2*len(s.notified)+len(s.sessions)*12)

		for _, r := range randomRecords(rng, 30) {
			s.Apply(r)
			again.state.Apply(r)
		}
		require.Equal(t, dump(s), dump(again.state), "seed %d", seed)
		for _, n := range s.notified {
			assert.Positive(t, n.holders)
		}
	}
}

func TestACopyChangesByItself(t *testing.T) {
	s := apply([]Record{instance("a", "web", 7), note(1, at("s", 1)), &Delivered{"s", 1, 1}})
	before := dump(s)
	c := s.Clone()
	for _, r := range []Record{
		instance("a", "www", 8), &Ended{ID: "a", End: exit1}, &Worded{1, "x"}, &Acknowledged{"s", 1, 1}, &Numbers{9, 9, nil},
	} {
		c.Apply(r)
	}
	assert.Equal(t, before, dump(s))
	l, ok := c.Life("a")
	require.True(t, ok)
	assert.Equal(t, "www", l.Name)
	_, ok = c.Life("b")
	assert.False(t, ok)
	in, ok := c.Session("s")
	require.True(t, ok)
	assert.EqualValues(t, 1, in.Acknowledged)
	_, ok = c.Session("t")
	assert.False(t, ok)
	assert.Empty(t, c.Inbox("t"))
}

// allEnds are ends of every kind.
var allEnds = []proc.End{
	{}, proc.Vanished(true), proc.HadNoPID(),
	proc.ExitedWith(0), proc.ExitedWith(3), proc.ExitedWith(3, 3), proc.ExitedWith(255), proc.ExitedWith(-1),
	proc.EndedBySignal(syscall.SIGTERM, false), proc.EndedBySignal(syscall.SIGTERM, true),
	proc.EndedBySignal(syscall.SIGSEGV, false), proc.EndedBySignal(syscall.SIGSEGV, true),
	proc.NeverRan(errors.New("not executable")), proc.NeverRan(fmt.Errorf("start \"x\": %w", proc.ErrNoCommand)), proc.NeverRan(errors.New("")),
}

func TestEndsComeBackAsTheyWere(t *testing.T) {
	reasons := map[proc.EndReason]bool{}
	for _, e := range allEnds {
		records, err := decode(encode([]Record{&Ended{ID: "a", At: time.Unix(5, 6).UTC(), End: e}}))
		require.NoError(t, err)
		assert.Equal(t, []Record{&Ended{ID: "a", At: time.Unix(5, 6).UTC(), End: e}}, records)
		reasons[e.Reason()] = true
	}
	assert.Len(t, reasons, proc.NumEndReasons)

	group := encode([]Record{&Ended{ID: "a", End: exit1}})
	records, err := decode([]byte(strings.Replace(string(group), "exit", "melt", 1)))
	require.NoError(t, err)
	assert.Equal(t, []Record{&Ended{ID: "a"}}, records, "a reason that is not known: the zero End is lost")
}
