package manager

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/prochost/prochost/manager/proc"
)

// executing stands for what cannot be read at the moment.
const executing = "executing"

// TestKin tells descents in words. A process is "pid parent session", followed by what it shows: "dead",
// "marked ID", "executing". The host is 100 in session 1; the leaders are 10 (id ten) and 20 (id twenty).
func TestKin(t *testing.T) {
	for _, tt := range []struct {
		name        string
		all         string
		kin, doubt  string // of ten
		withoutReap string
	}{
		{"alone", "10 100 10", "", "", ""},
		{"children", "10 100 10, 11 10 10, 12 11 10", "11 12", "", "11 12"},
		{"below the leader in a session of its own", "10 100 10, 11 10 11, 12 11 12", "11 12", "", "11 12"},
		{"zombies do not live", "10 100 10 dead, 11 100 10 dead", "", "", ""},
		{"below a zombie's group", "10 100 10 dead, 11 100 10, 12 11 10", "11 12", "", "11 12"},
		{"an orphan of the session", "10 100 10, 11 100 10", "11", "", "11"},
		{"an orphan in a session of its own, marked", "10 100 10, 11 100 11 marked ten", "11", "", ""},
		{"of another's mark", "10 100 10, 11 100 11 marked twenty", "", "", ""},
		{"of a mark of one who is gone", "10 100 10, 11 100 11 marked thirty", "", "", ""},
		{"unmarked", "10 100 10, 11 100 11", "", "11", ""},
		{"an orphan that is executing a program", "10 100 10, 11 100 11 executing", "", "unsure", ""},
		{"one that is executing above a marked one", "10 100 10, 11 100 11 executing, 12 11 12 marked ten", "11 12", "", ""},
		{"one that is executing below a marked one", "10 100 10, 11 100 11 marked ten, 12 11 12 executing", "11 12", "", ""},
		{"one that is executing below another leader", "10 100 10, 20 100 20, 21 20 21 executing", "", "", ""},
		{"unmarked and dead", "10 100 10, 11 100 11 dead", "", "", ""},
		{"unmarked, but one below is", "10 100 10, 11 100 11, 12 11 12, 13 12 13 marked ten", "11 12 13", "", ""},
		{"unmarked, and those below disagree", "10 100 10, 20 100 20, 11 100 11, 12 11 12 marked ten, 13 11 13 marked twenty", "", "11", ""},
		{"the top decides", "10 100 10, 20 100 20, 11 100 11 marked twenty, 12 11 12 marked ten", "", "", ""},
		{"all below a marked orphan", "10 100 10, 11 100 11 marked ten, 12 11 12", "11 12", "", ""},
		{"a mark below another leader condemns nobody", "10 100 10, 20 100 20, 21 20 21 marked ten", "", "", ""},
		{"a mark of nobody's child condemns nobody", "10 100 10, 31 1 31 marked ten", "", "", ""},
		{"children of the host's session are the host's", "10 100 10, 30 100 1 marked ten", "", "", ""},
		{"other leaders are none of ours", "10 100 10, 20 100 20, 21 20 20", "", "", ""},
		{"an orphan that another reaped", "10 100 10 dead, 50 100 50 marked ten, 51 50 51", "50 51", "", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			all, marked := readKin(tt.all)
			g := genealogy{
				self: 100, session: 1, reapers: []int{100},
				leaderOf: func(pid int) (proc.ID, bool) {
					id := map[int]proc.ID{10: "ten", 20: "twenty"}[pid]
					return id, id != ""
				},
				evidence: func(e entry) (proc.ID, bool) {
					if marked[e.pid] == executing {
						return "", false
					}
					return marked[e.pid], true
				},
			}
			k := g.of("ten", 10, all)
			assert.Equal(t, tt.kin, pids(k.kin))
			if tt.doubt == "unsure" {
				assert.True(t, k.unsure)
			} else {
				assert.False(t, k.unsure)
				assert.Equal(t, tt.doubt, pids(k.doubt))
			}
			g.reapers = nil
			assert.Equal(t, tt.withoutReap, pids(g.of("ten", 10, all).kin), "where the system does not let us reap")
		})
	}
}

// TestKinOfReusedNumber: the leader's number is that of another leader by now.
func TestKinOfReusedNumber(t *testing.T) {
	all, _ := readKin("10 100 10, 11 10 10")
	g := genealogy{
		self: 100, session: 1, reapers: []int{100},
		leaderOf: func(pid int) (proc.ID, bool) { return "other", pid == 10 },
		evidence: func(entry) (proc.ID, bool) { return "", true },
	}
	assert.Empty(t, g.of("ten", 10, all).kin)
}

func readKin(text string) (table, map[int]proc.ID) {
	var all table
	marked := map[int]proc.ID{}
	for line := range strings.SplitSeq(text, ", ") {
		var e entry
		fmt.Sscan(line, &e.pid, &e.ppid, &e.sid)
		e.pgid = e.sid
		words := strings.Fields(line)
		for i, w := range words {
			switch w {
			case "dead":
				e.dead = true
			case "executing":
				marked[e.pid] = executing
			case "marked":
				marked[e.pid] = proc.ID(words[i+1])
			}
		}
		all = append(all, e)
	}
	return all, marked
}

func pids(es []entry) string {
	var words []string
	for _, e := range es {
		words = append(words, fmt.Sprint(e.pid))
	}
	return strings.Join(words, " ")
}

func TestMarks(t *testing.T) {
	env := mark([]string{"A=1", "PROCHOST_ID=outer", "B=2"}, "inner")
	assert.Equal(t, []string{"A=1", "B=2", "PROCHOST_OUTER_IDS=outer", "PROCHOST_ID=inner"}, env)
	env = mark(env, "innermost")
	assert.Equal(t, []proc.ID{"innermost", "outer", "inner"}, marks(strings.Join(env, "\x00")+"\x00"))
	assert.Equal(t, []string{"PROCHOST_ID=only"}, mark(nil, "only"))
	assert.Empty(t, marks("A=1\x00XPROCHOST_ID=no\x00"))
}

func TestSurveyorSharesReadings(t *testing.T) {
	gate := make(chan struct{})
	readings := 0
	s := surveyor{read: func() (table, error) {
		readings++
		<-gate
		return table{{pid: readings}}, nil
	}}
	first := make(chan table)
	go func() { all, _ := s.take(); first <- all }()
	gate <- struct{}{} // the first reading is under way and ends
	assert.Equal(t, table{{pid: 1}}, <-first)

	blocked := make(chan table, 10)
	go func() { all, _ := s.take(); blocked <- all }()
	waitUntil(t, func() bool { return s.clock.Load() == 4 }) // it has begun: two questions, two readings
	for range 9 {
		go func() { all, _ := s.take(); blocked <- all }()
	}
	waitUntil(t, func() bool { return s.clock.Load() == 13 })
	gate <- struct{}{}
	gate <- struct{}{}
	for range 10 {
		all := <-blocked
		assert.Contains(t, []int{2, 3}, all[0].pid)
	}
	assert.Equal(t, 3, readings, "one for those who asked while the second was under way")
}
