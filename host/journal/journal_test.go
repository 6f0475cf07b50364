package journal

import (
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/prochost/prochost/host/journal/wal"
	"github.com/prochost/prochost/manager/proc"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// day is what a host may write in a day, as groups.
var day = [][]Record{
	{&SessionOpened{ID: "s", Agent: "pi", At: time.Unix(9, 0)}, &Numbers{Event: EventBlock}},
	{instance("a", "web", 7)},
	{instance("b", "db", 8)},
	{&Ended{ID: "a", End: exit1}, note(1, at("s", 1))},
	{&Stopping{ID: "b", By: "user"}},
	{&Ended{ID: "b", End: proc.EndedBySignal(15, true), By: "user"}, note(2, at("s", 2))},
	{&Worded{2, "the db is stopped"}},
	{&Delivered{"s", 2, 2}},
	{&Acknowledged{"s", 1, 1}},
}

func flatten(groups [][]Record) (all []Record) {
	for _, g := range groups {
		all = append(all, g...)
	}
	return all
}

func openJournal(t *testing.T, dir string) (*Journal, *State, Report) {
	t.Helper()
	j, s, report, err := Open(dir, Options{})
	require.NoError(t, err)
	t.Cleanup(func() { _ = j.Close() })
	return j, s, report
}

// file returns the one file of a journal.
func file(t *testing.T, dir string) string {
	paths, err := filepath.Glob(filepath.Join(dir, "*.wal"))
	require.NoError(t, err)
	require.Len(t, paths, 1)
	return paths[0]
}

// written is a journal that holds a day.
func written(t *testing.T) (dir string) {
	dir = t.TempDir()
	j, _, _ := openJournal(t, dir)
	for _, g := range day {
		require.NoError(t, j.Write(g...))
	}
	require.NoError(t, j.Close())
	return dir
}

func TestTheNextHostKnows(t *testing.T) {
	dir := t.TempDir()
	j, s, report := openJournal(t, dir)
	assert.Equal(t, "numbers 0 0, held 0\n", dump(s))
	assert.Zero(t, report)
	var order []int
	for i, g := range day {
		require.NoError(t, j.Append(func(err error) {
			assert.NoError(t, err)
			order = append(order, i)
		}, g...))
	}
	require.NoError(t, j.Close())
	assert.Equal(t, []int{0, 1, 2, 3, 4, 5, 6, 7, 8}, order)
	assert.ErrorIs(t, j.Append(nil, day[0]...), ErrClosed)
	assert.ErrorIs(t, j.Write(day[0]...), ErrClosed)

	for range 2 { // the second time it is read from a snapshot
		j, s, report = openJournal(t, dir)
		require.NoError(t, j.Close())
		assert.Empty(t, report.Losses())
		assert.Equal(t, lines(
			"a web pid 7, ended exit 1",
			"b db pid 8, stopping by user, ended signal by user",
			`s (pi) last 2 acknowledged 1: 2=2"the db is stopped"!`,
			"numbers 2 4096, held 1"), dump(s))
	}
}

// The State that Open returns is the caller's: it may be changed while the journal goes on.
func TestTheStateIsTheCallers(t *testing.T) {
	dir := written(t)
	j, s, _ := openJournal(t, dir)
	s.Apply(&SessionClosed{"s"})
	s.Apply(&Cleared{[]proc.ID{"a", "b"}})
	before := dump(s)
	require.NoError(t, j.Write(instance("c", "worker", 9)))
	require.NoError(t, j.Close())
	assert.Equal(t, before, dump(s))
	_, again, _ := openJournal(t, dir)
	assert.Len(t, again.Lives(), 3)
	assert.Len(t, again.Inbox("s"), 1)
}

// A byte of a journal is turned, in many places in turn. What the other groups say is there, what is lost is said,
// and no number is given out a second time.
func TestDamage(t *testing.T) {
	path := file(t, written(t))
	whole, err := os.ReadFile(path)
	require.NoError(t, err)
	states := map[string]int{} // what may be left, by which group is missing
	for missing := -1; missing < len(day); missing++ {
		var rest [][]Record
		for i, g := range day {
			if i != missing {
				rest = append(rest, g)
			}
		}
		states[withoutNumbers(apply(flatten(rest)))] = missing
	}
	require.Len(t, states, len(day)+1, "each group makes a difference")
	met := map[int]bool{}
	for at := 0; at < len(whole); at += 14 {
		bad := slices.Clone(whole)
		bad[at] ^= 0x10
		dir := t.TempDir()
		require.NoError(t, os.WriteFile(filepath.Join(dir, filepath.Base(path)), bad, 0o600))

		j, s, report, err := Open(dir, Options{})
		require.NoError(t, err)
		require.NoError(t, j.Close())
		missing, known := states[withoutNumbers(s)]
		require.True(t, known, "byte %d: nobody wrote this:\n%s", at, dump(s))
		met[missing] = true
		assert.True(t, missing < 0 || len(report.Losses()) > 0, "byte %d: group %d is lost and nothing is said", at, missing)
		assert.GreaterOrEqual(t, s.LastNotification(), uint64(2), "byte %d", at)
		assert.GreaterOrEqual(t, s.LastEvent(), uint64(EventBlock), "byte %d", at)
		if in, ok := s.Session("s"); assert.True(t, ok) {
			assert.GreaterOrEqual(t, in.Last, uint64(2), "byte %d", at)
		}
	}
	assert.Len(t, met, len(day)+1, "each group was hit once, and something else")
}

// withoutNumbers is a dump without the numbers that damage makes skip.
func withoutNumbers(s *State) string {
	c := s.Clone()
	c.notification, c.event = 0, 0
	for _, in := range c.sessions {
		in.last = 0
	}
	return dump(c)
}

func TestLossesAreNamed(t *testing.T) {
	dir := written(t)
	path := file(t, dir)
	data, err := os.ReadFile(path)
	require.NoError(t, err)
	// the end of "a", with notification 1
	at := strings.Index(string(data), "n1")
	require.Positive(t, at)
	data[at] = 'm'
	require.NoError(t, os.WriteFile(path, data, 0o600))
	j, s, report := openJournal(t, dir)
	require.NoError(t, j.Close())
	_, again, none := openJournal(t, dir)
	assert.Empty(t, none.Losses(), "it is told once")
	assert.Equal(t, dump(s), dump(again))
	aside := filepath.Base(path) + ".damaged"
	require.Len(t, report.Damage, 1)
	d := report.Damage[0]
	assert.Equal(t, []string{
		fmt.Sprintf("%d bytes of the journal at byte %d cannot be read; it is kept as %q", d.Length, d.Offset, aside),
		"notification 1 is missing",
	}, report.Losses())
	assert.FileExists(t, filepath.Join(dir, aside))
	assert.Equal(t, []string{"the journal could not be written when the host ended"}, Report{Outage: true}.Losses())
	l, ok := s.Life("a")
	require.True(t, ok)
	assert.Nil(t, l.Ended, "what is not known is not made up")
	assert.Equal(t, []Range{{1, 1}}, report.Missing)
	assert.Equal(t, []string{"notifications 3 to 5 are missing"}, Report{Missing: []Range{{3, 5}}}.Losses())
}

// Groups whose checksum is right and that make no sense are left out, and that is said.
func TestMalformedGroups(t *testing.T) {
	m := &memory{state: NewState()}
	require.NoError(t, m.Apply(encode([]Record{&Numbers{5, 9, nil}, &SessionOpened{ID: "s", Agent: "pi"}})))
	bad := record(kindSessionClosed, 1<<1, 7)
	require.NoError(t, m.Apply(append(encode(day[1]), bad...)), "none of it is applied")
	require.NoError(t, m.Apply(encode(day[2])))
	m.Recovered(wal.Report{})
	assert.Equal(t, 1, m.malformed)
	assert.Len(t, m.found.Lives(), 1)
	assert.Greater(t, m.found.LastNotification(), uint64(5))
	assert.Greater(t, m.found.LastEvent(), uint64(9))
	require.ErrorIs(t, m.Apply(bad), errMalformed, "after the start it is a mistake of the program")
	assert.Equal(t, []string{"1 groups of records of the journal make no sense"}, Report{Malformed: 1}.Losses())
}

func TestALaterVersionIsRefused(t *testing.T) {
	m := &memory{state: NewState()}
	require.ErrorIs(t, m.Apply(record(optional-1)), ErrVersion)
}

// The smallest records that give out numbers are no smaller than skip takes them to be.
func TestSkipIsEnough(t *testing.T) {
	for _, r := range []Record{&Notified{Number: 1}, &Numbers{Event: 1}, &Numbers{Notification: 1}} {
		assert.GreaterOrEqual(t, len(encode([]Record{r})), minRecord)
	}
	for _, row := range []struct {
		what    string
		counted bool
		opened  *SessionOpened
		want    uint64
	}{
		{"all is known but what is lost", true, &SessionOpened{ID: "s", At: time.Unix(9, 0)}, 3 + 26},
		{"the numbers are lost", false, &SessionOpened{ID: "s", At: time.Unix(9, 0)}, 50 + 26},
		{"the session is lost", true, &SessionOpened{ID: "s"}, 50 + 26},
	} {
		m := &memory{state: apply([]Record{row.opened, note(50, at("s", 3))}), counted: row.counted}
		m.Recovered(wal.Report{Lost: 100})
		in, _ := m.found.Session("s")
		assert.Equal(t, row.want, in.Last, row.what)
		assert.EqualValues(t, 76, m.found.LastNotification())
		assert.EqualValues(t, 26*EventBlock, m.found.LastEvent())
	}
}

// The numbers stand twice in a snapshot, so that one damage does not lose those whose notifications are forgotten.
func TestNumbersSurviveDamage(t *testing.T) {
	m := &memory{state: apply([]Record{
		&SessionOpened{ID: "s", Agent: "pi", At: time.Unix(9, 0)}, &Numbers{Event: 77},
		note(4, at("s", 3)), note(5, at("s", 4)), note(6, at("s", 5)), &Acknowledged{"s", 1, 3}, &Acknowledged{"s", 5, 5},
	})}
	groups := slices.Collect(m.Snapshot())
	hit := 0
	for missing := range groups {
		again := &memory{state: NewState()}
		for i, g := range groups {
			if i != missing {
				require.NoError(t, again.Apply(g))
			}
		}
		again.Recovered(wal.Report{})
		assert.EqualValues(t, 6, again.found.LastNotification())
		assert.EqualValues(t, 77, again.found.LastEvent())
		in, ok := again.found.Session("s")
		require.True(t, ok)
		assert.EqualValues(t, 5, in.Last)
		assert.Empty(t, again.missing, "what is forgotten is not missing")
		if records, err := decode(groups[missing]); assert.NoError(t, err) && records[0].kind() == kindNumbers {
			hit++
		}
	}
	assert.Equal(t, 2, hit)
}

// Who told something in an outage gave out numbers that are not here. They are left out.
func TestNumbersAfterAnOutage(t *testing.T) {
	dir := written(t)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "outage"), nil, 0o600))
	for _, outage := range []bool{true, false} {
		j, s, report := openJournal(t, dir)
		require.NoError(t, j.Close())
		assert.Equal(t, outage, report.Outage)
		in, _ := s.Session("s")
		assert.EqualValues(t, 2+outageNumbers, in.Last)
		assert.EqualValues(t, 2+outageNumbers, s.LastNotification())
		assert.Greater(t, s.LastEvent(), uint64(outageNumbers))
	}
}

// No record has room for an environment. Who adds one that has is asked to think again.
func TestRecordsHaveNoEnvironment(t *testing.T) {
	for _, empty := range kinds {
		leaves(reflect.ValueOf(empty()).Elem(), func(name string, _ reflect.Value) {
			assert.NotContains(t, strings.ToLower(name), "env")
		})
	}
}
